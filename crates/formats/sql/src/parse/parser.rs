//! The place in the tokens, and the questions each part of the parser asks.

use crate::lexer::{Token, TokenKind, shorten};
use crate::problem::{At, SqlProblem};
use crate::statement::{HostVariable, Indicator, Role};

pub(super) type Parsed<T> = Result<T, SqlProblem>;

/// Brackets and queries within each other; more would be no statement anybody wrote.
const DEPTH_MAX: u32 = 60;

pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    depth: u32,
    /// Where the text ends.
    end: At,
    pub(super) hosts: Vec<HostVariable>,
    pub(super) markers: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(tokens: &'a [Token], length: usize) -> Self {
        let last = tokens.last().map_or(At::default(), |t| t.at);
        Self {
            tokens,
            next: 0,
            depth: 0,
            end: At {
                offset: length,
                ..last
            },
            hosts: Vec::new(),
            markers: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.next)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<&'a Token> {
        self.tokens.get(self.next + ahead)
    }

    pub(super) fn at(&self) -> At {
        self.peek().map_or(self.end, |t| t.at)
    }

    pub(super) fn advance(&mut self) -> Option<&'a Token> {
        let token = self.peek()?;
        self.next += 1;
        Some(token)
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.peek().is_some_and(|t| t.is(word))
    }

    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// Whether these words follow.
    pub(super) fn are(&self, words: &[&str]) -> bool {
        let mut words = words.iter().enumerate();
        words.all(|(n, word)| self.peek_at(n).is_some_and(|t| t.is(word)))
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        self.peek().is_some_and(|t| t.is_symbol(symbol))
    }

    pub(super) fn is_symbol_at(&self, ahead: usize, symbol: &str) -> bool {
        self.peek_at(ahead).is_some_and(|t| t.is_symbol(symbol))
    }

    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.is(word);
        self.next += usize::from(found);
        found
    }

    /// Takes all of these words or none.
    pub(super) fn eat_all(&mut self, words: &[&str]) -> bool {
        let found = self.are(words);
        self.next += if found { words.len() } else { 0 };
        found
    }

    /// Takes one of these words.
    pub(super) fn eat_any<'w>(&mut self, words: &[&'w str]) -> Option<&'w str> {
        let found = words.iter().find(|word| self.is(word))?;
        self.next += 1;
        Some(found)
    }

    pub(super) fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        self.next += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.eat(word) {
            return Ok(());
        }
        Err(self.illegal(word))
    }

    pub(super) fn expect_symbol(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat_symbol(symbol) {
            return Ok(());
        }
        Err(self.illegal(symbol))
    }

    /// -104 at the next token: what could stand there.
    pub(super) fn illegal(&self, expected: &str) -> SqlProblem {
        let token = self.peek().map_or("<END-OF-STATEMENT>", |t| &t.text);
        SqlProblem::new(-104, &[&shorten(token), expected], self.at())
    }

    /// A form of Db2 that is not done, at the next token.
    pub(super) fn refused(&self, reason: impl Into<String>) -> SqlProblem {
        SqlProblem::refused(reason, self.at())
    }

    /// Goes one level deeper; [`Parser::leave`] ends it.
    pub(super) fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(SqlProblem::new(-101, &[], self.at()));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// `item, item`
    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat_symbol(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `(item, item)`
    pub(super) fn bracketed<T>(
        &mut self,
        item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.expect_symbol("(")?;
        let items = self.list(item)?;
        self.expect_symbol(")")?;
        Ok(items)
    }

    /// A host variable with its indicator: its index.
    pub(super) fn host(&mut self, role: Role) -> Parsed<usize> {
        self.host_with(role, true)
    }

    /// A host variable; another one behind it is not its indicator.
    pub(super) fn lone_host(&mut self, role: Role) -> Parsed<usize> {
        self.host_with(role, false)
    }

    fn host_with(&mut self, role: Role, indicators: bool) -> Parsed<usize> {
        let Some(token) = self.peek().filter(|t| t.kind == TokenKind::Host) else {
            return Err(self.illegal("HOST VARIABLE"));
        };
        self.next += 1;
        let (qualifier, name) = split(&token.text);
        let mut end = token.end;
        let mut indicator = None;
        let named = self.is("INDICATOR") && self.peek_at(1).is_some_and(is_host);
        if named || indicators && self.peek().is_some_and(is_host) {
            self.next += usize::from(named);
            if let Some(token) = self.advance() {
                let (qualifier, name) = split(&token.text);
                indicator = Some(Indicator { name, qualifier });
                end = token.end;
            }
        }
        self.hosts.push(HostVariable {
            name,
            qualifier,
            indicator,
            role,
            at: token.at,
            end,
        });
        Ok(self.hosts.len() - 1)
    }

    pub(super) fn is_host(&self) -> bool {
        self.peek().is_some_and(is_host)
    }

    pub(super) fn hosts(&mut self, role: Role) -> Parsed<Vec<usize>> {
        self.list(|p| p.host(role))
    }

    /// Digits of an integer constant.
    pub(super) fn integer<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        let token = self.peek().filter(|t| t.kind == TokenKind::Integer);
        let Some(token) = token else {
            return Err(self.illegal("INTEGER"));
        };
        let Ok(value) = token.text.parse() else {
            return Err(SqlProblem::new(-405, &[&shorten(&token.text)], token.at));
        };
        self.next += 1;
        Ok(value)
    }

    /// An integer constant with a sign, or without.
    pub(super) fn signed(&mut self) -> Parsed<i64> {
        let negative = self.eat_symbol("-");
        if !negative {
            self.eat_symbol("+");
        }
        let value: i64 = self.integer()?;
        Ok(if negative { -value } else { value })
    }
}

fn is_host(token: &Token) -> bool {
    token.kind == TokenKind::Host
}

fn split(text: &str) -> (Option<String>, String) {
    match text.split_once('.') {
        Some((qualifier, name)) => (Some(qualifier.to_owned()), name.to_owned()),
        None => (None, text.to_owned()),
    }
}
