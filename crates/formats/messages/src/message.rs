//! One message: id, severity, words, inserts by name.
//!
//! Made by the constructors of the domains only, so that it says what its page says.

use std::fmt::{self, Display, Write as _};

/// How bad a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// I
    Information,
    /// W
    Warning,
    /// E
    Error,
    /// S
    Severe,
}

impl Severity {
    /// From the last letter of an id.
    pub fn of(id: &str) -> Self {
        match id.as_bytes().last() {
            Some(b'I') => Severity::Information,
            Some(b'W') => Severity::Warning,
            Some(b'S') => Severity::Severe,
            _ => Severity::Error,
        }
    }
}

/// One wording of a message, as its chapter has it.
#[derive(Debug, PartialEq, Eq)]
pub struct Text {
    /// Module of the domain: `pg`.
    pub module: &'static str,
    /// Its constructor in that module: `not_defined`.
    pub name: &'static str,
    /// `TXMPG0001E`
    pub id: &'static str,
    /// The words, inserts in braces, `{{` for a brace.
    pub words: &'static str,
    /// Names of the inserts in the order of the constructor's parameters.
    pub inserts: &'static [&'static str],
}

/// A message with its inserts. `Display` and `String` give the whole line: id, blank, words.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    text: &'static Text,
    line: String,
    /// Where in `line` the value of each insert stands.
    values: Box<[(u32, u32)]>,
}

impl Message {
    /// `values` in the order of the text's inserts; one that is missing stays empty.
    pub(crate) fn new(text: &'static Text, values: &[&dyn Display]) -> Self {
        let mut line = String::with_capacity(text.id.len() + 1 + text.words.len() + 16);
        line.push_str(text.id);
        line.push(' ');
        let mut places = vec![(0, 0); text.inserts.len()];
        let mut rest = text.words;
        while let Some(at) = rest.find(['{', '}']) {
            line.push_str(&rest[..at]);
            let brace = &rest[at..];
            if brace.starts_with("{{") || brace.starts_with("}}") {
                line.push_str(&brace[..1]);
                rest = &brace[2..];
                continue;
            }
            let (name, after) = brace[1..].split_once('}').unwrap_or_default();
            if let Some(nth) = text.inserts.iter().position(|insert| *insert == name) {
                let start = line.len();
                if let Some(value) = values.get(nth) {
                    // A String takes everything.
                    let _ = write!(line, "{value}");
                    without_number(&mut line, start);
                }
                places[nth] = (offset(start), offset(line.len()));
            }
            rest = after;
        }
        line.push_str(rest);
        Self {
            text,
            line,
            values: places.into(),
        }
    }

    /// `TXMPG0001E`
    pub fn id(&self) -> &'static str {
        self.text.id
    }

    /// From the last letter of the id.
    pub fn severity(&self) -> Severity {
        Severity::of(self.text.id)
    }

    /// The whole line: id, blank, words.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The words without the id.
    pub fn words(&self) -> &str {
        self.line.get(self.text.id.len() + 1..).unwrap_or_default()
    }

    /// The words without the id, for who keeps the id beside them.
    pub fn into_words(mut self) -> String {
        self.line
            .split_off((self.text.id.len() + 1).min(self.line.len()))
    }

    /// Name and value of each insert.
    pub fn inserts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let values = self.values.iter().map(|(start, end)| {
            self.line
                .get(*start as usize..*end as usize)
                .unwrap_or_default()
        });
        self.text.inserts.iter().copied().zip(values)
    }

    /// Which wording it is.
    pub fn text(&self) -> &'static Text {
        self.text
    }
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// Takes the number of a system error out of an insert: its words say it, for people.
fn without_number(line: &mut String, start: usize) {
    const FRONT: &str = " (os error ";
    let Some(at) = line.get(start..).and_then(|value| value.find(FRONT)) else {
        return;
    };
    let at = start + at;
    let digits = at + FRONT.len();
    let close = line[digits..].find(')').map(|end| digits + end);
    if let Some(close) = close.filter(|end| line[digits..*end].bytes().all(|b| b.is_ascii_digit()))
    {
        line.replace_range(at..=close, "");
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.line)
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.line, f)
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.line
    }
}

impl AsRef<str> for Message {
    fn as_ref(&self) -> &str {
        &self.line
    }
}

impl std::error::Error for Message {}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_of_system_errors_are_left_out_of_inserts() {
        let gone = std::io::Error::from_raw_os_error(2);
        let message = crate::si::not_read("pay (os error x).cbl", gone);
        assert!(
            message
                .to_string()
                .ends_with("pay (os error x).cbl: No such file or directory"),
            "{message}"
        );
    }
}
