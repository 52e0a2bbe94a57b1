//! UNION, EXCEPT, INTERSECT and VALUES as a table.

use super::api::ResultColumn;
use super::typed::{Text, Written, column};
use super::writer::Writer;
use crate::problem::{At, SqlProblem};
use crate::tree::node::Expr;
use crate::tree::node::{Body, Order};
use crate::tree::words::Literal;
use crate::tree::words::SetOperator;
use crate::types::Type;

impl Writer<'_> {
    pub(super) fn place_in_set(&self, item: &Order, columns: &[ResultColumn]) -> Written<usize> {
        let (place, at) = match &item.value {
            Expr::Literal(Literal::Integer(n)) => (n.parse::<usize>().ok(), At::default()),
            Expr::Column { name, at, .. } => {
                let place = columns.iter().position(|c| c.name == *name);
                if place.is_none() && !columns.is_empty() {
                    return Err(SqlProblem::new(-208, &[name], *at));
                }
                (place.map(|n| n + 1), *at)
            }
            _ => (None, At::default()),
        };
        place.filter(|place| *place > 0).ok_or_else(|| {
            let reason = "ORDER BY of a UNION names columns or their numbers";
            SqlProblem::refused(reason, at)
        })
    }

    pub(super) fn rows(
        &mut self,
        rows: &[Vec<Expr>],
        names: Option<&[String]>,
        at: At,
    ) -> Written<Text> {
        if self.targets.is_some() || names.is_some() {
            return Err(SqlProblem::refused("VALUES as a table is not done", at));
        }
        let mut lines = Vec::new();
        let mut columns: Vec<ResultColumn> = Vec::new();
        for row in rows {
            let mut words = Vec::new();
            let mut these = Vec::new();
            for value in row {
                let value = self.expr(value)?;
                these.push(column(&value, ""));
                words.push(value.sql);
            }
            if columns.is_empty() {
                columns = these;
            }
            lines.push(format!("({})", words.join(", ")));
        }
        Ok((format!("VALUES {}", lines.join(", ")), columns))
    }

    /// Types of the operands are made one: the operands are written twice, as their types show
    /// only when they are written.
    pub(super) fn set_operators(
        &mut self,
        first: &Body,
        rest: &[(SetOperator, bool, Body)],
        names: Option<&[String]>,
    ) -> Written<Text> {
        let parameters = self.parameters.len();
        let mut kinds: Vec<Vec<Type>> = Vec::new();
        for body in std::iter::once(first).chain(rest.iter().map(|(_, _, b)| b)) {
            let (_, columns) = self.body(body, None)?;
            for (n, column) in columns.iter().enumerate() {
                match kinds.get_mut(n) {
                    Some(kinds) => kinds.push(column.kind),
                    None => kinds.push(vec![column.kind]),
                }
            }
        }
        self.parameters.truncate(parameters);
        let differs = kinds.iter().any(|k| k.iter().any(|kind| *kind != k[0]));
        let wanted: Vec<Type> = kinds.iter().map(|k| crate::functions::common(k)).collect();
        let outer = self.unified.take();
        let set = |w: &mut Self| w.unified = differs.then(|| wanted.clone()).or(outer.clone());
        set(self);
        let (text, mut columns) = self.operand(first, names)?;
        let mut out = text;
        for (operator, all, body) in rest {
            set(self);
            let (text, others) = self.operand(body, None)?;
            if others.len() != columns.len() && !others.is_empty() && !columns.is_empty() {
                return Err(SqlProblem::new(-421, &["UNION"], At::default()));
            }
            let word = self.set_word(*operator, *all)?;
            for (column, other) in columns.iter_mut().zip(&others) {
                column.nullable |= other.nullable;
            }
            out = format!("{out} {word} {text}");
        }
        self.unified = outer;
        for (column, kind) in columns.iter_mut().zip(wanted) {
            column.kind = kind;
        }
        Ok((out, columns))
    }

    pub(super) fn set_word(&self, operator: SetOperator, all: bool) -> Written<&'static str> {
        match (operator, all) {
            (SetOperator::Union, true) => Ok("UNION ALL"),
            (SetOperator::Union, false) => Ok("UNION"),
            (_, true) if self.is_sqlite() => {
                let reason = "SQLite has no EXCEPT ALL and INTERSECT ALL";
                Err(SqlProblem::refused(reason, At::default()))
            }
            (SetOperator::Except, true) => Ok("EXCEPT ALL"),
            (SetOperator::Except, false) => Ok("EXCEPT"),
            (SetOperator::Intersect, true) => Ok("INTERSECT ALL"),
            (SetOperator::Intersect, false) => Ok("INTERSECT"),
        }
    }

    /// Both engines read operands from left to right; SQLite allows no brackets around one.
    pub(super) fn operand(&mut self, body: &Body, names: Option<&[String]>) -> Written<Text> {
        let (text, columns) = self.body(body, names)?;
        let text = match body {
            Body::Select(_) | Body::Values(..) => text,
            _ if self.is_sqlite() => format!("SELECT * FROM ({text})"),
            _ => format!("({text})"),
        };
        Ok((text, columns))
    }
}
