//! Comparisons with ALL and ANY of the rows of a query.
//!
//! Why apart: SQLite has none of them but IN. Not here: other conditions.

use super::typed::{Typed, Written};
use super::writer::Writer;
use crate::problem::{At, SqlProblem};
use crate::tree::node::{Expr, Query};
use crate::tree::words::{Comparison, Quantifier};
use crate::types::Type;

impl Writer<'_> {
    pub(super) fn quantified(
        &mut self,
        value: &Expr,
        comparison: Comparison,
        quantifier: Quantifier,
        query: &Query,
        at: At,
    ) -> Written<String> {
        if self.is_sqlite() {
            // `= ANY` is IN, `<> ALL` is NOT IN.
            let negated = match (comparison, quantifier) {
                (Comparison::Equal, Quantifier::Any) => false,
                (Comparison::NotEqual, Quantifier::All) => true,
                _ => return self.quantified_rows(value, comparison, quantifier, query, at),
            };
            return self.inside_select(negated, std::slice::from_ref(value), query, at);
        }
        let symbol = self.symbol(comparison);
        let value = self.expr(value)?;
        let (text, columns) = self.inner_query(query)?;
        if columns.len() > 1 {
            return Err(SqlProblem::new(-412, &[], at));
        }
        let word = match quantifier {
            Quantifier::All => "ALL",
            Quantifier::Any => "ANY",
        };
        let kind = columns.first().map_or(Type::Unknown, |column| column.kind);
        let text = self.compared_rows(text, kind, symbol);
        let value = self.compared(&value, symbol);
        Ok(format!("{value} {symbol} {word} ({text})"))
    }

    /// ALL is false with the first row that does not compare, ANY true with the first that does; a
    /// null value leaves both unknown where no row decides.
    fn quantified_rows(
        &mut self,
        value: &Expr,
        comparison: Comparison,
        quantifier: Quantifier,
        query: &Query,
        at: At,
    ) -> Written<String> {
        if super::grouping::has_aggregate(value) {
            // SQLite has no aggregate of the outer query in an inner one.
            let reason = "an aggregate compared with ALL or ANY is not done on SQLite";
            return Err(SqlProblem::refused(reason, at));
        }
        let symbol = self.symbol(comparison);
        let value = self.expr(value)?;
        let targets = self.targets.take();
        let names = ["V".to_owned()];
        let text = self.query_text(query, Some(&names), false);
        self.targets = targets;
        let (text, columns) = text?;
        let [column] = columns.as_slice() else {
            return Err(SqlProblem::new(-412, &[], at));
        };
        let row = Typed::new("\"#V\".\"V\"".to_owned(), column.kind);
        let holds = self.compare_values(value, symbol, row, at)?;
        let (decides, decided, otherwise) = match quantifier {
            Quantifier::All => (format!("NOT ({holds})"), 0, 1),
            Quantifier::Any => (holds.clone(), 1, 0),
        };
        let exists = |condition: &str| {
            format!("EXISTS (SELECT 1 FROM ({text}) AS \"#V\" WHERE {condition})")
        };
        Ok(format!(
            "CASE WHEN {} THEN {decided} WHEN {} THEN NULL ELSE {otherwise} END",
            exists(&decides),
            exists(&format!("({holds}) IS NULL")),
        ))
    }
}
