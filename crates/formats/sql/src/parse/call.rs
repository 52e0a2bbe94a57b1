//! Calls of functions, with the words some of them have between brackets.

use super::parser::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::problem::{At, SqlProblem};
use crate::tree::node::{Call, Condition, Expr, Window};
use crate::tree::words::Comparison;

/// Words that stand in the place of an argument.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "ISO", "USA", "EUR", "JIS", "LOCAL", "OCTETS", "CODEUNITS16", "CODEUNITS32", "BOTH", "LEADING",
    "TRAILING", "B", "L", "T",
];
/// Functions one argument of which can be such a word.
#[rustfmt::skip]
const WITH_KEYWORD: &[&str] = &[
    "CHAR", "VARCHAR", "STRIP", "TRIM", "SUBSTRING", "CHARACTER_LENGTH", "CHAR_LENGTH", "LOCATE", "POSITION",
    "LEFT", "RIGHT", "INSERT", "OVERLAY", "LOCATE_IN_STRING",
];
/// Longest list of arguments.
const ARGUMENTS_MAX: usize = 1_000;

impl Parser<'_> {
    pub(super) fn call(&mut self, schema: Option<String>, at: At) -> Parsed<Expr> {
        self.enter()?;
        let name = self.any_word()?;
        self.expect_symbol("(")?;
        let value = match name.as_str() {
            "CAST" => self.cast(at)?,
            "COUNT" | "COUNT_BIG" if self.is_symbol("*") => {
                self.advance();
                self.expect_symbol(")")?;
                Expr::CountAll {
                    big: name == "COUNT_BIG",
                }
            }
            _ if name.starts_with("XML") => {
                return Err(SqlProblem::refused(
                    format!("the function {name} is not done"),
                    at,
                ));
            }
            _ => Expr::Call(self.arguments(schema, name, at)?),
        };
        let value = self.over(value, at)?;
        self.leave();
        Ok(value)
    }

    fn arguments(&mut self, schema: Option<String>, name: String, at: At) -> Parsed<Call> {
        let mut call = Call {
            schema,
            name,
            distinct: false,
            arguments: Vec::new(),
            keyword: None,
            at,
        };
        call.distinct = self.eat("DISTINCT");
        if !call.distinct && self.is("ALL") {
            self.advance();
        }
        match call.name.as_str() {
            "TRIM" => self.trim(&mut call)?,
            "EXTRACT" => {
                call.keyword = Some(self.any_word()?);
                self.expect("FROM")?;
                call.arguments.push(self.expression()?);
            }
            _ => self.plain_arguments(&mut call)?,
        }
        self.expect_symbol(")")?;
        Ok(call)
    }

    fn plain_arguments(&mut self, call: &mut Call) -> Parsed<()> {
        if self.is_symbol(")") {
            return Ok(());
        }
        let has_keyword = WITH_KEYWORD.contains(&call.name.as_str());
        loop {
            let ends = self.is_symbol_at(1, ",") || self.is_symbol_at(1, ")");
            let token = self.peek().filter(|t| t.kind == TokenKind::Word);
            let keyword = token.filter(|t| {
                let first = call.arguments.is_empty();
                has_keyword && ends && !first && KEYWORDS.contains(&t.text.as_str())
            });
            match keyword {
                Some(token) => {
                    call.keyword = Some(token.text.clone());
                    self.advance();
                }
                None => call.arguments.push(self.expression()?),
            }
            if call.arguments.len() > ARGUMENTS_MAX {
                return Err(SqlProblem::new(-101, &[], call.at));
            }
            if !(self.eat_symbol(",") || self.eat_between(call)) {
                return Ok(());
            }
        }
    }

    /// The word that stands for a comma: `POSITION(a IN b)`, `OVERLAY(a PLACING b FROM n FOR m)`.
    fn eat_between(&mut self, call: &Call) -> bool {
        let words: &[&str] = match (call.name.as_str(), call.arguments.len()) {
            ("POSITION", 1) => &["IN"],
            ("OVERLAY", 1) => &["PLACING"],
            ("OVERLAY", 2) => &["FROM"],
            ("OVERLAY", 3) => &["FOR", "USING"],
            ("POSITION", 2) | ("OVERLAY", 4) => &["USING"],
            _ => return false,
        };
        self.eat_any(words).is_some()
    }

    /// `TRIM([BOTH|LEADING|TRAILING] ['c'] FROM x)`, or with commas as STRIP has them.
    fn trim(&mut self, call: &mut Call) -> Parsed<()> {
        let sides = ["BOTH", "LEADING", "TRAILING", "B", "L", "T"];
        let next_ends = self.is_symbol_at(1, ")") || self.is_symbol_at(1, ",");
        if self.is_any(&sides) && !next_ends && !self.is_symbol_at(1, ".") {
            call.keyword = self.eat_any(&sides).map(str::to_owned);
        }
        if self.eat("FROM") {
            call.arguments.push(self.expression()?);
            return Ok(());
        }
        let first = self.expression()?;
        if self.eat("FROM") {
            call.arguments.push(self.expression()?);
            call.arguments.push(first);
            return Ok(());
        }
        call.arguments.push(first);
        if call.keyword.is_none() && self.eat_symbol(",") {
            call.keyword = self.eat_any(&sides).map(str::to_owned);
            if self.eat_symbol(",") {
                call.arguments.push(self.expression()?);
            }
        }
        Ok(())
    }

    fn cast(&mut self, at: At) -> Parsed<Expr> {
        let value = self.expression()?;
        self.expect("AS")?;
        let kind = self.data_type()?;
        self.expect_symbol(")")?;
        Ok(Expr::Cast(Box::new(value), kind, at))
    }

    fn over(&mut self, value: Expr, at: At) -> Parsed<Expr> {
        if !self.is("OVER") || !self.is_symbol_at(1, "(") {
            return Ok(value);
        }
        let call = match value {
            Expr::Call(call) => call,
            Expr::CountAll { big } => Call {
                schema: None,
                name: if big { "COUNT_BIG" } else { "COUNT" }.to_owned(),
                distinct: false,
                arguments: Vec::new(),
                keyword: Some("*".to_owned()),
                at,
            },
            _ => return Err(self.illegal("EXPRESSION")),
        };
        self.expect("OVER")?;
        self.expect_symbol("(")?;
        let partition = if self.eat_all(&["PARTITION", "BY"]) {
            self.list(Self::expression)?
        } else {
            Vec::new()
        };
        let order = if self.eat_all(&["ORDER", "BY"]) {
            self.list(Self::order_item)?
        } else {
            Vec::new()
        };
        if self.is_any(&["ROWS", "RANGE"]) {
            return Err(self.refused("a window with ROWS or RANGE is not done"));
        }
        self.expect_symbol(")")?;
        Ok(Expr::Window(Box::new(Window {
            call,
            partition,
            order,
        })))
    }

    /// The value of a simple WHEN. It is compared with the operand by whoever writes the CASE; the
    /// left side is a placeholder.
    pub(super) fn case_value(&mut self) -> Parsed<Condition> {
        let at = self.at();
        let value = self.expression()?;
        Ok(Condition::Compare(
            Vec::new(),
            Comparison::Equal,
            vec![value],
            at,
        ))
    }
}
