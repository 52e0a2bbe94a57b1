//! Entries as the rule for z/OS lays them out.
//!
//! Not here: the rule (`transom_copybook`).

use super::Entry;
use crate::token::{Kind, Token};
use transom_copybook::{Layout, ParseOptions, Profile, SourceFormat, parse};

/// What the program says of its own pictures.
pub(crate) fn options(tokens: &[Token]) -> ParseOptions {
    let mut options = ParseOptions {
        format: SourceFormat::Free,
        ..ParseOptions::default()
    };
    for (at, token) in tokens.iter().enumerate() {
        if token.is("DECIMAL-POINT") {
            options.decimal_comma = true;
        }
        if token.is("CURRENCY") {
            let mut sign = tokens[at..].iter().take(4);
            let literal = sign.find(|t| t.kind == Kind::Literal);
            options.currency = literal.and_then(|t| t.text.chars().nth(1));
        }
    }
    options
}

/// The layout of a record; line n of its text is entry n (from 1). The error says which entry is
/// wrong, and why.
pub(crate) fn layout(
    tokens: &[Token],
    entries: &[Entry],
    options: &ParseOptions,
) -> Result<Layout, (usize, String)> {
    let (copybook, problems) = parse(&text(tokens, entries), options);
    let told = |p: &transom_messages::Problem| {
        let line = p.place.line as usize;
        (line.saturating_sub(1), p.words().to_owned())
    };
    if let Some(problem) = problems.iter().find(|p| p.is_error()) {
        return Err(told(problem));
    }
    Layout::new(&copybook, Profile::Native).map_err(|p| told(&p))
}

/// A line for each entry.
fn text(tokens: &[Token], entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let words = tokens[entry.start..entry.end].iter();
        let words = words.filter(|t| t.kind != Kind::Directive);
        for (n, word) in words.enumerate() {
            if n > 0 && !word.glued {
                text.push(' ');
            }
            text.push_str(&word.text);
        }
        text.push('\n');
    }
    text
}
