//! What stands in FROM.

use super::api::ResultColumn;
use super::scope::{Scope, ScopeTable};
use super::typed::Written;
use super::writer::Writer;
use crate::catalog::{Lookup, TableDefinition};
use crate::problem::{At, SqlProblem};
use crate::tree::Name;
use crate::tree::node::Condition;
use crate::tree::node::Table;
use crate::tree::words::{Alias, Join};

/// A table whose joins wait for their conditions, which see all tables.
pub(super) enum Joined<'t> {
    Table(String),
    Join {
        left: Box<Joined<'t>>,
        kind: Join,
        right: Box<Joined<'t>>,
        on: Option<&'t Condition>,
    },
}

impl Writer<'_> {
    pub(super) fn gather<'t>(
        &mut self,
        table: &'t Table,
        scope: &mut Scope,
    ) -> Written<Joined<'t>> {
        match table {
            Table::Named { name, alias, at } => {
                let text = self.named(name, alias.as_ref(), *at, scope)?;
                Ok(Joined::Table(text))
            }
            Table::Derived { query, alias } => {
                let names = alias.as_ref().map(|a| a.columns.as_slice());
                let names = names.filter(|n| !n.is_empty());
                let targets = self.targets.take();
                let text = self.query_text(query, names, false);
                self.targets = targets;
                let (text, columns) = text?;
                let name = alias.as_ref().map_or("", |a| a.name.as_str());
                let columns = (!columns.is_empty()).then_some(columns);
                self.expose(scope, name.to_owned(), None, columns, At::default())?;
                Ok(Joined::Table(if name.is_empty() {
                    let unnamed = format!("\"#{}\"", scope.tables.len());
                    format!("({text}) AS {unnamed}")
                } else {
                    format!("({text}) AS {}", self.quoted(name))
                }))
            }
            Table::Changed { at, .. } => Err(SqlProblem::refused(
                "FINAL TABLE is done where it is the only table of an outermost SELECT",
                *at,
            )),
            Table::Join {
                left,
                kind,
                right,
                on,
            } => {
                let first = scope.tables.len();
                let left = Box::new(self.gather(left, scope)?);
                let second = scope.tables.len();
                let right = Box::new(self.gather(right, scope)?);
                let end = scope.tables.len();
                let (mut from, mut to) = (first, first);
                match kind {
                    Join::Left => (from, to) = (second, end),
                    Join::Right => (from, to) = (first, second),
                    Join::Full => (from, to) = (first, end),
                    Join::Inner | Join::Cross => {}
                }
                for table in &mut scope.tables[from..to] {
                    for column in table.columns.iter_mut().flatten() {
                        column.nullable = true;
                    }
                }
                Ok(Joined::Join {
                    left,
                    kind: *kind,
                    right,
                    on: on.as_deref(),
                })
            }
        }
    }

    fn named(
        &mut self,
        name: &Name,
        alias: Option<&Alias>,
        at: At,
        scope: &mut Scope,
    ) -> Written<String> {
        if alias.is_some_and(|a| !a.columns.is_empty()) {
            return Err(SqlProblem::refused(
                "column names behind the name of a table are not done",
                at,
            ));
        }
        let exposed = alias.map_or(&name.name, |a| &a.name).clone();
        let qualifier = match alias {
            Some(_) => None,
            None => name.qualifier.clone(),
        };
        if name.qualifier.is_none() && self.building.contains(&name.name) {
            return Err(SqlProblem::refused(
                "a common table expression that names itself is not done",
                at,
            ));
        }
        let common = self.common.iter().rev().find(|(n, _)| *n == name.name);
        if let Some((common, columns)) = common.filter(|_| name.qualifier.is_none()) {
            let text = format!("{} AS {}", self.quoted(common), self.quoted(&exposed));
            let columns = (!columns.is_empty()).then(|| columns.clone());
            self.expose(scope, exposed, None, columns, at)?;
            return Ok(text);
        }
        if name.name == "SYSDUMMY1" && matches!(name.qualifier.as_deref(), None | Some("SYSIBM")) {
            let column = ResultColumn {
                name: "IBMREQD".to_owned(),
                kind: crate::types::Type::Char(1),
                nullable: false,
            };
            let text = format!("(SELECT 'Y' AS \"IBMREQD\") AS {}", self.quoted(&exposed));
            self.expose(scope, exposed, qualifier, Some(vec![column]), at)?;
            return Ok(text);
        }
        let (real, columns) = match self.lookup(name, at)? {
            Lookup::Found(table) => (table.name.clone(), Some(result_columns(&table))),
            _ => (name.clone(), None),
        };
        let text = format!("{} AS {}", self.table_name(&real), self.quoted(&exposed));
        self.expose(scope, exposed, qualifier, columns, at)?;
        Ok(text)
    }

    fn expose(
        &self,
        scope: &mut Scope,
        exposed: String,
        qualifier: Option<String>,
        columns: Option<Vec<ResultColumn>>,
        at: At,
    ) -> Written<()> {
        let same = |t: &ScopeTable| {
            !exposed.is_empty() && t.exposed == exposed && t.qualifier == qualifier
        };
        if scope.tables.iter().any(same) {
            return Err(SqlProblem::new(-212, &[&exposed], at));
        }
        scope.tables.push(ScopeTable {
            exposed,
            qualifier,
            columns,
            values: Vec::new(),
        });
        Ok(())
    }

    /// One table of several keeps its joins together where they would be read otherwise.
    pub(super) fn joined_text(&mut self, joined: &Joined<'_>, several: bool) -> Written<String> {
        match joined {
            Joined::Table(text) => Ok(text.clone()),
            Joined::Join {
                left,
                kind,
                right,
                on,
            } => {
                let left = self.joined_text(left, false)?;
                let mut right_text = self.joined_text(right, false)?;
                if matches!(**right, Joined::Join { .. }) {
                    right_text = format!("({right_text})");
                }
                let word = match kind {
                    Join::Inner => "JOIN",
                    Join::Left => "LEFT JOIN",
                    Join::Right => "RIGHT JOIN",
                    Join::Full => "FULL JOIN",
                    Join::Cross => "CROSS JOIN",
                };
                let mut text = format!("{left} {word} {right_text}");
                if let Some(on) = on {
                    text += &format!(" ON {}", self.condition(on)?);
                }
                if several {
                    text = format!("({text})");
                }
                Ok(text)
            }
        }
    }
}

pub(super) fn result_columns(table: &TableDefinition) -> Vec<ResultColumn> {
    let columns = table.columns.iter();
    columns
        .map(|c| ResultColumn {
            name: c.name.clone(),
            kind: c.kind,
            nullable: c.nullable,
        })
        .collect()
}
