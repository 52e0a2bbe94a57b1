//! What stands behind the body of a query, in any order.

use super::parser::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::problem::SqlProblem;
use crate::statement::Role;
use crate::tree::node::Expr;
use crate::tree::node::Query;
use crate::tree::words::Isolation;
use crate::tree::words::Literal;

impl Parser<'_> {
    /// ORDER BY, OFFSET, FETCH FIRST, FOR .., WITH .., OPTIMIZE FOR, QUERYNO, SKIP LOCKED DATA.
    pub(super) fn tail(&mut self, query: &mut Query) -> Parsed<()> {
        loop {
            if self.eat_all(&["ORDER", "BY"]) {
                if self.are(&["INPUT", "SEQUENCE"]) {
                    return Err(self.refused("ORDER BY INPUT SEQUENCE is not done"));
                }
                query.order = self.list(Self::order_item)?;
            } else if self.is("OFFSET") {
                self.advance();
                query.offset = Some(self.count()?);
                self.eat_any(&["ROWS", "ROW"]);
            } else if self.are(&["FETCH", "FIRST"]) || self.are(&["FETCH", "NEXT"]) {
                self.first(query)?;
            } else if self.eat("LIMIT") {
                query.first = Some(self.count()?);
            } else if self.is("FOR") && !self.is_rows_clause() {
                self.for_clause(query)?;
            } else if self.are(&["SKIP", "LOCKED", "DATA"]) {
                query.tail.skip_locked = Some(self.at());
                self.eat_all(&["SKIP", "LOCKED", "DATA"]);
            } else if self.eat_all(&["OPTIMIZE", "FOR"]) {
                self.integer::<u64>()?;
                self.eat_any(&["ROWS", "ROW"]);
            } else if self.eat("QUERYNO") {
                self.integer::<u64>()?;
            } else if let Some(isolation) = self.isolation() {
                query.tail.isolation = Some(isolation);
                self.keep_locks(query)?;
            } else {
                return Ok(());
            }
        }
    }

    /// `FOR n ROWS` belongs to INSERT.
    fn is_rows_clause(&self) -> bool {
        let number = self
            .peek_at(1)
            .is_some_and(|t| matches!(t.kind, TokenKind::Integer | TokenKind::Host));
        number || self.are(&["FOR", "MULTIPLE"])
    }

    fn first(&mut self, query: &mut Query) -> Parsed<()> {
        self.expect("FETCH")?;
        self.advance();
        query.first = Some(if self.is_any(&["ROW", "ROWS"]) {
            Expr::Literal(Literal::Integer("1".to_owned()))
        } else {
            self.count()?
        });
        if self.eat_any(&["ROWS", "ROW"]).is_none() {
            return Err(self.illegal("ROW ROWS"));
        }
        self.expect("ONLY")
    }

    /// A number, a host variable or a parameter marker.
    pub(super) fn count(&mut self) -> Parsed<Expr> {
        let at = self.at();
        match self.peek().map(|t| t.kind) {
            Some(TokenKind::Integer) => {
                let number: u64 = self.integer()?;
                Ok(Expr::Literal(Literal::Integer(number.to_string())))
            }
            Some(TokenKind::Host) => Ok(Expr::Host(self.host(Role::Input)?, at)),
            Some(TokenKind::Marker) => {
                self.advance();
                self.markers += 1;
                Ok(Expr::Marker(self.markers - 1))
            }
            _ => Err(self.illegal("INTEGER")),
        }
    }

    fn for_clause(&mut self, query: &mut Query) -> Parsed<()> {
        self.expect("FOR")?;
        if self.eat("UPDATE") {
            query.tail.update = Some(if self.eat("OF") {
                self.list(Self::name)?
            } else {
                Vec::new()
            });
            return Ok(());
        }
        if self.eat_all(&["READ", "ONLY"]) || self.eat_all(&["FETCH", "ONLY"]) {
            query.tail.read_only = true;
            return Ok(());
        }
        Err(self.illegal("UPDATE READ FETCH"))
    }

    /// WITH UR, CS, RS, RR.
    pub(super) fn isolation(&mut self) -> Option<Isolation> {
        let found = [
            ("UR", Isolation::UncommittedRead),
            ("CS", Isolation::CursorStability),
            ("RS", Isolation::ReadStability),
            ("RR", Isolation::RepeatableRead),
        ];
        let (_, isolation) = found.iter().find(|(w, _)| self.are(&["WITH", w]))?;
        self.advance();
        self.advance();
        Some(*isolation)
    }

    fn keep_locks(&mut self, query: &mut Query) -> Parsed<()> {
        if !self.eat_all(&["USE", "AND", "KEEP"]) {
            return Ok(());
        }
        if self.eat_any(&["EXCLUSIVE", "UPDATE", "SHARE"]).is_none() {
            return Err(self.illegal("EXCLUSIVE UPDATE SHARE"));
        }
        if !matches!(
            query.tail.isolation,
            Some(Isolation::ReadStability | Isolation::RepeatableRead)
        ) {
            return Err(SqlProblem::new(
                -104,
                &["USE", "WITH RS WITH RR"],
                self.at(),
            ));
        }
        query.tail.keep_locks = true;
        self.expect("LOCKS")
    }
}
