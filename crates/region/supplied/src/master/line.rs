//! A CEMT command line: verb, kind of resource, names, words.

use crate::interpreter::command::Variables;
use crate::words::{Value, words};
use transom_messages::{self as messages, Message};
use transom_resources::{View, none_of};
use transom_wire::pattern;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Inquire,
    Set,
    Discard,
    Perform,
}

/// A command line.
pub(super) struct Line {
    pub verb: Verb,
    /// `None` for PERFORM.
    pub resource: Option<&'static View>,
    /// Names with `*` and `+`; none: all.
    pub names: Vec<String>,
    /// ALL was typed.
    pub all: bool,
    /// Words and their values, as typed.
    pub words: Vec<(String, String)>,
}

/// Reads a line; `&NAME` is the text of a variable.
pub(super) fn parse(text: &str, variables: &Variables) -> Result<Line, Message> {
    let literal = |value| literal(value, variables);
    let mut parts = words(text)?.into_iter();
    let verb = parts.next().map(|word| word.text).unwrap_or_default();
    let verb = match verb.as_str() {
        v if !v.is_empty() && "INQUIRE".starts_with(v) => Verb::Inquire,
        v if !v.is_empty() && "SET".starts_with(v) => Verb::Set,
        v if !v.is_empty() && "PERFORM".starts_with(v) => Verb::Perform,
        v if !v.is_empty() && "DISCARD".starts_with(v) => Verb::Discard,
        "" => return Err(messages::mt::type_verb()),
        v => {
            return Err(messages::mt::verb_unknown(v));
        }
    };
    let mut line = Line {
        verb,
        resource: None,
        names: Vec::new(),
        all: false,
        words: Vec::new(),
    };
    if verb != Verb::Perform {
        let Some(kind) = parts.next() else {
            return Err(messages::mt::type_kind());
        };
        let Some(found) = View::of(&kind.text) else {
            return Err(no_kind(&kind.text));
        };
        line.resource = Some(found);
        let names = literal(kind.value).to_ascii_uppercase();
        let names = names.split([',', ' ']).filter(|name| !name.is_empty());
        line.names = names.map(str::to_owned).collect();
    }
    for word in parts {
        line.words.push((word.text, literal(word.value)));
    }
    if verb != Verb::Perform {
        let before = line.words.len();
        line.words.retain(|(word, value)| {
            !(value.is_empty() && word.len() > 1 && "ALL".starts_with(word.as_str()))
        });
        line.all = line.words.len() < before;
    }
    Ok(line)
}

/// Why a word is no kind of resource here.
fn no_kind(word: &str) -> Message {
    match none_of().iter().find(|kind| kind.starts_with(word)) {
        Some(kind) if !word.is_empty() => messages::mt::none_of_kind(kind),
        _ => messages::mt::kind_unknown(word),
    }
}

fn literal(value: Option<Value>, variables: &Variables) -> String {
    match value {
        Some(Value::Literal(bytes)) => String::from_utf8_lossy(&bytes).trim().to_owned(),
        Some(Value::Variable(name)) => match variables.get(&name) {
            Some(bytes) => String::from_utf8_lossy(bytes).trim().to_owned(),
            None => format!("&{name}"),
        },
        None => String::new(),
    }
}

impl Line {
    /// The names select this resource.
    pub(super) fn selects(&self, name: &str) -> bool {
        self.names.is_empty()
            || self.names.iter().any(|pattern| {
                let numbers = (pattern.parse::<u64>(), name.parse::<u64>());
                pattern::matches(pattern.as_bytes(), name.to_ascii_uppercase().as_bytes())
                    || matches!(numbers, (Ok(a), Ok(b)) if a == b)
            })
    }

    /// The names are whole ones: there is nothing to search for.
    pub(super) fn is_plain(&self) -> bool {
        !self.names.is_empty() && !self.names.iter().any(|name| pattern::is_generic(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Line, Message> {
        parse(
            text,
            &Variables::from([("PAY".to_owned(), b"PAYROLL ".to_vec())]),
        )
    }

    #[test]
    fn abbreviations() {
        let line = read("s prog(pay*) dis").ok().unwrap();
        assert_eq!(
            (line.verb, line.resource.unwrap().name),
            (Verb::Set, "PROGRAM")
        );
        assert!(line.selects("PAYROLL") && !line.selects("TAX"));
        assert_eq!(
            line.resource.unwrap().word(&line.words[0].0),
            Some("DISABLED")
        );
        assert_eq!(read("I PROG(&PAY)").ok().unwrap().names, ["PAYROLL"]);
        assert_eq!(read("I TAS").ok().unwrap().resource.unwrap().name, "TASK");
        assert_eq!(read("INQ TRAN(C++N)").ok().unwrap().names, ["C++N"]);
        assert!(read("I TASK(7)").ok().unwrap().selects("0000007"));
        assert!(read("FROB").err().unwrap().id().starts_with("TXMMT0002E"));
        assert!(
            read("I PARTNER")
                .err()
                .unwrap()
                .id()
                .starts_with("TXMMT0017I")
        );
        assert!(read("s fi(x) all clo").ok().unwrap().all);
        assert!(
            read("I BANANA")
                .err()
                .unwrap()
                .id()
                .starts_with("TXMMT0004E")
        );
    }
}
