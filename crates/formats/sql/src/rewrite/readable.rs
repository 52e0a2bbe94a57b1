//! Rewritten texts for people.
//!
//! Why: the codes of types are numbers nobody reads.

use crate::types::Type;

/// The text with types in place of their codes.
pub(crate) fn readable(text: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        let code = digits.parse::<i64>().ok().filter(|n| *n >= 1 << 40);
        match code.and_then(Type::from_code) {
            Some(kind) => out += &kind.to_string(),
            None => out += &digits,
        }
        digits.clear();
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out
}
