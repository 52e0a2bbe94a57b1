//! Names of data items, and which of them are national.
//!
//! Why: a word that the program declares itself is no special register, and what may be done with a
//! national item is limited. Not here: layouts.

use crate::token::{Kind, Token};
use std::collections::{HashMap, HashSet};

/// Names of a file's data items, as far as they matter here.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    pub(crate) names: HashSet<String>,
    /// National items with their number of characters.
    pub(crate) national: HashMap<String, usize>,
}

/// Reads the names of a file's data divisions.
pub(crate) fn declared(tokens: &[Token]) -> Declared {
    let mut out = Declared::default();
    let mut data = false;
    for at in 1..tokens.len() {
        let (before, token) = (&tokens[at - 1], &tokens[at]);
        if token.is("DIVISION") {
            data = before.is("DATA");
        }
        let level = before.text.len() <= 2 && before.text.parse::<u8>().is_ok();
        if !data || !level || token.kind != Kind::Word {
            continue;
        }
        let name = token.upper();
        if let Some(characters) = characters(&tokens[at..]) {
            out.national.insert(name.clone(), characters);
        }
        out.names.insert(name);
    }
    out
}

/// Characters of a national item: `PIC N(4)`, `PIC NNNN`.
fn characters(entry: &[Token]) -> Option<usize> {
    let entry = &entry[..entry.iter().position(|t| t.kind == Kind::Period)?];
    let picture = entry.iter().position(|t| t.is_any(&["PIC", "PICTURE"]))?;
    let mut rest = entry[picture + 1..].iter().filter(|t| !t.is("IS"));
    let mut count = 0;
    let mut last = 0;
    let mut text = rest.next()?.upper();
    if !text.starts_with('N') {
        return None;
    }
    loop {
        if text.chars().all(|c| c == 'N') {
            count += text.len();
            last = 1;
        } else if let Ok(n) = text.parse::<usize>() {
            count += n.saturating_sub(last);
        }
        match rest.next() {
            Some(t) if t.glued => text = t.upper(),
            _ => return Some(count),
        }
    }
}
