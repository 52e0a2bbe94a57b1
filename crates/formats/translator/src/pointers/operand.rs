//! Operands among the words of a statement: where one begins and ends.

use super::Work;
use crate::token::{Kind, Token};
use crate::verbs::is_verb;

/// An operand: first item, the one behind its last.
pub(super) type Range = (usize, usize);

impl Work<'_> {
    /// A data name with qualifiers, subscripts and reference modification that begins here.
    pub(super) fn identifier(&self, from: usize) -> Option<Range> {
        if !self.word(from).is_some_and(is_name) {
            return None;
        }
        let mut at = from + 1;
        loop {
            if self.is(at, &["OF", "IN"]) && self.word(at + 1).is_some_and(is_name) {
                at += 2;
            } else if self.word(at).is_some_and(|t| t.kind == Kind::Open) {
                at = self.close(at)? + 1;
            } else {
                return Some((from, at));
            }
        }
    }

    /// `ADDRESS OF name` that begins here: the range of the name.
    pub(super) fn address_of(&self, from: usize) -> Option<Range> {
        let of = usize::from(self.is(from + 1, &["OF"]));
        let named = self.is(from, &["ADDRESS"]).then_some(from + 1 + of)?;
        self.identifier(named)
    }

    /// The identifier that ends before this item.
    pub(super) fn identifier_before(&self, end: usize) -> Option<Range> {
        let mut at = end;
        while at > 0 && self.word(at - 1).is_some_and(|t| t.kind == Kind::Close) {
            at = self.open(at - 1)?;
        }
        loop {
            let name = at.checked_sub(1)?;
            if !self.word(name).is_some_and(is_name) {
                return None;
            }
            at = name;
            if at < 2 || !self.is(at - 1, &["OF", "IN"]) || self.is(at - 2, &["ADDRESS"]) {
                return Some((at, end));
            }
            at -= 1;
        }
    }

    /// The identifier in front of this one belongs to `ADDRESS OF`: where that begins.
    pub(super) fn address_before(&self, identifier: Range) -> Option<usize> {
        let of = identifier.0.checked_sub(2)?;
        (self.is(of, &["ADDRESS"]) && self.is(of + 1, &["OF"])).then_some(of)
    }

    /// The user's words, for generated text.
    pub(super) fn text(&self, (from, to): Range) -> String {
        let tokens = (from..to).filter_map(|at| self.word(at));
        let mut out = String::new();
        for token in tokens {
            if !out.is_empty() && !token.glued {
                out.push(' ');
            }
            out.push_str(&token.text);
        }
        out
    }

    /// Index behind the words of a relation that begin here; `None`: there is no relation.
    pub(super) fn relation(&self, from: usize) -> Option<usize> {
        let mut at = from;
        let mut compares = false;
        while self.relation_word(at) {
            compares |= !self.is(at, &["IS", "NOT", "TO"]);
            at += 1;
        }
        compares.then_some(at)
    }

    /// Index of the first word of a relation that ends before this item.
    pub(super) fn relation_before(&self, end: usize) -> Option<usize> {
        let mut at = end;
        let mut compares = false;
        while at > 0 && self.relation_word(at - 1) {
            at -= 1;
            compares |= !self.is(at, &["IS", "NOT", "TO"]);
        }
        compares.then_some(at)
    }

    fn relation_word(&self, at: usize) -> bool {
        self.is(at, &["IS", "NOT", "TO", "EQUAL", "EQUALS", "UNEQUAL"])
            || self
                .word(at)
                .is_some_and(|t| t.kind == Kind::Operator && matches!(&*t.text, "=" | "<>"))
    }

    fn close(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in open.. {
            match self.word(at)?.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    fn open(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in (0..=close).rev() {
            match self.word(at)?.kind {
                Kind::Close => depth += 1,
                Kind::Open => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }
}

/// It could name data: no number, no verb and no word of a relation.
pub(super) fn is_name(token: &Token) -> bool {
    token.kind == Kind::Word
        && token.text.chars().any(char::is_alphabetic)
        && !is_verb(token)
        && !token.is_any(NOT_DATA)
}

const NOT_DATA: &[&str] = &[
    "ADDRESS",
    "AND",
    "BY",
    "CONTENT",
    "DOWN",
    "EQUAL",
    "EQUALS",
    "EXCEPTION",
    "FALSE",
    "GIVING",
    "GREATER",
    "IN",
    "IS",
    "LENGTH",
    "LESS",
    "NOT",
    "NULL",
    "NULLS",
    "OF",
    "OMITTED",
    "ON",
    "OR",
    "OVERFLOW",
    "REFERENCE",
    "RETURNING",
    "THAN",
    "THEN",
    "TO",
    "TRUE",
    "UNEQUAL",
    "UNTIL",
    "UP",
    "USING",
    "VALUE",
    "VARYING",
];
