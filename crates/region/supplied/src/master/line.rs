//! A CEMT command line: verb, kind of resource, names, words.

use crate::interpreter::command::Variables;
use crate::words::{Value, words};
use transom_messages::{self as messages, Message};
use transom_resources::{Meant, View};
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
        line.resource = Some(resource(&kind.text, verb)?);
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

/// The kind of a word; it must not fit several of those that the verb takes.
fn resource(word: &str, verb: Verb) -> Result<&'static View, Message> {
    match fitting(word, verb).as_slice() {
        [] => Err(messages::mt::kind_unknown(word)),
        [Meant::Kind(one)] => Ok(one),
        [Meant::NoneOf(name)] => Err(messages::mt::none_of_kind(name)),
        several => {
            let names: Vec<&str> = several.iter().map(|kind| kind.name()).collect();
            Err(messages::mt::kind_not_unique(word, names.join(", ")))
        }
    }
}

/// What a word stands for behind a verb.
pub(super) fn fitting(word: &str, verb: Verb) -> Vec<Meant> {
    if word.is_empty() {
        return Vec::new();
    }
    let fits = View::fitting(word, |view| match verb {
        Verb::Set => view.set.is_some(),
        Verb::Discard => view.discard.is_some(),
        Verb::Inquire | Verb::Perform => true,
    });
    match fits.is_empty() {
        // What is there and cannot be set is told so by the command.
        true => View::of(word).into_iter().map(Meant::Kind).collect(),
        false => fits,
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
    fn what_fits_several_is_asked_for() {
        for (line, kinds) in [
            ("i tr", "TR is not unique: TRANSACTION, TRDUMPCODE"),
            (
                "i pro(x)",
                "PRO is not unique: PROGRAM, PROFILE, PROCESSTYPE",
            ),
            ("i sy", "SY is not unique: SYSTEM, SYDUMPCODE"),
        ] {
            let said = read(line).err().unwrap().to_string();
            assert!(said.ends_with(kinds), "{said}");
        }
        for (line, kind) in [
            ("i tra", "TRANSACTION"),
            ("i tc", "TRANCLASS"),
            ("i tranc", "TRANCLASS"),
            ("i ta", "TASK"),
            ("i jo", "JOURNALNAME"),
            ("i tsq", "TSQUEUE"),
            ("i fi", "FILE"),
            ("i uow", "UOW"),
            // SET has no TRDUMPCODE in front of it, but PROFILE is not set.
            ("s prog(a) dis", "PROGRAM"),
        ] {
            let read = read(line).map_err(|why| why.to_string()).unwrap();
            assert_eq!(read.resource.unwrap().name, kind);
        }
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
