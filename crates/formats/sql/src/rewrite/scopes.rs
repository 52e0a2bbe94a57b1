//! Which columns a name can mean.

use super::api::ResultColumn;
use super::scope::{Scope, ScopeTable};
use super::typed::{Form, Typed, Written};
use super::writer::Writer;
use crate::problem::{At, SqlProblem};
use crate::tree::Name;
use crate::types::Type;

impl Writer<'_> {
    /// A column by its name; the innermost query that has one wins.
    pub(super) fn column(&self, qualifier: Option<&Name>, name: &str, at: At) -> Written<Typed> {
        for scope in self.scopes.iter().rev() {
            if let Some(found) = self.column_of(scope, qualifier, name, at)? {
                return Ok(found);
            }
        }
        let shown = match qualifier {
            Some(qualifier) => format!("{qualifier}.{name}"),
            None => name.to_owned(),
        };
        Err(SqlProblem::new(-206, &[&shown], at))
    }

    fn column_of(
        &self,
        scope: &Scope,
        qualifier: Option<&Name>,
        name: &str,
        at: At,
    ) -> Written<Option<Typed>> {
        let mut found: Option<Typed> = None;
        let mut unknown: Option<&ScopeTable> = None;
        for table in &scope.tables {
            if qualifier.is_some_and(|q| !table.is_called(q)) {
                continue;
            }
            let Some(columns) = &table.columns else {
                unknown = Some(table);
                continue;
            };
            let Some(place) = columns.iter().position(|c| c.name == name) else {
                continue;
            };
            if found.is_some() {
                return Err(SqlProblem::new(-203, &[name], at));
            }
            found = Some(match table.values.get(place) {
                Some(value) => value.clone(),
                None => self.column_text(Some(table), name, &columns[place]),
            });
        }
        if found.is_some() {
            return Ok(found);
        }
        // With one table the name is its own; with several only the engine can tell whose.
        let column = ResultColumn {
            name: name.to_owned(),
            kind: Type::Unknown,
            nullable: true,
        };
        let lone = qualifier.is_some() || scope.tables.len() == 1;
        Ok(unknown.map(|table| self.column_text(lone.then_some(table), name, &column)))
    }

    fn column_text(&self, table: Option<&ScopeTable>, name: &str, column: &ResultColumn) -> Typed {
        let name = self.quoted(name);
        let sql = match table {
            Some(table) if !table.exposed.is_empty() => {
                format!("{}.{name}", self.quoted(&table.exposed))
            }
            _ => name,
        };
        Typed {
            sql,
            kind: column.kind,
            nullable: column.nullable,
            form: Form::Column,
        }
    }

    /// All columns of a table by its exposed name; `None`: they are not known.
    pub(super) fn all_of(
        &self,
        qualifier: Option<&Name>,
        at: At,
    ) -> Written<Option<Vec<(Typed, String)>>> {
        let Some(scope) = self.scopes.last() else {
            return Err(SqlProblem::new(-104, &["*", "EXPRESSION"], at));
        };
        let mut out = Vec::new();
        let mut is_found = false;
        for table in &scope.tables {
            if qualifier.is_some_and(|q| !table.is_called(q)) {
                continue;
            }
            is_found = true;
            let Some(columns) = &table.columns else {
                return Ok(None);
            };
            for column in columns {
                let text = self.column_text(Some(table), &column.name, column);
                out.push((text, column.name.clone()));
            }
        }
        match qualifier {
            Some(qualifier) if !is_found => {
                Err(SqlProblem::new(-204, &[&qualifier.to_string()], at))
            }
            _ => Ok(Some(out)),
        }
    }
}
