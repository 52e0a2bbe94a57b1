//! The order of rows.
//!
//! Why: null is the highest value of Db2 and the lowest of SQLite; characters of PostgreSQL are in
//! the order of their numbers, so that a function gives what is to be in order. Not here: which
//! values are compared (`conditions`).

use super::api::ResultColumn;
use super::typed::{Form, Typed, Written};
use super::writer::Writer;
use crate::problem::SqlProblem;
use crate::tree::node::Expr;
use crate::tree::node::{Item, Order, Select};
use crate::tree::words::Literal;
use crate::types::Type;

impl Writer<'_> {
    /// A select with its order. Behind DISTINCT only columns of the result can be in order.
    pub(super) fn ordered(
        &mut self,
        mut text: String,
        select: &Select,
        order: &[Order],
        columns: &[ResultColumn],
    ) -> Written<String> {
        if order.is_empty() {
            return Ok(text);
        }
        let mut places = Vec::new();
        for item in order {
            places.push(self.place_of(item, select, columns)?);
        }
        let is_text = |place: &Option<usize>| place.is_some_and(|n| is_text(columns, n));
        if select.distinct && !self.is_sqlite() && places.iter().any(is_text) {
            let places: Option<Vec<usize>> = places.into_iter().collect();
            let places = places.ok_or_else(|| SqlProblem::new(-214, &["ORDER BY"], select.at))?;
            return Ok(self.around(&text, order, &places, columns));
        }
        let mut words = Vec::new();
        for (item, place) in order.iter().zip(places) {
            words.push(self.order_item(item, place, select, columns)?);
        }
        text += &format!(" ORDER BY {}", words.join(", "));
        Ok(text)
    }

    /// A number or the name of a result column.
    fn place_of(
        &self,
        item: &Order,
        select: &Select,
        columns: &[ResultColumn],
    ) -> Written<Option<usize>> {
        Ok(match &item.value {
            Expr::Literal(Literal::Integer(n)) => {
                let place = n.parse::<usize>().unwrap_or(0);
                if place == 0 || (!columns.is_empty() && place > columns.len()) {
                    return Err(SqlProblem::new(-125, &[], select.at));
                }
                Some(place)
            }
            Expr::Column {
                qualifier: None,
                name,
                ..
            } => {
                let aliased = |i: &Item| matches!(i, Item::Value(_, Some(alias)) if alias == name);
                let simple = select.items.iter().all(|i| matches!(i, Item::Value(..)));
                let place = select.items.iter().position(aliased);
                let place = place.filter(|_| simple).map(|n| n + 1);
                let named = || columns.iter().position(|c| c.name == *name).map(|n| n + 1);
                match select.distinct && !self.is_sqlite() {
                    true => place.or_else(named),
                    false => place,
                }
            }
            _ => None,
        })
    }

    /// A result column first, then an expression over the tables.
    fn order_item(
        &mut self,
        item: &Order,
        place: Option<usize>,
        select: &Select,
        columns: &[ResultColumn],
    ) -> Written<String> {
        if let Some(place) = place {
            if !self.is_sqlite() && is_text(columns, place) {
                let simple = select.items.iter().all(|i| matches!(i, Item::Value(..)));
                let Some(Item::Value(expr, _)) = select.items.get(place - 1).filter(|_| simple)
                else {
                    let reason = "ORDER BY the number of a column of characters among * is not \
                                  done on PostgreSQL: name the column";
                    return Err(SqlProblem::refused(reason, select.at));
                };
                let value = self.expr(expr)?;
                return Ok(self.order_text(&value, item));
            }
            let known = columns.get(place - 1);
            let mut value = Typed::new(place.to_string(), Type::Integer);
            value.nullable = known.is_none_or(|c| c.nullable);
            return Ok(self.order_text(&value, item));
        }
        let value = self.expr(shown(select, &item.value))?;
        let value = self.sortable(value);
        Ok(self.order_text(&value, item))
    }

    /// Rows in the order of columns of theirs, by number.
    pub(super) fn by_place(
        &self,
        text: String,
        order: &[Order],
        places: &[usize],
        columns: &[ResultColumn],
    ) -> String {
        if !self.is_sqlite() && places.iter().any(|n| is_text(columns, *n)) {
            return self.around(&text, order, places, columns);
        }
        let words = places.iter().zip(order).map(|(place, item)| {
            let value = Typed::new(place.to_string(), Type::Integer);
            self.order_text(&value, item)
        });
        let words: Vec<String> = words.collect();
        format!("{text} ORDER BY {}", words.join(", "))
    }

    /// As a table whose columns have names that can stand in an expression.
    fn around(
        &self,
        text: &str,
        order: &[Order],
        places: &[usize],
        columns: &[ResultColumn],
    ) -> String {
        let names: Vec<String> = (1..=columns.len()).map(|n| format!("\"C{n}\"")).collect();
        let words = places.iter().zip(order).map(|(place, item)| {
            let kind = columns.get(place - 1).map_or(Type::Unknown, |c| c.kind);
            self.order_text(&Typed::new(format!("\"C{place}\""), kind), item)
        });
        let words: Vec<String> = words.collect();
        format!(
            "SELECT * FROM ({text}) AS \"#O\" ({}) ORDER BY {}",
            names.join(", "),
            words.join(", ")
        )
    }

    /// Null is the highest value in Db2 and the lowest in SQLite.
    pub(super) fn order_text(&self, value: &Typed, item: &Order) -> String {
        let direction = if item.descending { " DESC" } else { "" };
        let nulls = match item.nulls_first {
            Some(true) => " NULLS FIRST",
            Some(false) => " NULLS LAST",
            None if !self.is_sqlite() || !value.nullable => "",
            None if item.descending => " NULLS FIRST",
            None => " NULLS LAST",
        };
        format!("{}{direction}{nulls}", self.in_order(value))
    }

    /// What is compared in place of a value where it is to be less or greater.
    pub(super) fn in_order(&self, value: &Typed) -> String {
        match !self.is_sqlite() && value.kind.is_text() {
            true => format!("db2_order({})", value.sql),
            false => value.sql.clone(),
        }
    }

    /// A side of a comparison.
    pub(super) fn compared(&self, value: &Typed, symbol: &str) -> String {
        match is_order(symbol) {
            true => self.in_order(value),
            false => value.sql.clone(),
        }
    }

    /// The rows of a subquery a value is compared with.
    pub(super) fn compared_rows(&self, text: String, kind: Type, symbol: &str) -> String {
        match is_order(symbol) && !self.is_sqlite() && kind.is_text() {
            true => format!("SELECT db2_order(\"V\") FROM ({text}) AS \"#V\" (\"V\")"),
            false => text,
        }
    }

    /// A string that is compared by an engine has Db2's collation.
    pub(super) fn sortable(&self, value: Typed) -> Typed {
        if self.is_sqlite() && value.kind.is_text() && value.form == Form::Other {
            return Typed {
                sql: format!("{} COLLATE DB2", value.sql),
                ..value
            };
        }
        value
    }
}

/// The column of the result a name without a table means: that of the select list, whatever tables
/// have one of the name.
fn shown<'e>(select: &'e Select, value: &'e Expr) -> &'e Expr {
    let Expr::Column {
        qualifier: None,
        name,
        ..
    } = value
    else {
        return value;
    };
    let named = select.items.iter().find_map(|item| match item {
        Item::Value(found @ Expr::Column { name: of, .. }, None) if of == name => Some(found),
        _ => None,
    });
    named.unwrap_or(value)
}

fn is_text(columns: &[ResultColumn], place: usize) -> bool {
    let column = place.checked_sub(1).and_then(|n| columns.get(n));
    column.is_some_and(|column| column.kind.is_text())
}

/// Less or greater, and not only equal or not.
fn is_order(symbol: &str) -> bool {
    symbol.starts_with(['<', '>']) && symbol != "<>"
}
