//! INITPARM: texts for programs, `(PAY='TRACE=ON',TAX='it''s 2026')`.
//!
//! As in a SIT: program names of at most 8 characters, texts of at most 60 in apostrophes, an
//! apostrophe within twice. Not here: who asks for a text (ASSIGN INITPARM).

use crate::kind::Kind;
use crate::problem::Needed;
use crate::table::Entry;

/// Longest text.
const TEXT_CHARS_MAX: usize = 60;
/// Longest name of a program.
const NAME_CHARS_MAX: usize = 8;

/// Programs with their texts.
pub(crate) struct InitParms;

impl Kind for InitParms {
    type Value = Vec<(String, String)>;

    fn check(&self, text: &str) -> Result<Self::Value, Needed> {
        let text = text.trim();
        let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
        let mut rest = inner.unwrap_or(text).trim();
        let mut parms = Vec::new();
        while !rest.is_empty() {
            let (parm, behind) = parm(rest).ok_or_else(needed)?;
            parms.push(parm);
            rest = match behind.trim_start().strip_prefix(',') {
                Some(more) if !more.trim().is_empty() => more.trim_start(),
                None if behind.trim().is_empty() => "",
                _ => return Err(needed()),
            };
        }
        Ok(parms)
    }

    fn values(&self) -> String {
        "(program='text',...)".to_owned()
    }
}

fn needed() -> Needed {
    Needed(format!(
        "programs with texts of up to {TEXT_CHARS_MAX} characters are needed: (PAY='TRACE=ON',...)"
    ))
}

/// One `NAME='text'`, and what is behind it.
fn parm(text: &str) -> Option<((String, String), &str)> {
    let (name, rest) = text.split_once('=')?;
    let name = name.trim().to_ascii_uppercase();
    let mut rest = rest.trim_start().strip_prefix('\'')?;
    let mut value = String::new();
    loop {
        let (part, behind) = rest.split_once('\'')?;
        value.push_str(part);
        match behind.strip_prefix('\'') {
            Some(more) => {
                value.push('\'');
                rest = more;
            }
            None => {
                rest = behind;
                break;
            }
        }
    }
    let fits = (1..=NAME_CHARS_MAX).contains(&name.len()) && value.len() <= TEXT_CHARS_MAX;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '#' | '$');
    (fits && name.chars().all(is_name)).then_some(((name, value), rest))
}

impl Entry for (String, String) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_texts() {
        let parms = InitParms
            .check("(pay='TRACE=ON, 3', TAX='it''s') ")
            .unwrap();
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(parms, [pair("PAY", "TRACE=ON, 3"), pair("TAX", "it's")]);
        assert_eq!(InitParms.check("PAY=''").unwrap(), [pair("PAY", "")]);
        assert!(InitParms.check("()").unwrap().is_empty());
        for wrong in [
            "PAY=TRACE",
            "(PAY='A'",
            "='A'",
            "PAY='A',",
            "TOOLONGNAME='A'",
        ] {
            assert!(InitParms.check(wrong).is_err(), "{wrong}");
        }
        assert!(InitParms.check(&format!("A='{}'", "x".repeat(61))).is_err());
    }
}
