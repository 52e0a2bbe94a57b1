//! Search conditions.

use super::parser::{Parsed, Parser};
use crate::lexer::TokenKind;
use crate::problem::SqlProblem;
use crate::tree::node::{Condition, Expr};
use crate::tree::words::{Comparison, Quantifier};

/// Predicates or list items in one condition.
const TERMS_MAX: usize = 32_767;

const COMPARISONS: &[(&str, Comparison)] = &[
    ("=", Comparison::Equal),
    ("<>", Comparison::NotEqual),
    ("<=", Comparison::LessEqual),
    (">=", Comparison::GreaterEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

impl Parser<'_> {
    pub(super) fn condition(&mut self) -> Parsed<Condition> {
        self.enter()?;
        let mut terms = vec![self.conjunction()?];
        while self.eat("OR") {
            terms.push(self.conjunction()?);
            self.bound(terms.len())?;
        }
        self.leave();
        Ok(one_or(terms, Condition::Or))
    }

    fn conjunction(&mut self) -> Parsed<Condition> {
        let mut terms = vec![self.negation()?];
        while self.eat("AND") {
            terms.push(self.negation()?);
            self.bound(terms.len())?;
        }
        Ok(one_or(terms, Condition::And))
    }

    fn bound(&self, terms: usize) -> Parsed<()> {
        if terms > TERMS_MAX {
            return Err(SqlProblem::new(-101, &[], self.at()));
        }
        Ok(())
    }

    fn negation(&mut self) -> Parsed<Condition> {
        if self.eat("NOT") {
            self.enter()?;
            let inner = self.negation()?;
            self.leave();
            return Ok(Condition::Not(Box::new(inner)));
        }
        self.predicate()
    }

    fn predicate(&mut self) -> Parsed<Condition> {
        if self.eat("EXISTS") {
            self.expect_symbol("(")?;
            let query = self.query()?;
            self.expect_symbol(")")?;
            return Ok(Condition::Exists(Box::new(query)));
        }
        if self.is_symbol("(") && !self.is_value_in_brackets() {
            self.expect_symbol("(")?;
            let inner = self.condition()?;
            self.expect_symbol(")")?;
            return Ok(inner);
        }
        let left = self.row()?;
        let at = self.at();
        let negated = self.is("NOT");
        if negated {
            self.advance();
        }
        if self.eat("IN") {
            return self.inside(negated, left);
        }
        if left.len() == 1 && self.is_any(&["BETWEEN", "LIKE"]) {
            return self.between_or_like(negated, left);
        }
        if negated {
            return Err(self.illegal("IN BETWEEN LIKE"));
        }
        if self.eat("IS") {
            return self.is_predicate(left);
        }
        let found = COMPARISONS.iter().find(|(s, _)| self.is_symbol(s));
        let Some((_, comparison)) = found else {
            return Err(self.illegal("= <> < > <= >= IN BETWEEN LIKE IS"));
        };
        self.advance();
        self.compare(left, *comparison, at)
    }

    fn compare(
        &mut self,
        mut left: Vec<Expr>,
        comparison: Comparison,
        at: crate::problem::At,
    ) -> Parsed<Condition> {
        let quantifier = match self.eat_any(&["ALL", "ANY", "SOME"]) {
            Some("ALL") => Some(Quantifier::All),
            Some(_) => Some(Quantifier::Any),
            None => None,
        };
        if let Some(quantifier) = quantifier {
            if left.len() != 1 {
                return Err(self.refused("a row compared with ALL, ANY or SOME is not done"));
            }
            self.expect_symbol("(")?;
            let query = self.query()?;
            self.expect_symbol(")")?;
            let value = left.remove(0);
            return Ok(Condition::Quantified(
                value,
                comparison,
                quantifier,
                Box::new(query),
                at,
            ));
        }
        let right = self.row()?;
        if left.len() != right.len() {
            return Err(SqlProblem::new(-216, &["="], at));
        }
        Ok(Condition::Compare(left, comparison, right, at))
    }

    fn inside(&mut self, negated: bool, value: Vec<Expr>) -> Parsed<Condition> {
        let at = self.at();
        if self.is_query_in_brackets() {
            self.expect_symbol("(")?;
            let query = Box::new(self.query()?);
            self.expect_symbol(")")?;
            return Ok(Condition::InSelect {
                negated,
                value,
                query,
                at,
            });
        }
        // One value needs no brackets.
        let list = if self.is_symbol("(") {
            self.bracketed(Self::expression)?
        } else {
            vec![self.expression()?]
        };
        self.bound(list.len())?;
        Ok(Condition::In {
            negated,
            value,
            list,
            at,
        })
    }

    fn between_or_like(&mut self, negated: bool, mut left: Vec<Expr>) -> Parsed<Condition> {
        let at = self.at();
        let value = left.remove(0);
        if self.eat("BETWEEN") {
            let low = self.expression()?;
            self.expect("AND")?;
            let high = self.expression()?;
            return Ok(Condition::Between {
                negated,
                value,
                low,
                high,
                at,
            });
        }
        self.expect("LIKE")?;
        let pattern = self.expression()?;
        let escape = if self.eat("ESCAPE") {
            Some(self.expression()?)
        } else {
            None
        };
        Ok(Condition::Like {
            negated,
            value,
            pattern,
            escape,
            at,
        })
    }

    fn is_predicate(&mut self, mut left: Vec<Expr>) -> Parsed<Condition> {
        let at = self.at();
        let negated = self.eat("NOT");
        if self.eat_all(&["DISTINCT", "FROM"]) {
            let right = self.row()?;
            let comparison = if negated {
                Comparison::NotDistinct
            } else {
                Comparison::Distinct
            };
            if left.len() != right.len() {
                return Err(SqlProblem::new(-216, &["IS DISTINCT FROM"], at));
            }
            return Ok(Condition::Compare(left, comparison, right, at));
        }
        self.expect("NULL")?;
        if left.len() != 1 {
            return Err(self.illegal("EXPRESSION"));
        }
        let value = left.remove(0);
        Ok(Condition::Null { negated, value })
    }

    /// One expression, or `(a, b)`.
    fn row(&mut self) -> Parsed<Vec<Expr>> {
        if self.is_symbol("(") && self.has_comma_in_brackets() {
            return self.bracketed(Self::expression);
        }
        Ok(vec![self.expression()?])
    }

    /// Whether `((SELECT`, `(SELECT` or `(WITH` follows.
    pub(super) fn is_query_in_brackets(&self) -> bool {
        let mut ahead = 0;
        while self.is_symbol_at(ahead, "(") {
            ahead += 1;
        }
        let next = self.peek_at(ahead);
        ahead > 0 && next.is_some_and(|t| t.is("SELECT") || t.is("WITH"))
    }

    /// Whether `(a, b)` follows and not an expression that begins with a bracket.
    pub(super) fn has_row_in_brackets(&self) -> bool {
        self.has_comma_in_brackets()
    }

    fn has_comma_in_brackets(&self) -> bool {
        let mut depth = 0usize;
        let mut ahead = 0;
        while let Some(token) = self.peek_at(ahead) {
            match (token.kind, token.text.as_str()) {
                (TokenKind::Symbol, "(") => depth += 1,
                (TokenKind::Symbol, ")") if depth == 1 => return false,
                (TokenKind::Symbol, ")") => depth -= 1,
                (TokenKind::Symbol, ",") if depth == 1 => {
                    return !self.is_query_in_brackets();
                }
                _ => {}
            }
            ahead += 1;
        }
        false
    }

    /// What stands behind the bracket that closes the next one tells a value from a condition.
    fn is_value_in_brackets(&self) -> bool {
        let mut depth = 0usize;
        let mut ahead = 0;
        while let Some(token) = self.peek_at(ahead) {
            ahead += 1;
            if token.is_symbol("(") {
                depth += 1;
            } else if token.is_symbol(")") {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
        }
        let Some(behind) = self.peek_at(ahead) else {
            return false;
        };
        match behind.kind {
            TokenKind::Symbol => !matches!(behind.text.as_str(), ")" | "," | ";" | "("),
            TokenKind::Word => {
                let next = self.peek_at(ahead + 1);
                let negated = behind.is("NOT")
                    && next.is_some_and(|t| t.is("IN") || t.is("BETWEEN") || t.is("LIKE"));
                negated
                    || ["IN", "BETWEEN", "LIKE", "IS", "CONCAT"]
                        .iter()
                        .any(|w| behind.is(w))
                    || (behind.text.starts_with(['Y', 'M', 'D', 'H', 'S'])
                        && [
                            "YEAR",
                            "MONTH",
                            "DAY",
                            "HOUR",
                            "MINUTE",
                            "SECOND",
                            "MICROSECOND",
                        ]
                        .contains(&behind.text.trim_end_matches('S')))
            }
            _ => false,
        }
    }
}

fn one_or(mut terms: Vec<Condition>, many: fn(Vec<Condition>) -> Condition) -> Condition {
    if terms.len() == 1 {
        return terms.remove(0);
    }
    many(terms)
}
