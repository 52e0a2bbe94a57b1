//! Placeholders that the installation of an application replaces: `<NAME>`, `@NAME@`, `&NAME`.
//!
//! Why: until they are replaced a deck names no data set and a job defines none. Not here: which
//! texts matter; those that nothing here runs may keep theirs.

use std::collections::BTreeMap;

/// Longest name.
const NAME_MAX: usize = 32;

/// Values by names in capitals.
pub(crate) type Values = BTreeMap<String, String>;

/// A placeholder in a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Placeholder {
    /// Without its signs.
    pub(crate) name: String,
    /// As it stands there.
    pub(crate) written: String,
}

/// The placeholders of a line, from the left.
pub(crate) fn of_line(line: &str) -> Vec<Placeholder> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['<', '@']) {
        let close = if rest[at..].starts_with('<') {
            '>'
        } else {
            '@'
        };
        let inside = &rest[at + 1..];
        let end = inside.find(close);
        match end.map(|end| &inside[..end]).filter(|name| is_name(name)) {
            Some(name) => {
                found.push(Placeholder {
                    name: name.to_owned(),
                    written: rest[at..=at + 1 + name.len()].to_owned(),
                });
                rest = &inside[name.len() + 1..];
            }
            None => rest = inside,
        }
    }
    found
}

/// Capitals and digits, so that comparisons, tags and addresses of mail are none.
fn is_name(text: &str) -> bool {
    let first = text.chars().next();
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    (2..=NAME_MAX).contains(&text.len())
        && first.is_some_and(|c| c.is_ascii_uppercase())
        && text.chars().all(plain)
}

/// The text with the placeholders that have values replaced.
pub(crate) fn replace(text: &str, values: &Values) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut line = line.to_owned();
        for placeholder in of_line(&line) {
            if let Some(value) = values.get(&placeholder.name) {
                line = line.replace(&placeholder.written, value);
            }
        }
        out.push_str(&line);
    }
    out
}

/// A value that a text says a placeholder has: `Change @NAME@ to be VALUE`, `NAME = 'VALUE'`.
pub(crate) fn said(line: &str) -> Option<(String, String)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let change = words.iter().position(|w| w.eq_ignore_ascii_case("change"));
    if let Some(at) = change {
        let placeholder = of_line(words.get(at + 1)?).into_iter().next()?;
        let to = words.get(at + 2)?.eq_ignore_ascii_case("to");
        let be = words.get(at + 3)?.eq_ignore_ascii_case("be");
        let value = words
            .get(at + 3 + usize::from(be))?
            .trim_end_matches(['.', ',']);
        let plain = value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "@#$._-/".contains(c));
        return (to && plain && !value.is_empty()).then(|| (placeholder.name, value.to_owned()));
    }
    let (name, value) = line.split_once('=')?;
    let (name, value) = (name.trim(), value.trim().trim_end_matches(';').trim());
    let value = value.strip_prefix('\'')?.strip_suffix('\'')?;
    let plain = !value.is_empty() && !value.contains('\'');
    (is_name(name) && plain).then(|| (name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_capitals_between_signs() {
        let names = |line: &str| {
            of_line(line)
                .into_iter()
                .map(|p| p.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(names(" DSNAME(<USRHLQ>.@PREFIX@.X)"), ["USRHLQ", "PREFIX"]);
        let none = names("IF A < B AND C > D <br> me@home.org @x@ <>");
        assert!(none.is_empty(), "{none:?}");
        let values = Values::from([("USRHLQ".to_owned(), "BANK".to_owned())]);
        assert_eq!(
            replace("A(<USRHLQ>.<OTHER>)\n", &values),
            "A(BANK.<OTHER>)\n"
        );
    }

    #[test]
    fn a_checkout_says_values() {
        let said = |line| {
            said(line)
                .map(|(n, v)| format!("{n}={v}"))
                .unwrap_or_default()
        };
        assert_eq!(
            said("//* Change @BANK_PREFIX@ to be CBSA.CICSBSA"),
            "BANK_PREFIX=CBSA.CICSBSA"
        );
        assert_eq!(said("//* Change @LIB@ to CBSA.DBRM."), "LIB=CBSA.DBRM");
        assert_eq!(said("DB2DBID   = 'GENASA1'"), "DB2DBID=GENASA1");
        assert_eq!(said("Change the value to be sure"), "");
    }
}
