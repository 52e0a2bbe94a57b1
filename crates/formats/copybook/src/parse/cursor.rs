//! A walk over tokens: looking ahead, taking what is expected, complaining at the right place.

use super::Problems;
use super::lexer::{Kind, Token};
use super::words::starts_clause;
use transom_messages::Message;

/// A walk over tokens that can complain.
pub(super) struct Cursor<'a> {
    tokens: &'a [Token],
    at: usize,
    problems: &'a mut Problems,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [Token], problems: &'a mut Problems) -> Cursor<'a> {
        Cursor {
            tokens,
            at: 0,
            problems,
        }
    }

    /// The token behind the current one.
    pub(super) fn peek_second(&self) -> Option<&'a Token> {
        self.tokens.get(self.at + 1)
    }

    /// Goes back by one token.
    pub(super) fn back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    /// Complains at the current token, or at the last one at the end.
    pub(super) fn complain(&mut self, message: Message) {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        let (line, column) = token.map_or((1, 1), |t| (t.line, t.column));
        self.problems.add(message, line, column);
    }

    /// Consumes the current token if it is one of these words.
    pub(super) fn take_any(&mut self, words: &[&str]) -> bool {
        let found = self.peek().is_some_and(|t| words.contains(&t.word()));
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_mark(&mut self, mark: char) -> bool {
        let found = self.peek().is_some_and(|t| t.kind == Kind::Mark(mark));
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_integer(&mut self) -> Option<u32> {
        let n = self.peek()?.integer()?;
        self.advance();
        Some(n)
    }

    /// A name: any word that does not start a clause.
    pub(super) fn take_name(&mut self) -> Option<String> {
        match &self.peek()?.kind {
            Kind::Word { upper, written } if !starts_clause(upper) => {
                self.advance();
                Some(written.clone())
            }
            _ => None,
        }
    }

    /// `name [OF name]...`.
    pub(super) fn take_qualified(&mut self) -> Option<Vec<String>> {
        let mut names = vec![self.take_name()?];
        while self.take_any(&["OF", "IN"]) {
            names.extend(self.take_name());
        }
        Some(names)
    }

    pub(super) fn at_period(&self) -> bool {
        self.peek().is_some_and(|t| t.kind == Kind::Period)
    }

    /// A level number at the start of a line: a new entry although the period is missing.
    pub(super) fn at_new_entry(&self) -> bool {
        let level = |t: &Token| t.leads && matches!(t.integer(), Some(1..=49 | 66 | 77 | 88));
        self.peek().is_some_and(level)
            && self
                .tokens
                .get(self.at + 1)
                .is_some_and(|t| !t.word().is_empty())
    }

    /// Goes behind the next period, or to the next line that starts like an entry.
    pub(super) fn skip_sentence(&mut self) {
        while let Some(token) = self.peek() {
            self.advance();
            if token.kind == Kind::Period || self.at_new_entry() {
                return;
            }
        }
    }
}
