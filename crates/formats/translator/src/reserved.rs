//! Words cobc reserves and Enterprise COBOL does not.
//!
//! Why: a program may use them as its own names; cobc is then told to give them up. Only words a
//! program declares itself are given up, so that nothing cobc needs is lost.
//! Source: reserved word lists of both compilers' public documentation.

use crate::blocks::Item;
use crate::flags::word;
use crate::token::Kind;

const WORDS: &[&str] = &["COL", "TIMESTAMP"];

/// Words of the list that a program declares as data, paragraph or section, in order of use.
pub(crate) fn declared(items: &[Item]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let Some(token) = word(Some(item)).filter(|t| t.kind == Kind::Word) else { continue };
        let name = token.upper();
        if WORDS.binary_search(&name.as_str()).is_err() || out.contains(&name) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|n| word(items.get(n)));
        let after = word(items.get(at + 1));
        let level = before.is_some_and(|t| {
            t.text.len() <= 2 && t.text.chars().all(|c| c.is_ascii_digit())
        });
        let begins = before.is_none_or(|t| t.kind == Kind::Period);
        let header = begins && after.is_some_and(|t| t.kind == Kind::Period || t.is("SECTION"));
        if level || header {
            out.push(name);
        }
    }
    out
}
