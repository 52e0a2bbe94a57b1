//! Changes to the words of a file, and generated words. Not here: which.

use crate::blocks::Item;
use crate::token::{At, Kind, Token};
use std::collections::BTreeMap;

/// Words of generated text, separated by blanks, at a place of the user.
pub(super) fn words(text: &str, at: At) -> Vec<Token> {
    text.split_whitespace()
        .map(|word| Token {
            kind: match word.as_bytes() {
                b"." => Kind::Period,
                [b'\'', ..] => Kind::Literal,
                b"=" => Kind::Operator,
                _ => Kind::Word,
            },
            text: word.into(),
            at,
            glued: word == ".",
            debug: false,
        })
        .collect()
}

/// Changes to the items of a file, by place.
#[derive(Default)]
pub(super) struct Edits {
    inserts: BTreeMap<usize, Vec<Token>>,
    /// First item and the one behind the last.
    removed: BTreeMap<usize, usize>,
}

impl Edits {
    /// Puts words before an item.
    pub(super) fn insert(&mut self, at: usize, tokens: Vec<Token>) {
        self.inserts.entry(at).or_default().extend(tokens);
    }

    /// Puts words in place of items.
    pub(super) fn replace(&mut self, from: usize, to: usize, tokens: Vec<Token>) {
        self.insert(from, tokens);
        if from < to {
            self.removed.insert(from, to);
        }
    }

    pub(super) fn apply(mut self, items: Vec<Item>) -> Vec<Item> {
        let mut out = Vec::with_capacity(items.len());
        let mut skip_to = 0;
        let count = items.len();
        for (at, item) in items.into_iter().enumerate() {
            if let Some(tokens) = self.inserts.remove(&at) {
                out.extend(tokens.into_iter().map(Item::Word));
            }
            if let Some(to) = self.removed.get(&at) {
                skip_to = *to;
            }
            if at >= skip_to {
                out.push(item);
            }
        }
        for (_, tokens) in self.inserts.split_off(&count) {
            out.extend(tokens.into_iter().map(Item::Word));
        }
        out
    }
}
