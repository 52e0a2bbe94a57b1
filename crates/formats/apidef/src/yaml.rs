//! YAML text into the same value type JSON gives, with places in complaints.
//!
//! Why: manifests, mapping files and bind files are read field by field, because unknown keys must
//! be kept or named.

use crate::problem::Result;
use serde_json::{Map, Value};
use transom_messages as messages;
use transom_messages::Problem;
use transom_types::nearest;

/// Longest YAML text accepted, in bytes.
pub const YAML_BYTES_MAX: usize = 1024 * 1024;

/// Parses one YAML document. `file` is only for messages.
///
/// # Errors
/// TXMAD0006E with line and column; TXMAD0003E when the text is too long.
pub fn parse(file: &str, text: &str) -> Result<Value> {
    if text.len() > YAML_BYTES_MAX {
        return Err(Problem::new(
            messages::ad::limit_passed(format_args!(
                "{} bytes of YAML, at most {YAML_BYTES_MAX} are accepted",
                text.len()
            )),
            file,
        ));
    }
    serde_norway::from_str(text).map_err(|error| {
        let problem = Problem::new(messages::ad::yaml_not_well_formed(&error), file);
        match error.location() {
            Some(at) => problem.at(clamp(at.line()), clamp(at.column())),
            None => problem,
        }
    })
}

/// Parses one JSON document. `file` is only for messages.
///
/// # Errors
/// TXMAD0007E with line and column.
pub fn parse_json(file: &str, text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|error| {
        Problem::new(messages::ad::json_not_well_formed(&error), file)
            .at(clamp(error.line()), clamp(error.column()))
    })
}

fn clamp(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A mapping whose keys are all known; scalar values read as text whatever their YAML type.
pub(crate) struct Keys<'a> {
    pub(crate) file: &'a str,
    /// Where in the file, for messages, such as `operations[0].request`.
    pub(crate) at: String,
    map: &'a Map<String, Value>,
}

impl<'a> Keys<'a> {
    /// # Errors
    /// TXMAD0051E when `value` is no mapping, TXMAD0050E when it has a key not in `known`.
    pub(crate) fn new(
        file: &'a str,
        at: &str,
        value: &'a Value,
        known: &[&str],
    ) -> Result<Keys<'a>> {
        let map = value.as_object().ok_or_else(|| {
            Problem::new(
                messages::ad::key_not_valid(place(at, ""), "must be a mapping"),
                file,
            )
        })?;
        for key in map.keys() {
            if !known.contains(&key.as_str()) {
                let hint = nearest(key, known.iter().copied()).map_or_else(
                    || format!("known are {}", known.join(", ")),
                    |n| format!("did you mean {n}?"),
                );
                return Err(Problem::new(
                    messages::ad::key_unknown(place(at, key), &hint),
                    file,
                ));
            }
        }
        Ok(Keys {
            file,
            at: at.to_owned(),
            map,
        })
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|v| !v.is_null())
    }

    /// A scalar as text.
    pub(crate) fn text(&self, key: &str) -> Result<Option<String>> {
        self.get(key)
            .map(|v| scalar(v).ok_or_else(|| self.bad(key, "must be a single value")))
            .transpose()
    }

    pub(crate) fn need(&self, key: &str) -> Result<String> {
        self.text(key)?.ok_or_else(|| self.bad(key, "is missing"))
    }

    pub(crate) fn number<T: std::str::FromStr>(&self, key: &str) -> Result<Option<T>> {
        self.text(key)?
            .map(|t| {
                t.parse()
                    .map_err(|_| self.bad(key, &format!("must be a number, not \"{t}\"")))
            })
            .transpose()
    }

    /// A list of scalars; one scalar counts as a list of one.
    pub(crate) fn texts(&self, key: &str) -> Result<Vec<String>> {
        match self.get(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(all)) => all
                .iter()
                .map(|v| scalar(v).ok_or_else(|| self.bad(key, "must be a list of names")))
                .collect(),
            Some(one) => Ok(vec![
                scalar(one).ok_or_else(|| self.bad(key, "must be a list of names"))?,
            ]),
        }
    }

    /// A mapping of names to scalars, in the order of the file.
    pub(crate) fn pairs(&self, key: &str) -> Result<Vec<(String, String)>> {
        let Some(value) = self.get(key) else {
            return Ok(Vec::new());
        };
        let map = value
            .as_object()
            .ok_or_else(|| self.bad(key, "must be a mapping"))?;
        map.iter()
            .map(|(k, v)| {
                Ok((
                    k.clone(),
                    scalar(v)
                        .ok_or_else(|| self.bad(&format!("{key}.{k}"), "must be a single value"))?,
                ))
            })
            .collect()
    }

    /// A mapping of names to lists of names, in the order of the file.
    pub(crate) fn lists(&self, key: &str) -> Result<Vec<(String, Vec<String>)>> {
        let Some(value) = self.get(key) else {
            return Ok(Vec::new());
        };
        let map = value
            .as_object()
            .ok_or_else(|| self.bad(key, "must be a mapping"))?;
        map.iter()
            .map(|(k, v)| {
                let names = v
                    .as_array()
                    .and_then(|all| all.iter().map(scalar).collect());
                let names = names
                    .ok_or_else(|| self.bad(&format!("{key}.{k}"), "must be a list of names"))?;
                Ok((k.clone(), names))
            })
            .collect()
    }

    /// The elements of a list.
    pub(crate) fn list(&self, key: &str) -> Result<&'a [Value]> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Value::Array(all)) => Ok(all),
            Some(_) => Err(self.bad(key, "must be a list")),
        }
    }

    pub(crate) fn bad(&self, key: &str, why: &str) -> Problem {
        Problem::new(
            messages::ad::key_not_valid(place(&self.at, key), why),
            self.file,
        )
    }
}

fn place(at: &str, key: &str) -> String {
    match (at.is_empty(), key.is_empty()) {
        (true, true) => "the document".to_owned(),
        (true, false) => key.to_owned(),
        (false, true) => at.to_owned(),
        (false, false) => format!("{at}.{key}"),
    }
}

/// Text of a scalar; `None` for lists, mappings and null.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(s) => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        Value::Bool(b) => Some(b.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_name_the_place() {
        let error = parse("m.yml", "a: [1\nb: 2\n").unwrap_err();
        assert_eq!((error.id(), error.place.line), ("TXMAD0006E", 2));
        let value = parse("m.yml", "name: x\nprogamm: Y\n").unwrap();
        let error = Keys::new("m.yml", "", &value, &["name", "program"])
            .err()
            .unwrap();
        assert_eq!(
            error.id_first().to_string(),
            "TXMAD0050E m.yml: unknown key progamm; did you mean program?"
        );
    }

    #[test]
    fn a_bomb_of_aliases_is_an_error() {
        let mut text = String::from("a: &a [x,x,x,x,x,x,x,x,x]\n");
        for (from, to) in ('a'..'k').zip('b'..'l') {
            text += &format!("{to}: &{to} [{}]\n", vec![format!("*{from}"); 9].join(","));
        }
        assert_eq!(parse("m.yml", &text).unwrap_err().id(), "TXMAD0006E");
    }
}
