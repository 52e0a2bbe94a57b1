//! Search conditions.
//!
//! Why not as they stand: strings of Db2 compare with blanks added at the end, numbers by value
//! whatever their type, and a date with its constant in any of its forms.

use super::typed::{Form, Typed, Written, varying};
use super::writer::Writer;
use crate::functions::common;
use crate::problem::{At, SqlProblem};
use crate::tree::node::{Condition, Expr};
use crate::tree::words::Comparison;
use crate::types::{Family, Type};

/// Longest text of one side of a comparison.
const TEXT_MAX: usize = 1 << 20;

impl Writer<'_> {
    pub(super) fn condition(&mut self, condition: &Condition) -> Written<String> {
        match condition {
            Condition::And(terms) => self.joined(terms, " AND "),
            Condition::Or(terms) => self.joined(terms, " OR "),
            Condition::Not(inner) => Ok(format!("NOT ({})", self.condition(inner)?)),
            Condition::Compare(left, comparison, right, at) => {
                self.compare_rows(left, *comparison, right, *at)
            }
            Condition::Quantified(value, comparison, quantifier, query, at) => {
                self.quantified(value, *comparison, *quantifier, query, *at)
            }
            Condition::Between {
                negated,
                value,
                low,
                high,
                at,
            } => {
                let (value, low, high) = (self.expr(value)?, self.expr(low)?, self.expr(high)?);
                let above = self.compare_values(value.clone(), ">=", low, *at)?;
                let below = self.compare_values(value, "<=", high, *at)?;
                let not = if *negated { "NOT " } else { "" };
                Ok(format!("{not}({above} AND {below})"))
            }
            Condition::Like {
                negated,
                value,
                pattern,
                escape,
                at,
            } => self.like(*negated, value, pattern, escape.as_ref(), *at),
            Condition::In {
                negated,
                value,
                list,
                at,
            } => self.inside(*negated, value, list, *at),
            Condition::InSelect {
                negated,
                value,
                query,
                at,
            } => self.inside_select(*negated, value, query, *at),
            Condition::Null { negated, value } => {
                let value = self.expr(value)?;
                let not = if *negated { " NOT" } else { "" };
                Ok(format!("{} IS{not} NULL", value.sql))
            }
            Condition::Exists(query) => Ok(format!("EXISTS ({})", self.inner_query(query)?.0)),
        }
    }

    fn joined(&mut self, terms: &[Condition], word: &str) -> Written<String> {
        let mut out = Vec::with_capacity(terms.len());
        for term in terms {
            out.push(self.condition(term)?);
        }
        Ok(format!("({})", out.join(word)))
    }

    /// Values, or rows of the same length: rows are equal where all pairs are.
    pub(super) fn compare_rows(
        &mut self,
        left: &[Expr],
        comparison: Comparison,
        right: &[Expr],
        at: At,
    ) -> Written<String> {
        let mut pairs = Vec::new();
        for (l, r) in left.iter().zip(right) {
            let (l, r) = (self.expr(l)?, self.expr(r)?);
            pairs.push(self.compare_one(l, comparison, r, at)?);
        }
        let word = match comparison {
            _ if pairs.len() == 1 => "",
            Comparison::Equal | Comparison::NotDistinct => " AND ",
            Comparison::NotEqual | Comparison::Distinct => " OR ",
            _ => {
                return Err(SqlProblem::refused(
                    "rows are compared with = and <> only",
                    at,
                ));
            }
        };
        if pairs.len() == 1 {
            return Ok(pairs.remove(0));
        }
        Ok(format!("({})", pairs.join(word)))
    }

    fn compare_one(
        &mut self,
        left: Typed,
        comparison: Comparison,
        right: Typed,
        at: At,
    ) -> Written<String> {
        let symbol = self.symbol(comparison);
        let is_distinct = matches!(comparison, Comparison::Distinct | Comparison::NotDistinct);
        let null = left.form == Form::Null || right.form == Form::Null;
        if null && !is_distinct {
            // A comparison with the word NULL is none in Db2.
            return Err(SqlProblem::new(-206, &["NULL"], at));
        }
        self.compare_values(left, symbol, right, at)
    }

    pub(super) fn symbol(&self, comparison: Comparison) -> &'static str {
        match comparison {
            Comparison::Equal => "=",
            Comparison::NotEqual => "<>",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
            Comparison::Distinct if self.is_sqlite() => "IS NOT",
            Comparison::Distinct => "IS DISTINCT FROM",
            Comparison::NotDistinct if self.is_sqlite() => "IS",
            Comparison::NotDistinct => "IS NOT DISTINCT FROM",
        }
    }

    /// Two values of one type, in Db2's order.
    pub(super) fn compare_values(
        &mut self,
        left: Typed,
        symbol: &str,
        right: Typed,
        at: At,
    ) -> Written<String> {
        // A value that is written several times may not grow without end.
        if left.sql.len().max(right.sql.len()) > TEXT_MAX {
            return Err(SqlProblem::new(-101, &[], at));
        }
        let (left, right) = self.comparable(left, right, at)?;
        // SQLite takes the collation of the left side, or of the right one when that is a column.
        let collates = self.is_sqlite()
            && left.kind.is_text()
            && left.form != Form::Column
            && right.form != Form::Column;
        let suffix = if collates { " COLLATE DB2" } else { "" };
        let [left, right] = [&left, &right].map(|side| self.compared(side, symbol));
        Ok(format!("{left}{suffix} {symbol} {right}"))
    }

    /// Both sides in a form in which the engine compares them as Db2 does.
    fn comparable(&mut self, mut left: Typed, mut right: Typed, at: At) -> Written<(Typed, Typed)> {
        if matches!(left.form, Form::Duration(_)) || matches!(right.form, Form::Duration(_)) {
            return Err(SqlProblem::new(-182, &[], at));
        }
        let text_and_number =
            |a: &Typed, b: &Typed| matches!(a.family(), Family::Character) && b.kind.is_number();
        // Db2 compares a string with a number as DECFLOAT.
        if text_and_number(&left, &right) {
            left = self.as_decfloat(left, at)?;
        } else if text_and_number(&right, &left) {
            right = self.as_decfloat(right, at)?;
        }
        // A whole number in a DECIMAL host variable goes to an INTEGER column as it is: converting
        // the column instead would keep its index from being used.
        if left.kind.is_integer() && is_whole(&right) {
            self.want(&mut right, Type::BigInt);
        } else if right.kind.is_integer() && is_whole(&left) {
            self.want(&mut left, Type::BigInt);
        }
        let kind = common(&[left.kind, right.kind]);
        let is_text = kind.is_text();
        let constants = [&left, &right].map(|t| matches!(t.form, Form::Text(_)));
        for side in [&mut left, &mut right] {
            let taken = side.clone();
            *side = if is_text && side.is_parameter() {
                // A value is compared as it is: no padding, and nothing cut off.
                let mut value = taken;
                self.want(&mut value, varying(kind, side.kind));
                value
            } else {
                self.as_kind(taken, kind, at)?
            };
            // A constant beside a value takes the type of that.
            let alone = constants == [true, true];
            if is_text && !self.is_sqlite() && (side.form == Form::Other || alone) {
                side.sql = format!("({})::bpchar", side.sql);
            }
        }
        Ok((left, right))
    }

    fn as_decfloat(&mut self, mut value: Typed, at: At) -> Written<Typed> {
        let kind = Type::DecFloat(34);
        if let Form::Text(text) = &value.form {
            let digits = text.trim();
            let is_number = digits.parse::<f64>().is_ok()
                && digits
                    .bytes()
                    .all(|b| b.is_ascii_digit() || b"+-.Ee".contains(&b));
            if !is_number {
                return Err(SqlProblem::new(-420, &["DECFLOAT"], at));
            }
            let sql = self.decimal_constant(digits, kind);
            return Ok(Typed::new(sql, kind));
        }
        if value.is_parameter() {
            self.want(&mut value, kind);
            return Ok(value);
        }
        Ok(self.own("convert", &[&value], kind))
    }

    fn inside(&mut self, negated: bool, value: &[Expr], list: &[Expr], at: At) -> Written<String> {
        let [value] = value else {
            return Err(SqlProblem::new(-115, &["IN"], at));
        };
        let value = self.expr(value)?;
        let mut items = Vec::new();
        let mut same = true;
        for expr in list {
            let item = self.list_item(expr, &value, at)?;
            let (left, right) = self.comparable(value.clone(), item, at)?;
            same &= left.sql == value.sql;
            items.push((left, right));
        }
        let not = if negated { " NOT" } else { "" };
        // One list where the left side is the same for each item; else a comparison for each.
        let columns = items.iter().any(|(_, r)| r.form == Form::Column);
        if same && !columns {
            let words: Vec<&str> = items.iter().map(|(_, r)| r.sql.as_str()).collect();
            let collates = self.is_sqlite() && value.kind.is_text() && value.form != Form::Column;
            let suffix = if collates { " COLLATE DB2" } else { "" };
            return Ok(format!(
                "{}{suffix}{not} IN ({})",
                value.sql,
                words.join(", ")
            ));
        }
        let mut words = Vec::new();
        for (left, right) in items {
            words.push(self.compare_values(left, "=", right, at)?);
        }
        Ok(format!("{}({})", not.trim_start(), words.join(" OR ")))
    }

    fn list_item(&mut self, expr: &Expr, value: &Typed, at: At) -> Written<Typed> {
        let item = self.expr(expr)?;
        if item.form == Form::Null {
            return Err(SqlProblem::new(-206, &["NULL"], at));
        }
        if value.is_parameter() && item.is_parameter() && item.kind == Type::Unknown {
            return Err(SqlProblem::new(-418, &[], at));
        }
        Ok(item)
    }

    pub(super) fn inside_select(
        &mut self,
        negated: bool,
        value: &[Expr],
        query: &crate::tree::node::Query,
        at: At,
    ) -> Written<String> {
        let mut values = Vec::new();
        for expr in value {
            values.push(self.expr(expr)?);
        }
        let (text, columns) = self.inner_query(query)?;
        if !columns.is_empty() && columns.len() != values.len() {
            return Err(SqlProblem::new(-412, &[], at));
        }
        let mut words = Vec::new();
        for (n, value) in values.into_iter().enumerate() {
            let kind = columns.get(n).map_or(Type::Unknown, |c| c.kind);
            let mixed = value.kind.is_number()
                && kind.is_number()
                && value.kind.is_exact() != kind.is_exact()
                && !value.is_parameter();
            let value = self.as_kind(value, kind, at)?;
            if mixed && self.is_sqlite() && !kind.is_exact() {
                let reason = "IN of a SELECT whose column has another kind of number is not done";
                return Err(SqlProblem::refused(reason, at));
            }
            let collates = self.is_sqlite() && value.kind.is_text() && value.form != Form::Column;
            let suffix = if collates { " COLLATE DB2" } else { "" };
            words.push(format!("{}{suffix}", value.sql));
        }
        let not = if negated { " NOT" } else { "" };
        let left = if words.len() == 1 {
            words.remove(0)
        } else {
            format!("({})", words.join(", "))
        };
        Ok(format!("{left}{not} IN ({text})"))
    }

    fn like(
        &mut self,
        negated: bool,
        value: &Expr,
        pattern: &Expr,
        escape: Option<&Expr>,
        at: At,
    ) -> Written<String> {
        let value = self.expr(value)?;
        let mut pattern = self.expr(pattern)?;
        let is_string = |t: &Typed| {
            matches!(
                t.family(),
                Family::Character | Family::Graphic | Family::Bytes | Family::Unknown
            )
        };
        if !is_string(&value) {
            return Err(SqlProblem::new(-414, &[], at));
        }
        if !is_string(&pattern) {
            return Err(SqlProblem::new(-132, &["LIKE"], at));
        }
        if pattern.is_parameter() && pattern.kind == Type::Unknown {
            self.want(&mut pattern, Type::VarChar(4_000));
        }
        let escape = match escape {
            Some(escape) => {
                let escape = self.expr(escape)?;
                match &escape.form {
                    Form::Text(text) if text.chars().count() != 1 => {
                        return Err(SqlProblem::new(-130, &[], at));
                    }
                    _ => escape.sql,
                }
            }
            None => "NULL".to_owned(),
        };
        let not = if negated { "NOT " } else { "" };
        Ok(format!(
            "{not}db2_like({}, {}, {escape})",
            value.sql, pattern.sql
        ))
    }
}

/// A parameter whose values are integers that BIGINT holds.
fn is_whole(value: &Typed) -> bool {
    let whole = matches!(
        value.kind,
        Type::Decimal {
            precision: ..=18,
            scale: 0
        }
    );
    value.is_parameter() && whole
}
