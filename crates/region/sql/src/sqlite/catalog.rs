//! What the database knows of Db2's tables.
//!
//! What: each definition as its Db2 text, in a table of Transom beside the engine's own; read into
//! [`Tables`] when the schema changes. Why the text: nothing of it is lost, and the rewriter needs
//! types the engine has no words for. Not here: making tables.

use super::functions::{Counter, Sequences, identity_name};
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use transom_sql::{
    Catalog, Column, Dialect, Kind, Lookup, Name, Numbers, ResultColumn, Setting, Statement,
    TableDefinition,
};

/// Tables, views and sequences at one moment.
#[derive(Debug, Default)]
pub(super) struct Tables {
    tables: HashMap<String, Arc<TableDefinition>>,
    /// Their columns are not known.
    views: HashSet<String>,
    /// What they stand for.
    aliases: HashMap<String, String>,
    sequences: HashSet<String>,
}

impl Catalog for Tables {
    fn table(&self, name: &Name) -> Lookup {
        let mut key = name.to_string();
        if let Some(real) = self.aliases.get(&key) {
            key.clone_from(real);
        }
        match self.tables.get(&key) {
            Some(found) => Lookup::Found(found.clone()),
            None if self.views.contains(&key) => Lookup::Unknown,
            None => Lookup::Missing,
        }
    }
}

impl Tables {
    /// Finds the columns of views; a view of a view waits for that one.
    fn described(mut self, mut views: HashMap<Name, (Statement, String)>) -> Self {
        loop {
            let mut found = Vec::new();
            for (name, (statement, schema)) in &views {
                let setting = Setting {
                    dialect: Dialect::Sqlite,
                    catalog: &self,
                    schema,
                    hosts: &[],
                    dec31: false,
                };
                if let Ok(Some(written)) = transom_sql::rewrite(statement, &setting)
                    && !written.columns.is_empty()
                {
                    found.push(view(name, written.columns));
                }
            }
            if found.is_empty() {
                break;
            }
            for view in found {
                views.remove(&view.name);
                self.tables.insert(view.name.to_string(), Arc::new(view));
            }
        }
        self.views = views.into_keys().map(|name| name.to_string()).collect();
        self
    }

    /// Tables and views of this name in any schema.
    pub(super) fn called(&self, bare: &str) -> Vec<String> {
        let all = self.tables.keys().chain(&self.views);
        let is_one = |name: &&String| match name.strip_suffix(bare) {
            Some(schema) => schema.is_empty() || schema.ends_with('.'),
            None => false,
        };
        let mut found: Vec<String> = all.filter(is_one).cloned().collect();
        found.sort();
        found
    }

    /// An alias or a sequence of this name, which the engine knows nothing of.
    pub(super) fn has(&self, kind: &str, name: &Name) -> bool {
        let name = name.to_string();
        match kind {
            "SEQUENCE" => self.sequences.contains(&name),
            _ => self.aliases.contains_key(&name),
        }
    }

    /// Tables of a table space (`DB.TS`) or a database.
    pub(super) fn in_space(&self, kind: &str, name: &Name) -> Vec<Name> {
        let is_in = |table: &&Arc<TableDefinition>| match (&table.space, kind) {
            (Some(space), "TABLESPACE") => {
                let database = |name: &Name| name.qualifier.clone().unwrap_or("DSNDB04".into());
                space.name == name.name && database(space) == database(name)
            }
            (Some(space), "DATABASE") => space.qualifier.as_ref() == Some(&name.name),
            _ => false,
        };
        let found = self.tables.values().filter(is_in);
        let mut found: Vec<Name> = found.map(|table| table.name.clone()).collect();
        found.sort_by_key(ToString::to_string);
        found
    }

    /// Reads them; numbers of identity columns and sequences are taken up.
    pub(super) fn read(connection: &Connection, sequences: &Sequences) -> rusqlite::Result<Self> {
        let mut tables: HashMap<String, TableDefinition> = HashMap::new();
        let mut views = HashMap::new();
        let mut aliases = HashMap::new();
        let mut known = HashSet::new();
        let mut next: HashMap<String, i64> = HashMap::new();
        let mut counters = Vec::new();
        let mut all = connection.prepare_cached(
            "SELECT kind, name, text, schema FROM transom_object \
             ORDER BY kind = 'ALTER', substr(name, -9), kind, name",
        )?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let (kind, name, text, schema): (String, String, String, Option<String>) =
                (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            if kind == "NEXT" {
                next.insert(name, text.parse().unwrap_or(1));
                continue;
            }
            let Ok(statement) = transom_sql::statement(&text) else {
                continue;
            };
            let schema = schema.unwrap_or_default();
            match statement.kind {
                Kind::CreateTable(table) => drop(tables.insert(name, in_schema(table, &schema))),
                Kind::AlterTable(more) => add(&mut tables, in_schema(more, &schema)),
                Kind::CreateView(ref name) => {
                    views.insert(name.in_schema(&schema), (statement, schema));
                }
                Kind::CreateSequence { name, numbers } => {
                    let name = name.in_schema(&schema).to_string();
                    known.insert(name.clone());
                    counters.push((name, numbers));
                }
                Kind::CreateAlias { name, of } => {
                    let real = of.in_schema(&schema).to_string();
                    aliases.insert(name.in_schema(&schema).to_string(), real);
                }
                _ => {}
            }
        }
        counters.extend(tables.values().flat_map(identities));
        for (name, numbers) in counters {
            let first = next.get(&name).copied();
            sequences.define(&name, counter(&numbers, first));
        }
        let tables = tables.into_iter().map(|(name, table)| (name, table.into()));
        let known = Self {
            tables: tables.collect(),
            aliases,
            sequences: known,
            ..Self::default()
        };
        Ok(known.described(views))
    }
}

/// A definition whose names have the schema they had when it was made.
fn in_schema(mut table: TableDefinition, schema: &str) -> TableDefinition {
    table.name = table.name.in_schema(schema);
    for key in &mut table.foreign_keys {
        key.parent = key.parent.in_schema(schema);
    }
    table
}

fn view(name: &Name, columns: Vec<ResultColumn>) -> TableDefinition {
    let column = |column: ResultColumn| Column {
        name: column.name,
        kind: column.kind,
        nullable: column.nullable,
        ..Column::default()
    };
    TableDefinition {
        name: name.clone(),
        columns: columns.into_iter().map(column).collect(),
        view: true,
        ..TableDefinition::default()
    }
}

/// Names and numbers of the identity columns of a table.
fn identities(table: &TableDefinition) -> Vec<(String, Numbers)> {
    let columns = table.columns.iter().filter_map(|column| {
        let name = identity_name(&table.name.to_string(), &column.name);
        Some((name, column.identity.as_ref()?.numbers.clone()))
    });
    columns.collect()
}

/// ALTER TABLE ADD.
fn add(tables: &mut HashMap<String, TableDefinition>, more: TableDefinition) {
    let Some(table) = tables.get_mut(&more.name.to_string()) else {
        return;
    };
    table.columns.extend(more.columns);
    table.unique.extend(more.unique);
    table.foreign_keys.extend(more.foreign_keys);
    if !more.primary_key.is_empty() {
        table.primary_key = more.primary_key;
    }
}

fn counter(numbers: &Numbers, next: Option<i64>) -> Counter {
    Counter {
        next: next.or(numbers.start).unwrap_or(1),
        step: numbers.increment.unwrap_or(1),
    }
}

/// A statement of data definition.
pub(super) struct Defined<'a> {
    pub(super) kind: &'a Kind,
    pub(super) text: &'a str,
    /// Of names without one.
    pub(super) schema: &'a str,
}

/// Keeps what a statement of data definition made, or forgets what it dropped.
pub(super) fn keep(
    connection: &Connection,
    defined: &Defined<'_>,
    tables: &Tables,
    sequences: &Sequences,
) -> rusqlite::Result<()> {
    let full = |name: &Name| name.in_schema(defined.schema).to_string();
    let put = |kind: &str, name: String| {
        connection
            .execute(
                "INSERT OR REPLACE INTO transom_object VALUES (?1, ?2, ?3, ?4)",
                params![kind, name, defined.text, defined.schema],
            )
            .map(drop)
    };
    match defined.kind {
        Kind::CreateTable(table) => put("TABLE", full(&table.name)),
        Kind::AlterTable(table) => {
            let number: i64 = connection.query_row(
                "SELECT COALESCE(MAX(CAST(substr(name, -9) AS INTEGER)), -1) + 1 \
                 FROM transom_object WHERE kind = 'ALTER'",
                [],
                |row| row.get(0),
            )?;
            put("ALTER", format!("{}\u{1F}{number:09}", full(&table.name)))
        }
        Kind::CreateView(name) => put("VIEW", full(name)),
        Kind::CreateAlias { name, .. } => put("ALIAS", full(name)),
        Kind::CreateSequence { name, .. } => put("SEQUENCE", full(name)),
        Kind::Drop { kind, name } => forget(connection, (kind, &full(name)), tables, sequences),
        _ => Ok(()),
    }
}

fn forget(
    connection: &Connection,
    (kind, name): (&str, &str),
    tables: &Tables,
    sequences: &Sequences,
) -> rusqlite::Result<()> {
    let delete = |kind: &str, name: &str| {
        let mut delete = connection
            .prepare_cached("DELETE FROM transom_object WHERE kind = ?1 AND name = ?2")?;
        delete.execute([kind, name]).map(drop)
    };
    match kind {
        "TABLE" => {
            connection.execute(
                "DELETE FROM transom_object WHERE kind = 'ALTER' \
                 AND substr(name, 1, length(?1) + 1) = ?1 || char(31)",
                [name],
            )?;
            let columns = tables.tables.get(name).map(|table| table.columns.iter());
            for column in columns.into_iter().flatten() {
                let identity = identity_name(name, &column.name);
                sequences.forget(&identity);
                delete("NEXT", &identity)?;
            }
            delete("TABLE", name)
        }
        "SEQUENCE" => {
            sequences.forget(name);
            delete("NEXT", name)?;
            delete("SEQUENCE", name)
        }
        "VIEW" => delete("VIEW", name),
        "ALIAS" | "SYNONYM" => delete("ALIAS", name),
        // Indexes and storage are not kept.
        _ => Ok(()),
    }
}

/// Keeps the next number of a sequence.
pub(super) fn keep_next(connection: &Connection, name: &str, next: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO transom_object VALUES ('NEXT', ?1, ?2, '')")?
        .execute(params![name, next.to_string()])
        .map(drop)
}
