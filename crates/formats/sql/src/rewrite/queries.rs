//! Queries.

use super::api::Rewritten;
use super::typed::{Text, Typed, Written, column};
use super::writer::Writer;
use crate::problem::{At, SqlProblem};
use crate::statement::{Kind, Scroll};
use crate::tree::node::Expr;
use crate::tree::node::{Body, Item, Query, Table};
use crate::tree::words::Literal;
use crate::types::Type;

/// UNION and its kin inside each other.
const SETS_MAX: u32 = 6;

impl Writer<'_> {
    pub(super) fn statement_query(&mut self, query: &Query, kind: &Kind) -> Written<Rewritten> {
        if let Body::Select(select) = &query.body
            && let [Table::Changed { .. }] = select.from.as_slice()
        {
            return self.changed_query(query, select);
        }
        // A cursor that was prepared says FOR UPDATE when it is positioned on.
        let may_be = matches!(kind, Kind::DeclareCursor(_))
            || matches!(kind, Kind::Query) && query.tail.update.is_some();
        let sensitive = is_sensitive(kind);
        let is_row = match sensitive {
            true => query.offset.is_none() && self.is_of_rows(query),
            false => self.is_updatable(query),
        };
        if sensitive && !is_row {
            let name = match kind {
                Kind::DeclareCursor(cursor) => cursor.name.as_str(),
                _ => "",
            };
            return Err(SqlProblem::new(-243, &[name], At::default()));
        }
        if sensitive && !self.is_sqlite() {
            // A row that was changed has another identity there.
            let reason = "a SENSITIVE STATIC cursor is not done on PostgreSQL";
            return Err(SqlProblem::refused(reason, At::default()));
        }
        let positioned = may_be && is_row;
        let (text, columns) = self.query_text(query, None, positioned)?;
        Ok(Rewritten {
            text: text + self.locking(query),
            parameters: std::mem::take(&mut self.parameters),
            columns,
            row_id: positioned,
            isolation: query.tail.isolation,
            ..Rewritten::default()
        })
    }

    /// Values without a table.
    pub(super) fn statement_values(&mut self, values: &[Expr]) -> Written<Rewritten> {
        let mut words = Vec::new();
        let mut columns = Vec::new();
        for value in values {
            let value = self.expr(value)?;
            columns.push(column(&value, ""));
            words.push(value.sql);
        }
        Ok(Rewritten {
            text: format!("SELECT {}", words.join(", ")),
            parameters: std::mem::take(&mut self.parameters),
            columns,
            ..Rewritten::default()
        })
    }

    /// PostgreSQL locks what a cursor will change, and what RS and RR read.
    pub(super) fn locking(&self, query: &Query) -> &'static str {
        if self.is_sqlite() || !self.is_updatable(query) {
            return "";
        }
        use crate::tree::words::Isolation::{ReadStability, RepeatableRead};
        let keeps = matches!(query.tail.isolation, Some(ReadStability | RepeatableRead));
        match (&query.tail.update, keeps) {
            (Some(_), _) => " FOR UPDATE",
            (None, true) if query.tail.keep_locks => " FOR UPDATE",
            (None, true) => " FOR SHARE",
            (None, false) => "",
        }
    }

    /// Whether a cursor may be changed through.
    pub(super) fn is_updatable(&self, query: &Query) -> bool {
        query.order.is_empty() && !query.tail.read_only && self.is_of_rows(query)
    }

    /// Whether a row of the result is a row of one base table.
    fn is_of_rows(&self, query: &Query) -> bool {
        let Body::Select(select) = &query.body else {
            return false;
        };
        let [Table::Named { name, .. }] = select.from.as_slice() else {
            return false;
        };
        let plain = query.with.is_empty()
            && query.first.is_none()
            && !select.distinct
            && select.group.is_empty()
            && select.having.is_none()
            && !select.items.iter().any(|item| match item {
                Item::Value(value, _) => super::grouping::has_aggregate(value),
                _ => false,
            });
        let is_view = match self.setting.catalog.table(&self.full(name)) {
            crate::catalog::Lookup::Found(table) => table.view,
            _ => false,
        };
        plain && !is_view && name.name != "SYSDUMMY1"
    }

    /// A query inside another one.
    pub(super) fn inner_query(&mut self, query: &Query) -> Written<Text> {
        let targets = self.targets.take();
        let text = self.query_text(query, None, false);
        self.targets = targets;
        text
    }

    /// A query that gives one value. SQLite would take the first of several rows in silence.
    pub(super) fn scalar_select(&mut self, query: &Query, at: At) -> Written<Typed> {
        let is_one = match (&query.body, &query.first) {
            (_, Some(Expr::Literal(Literal::Integer(n)))) if n == "1" => true,
            (Body::Select(select), _) => {
                select.group.is_empty()
                    && select.items.iter().all(|item| match item {
                        Item::Value(value, _) => super::grouping::has_aggregate(value),
                        _ => false,
                    })
            }
            _ => false,
        };
        let wraps = self.is_sqlite() && !is_one;
        let names = ["V".to_owned()];
        let targets = self.targets.take();
        let text = self.query_text(query, wraps.then_some(&names), false);
        self.targets = targets;
        let (text, columns) = text?;
        let [column] = columns.as_slice() else {
            return Err(SqlProblem::new(-412, &[], at));
        };
        let sql = if wraps {
            format!("(SELECT db2_only(\"V\") FROM ({text}))")
        } else {
            format!("({text})")
        };
        Ok(Typed::new(sql, column.kind))
    }

    /// With other names for its columns, and with what identifies a row behind them.
    pub(super) fn query_text(
        &mut self,
        query: &Query,
        names: Option<&[String]>,
        row_id: bool,
    ) -> Written<Text> {
        if let Some(at) = query.tail.skip_locked {
            return Err(SqlProblem::refused("SKIP LOCKED DATA is not done", at));
        }
        let known = self.common.len();
        // The columns of an INSERT are those of the query behind WITH.
        let targets = self.targets.take();
        let mut with = Vec::new();
        for common in &query.with {
            let renamed = (!common.columns.is_empty()).then_some(common.columns.as_slice());
            self.building.push(common.name.clone());
            let text = self.query_text(&common.query, renamed, false);
            self.building.pop();
            let (text, columns) = text?;
            with.push(format!("{} AS ({text})", self.quoted(&common.name)));
            self.common.push((common.name.clone(), columns));
        }
        self.targets = targets;
        let text = self.body_with_order(query, names, row_id);
        self.common.truncate(known);
        let (mut text, columns) = text?;
        self.limit(query, &mut text)?;
        if !with.is_empty() {
            text = format!("WITH {} {text}", with.join(", "));
        }
        Ok((text, columns))
    }

    pub(super) fn limit(&mut self, query: &Query, text: &mut String) -> Written<()> {
        let first = match &query.first {
            Some(first) => {
                let mut first = self.expr(first)?;
                self.want(&mut first, Type::BigInt);
                Some(first.sql)
            }
            None => None,
        };
        let offset = match &query.offset {
            Some(offset) => {
                let mut offset = self.expr(offset)?;
                self.want(&mut offset, Type::BigInt);
                Some(offset.sql)
            }
            None => None,
        };
        match (first, &offset) {
            (Some(first), _) => *text += &format!(" LIMIT {first}"),
            (None, Some(_)) if self.is_sqlite() => *text += " LIMIT -1",
            _ => {}
        }
        if let Some(offset) = offset {
            *text += &format!(" OFFSET {offset}");
        }
        Ok(())
    }

    pub(super) fn body_with_order(
        &mut self,
        query: &Query,
        names: Option<&[String]>,
        row_id: bool,
    ) -> Written<Text> {
        if let Body::Select(select) = &query.body {
            return self.select(select, &query.order, names, row_id);
        }
        let (mut text, columns) = self.body(&query.body, names)?;
        if !query.order.is_empty() {
            let mut places = Vec::new();
            for item in &query.order {
                places.push(self.place_in_set(item, &columns)?);
            }
            text = self.by_place(text, &query.order, &places, &columns);
        }
        Ok((text, columns))
    }

    pub(super) fn body(&mut self, body: &Body, names: Option<&[String]>) -> Written<Text> {
        match body {
            Body::Select(select) => self.select(select, &[], names, false),
            Body::Nested(query) => self.query_text(query, names, false),
            Body::Values(rows, at) => self.rows(rows, names, *at),
            Body::Set(first, rest) => {
                // Each level writes the one below it twice.
                if self.sets == SETS_MAX {
                    return Err(SqlProblem::new(-101, &[], At::default()));
                }
                self.sets += 1;
                let text = self.set_operators(first, rest, names);
                self.sets -= 1;
                text
            }
        }
    }
}

/// SENSITIVE STATIC: its rows are read again, and may be changed in spite of ORDER BY.
fn is_sensitive(kind: &Kind) -> bool {
    matches!(kind, Kind::DeclareCursor(cursor) if cursor.scroll == Scroll::SensitiveStatic)
}
