//! A CEMT command line: verb, kind of resource, names, words.

use super::resources::{Resource, resource};
use crate::supplied::interpret::{Value, words};

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Inquire,
    Set,
    Perform,
}

/// A command line.
pub(super) struct Line {
    pub verb: Verb,
    /// `None` for PERFORM.
    pub resource: Option<&'static Resource>,
    /// Names with `*` and `+`; none: all.
    pub names: Vec<String>,
    /// Words and their values, as typed.
    pub words: Vec<(String, String)>,
}

/// Reads a line. The error is one sentence.
pub(super) fn parse(text: &str) -> Result<Line, String> {
    let mut parts = words(text)?.into_iter();
    let verb = parts.next().map(|word| word.text).unwrap_or_default();
    let verb = match verb.as_str() {
        v if !v.is_empty() && "INQUIRE".starts_with(v) => Verb::Inquire,
        v if !v.is_empty() && "SET".starts_with(v) => Verb::Set,
        v if !v.is_empty() && "PERFORM".starts_with(v) => Verb::Perform,
        "" => return Err("TXMMT0001I Type INQUIRE, SET or PERFORM.".into()),
        v => return Err(format!("TXMMT0002E {v} is not INQUIRE, SET or PERFORM")),
    };
    let mut line = Line {
        verb,
        resource: None,
        names: Vec::new(),
        words: Vec::new(),
    };
    if verb != Verb::Perform {
        let Some(kind) = parts.next() else {
            let text = "TXMMT0003I Type a kind of resource: TASK TRANSACTION PROGRAM FILE TERMINAL";
            return Err(format!("{text} TSQUEUE TDQUEUE UOW SYSTEM."));
        };
        let found = resource(&kind.text);
        line.resource = Some(found.ok_or_else(|| {
            format!("TXMMT0004E {} is no kind of resource CEMT knows", kind.text)
        })?);
        let names = literal(kind.value).to_ascii_uppercase();
        let names = names.split([',', ' ']).filter(|name| !name.is_empty());
        line.names = names.map(str::to_owned).collect();
    }
    for word in parts {
        line.words.push((word.text, literal(word.value)));
    }
    if verb == Verb::Inquire {
        line.words.retain(|(word, _)| word != "ALL");
    }
    Ok(line)
}

fn literal(value: Option<Value>) -> String {
    match value {
        Some(Value::Literal(bytes)) => String::from_utf8_lossy(&bytes).trim().to_owned(),
        Some(Value::Variable(name)) => format!("&{name}"),
        None => String::new(),
    }
}

impl Line {
    /// The names select this resource.
    pub(super) fn selects(&self, name: &str) -> bool {
        self.names.is_empty()
            || self.names.iter().any(|pattern| {
                let numbers = (pattern.parse::<u64>(), name.parse::<u64>());
                matches(pattern.as_bytes(), name.as_bytes())
                    || matches!(numbers, (Ok(a), Ok(b)) if a == b)
            })
    }

    /// The names are whole ones: there is nothing to search for.
    pub(super) fn is_plain(&self) -> bool {
        !self.names.is_empty() && !self.names.iter().any(|name| name.contains(['*', '+']))
    }
}

/// `*` is any characters, `+` one.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            matches(rest, name) || name.split_first().is_some_and(|(_, n)| matches(pattern, n))
        }
        (Some((b'+', rest)), Some((_, name))) => matches(rest, name),
        (Some((p, rest)), Some((n, name))) => p == n && matches(rest, name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations() {
        let line = parse("s prog(pay*) dis").ok().unwrap();
        assert_eq!(
            (line.verb, line.resource.unwrap().name),
            (Verb::Set, "PROGRAM")
        );
        assert!(line.selects("PAYROLL") && !line.selects("TAX"));
        assert_eq!(
            line.resource.unwrap().word(&line.words[0].0),
            Some("DISABLED")
        );
        assert_eq!(parse("I TAS").ok().unwrap().resource.unwrap().name, "TASK");
        assert_eq!(parse("INQ TRAN(C++N)").ok().unwrap().names, ["C++N"]);
        assert!(parse("I TASK(7)").ok().unwrap().selects("0000007"));
        assert!(parse("FROB").err().unwrap().starts_with("TXMMT0002E"));
        assert!(parse("I BANANA").err().unwrap().starts_with("TXMMT0004E"));
    }
}
