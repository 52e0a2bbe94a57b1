//! Names, and which words cannot be one.

use super::parser::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::problem::SqlProblem;
use crate::tree::Name;

/// Reserved words of Db2 that end a clause: none of them is a correlation name without AS or a
/// column name. Db2 reserves more; a word that is more than this list would refuse programs that
/// later versions of Db2 run.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "ALL", "AND", "ANY", "AS", "ASENSITIVE", "BETWEEN", "BY", "CASE", "CAST", "CROSS", "CURSOR",
    "DELETE", "DISTINCT", "ELSE", "END", "ESCAPE", "EXCEPT", "EXISTS", "FETCH", "FOR", "FROM",
    "FULL", "GROUP", "HAVING", "IN", "INNER", "INSERT", "INTERSECT", "INTO", "IS", "JOIN", "LEFT",
    "LIKE", "NOT", "NULL", "OFFSET", "ON", "OPTIMIZE", "OR", "ORDER", "OUTER", "QUERYNO", "RIGHT",
    "SELECT", "SET", "SOME", "THEN", "UNION", "UPDATE", "USING", "VALUES", "WHEN", "WHERE", "WITH",
    "LIMIT", "SKIP", "WAIT", "NOWAIT", "CONCAT",
];

impl Parser<'_> {
    /// Whether an identifier follows.
    pub(super) fn is_name(&self) -> bool {
        self.peek().is_some_and(|t| match t.kind {
            TokenKind::Delimited => true,
            TokenKind::Word => !RESERVED.contains(&t.text.as_str()),
            _ => false,
        })
    }

    /// An identifier that is no reserved word.
    pub(super) fn name(&mut self) -> Parsed<String> {
        if !self.is_name() {
            // -199: a keyword where it may not be; -104: no word at all.
            let reserved = self.peek().filter(|t| t.kind == TokenKind::Word);
            return Err(match reserved {
                Some(token) => SqlProblem::new(-199, &[&token.text, "NAME"], token.at),
                None => self.illegal("NAME"),
            });
        }
        let token = self.advance();
        Ok(token.map(|t| t.text.clone()).unwrap_or_default())
    }

    /// An identifier, whatever word it is.
    pub(super) fn any_word(&mut self) -> Parsed<String> {
        let token = self
            .peek()
            .filter(|t| matches!(t.kind, TokenKind::Word | TokenKind::Delimited));
        let Some(token) = token else {
            return Err(self.illegal("NAME"));
        };
        self.advance();
        Ok(token.text.clone())
    }

    /// `[location.][schema.]name`
    pub(super) fn qualified(&mut self) -> Parsed<Name> {
        let mut parts = vec![self.name()?];
        while self.is_symbol(".") && parts.len() < 3 {
            self.advance();
            parts.push(self.any_word()?);
        }
        let name = parts.pop().unwrap_or_default();
        Ok(Name {
            qualifier: parts.pop(),
            name,
        })
    }

    /// A name of a cursor or statement: COBOL programs use hyphens in them.
    pub(super) fn object(&mut self) -> Parsed<String> {
        let mut name = self.name()?;
        while self.is_symbol("-") && self.touches() {
            self.advance();
            let token = self.advance();
            name = format!("{name}-{}", token.map_or("", |t| &t.text));
        }
        Ok(name)
    }

    /// Whether the hyphen that follows stands between two words without blanks.
    fn touches(&self) -> bool {
        let (Some(hyphen), Some(next)) = (self.peek(), self.peek_at(1)) else {
            return false;
        };
        let is_word = matches!(next.kind, TokenKind::Word | TokenKind::Integer);
        is_word && next.at.offset == hyphen.end
    }

    /// `(A, B)`
    pub(super) fn name_list(&mut self) -> Parsed<Vec<String>> {
        self.bracketed(Self::name)
    }
}
