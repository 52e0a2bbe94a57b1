//! Data definition.

use super::api::{Dialect, Rewritten};
use super::typed::Written;
use super::writer::Writer;
use crate::catalog::{Column, ForeignKey, Lookup, OnDelete, TableDefinition};
use crate::problem::{At, SqlProblem};
use crate::tree::Name;
use crate::tree::definition::{Definition, Dropped, Index, NewTable};
use crate::types::Type;

impl Writer<'_> {
    /// `None`: the run time keeps it in its own catalog, and the engine is told nothing.
    pub(super) fn statement_definition(
        &mut self,
        definition: &Definition,
    ) -> Written<Option<Rewritten>> {
        let mut more = Vec::new();
        let mut shown = Vec::new();
        let text = match definition {
            Definition::Table(table) => self.create_table(table)?,
            Definition::AddColumns { table } => return self.add(table).map(Some),
            Definition::Index(index) => self.create_index(index, &mut more)?,
            Definition::View {
                name,
                columns,
                query,
            } => {
                let names = (!columns.is_empty()).then_some(columns.as_slice());
                let (text, columns) = self.query_text(query, names, false)?;
                shown = columns;
                if !self.parameters.is_empty() {
                    return Err(SqlProblem::refused(
                        "special registers in a view are not done",
                        At::default(),
                    ));
                }
                format!("CREATE VIEW {} AS {text}", self.table_name(name))
            }
            Definition::Drop { kind, name } => {
                let text = self.table_name(name);
                match kind {
                    Dropped::Table => format!("DROP TABLE {text}"),
                    Dropped::View => format!("DROP VIEW {text}"),
                    Dropped::Index => {
                        let second = self.quoted(&null_index(&self.full(name)));
                        if self.is_sqlite() {
                            more.push(format!("DROP INDEX IF EXISTS {second}"));
                        }
                        format!("DROP INDEX {text}")
                    }
                    Dropped::Alias | Dropped::Sequence | Dropped::Space => return Ok(None),
                }
            }
        };
        Ok(Some(Rewritten {
            text,
            more,
            columns: shown,
            ..Rewritten::default()
        }))
    }

    /// The type of a column.
    pub(super) fn type_name(&self, kind: Type, at: At) -> Written<String> {
        let row = super::column_types::engine_type(kind);
        match (self.setting.dialect, row) {
            (Dialect::Sqlite, Some((sqlite, _))) => Ok(sqlite),
            (Dialect::PostgreSql, Some((_, postgres))) => Ok(postgres),
            (_, None) => Err(SqlProblem::refused(
                format!("a column of type {kind} is not done"),
                at,
            )),
        }
    }

    fn defined_column(&mut self, column: &Column, at: At) -> Written<String> {
        let name = self.quoted(&column.name);
        let mut text = format!("{name} {}", self.type_name(column.kind, at)?);
        if column.kind.is_text() && !self.is_sqlite() {
            text += " COLLATE \"C\"";
        }
        if !column.nullable {
            text += " NOT NULL";
        }
        // A VARCHAR of PostgreSQL would take blanks at its end for a difference.
        if let (Type::VarChar(n), false) = (column.kind, self.is_sqlite()) {
            let check = self.quoted(&format!("db2_length {}", column.name));
            text += &format!(" CONSTRAINT {check} CHECK (char_length({name}) <= {n})");
        }
        Ok(text)
    }

    fn create_table(&mut self, table: &NewTable) -> Written<String> {
        let definition = &table.definition;
        let mut words = Vec::new();
        for column in &definition.columns {
            words.push(self.defined_column(column, table.at)?);
        }
        let nullable = |name: &String| definition.column(name).is_none_or(|c| c.nullable);
        for unique in &definition.unique {
            if let Some(name) = unique.columns.iter().find(|c| nullable(c)) {
                return Err(SqlProblem::new(-542, &[name], table.at));
            }
            let name = self.constraint_name(unique.name.as_deref());
            words.push(format!("{name}UNIQUE ({})", self.names(&unique.columns)));
        }
        if !definition.primary_key.is_empty() {
            if let Some(name) = definition.primary_key.iter().find(|c| nullable(c)) {
                return Err(SqlProblem::new(-542, &[name], table.at));
            }
            words.push(format!(
                "PRIMARY KEY ({})",
                self.names(&definition.primary_key)
            ));
        }
        for key in &definition.foreign_keys {
            words.push(self.foreign_key(key, definition, table.at)?);
        }
        let known = crate::rewrite::tables::result_columns(definition);
        self.scopes.push(super::scope::Scope {
            tables: vec![super::scope::ScopeTable {
                exposed: String::new(),
                qualifier: None,
                columns: Some(known),
                values: Vec::new(),
            }],
        });
        let checks = self.checks(table);
        self.scopes.pop();
        words.extend(checks?);
        let name = self.table_name(&definition.name);
        Ok(format!("CREATE TABLE {name} ({})", words.join(", ")))
    }

    fn checks(&mut self, table: &NewTable) -> Written<Vec<String>> {
        let mut words = Vec::new();
        for (name, condition) in &table.checks {
            let text = self.condition(condition)?;
            if !self.parameters.is_empty() {
                return Err(SqlProblem::new(-104, &["CHECK", "CONSTANT"], table.at));
            }
            let name = self.constraint_name(name.as_deref());
            words.push(format!("{name}CHECK ({text})"));
        }
        Ok(words)
    }

    fn constraint_name(&self, name: Option<&str>) -> String {
        name.map_or(String::new(), |name| {
            format!("CONSTRAINT {} ", self.quoted(name))
        })
    }

    fn names(&self, names: &[String]) -> String {
        let names: Vec<String> = names.iter().map(|n| self.quoted(n)).collect();
        names.join(", ")
    }

    fn foreign_key(
        &self,
        key: &ForeignKey,
        definition: &TableDefinition,
        at: At,
    ) -> Written<String> {
        for column in &key.columns {
            if definition.column(column).is_none() {
                return Err(SqlProblem::new(
                    -205,
                    &[column, &definition.name.to_string()],
                    at,
                ));
            }
        }
        let (real, columns) = self.parent_columns(key, definition, at)?;
        let name = self.constraint_name(key.name.as_deref());
        let action = match key.on_delete {
            OnDelete::NoAction => "NO ACTION",
            OnDelete::Restrict => "RESTRICT",
            OnDelete::Cascade => "CASCADE",
            OnDelete::SetNull => "SET NULL",
        };
        let parent_columns = if columns.is_empty() {
            String::new()
        } else {
            format!(" ({})", self.names(&columns))
        };
        Ok(format!(
            "{name}FOREIGN KEY ({}) REFERENCES {}{parent_columns} ON DELETE {action}",
            self.names(&key.columns),
            self.table_name(&real)
        ))
    }

    /// The table a key refers to, and its columns; none where they are not known.
    pub(super) fn parent_columns(
        &self,
        key: &ForeignKey,
        definition: &TableDefinition,
        at: At,
    ) -> Written<(Name, Vec<String>)> {
        let itself = self.full(&key.parent) == self.full(&definition.name);
        let parent = match itself {
            true => None,
            false => match self.lookup(&key.parent, at)? {
                Lookup::Found(parent) => Some(parent),
                Lookup::Missing | Lookup::Unknown => None,
            },
        };
        let mut columns = key.parent_columns.clone();
        if columns.is_empty() {
            columns = match &parent {
                Some(parent) => parent.primary_key.clone(),
                None if itself => definition.primary_key.clone(),
                None => Vec::new(),
            };
            if columns.is_empty() && (parent.is_some() || itself) {
                return Err(SqlProblem::new(-539, &[&key.parent.to_string()], at));
            }
        }
        let real = parent.map_or(key.parent.clone(), |p| p.name.clone());
        Ok((real, columns))
    }

    fn create_index(&mut self, index: &Index, more: &mut Vec<String>) -> Written<String> {
        let target = self.target(&index.table, index.at)?;
        let mut words = Vec::new();
        let mut nullable = Vec::new();
        for (name, descending) in &index.columns {
            let column = target.column(name, index.at)?;
            if column.nullable && target.table.is_some() {
                nullable.push(name.clone());
            }
            let direction = if *descending { " DESC" } else { "" };
            words.push(format!("{}{direction}", self.quoted(name)));
        }
        let unique = if index.unique { "UNIQUE " } else { "" };
        let table = self.table_name(&target.name);
        let name = match self.setting.dialect {
            Dialect::Sqlite => self.table_name(&index.name),
            // An index of PostgreSQL is in the schema of its table.
            Dialect::PostgreSql => self.quoted(&index.name.name),
        };
        let mut text = format!(
            "CREATE {unique}INDEX {name} ON {table} ({})",
            words.join(", ")
        );
        // In Db2 two null values are equal for a unique index, unless it says WHERE NOT NULL.
        if index.unique && !index.not_null && !nullable.is_empty() {
            match self.setting.dialect {
                Dialect::PostgreSql => text += " NULLS NOT DISTINCT",
                Dialect::Sqlite if index.columns.len() == 1 => {
                    let column = self.quoted(&nullable[0]);
                    let second = self.quoted(&null_index(&self.full(&index.name)));
                    more.push(format!(
                        "CREATE UNIQUE INDEX {second} ON {table} (({column} IS NULL)) WHERE \
                         {column} IS NULL"
                    ));
                }
                Dialect::Sqlite => {
                    return Err(SqlProblem::refused(
                        "a unique index of several columns one of which can be null is not done \
                         on SQLite",
                        index.at,
                    ));
                }
            }
        }
        Ok(text)
    }

    /// ALTER TABLE ADD: a column with a default is filled in rows that are there.
    fn add(&mut self, table: &NewTable) -> Written<Rewritten> {
        let definition = &table.definition;
        let target = self.target(&definition.name, table.at)?;
        let name = self.table_name(&target.name);
        let mut texts = Vec::new();
        for column in &definition.columns {
            if column.identity.is_some() || (!column.nullable && !column.has_default()) {
                return Err(SqlProblem::new(
                    -644,
                    &["NOT NULL", "ALTER TABLE"],
                    table.at,
                ));
            }
            let mut text = self.defined_column(column, table.at)?;
            if !column.nullable {
                text += if self.is_sqlite() { " DEFAULT ''" } else { "" };
            }
            if !self.is_sqlite() {
                text = text.replace(" NOT NULL", "");
            }
            texts.push(format!("ALTER TABLE {name} ADD COLUMN {text}"));
            let quoted = self.quoted(&column.name);
            let value = self.default_for(column, table.at)?;
            if value != "NULL" {
                texts.push(format!("UPDATE {name} SET {quoted} = {value}"));
            }
            if !self.is_sqlite() && !column.nullable {
                texts.push(format!(
                    "ALTER TABLE {name} ALTER COLUMN {quoted} SET NOT NULL"
                ));
            }
        }
        self.add_constraints(table, &name, &mut texts)?;
        if texts.is_empty() {
            return Err(SqlProblem::new(-84, &[], table.at));
        }
        let text = texts.remove(0);
        Ok(Rewritten {
            text,
            more: texts,
            parameters: std::mem::take(&mut self.parameters),
            ..Rewritten::default()
        })
    }

    fn add_constraints(
        &mut self,
        table: &NewTable,
        name: &str,
        texts: &mut Vec<String>,
    ) -> Written<()> {
        let definition = &table.definition;
        let keys = definition
            .unique
            .iter()
            .map(|u| (u.name.clone(), &u.columns));
        let primary = (!definition.primary_key.is_empty())
            .then_some((None, &definition.primary_key))
            .into_iter();
        for (n, (given, columns)) in keys.chain(primary).enumerate() {
            let index = given.unwrap_or(format!("{}#{n}", definition.name));
            let (index, columns) = (self.quoted(&index), self.names(columns));
            texts.push(format!("CREATE UNIQUE INDEX {index} ON {name} ({columns})"));
        }
        let mut added = Vec::new();
        for key in &definition.foreign_keys {
            let known = match self.lookup(&definition.name, table.at)? {
                Lookup::Found(known) => known,
                _ => definition.clone().into(),
            };
            let text = self.foreign_key(key, &known, table.at)?;
            match self.is_sqlite() {
                true => {
                    let parent = self.parent_columns(key, &known, table.at)?;
                    added.push((text, self.orphans(key, &known, &parent)));
                }
                false => texts.push(format!("ALTER TABLE {name} ADD {text}")),
            }
        }
        if !added.is_empty() {
            self.add_to_schema(name, &added, texts)?;
        }
        if !table.checks.is_empty() {
            return Err(SqlProblem::refused(
                "ALTER TABLE ADD CHECK is not done: write it in CREATE TABLE",
                table.at,
            ));
        }
        Ok(())
    }
}

/// The index that keeps a second null value out, beside a unique one.
fn null_index(index: &Name) -> String {
    format!("{index}#NULL")
}
