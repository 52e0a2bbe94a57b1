//! INSERT, UPDATE, DELETE, MERGE, and what FINAL TABLE gives of them.

use super::api::{ResultColumn, Rewritten, Value};
use super::scope::{Scope, ScopeTable};
use super::tables::result_columns;
use super::typed::Written;
use super::typed::column;
use super::writer::Writer;
use crate::catalog::{Column, Lookup, TableDefinition};
use crate::problem::{At, SqlProblem};
use crate::tree::Name;
use crate::tree::node::Expr;
use crate::tree::node::{Assignment, Change, Delete, Rows, Update};
use crate::tree::node::{Item, Query, Select, Table};
use crate::types::Type;
use std::sync::Arc;

/// A value of a row: an expression, or an element of a structure.
pub(super) enum Piece<'e> {
    Expr(&'e Expr),
    Element(usize, usize),
}

/// The table of a change.
pub(super) struct Target {
    pub(super) name: Name,
    pub(super) table: Option<Arc<TableDefinition>>,
}

impl Target {
    pub(super) fn column(&self, name: &str, at: At) -> Written<Column> {
        match &self.table {
            Some(table) => match table.column(name) {
                Some(column) => Ok(column.clone()),
                None => Err(SqlProblem::new(-206, &[name], at)),
            },
            None => Ok(Column {
                name: name.to_owned(),
                nullable: true,
                ..Column::default()
            }),
        }
    }
}

impl Writer<'_> {
    pub(super) fn statement_change(&mut self, change: &Change) -> Written<Rewritten> {
        if let Change::Merge(merge) = change {
            return self.merge(merge);
        }
        let text = self.change_text(change)?;
        Ok(Rewritten {
            text,
            parameters: std::mem::take(&mut self.parameters),
            keys: match change {
                Change::Update(update) => self.is_of_keys(update),
                _ => false,
            },
            passing: match change {
                Change::Update(update) => self.passing(update).map(Box::new),
                _ => None,
            },
            isolation: match change {
                Change::Update(update) => update.isolation,
                Change::Delete(delete) => delete.isolation,
                _ => None,
            },
            ..Rewritten::default()
        })
    }

    pub(super) fn change_text(&mut self, change: &Change) -> Written<String> {
        match change {
            Change::Insert(insert) => self.insert(insert),
            Change::Update(update) => self.update(update),
            Change::Delete(delete) => self.delete(delete),
            Change::Merge(merge) => Err(SqlProblem::refused(
                "FINAL TABLE of a MERGE is not done",
                merge.at,
            )),
            Change::Truncate(name, at) => {
                let target = self.target(name, *at)?;
                let name = self.table_name(&target.name);
                Ok(if self.is_sqlite() {
                    format!("DELETE FROM {name}")
                } else {
                    format!("TRUNCATE TABLE {name}")
                })
            }
        }
    }

    /// No column it sets is part of a foreign key.
    pub(super) fn is_of_keys(&self, update: &Update) -> bool {
        let Ok(Some(table)) = self.target(&update.table, update.at).map(|one| one.table) else {
            return false;
        };
        let mut columns = table.foreign_keys.iter().flat_map(|key| &key.columns);
        !columns.any(|column| update.set.iter().any(|set| set.column == *column))
    }

    /// `SELECT .. FROM FINAL TABLE (..)`: the change with RETURNING.
    pub(super) fn changed_query(&mut self, query: &Query, select: &Select) -> Written<Rewritten> {
        let [
            Table::Changed {
                old, change, at, ..
            },
        ] = select.from.as_slice()
        else {
            return Err(SqlProblem::new(-84, &[], select.at));
        };
        let plain = select.filter.is_none()
            && select.group.is_empty()
            && select.having.is_none()
            && !select.distinct
            && query.order.is_empty()
            && query.first.is_none()
            && query.with.is_empty();
        if !plain || *old && !matches!(**change, Change::Delete(_)) {
            let reason = "FINAL TABLE is done for columns without WHERE, GROUP BY, ORDER BY, and \
                          OLD TABLE for DELETE";
            return Err(SqlProblem::refused(reason, *at));
        }
        let text = self.change_text(change)?;
        let name = match &**change {
            Change::Insert(insert) => &insert.table,
            Change::Update(update) => &update.table,
            Change::Delete(delete) => &delete.table,
            Change::Merge(_) | Change::Truncate(..) => {
                return Err(SqlProblem::new(-84, &[], *at));
            }
        };
        let target = self.target(name, *at)?;
        // RETURNING of SQLite sees columns without a qualifier.
        self.push_target(&target, String::new());
        let returned = self.returned(select);
        self.scopes.pop();
        let (words, columns) = returned?;
        Ok(Rewritten {
            text: format!("{text} RETURNING {}", words.join(", ")),
            parameters: std::mem::take(&mut self.parameters),
            columns,
            ..Rewritten::default()
        })
    }

    pub(super) fn returned(
        &mut self,
        select: &Select,
    ) -> Written<(Vec<String>, Vec<ResultColumn>)> {
        let mut words = Vec::new();
        let mut columns = Vec::new();
        for item in &select.items {
            match item {
                Item::All(at) | Item::AllOf(_, at) => {
                    let Some(all) = self.all_of(None, *at)? else {
                        words.push("*".to_owned());
                        continue;
                    };
                    for (value, name) in all {
                        columns.push(column(&value, &name));
                        words.push(value.sql);
                    }
                }
                Item::Value(expr, alias) => {
                    let value = self.expr(&unqualified(expr))?;
                    let name = match (alias, expr) {
                        (Some(alias), _) => alias.clone(),
                        (None, Expr::Column { name, .. }) => name.clone(),
                        _ => String::new(),
                    };
                    columns.push(column(&value, &name));
                    words.push(value.sql);
                }
            }
        }
        Ok((words, columns))
    }

    pub(super) fn target(&self, name: &Name, at: At) -> Written<Target> {
        Ok(match self.lookup(name, at)? {
            Lookup::Found(table) => {
                if table.view {
                    let reason = "a view is not changed; change its table";
                    return Err(SqlProblem::refused(reason, at));
                }
                Target {
                    name: table.name.clone(),
                    table: Some(table),
                }
            }
            _ => Target {
                name: name.clone(),
                table: None,
            },
        })
    }

    /// Makes the columns of a changed table visible.
    pub(super) fn push_target(&mut self, target: &Target, exposed: String) {
        let columns = target.table.as_ref().map(|t| result_columns(t));
        self.scopes.push(Scope {
            tables: vec![ScopeTable {
                exposed,
                qualifier: None,
                columns,
                values: Vec::new(),
            }],
        });
    }

    pub(super) fn update(&mut self, update: &Update) -> Written<String> {
        let target = self.target(&update.table, update.at)?;
        let exposed = update.alias.clone().unwrap_or(update.table.name.clone());
        self.push_target(&target, exposed.clone());
        let parts = self.update_parts(update, &target);
        self.scopes.pop();
        let (set, rows) = parts?;
        let name = self.table_name(&target.name);
        let alias = self.quoted(&exposed);
        Ok(format!("UPDATE {name} AS {alias} SET {set}{rows}"))
    }

    pub(super) fn update_parts(
        &mut self,
        update: &Update,
        target: &Target,
    ) -> Written<(String, String)> {
        let set = self.set_words(&update.set, target)?;
        let exposed = update.alias.as_ref().unwrap_or(&update.table.name);
        Ok((set, self.rows_text(&update.rows, exposed, target)?))
    }

    pub(super) fn set_words(&mut self, set: &[Assignment], target: &Target) -> Written<String> {
        let set = self.set(set, target)?;
        let words = set.iter().map(|(name, value)| format!("{name} = {value}"));
        Ok(words.collect::<Vec<_>>().join(", "))
    }

    /// Columns in quotes with their new values.
    pub(super) fn set(
        &mut self,
        set: &[Assignment],
        target: &Target,
    ) -> Written<Vec<(String, String)>> {
        let mut words = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for assignment in set {
            let (name, at) = (&assignment.column, assignment.at);
            if seen.contains(&name.as_str()) {
                return Err(SqlProblem::new(-121, &[name], at));
            }
            seen.push(name);
            let column = target.column(name, at)?;
            if column.identity.as_ref().is_some_and(|i| i.always) {
                return Err(SqlProblem::new(-151, &[name], at));
            }
            let value = self.value_for(&assignment.value, &column, at)?;
            words.push((self.quoted(name), value));
        }
        Ok(words)
    }

    /// The row a cursor is at is the newest version of the row it read: another statement of the
    /// unit of work may have changed it.
    pub(super) fn rows_text(
        &mut self,
        rows: &Rows,
        exposed: &str,
        target: &Target,
    ) -> Written<String> {
        Ok(match rows {
            Rows::All => String::new(),
            Rows::Where(condition) => format!(" WHERE {}", self.condition(condition)?),
            Rows::Current if self.is_sqlite() => {
                let row = self.parameter(Value::CurrentRow, Type::BigInt);
                format!(" WHERE {}._rowid_ = {}", self.quoted(exposed), row.sql)
            }
            Rows::Current => {
                let row = self.parameter(Value::CurrentRow, Type::BigInt);
                let table = self.text(&self.table_name(&target.name))?;
                let exposed = self.quoted(exposed);
                format!(" WHERE {exposed}.ctid = currtid2({table}, {})", row.sql)
            }
        })
    }

    pub(super) fn delete(&mut self, delete: &Delete) -> Written<String> {
        let target = self.target(&delete.table, delete.at)?;
        let exposed = delete.alias.clone().unwrap_or(delete.table.name.clone());
        self.push_target(&target, exposed.clone());
        let rows = self.rows_text(&delete.rows, &exposed, &target);
        self.scopes.pop();
        let rows = rows?;
        let name = self.table_name(&target.name);
        let alias = self.quoted(&exposed);
        let Some(first) = &delete.first else {
            return Ok(format!("DELETE FROM {name} AS {alias}{rows}"));
        };
        let mut first = self.expr(first)?;
        self.want(&mut first, Type::BigInt);
        let row = if self.is_sqlite() { "_rowid_" } else { "ctid" };
        Ok(format!(
            "DELETE FROM {name} WHERE {row} IN (SELECT {alias}.{row} FROM {name} AS {alias}{rows} \
             LIMIT {})",
            first.sql
        ))
    }
}

/// A column of the changed table, whatever name the change has.
fn unqualified(expr: &Expr) -> Expr {
    match expr {
        Expr::Column { name, at, .. } => Expr::Column {
            qualifier: None,
            name: name.clone(),
            at: *at,
        },
        other => other.clone(),
    }
}
