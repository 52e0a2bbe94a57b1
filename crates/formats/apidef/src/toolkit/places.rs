//! Where in the user's YAML a problem is.
//!
//! Why: values are read without their places, and an API is checked as the archive that is made of
//! it, whose members the user has never seen. A problem says which key it is about; the text is
//! walked once more, and the walk ends with an error at that key, which has a place. Not here: what
//! is wrong.

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;
use transom_messages::Problem;

/// What the walk ends with.
const FOUND: &str = "\u{1}found";

/// The problem with line and column of the text; as it was where the text has no such key.
pub(super) fn placed(problem: Problem, file: &str, text: &str) -> Problem {
    let place = match problem.place.file.split_once('!') {
        Some((_, member)) => {
            of_operation(text, member, &problem).or_else(|| of_property(text, member, &problem))
        }
        None if problem.place.file != file => of_operation(text, &problem.place.file, &problem),
        None if problem.place.line == 0 => of_key(text, &problem),
        None => None,
    };
    match place {
        Some((line, column)) => problem.in_file(file).at(line, column),
        None => problem,
    }
}

/// The key that the message names; else what it names, in the operation that it names.
fn of_key(text: &str, problem: &Problem) -> Option<(u32, u32)> {
    let inserts = || problem.message.inserts();
    if let Some((_, path)) = inserts().find(|(name, _)| *name == "key") {
        return Some(nearest(text, path).unwrap_or((1, 1)));
    }
    let operation = inserts().find(|(_, value)| value.starts_with("operations["));
    let start = operation.and_then(|(_, path)| nearest(text, path));
    let lines = (start.map_or(1, |at| at.0), u32::MAX);
    named(text, lines, problem).or(start)
}

/// What the message names, if that is in one line only: what is quoted first, then the longest.
fn named(text: &str, (start, end): (u32, u32), problem: &Problem) -> Option<(u32, u32)> {
    let inserts = || problem.message.inserts().map(|(_, value)| value);
    let mut words: Vec<&str> = inserts().flat_map(names).collect();
    words.sort_by_key(|value| std::cmp::Reverse(value.len()));
    // What is quoted is meant.
    let quoted = inserts().flat_map(|value| value.split('"').skip(1).step_by(2));
    quoted
        .chain(words)
        .filter(|value| value.len() > 2)
        .find_map(|value| {
            let lines = text.lines().zip(1..end);
            let mut found = lines.filter(|(line, at)| *at >= start && line.contains(value));
            let (line, at) = found.next()?;
            let before = line.get(..line.find(value)?)?;
            Some(match found.next() {
                None => Some((at, clamp(before.chars().count() + 1))),
                Some(_) => None,
            })
        })
        .flatten()
}

/// A value that is one word, else its words that are no words of English; of a path also its end.
fn names(value: &str) -> impl Iterator<Item = &str> {
    let alone = !value.contains(' ');
    let words = value
        .split(' ')
        .map(|word| word.trim_matches(['"', '\'', ';', ',', '?', '.', ':']));
    let words = words.filter(move |w| alone || w.contains(|c: char| !c.is_ascii_lowercase()));
    words
        .flat_map(|word| [Some(word), word.rsplit_once('/').map(|(_, end)| end)])
        .flatten()
}

/// What the manifest of a service says of a property stands in the text under the same name.
fn of_property(text: &str, member: &str, problem: &Problem) -> Option<(u32, u32)> {
    if member != "manifest.yml" {
        return None;
    }
    problem.message.inserts().find_map(|(_, name)| {
        let below = format!("properties.{name}");
        find(text, name)
            .filter(|_| !name.is_empty())
            .or_else(|| find(text, &below))
    })
}

/// The operation whose member is wrong, or which is wrong by its name (`orders PUT /id`), or what
/// the message names in it.
fn of_operation(text: &str, member: &str, problem: &Problem) -> Option<(u32, u32)> {
    let value: Value = serde_norway::from_str(text).ok()?;
    let operations = value.get("operations")?.as_array()?;
    let word = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let at = operations.iter().position(|operation| {
        let (path, method) = (word(operation, "path"), word(operation, "method"));
        let (Some(path), Some(method)) = (path, method) else {
            return false;
        };
        let method = method.to_ascii_uppercase();
        let path = path.trim_matches('/');
        member.contains(&format!("/{path}/{method}/"))
            || member.ends_with(&format!("{method} /{path}"))
    })?;
    let start = find(text, &format!("operations[{at}]"))?;
    let end = find(text, &format!("operations[{}]", at + 1)).map_or(u32::MAX, |next| next.0);
    Some(named(text, (start.0, end), problem).unwrap_or(start))
}

/// The key of a path such as `operations[0].request.path`, or the one above it.
fn nearest(text: &str, path: &str) -> Option<(u32, u32)> {
    let mut path = path;
    loop {
        if let Some(place) = find(text, path) {
            return Some(place);
        }
        path = &path[..path.rfind(['.', '['])?];
    }
}

fn find(text: &str, path: &str) -> Option<(u32, u32)> {
    let walk = Walk { rest: path };
    let error = walk
        .deserialize(serde_norway::Deserializer::from_str(text))
        .err()?;
    let at = error
        .location()
        .filter(|_| error.to_string().contains(FOUND))?;
    Some((clamp(at.line()), clamp(at.column())))
}

fn clamp(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What is left of the path at a value. With nothing left the value itself is meant.
struct Walk<'p> {
    rest: &'p str,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl Walk<'_> {
    fn scalar<E: Error>(&self) -> Result<(), E> {
        match self.rest {
            "" => Err(E::custom(FOUND)),
            _ => Ok(()),
        }
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.scalar()?;
        while let Some(rest) = map.next_key_seed(Key { path: self.rest })? {
            match rest {
                Some(rest) => map.next_value_seed(Walk { rest })?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.scalar()?;
        let inside = self
            .rest
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'));
        let wanted = inside.and_then(|(number, _)| number.parse::<usize>().ok());
        for at in 0.. {
            let rest = match wanted == Some(at) {
                true => inside.map_or("", |(_, rest)| rest.trim_start_matches('.')),
                false => "[",
            };
            if list.next_element_seed(Walk { rest })?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.scalar()
    }
    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.scalar()
    }
    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.scalar()
    }
    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.scalar()
    }
    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.scalar()
    }
    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.scalar()
    }
}

/// A key of a mapping: what is left of the path behind it, where the path goes through it.
struct Key<'p> {
    path: &'p str,
}

impl<'de, 'p> DeserializeSeed<'de> for Key<'p> {
    type Value = Option<&'p str>;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_str(self)
    }
}

impl<'p> Visitor<'_> for Key<'p> {
    type Value = Option<&'p str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        match self.path.strip_prefix(key) {
            Some("") => Err(E::custom(FOUND)),
            Some(rest) if rest.starts_with('.') => Ok(rest.get(1..)),
            Some(rest) if rest.starts_with('[') => Ok(Some(rest)),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name: shop\noperations:\n  - method: GET\n    path: /a.b/{id}\n  - {method: PUT, path: /a,\n     request: {path: {id: x}}}\n";

    #[test]
    fn a_key_has_a_place() {
        assert_eq!(find(TEXT, "name"), Some((1, 1)));
        assert_eq!(find(TEXT, "operations"), Some((2, 1)));
        assert_eq!(find(TEXT, "operations[0].path"), Some((4, 5)));
        assert_eq!(find(TEXT, "operations[1].request.path.id"), Some((6, 23)));
        assert_eq!(find(TEXT, "operations[1]").map(|at| at.0), Some(5));
        assert_eq!(find(TEXT, "nam"), None);
        // What is missing is told at what should have it.
        assert_eq!(
            nearest(TEXT, "operations[0].service").map(|at| at.0),
            Some(3)
        );
        assert_eq!(nearest(TEXT, "basePath"), None);
    }
}
