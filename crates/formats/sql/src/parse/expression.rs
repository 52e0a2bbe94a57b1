//! Expressions: operators by rank, constants, functions, durations.

use super::parser::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::problem::{At, SqlProblem};
use crate::registers::Register;
use crate::statement::Role;
use crate::tree::Name;
use crate::tree::node::Expr;
use crate::tree::words::{Literal, Operator, Unit};

/// Operands of one chain of operators.
const CHAIN_MAX: usize = 1_000;

const UNITS: &[(&str, &str, Unit)] = &[
    ("YEAR", "YEARS", Unit::Years),
    ("MONTH", "MONTHS", Unit::Months),
    ("DAY", "DAYS", Unit::Days),
    ("HOUR", "HOURS", Unit::Hours),
    ("MINUTE", "MINUTES", Unit::Minutes),
    ("SECOND", "SECONDS", Unit::Seconds),
    ("MICROSECOND", "MICROSECONDS", Unit::Microseconds),
];

impl Parser<'_> {
    /// Sums and differences.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.enter()?;
        let first = self.product(false)?;
        let mut rest = Vec::new();
        loop {
            let at = self.at();
            let operator = if self.eat_symbol("+") {
                Operator::Add
            } else if self.eat_symbol("-") {
                Operator::Subtract
            } else {
                break;
            };
            rest.push((operator, self.product(true)?, at));
            if rest.len() > CHAIN_MAX {
                return Err(SqlProblem::new(-101, &[], at));
            }
        }
        self.leave();
        Ok(chain(first, rest))
    }

    /// Multiplication, division and concatenation are of one rank in Db2.
    fn product(&mut self, is_right: bool) -> Parsed<Expr> {
        let first = self.factor(is_right)?;
        let mut rest = Vec::new();
        loop {
            let at = self.at();
            let operator = if self.eat_symbol("*") {
                Operator::Multiply
            } else if self.eat_symbol("/") {
                Operator::Divide
            } else if self.eat_symbol("||") || self.eat("CONCAT") {
                Operator::Concat
            } else {
                break;
            };
            rest.push((operator, self.factor(false)?, at));
            if rest.len() > CHAIN_MAX {
                return Err(SqlProblem::new(-101, &[], at));
            }
        }
        Ok(chain(first, rest))
    }

    /// A sign, or an operand with the unit of a duration. A unit counts as such where a duration
    /// can be: right of `+` and `-`, or left of `+`. Elsewhere the word is a name (`SELECT A DAY`).
    fn factor(&mut self, is_right: bool) -> Parsed<Expr> {
        let at = self.at();
        if self.eat_symbol("-") {
            self.enter()?;
            let operand = self.factor(is_right)?;
            self.leave();
            return Ok(Expr::Negate(Box::new(operand), at));
        }
        self.eat_symbol("+");
        let operand = self.primary()?;
        let unit = self
            .unit()
            .filter(|_| is_right || self.is_symbol_at(1, "+") || self.is_symbol_at(1, ")"));
        let Some(unit) = unit else {
            return Ok(operand);
        };
        self.advance();
        Ok(Expr::Duration(Box::new(operand), unit))
    }

    fn unit(&self) -> Option<Unit> {
        let token = self.peek().filter(|t| t.kind == TokenKind::Word)?;
        let unit = UNITS
            .iter()
            .find(|(one, many, _)| token.text == *one || token.text == *many)?;
        Some(unit.2)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let at = self.at();
        let Some(token) = self.peek() else {
            return Err(self.illegal("EXPRESSION"));
        };
        let text = || token.text.clone();
        let literal = match token.kind {
            TokenKind::Integer => Literal::Integer(text()),
            TokenKind::Decimal => Literal::Decimal(text()),
            TokenKind::Float => Literal::Float(text()),
            TokenKind::String => Literal::Text(text()),
            TokenKind::Hex => Literal::Hex(text()),
            TokenKind::Binary => Literal::Binary(text()),
            TokenKind::Graphic => Literal::Graphic(text()),
            TokenKind::GraphicHex => {
                return Err(self.refused("constants GX and UX are not done"));
            }
            TokenKind::Host => return Ok(Expr::Host(self.host(Role::Input)?, at)),
            TokenKind::Marker => {
                self.advance();
                self.markers += 1;
                return Ok(Expr::Marker(self.markers - 1));
            }
            TokenKind::Symbol => return self.in_brackets(at),
            TokenKind::Word => return self.word(at),
            TokenKind::Delimited => return self.column(at),
        };
        self.advance();
        Ok(Expr::Literal(literal))
    }

    fn in_brackets(&mut self, at: At) -> Parsed<Expr> {
        if self.is_query_in_brackets() {
            self.expect_symbol("(")?;
            let query = self.query()?;
            self.expect_symbol(")")?;
            return Ok(Expr::Select(Box::new(query), at));
        }
        if !self.eat_symbol("(") {
            return Err(self.illegal("EXPRESSION"));
        }
        let value = self.expression()?;
        self.expect_symbol(")")?;
        Ok(value)
    }

    fn word(&mut self, at: At) -> Parsed<Expr> {
        let register = Register::at_front(|n| {
            let token = self.peek_at(n).filter(|t| t.kind == TokenKind::Word)?;
            Some(token.text.clone())
        });
        if let Some((register, words)) = register.filter(|(_, n)| !self.is_symbol_at(*n, "(")) {
            // `T.USER` and `USER.COLUMN` are columns.
            if !self.is_symbol_at(words, ".") {
                for _ in 0..words {
                    self.advance();
                }
                self.refuse_zone(register)?;
                return Ok(Expr::Register(register));
            }
        }
        if self.eat("NULL") {
            return Ok(Expr::Null);
        }
        if self.is("CASE") {
            return self.case(at);
        }
        for (words, next) in [
            (["NEXT", "VALUE", "FOR"].as_slice(), true),
            (&["NEXTVAL", "FOR"], true),
            (&["PREVIOUS", "VALUE", "FOR"], false),
            (&["PREVVAL", "FOR"], false),
        ] {
            if self.eat_all(words) {
                let name = self.qualified()?;
                return Ok(Expr::Sequence { name, next });
            }
        }
        if self.is_symbol_at(1, "(") {
            return self.call(None, at);
        }
        self.column(at)
    }

    fn refuse_zone(&self, register: Register) -> Parsed<()> {
        if register == Register::CurrentTimestamp
            && (self.are(&["WITH", "TIME"]) || self.are(&["WITHOUT", "TIME"]))
        {
            return Err(self.refused("CURRENT TIMESTAMP WITH TIME ZONE is not done"));
        }
        Ok(())
    }

    /// `NAME`, `T.NAME`, `S.T.NAME`, or a function with its schema.
    fn column(&mut self, at: At) -> Parsed<Expr> {
        let mut parts = vec![self.name()?];
        while self.is_symbol(".") && parts.len() < 3 {
            self.advance();
            if parts.len() == 1 && self.is_symbol_at(1, "(") {
                return self.call(parts.pop(), at);
            }
            parts.push(self.any_word()?);
        }
        if self.eat_symbol("(") {
            return Err(self.refused("the join operator (+) is not done"));
        }
        let name = parts.pop().unwrap_or_default();
        let qualifier = parts.pop().map(|name| Name {
            qualifier: parts.pop(),
            name,
        });
        Ok(Expr::Column {
            qualifier,
            name,
            at,
        })
    }

    fn case(&mut self, at: At) -> Parsed<Expr> {
        self.expect("CASE")?;
        let operand = if self.is("WHEN") {
            None
        } else {
            Some(Box::new(self.expression()?))
        };
        let mut whens = Vec::new();
        while self.eat("WHEN") {
            let condition = match &operand {
                None => self.condition()?,
                Some(_) => self.case_value()?,
            };
            self.expect("THEN")?;
            whens.push((condition, self.expression()?));
        }
        if whens.is_empty() {
            return Err(self.illegal("WHEN"));
        }
        let otherwise = if self.eat("ELSE") {
            Some(Box::new(self.expression()?))
        } else {
            None
        };
        self.expect("END")?;
        Ok(Expr::Case {
            operand,
            whens,
            otherwise,
            at,
        })
    }
}

/// One operand stays what it is.
fn chain(first: Expr, rest: Vec<(Operator, Expr, At)>) -> Expr {
    if rest.is_empty() {
        return first;
    }
    Expr::Chain(Box::new(first), rest)
}
