//! Functions of a source: how long they are, and which of them write or read bytes by hand.
//!
//! What: names and lengths, read from tokens. Why: a function that fits on a screen is read, and a
//! format that is declared once cannot be decoded differently from how it was encoded. Not here:
//! the numbers that are still allowed (`ratchet`).

use crate::ratchet::Numbers;
use crate::tokens::{Kind, Token, behind_bracket, product};
use crate::tree::Source;

/// Most lines of a function, from `fn` to its closing bracket.
const LINES_MAX: usize = 60;
/// Rooms whose bytes are declared, not written by hand.
const DECLARED: &str = "crates/region/";
/// What bytes are put into and taken from, one value after the other.
const CODEC: [&str; 2] = ["Reader", "Writer"];

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) lines: usize,
    /// Its parameters or result name a [`CODEC`].
    codec: bool,
}

/// What the files have too much of.
#[derive(Default)]
pub(crate) struct Counted {
    /// Functions over the limit, by file and name, with their lines.
    pub(crate) long: Numbers,
    /// Functions that encode or decode by hand, by file and name.
    pub(crate) by_hand: Numbers,
}

impl Counted {
    /// Takes the functions of one file of a room.
    pub(crate) fn read(&mut self, room: &str, source: &Source) {
        if source.is_test() {
            return;
        }
        let tokens = product(&source.text);
        let is_declared = room.starts_with(DECLARED);
        for function in functions(&tokens) {
            if function.lines > LINES_MAX && !source.is_table() {
                let name = format!("{} {}", source.short_name(), function.name);
                let lines = self.long.entry(name).or_default();
                *lines = function.lines.max(*lines);
            }
            if is_declared && (function.codec || is_codec(function.name)) {
                let name = format!("{} {}", source.name, function.name);
                *self.by_hand.entry(name).or_default() += 1;
            }
        }
    }
}

/// All functions with a body, those in others among them; a macro's own text has none.
pub(crate) fn functions<'a>(tokens: &[Token<'a>]) -> Vec<Function<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is("macro_rules") {
            at = behind_bracket(tokens, at + 3);
            continue;
        }
        if let Some(body) = body_of(tokens, at) {
            let end = behind_bracket(tokens, body) - 1;
            let lines = tokens[end].line + 1 - tokens[at].line;
            let name = tokens[at + 1].text;
            let codec = tokens[at..body]
                .iter()
                .any(|t| CODEC.iter().any(|word| t.is(word)));
            found.push(Function { name, lines, codec });
        }
        at += 1;
    }
    found
}

/// The place of the body's bracket, if a function begins at `at` and has a body.
fn body_of(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    if !tokens[at].is("fn") || tokens.get(at + 1)?.kind != Kind::Word {
        return None;
    }
    let mut next = at + 2;
    loop {
        let token = tokens.get(next)?;
        if token.is("{") {
            return Some(next);
        }
        if token.is(";") {
            return None;
        }
        let is_bracket = token.is("(") || token.is("[");
        next = if is_bracket {
            behind_bracket(tokens, next)
        } else {
            next + 1
        };
    }
}

fn is_codec(name: &str) -> bool {
    let verb = name.split('_').next().unwrap_or(name);
    matches!(verb, "encode" | "decode" | "encoded" | "decoded")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        fn short(a: [u8; 2]) -> u8 { 1 }
        trait T { fn none(&self); fn body(&self) {
            let f: fn(u8) -> u8 = |b| b;
        } }
        macro_rules! m { ($a:ident) => { fn decode() {} }; }
        #[cfg(test)]
        mod tests { fn encode() {} }
        fn encode_start() {}
        fn put(out: &mut Writer) {}
    ";

    #[test]
    fn functions_with_a_body() {
        let tokens = product(TEXT);
        let found = functions(&tokens);
        let found: Vec<(&str, usize)> = found.iter().map(|f| (f.name, f.lines)).collect();
        assert_eq!(
            found,
            [("short", 1), ("body", 3), ("encode_start", 1), ("put", 1)]
        );
    }

    #[test]
    fn bytes_by_hand_are_counted_in_the_region() {
        let mut counted = Counted::default();
        let text = TEXT.to_owned();
        let name = "crates/region/wire/src/task.rs".to_owned();
        counted.read("crates/region/wire", &Source { name, text });
        let found: Vec<&String> = counted.by_hand.keys().collect();
        assert_eq!(
            found,
            [
                "crates/region/wire/src/task.rs encode_start",
                "crates/region/wire/src/task.rs put"
            ]
        );
    }
}
