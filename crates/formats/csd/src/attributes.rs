//! ATTRIBUTES of EXEC CICS CREATE: all attributes of a definition in one text.
//!
//! What: `KEYWORD(value)` with blanks or commas between. Why apart from decks: the text has no
//! lines and columns, and nothing of it is used when part of it is wrong. Not here: installing.

use crate::definition::Definition;
use crate::hint::hint;
use crate::value::{check, name};
use transom_messages::{Message, cs};
use transom_resources::{ResourceKind, common_attributes};

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAttributes {
    pub fault: Fault,
    /// Offset in the text.
    pub at: usize,
    pub message: Message,
}

/// Kinds of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A parenthesis, or a character between attributes.
    Delimiter,
    /// No attribute of the kind, or an abbreviation of several.
    Keyword,
    /// The attribute is there already.
    Twice,
    /// The attribute does not take the value.
    Value,
    /// The attribute has no value.
    NoValue,
    /// The name of the resource.
    Name,
}

impl Definition {
    /// A definition of this name in no deck.
    ///
    /// # Errors
    /// The first mistake.
    pub fn of_text(kind: ResourceKind, resource: &str, text: &str) -> Result<Self, NotAttributes> {
        let wrong = |fault, at, message| Err(NotAttributes { fault, at, message });
        let named = name_of(kind, resource)?;
        let what = format!("{}({named})", kind.keyword());
        let mut definition = Self {
            kind,
            name: named,
            group: String::new(),
            deck: "CREATE".to_owned(),
            line: 0,
            attributes: Vec::new(),
        };
        let mut at = 0;
        while let Some((begins, word, value, ends)) = next(text, at) {
            at = ends;
            let Some(attribute) = kind.attribute(&word) else {
                if word.is_empty() {
                    return wrong(Fault::Delimiter, begins, cs::parenthesis_alone());
                }
                let all = kind.attributes().iter().chain(common_attributes());
                let near = hint(&word, all.map(|a| a.keyword));
                return wrong(
                    Fault::Keyword,
                    begins,
                    cs::not_an_attribute(&what, &word, near),
                );
            };
            let value = match value {
                Value::Given(value) if !value.is_empty() => value,
                Value::NotClosed => {
                    let message = cs::value_not_closed(attribute.keyword, ")");
                    return wrong(Fault::Delimiter, begins, message);
                }
                Value::Given(_) | Value::Absent => {
                    let message = cs::value_not_valid(&what, attribute.keyword, "", "it is empty");
                    return wrong(Fault::NoValue, begins, message);
                }
            };
            if definition.given(attribute.keyword).is_some() {
                let message = cs::attribute_twice(&what, attribute.keyword);
                return wrong(Fault::Twice, begins, message);
            }
            match check(attribute.rule, value) {
                Ok(value) => definition.set(attribute.keyword, value),
                Err(why) => {
                    let message = cs::value_not_valid(&what, attribute.keyword, value, &why);
                    return wrong(Fault::Value, begins, message);
                }
            }
        }
        Ok(definition)
    }
}

fn name_of(kind: ResourceKind, resource: &str) -> Result<String, NotAttributes> {
    let named = match kind.name_keeps_case() {
        true => name(resource, kind.name_length()),
        false => name(&resource.to_ascii_uppercase(), kind.name_length()),
    };
    named.map_err(|why| NotAttributes {
        fault: Fault::Name,
        at: 0,
        message: cs::name_not_valid(kind.keyword(), resource.trim_end(), &why),
    })
}

enum Value<'a> {
    Absent,
    Given(&'a str),
    NotClosed,
}

/// The next attribute from an offset on: where it begins, its word in upper case, its value, and
/// where it ends. `None`: there are only blanks.
fn next(text: &str, from: usize) -> Option<(usize, String, Value<'_>, usize)> {
    let between = |c: char| c == ' ' || c == ',' || c == '\0';
    let rest = text.get(from..)?;
    let begins = from + rest.find(|c| !between(c))?;
    let rest = text.get(begins..)?;
    let word_end = rest.find(|c: char| !c.is_ascii_alphanumeric());
    let word_end = word_end.unwrap_or(rest.len());
    let (word, behind) = rest.split_at(word_end);
    let word = word.to_ascii_uppercase();
    let Some(inner) = behind.strip_prefix('(') else {
        let step = if word.is_empty() { 1 } else { word_end };
        return Some((begins, word, Value::Absent, begins + step));
    };
    let mut depth = 0usize;
    let end = inner.find(|c| match c {
        '(' => {
            depth += 1;
            false
        }
        ')' if depth == 0 => true,
        ')' => {
            depth -= 1;
            false
        }
        _ => false,
    });
    Some(match end {
        Some(end) => {
            let value = inner.get(..end).unwrap_or_default().trim();
            (
                begins,
                word,
                Value::Given(value),
                begins + word_end + end + 2,
            )
        }
        None => (begins, word, Value::NotClosed, text.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> (Fault, usize) {
        let wrong = Definition::of_text(ResourceKind::Program, "PAY", text).unwrap_err();
        (wrong.fault, wrong.at)
    }

    #[test]
    fn a_text_is_a_definition() {
        let text = "LANG(COBOL) , STATUS(DISABLED)DESCRIPTION(Pays (all) of them)  ";
        let made = Definition::of_text(ResourceKind::Program, "PAY     ", text).unwrap();
        let given: Vec<_> = made.attributes().collect();
        let wanted = [
            ("LANGUAGE", "COBOL"),
            ("STATUS", "DISABLED"),
            ("DESCRIPTION", "Pays (all) of them"),
        ];
        assert_eq!((made.name.as_str(), given.as_slice()), ("PAY", &wanted[..]));
        let kind = ResourceKind::Transaction;
        assert_eq!(Definition::of_text(kind, "pay", "").unwrap().name, "pay");
    }

    #[test]
    fn the_first_mistake_has_its_offset() {
        assert_eq!(wrong("STATUS(ENABLED) NOSUCH(1)"), (Fault::Keyword, 16));
        assert_eq!(wrong("STATUS(ENABLED) )"), (Fault::Delimiter, 16));
        assert_eq!(wrong("STATUS(ENABLED"), (Fault::Delimiter, 0));
        assert_eq!(wrong("STATUS(SOMEHOW)"), (Fault::Value, 0));
        assert_eq!(wrong(" STATUS"), (Fault::NoValue, 1));
        assert_eq!(wrong("STATUS(ENABLED) STATUS(ENABLED)"), (Fault::Twice, 16));
        let empty = Definition::of_text(ResourceKind::Program, " ", "").unwrap_err();
        assert_eq!(empty.fault, Fault::Name);
    }
}
