//! What the database knows of Db2's tables.
//!
//! What: each definition as its Db2 text, in a table of Transom beside the engine's own; read into
//! [`Tables`] when the schema changes. Why the text: nothing of it is lost, and the rewriter needs
//! types the engine has no words for. Not here: making tables.

use super::functions::{Counter, Sequences, identity_name};
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use transom_sql::{Catalog, Kind, Lookup, Name, Numbers, TableDefinition};

/// Tables, views and sequences at one moment.
#[derive(Debug, Default)]
pub(super) struct Tables {
    tables: HashMap<String, Arc<TableDefinition>>,
    /// Their columns are not known.
    views: HashSet<String>,
}

impl Catalog for Tables {
    fn table(&self, name: &Name) -> Lookup {
        let key = name.to_string();
        match self.tables.get(&key) {
            Some(found) => Lookup::Found(found.clone()),
            None if self.views.contains(&key) => Lookup::Unknown,
            None => Lookup::Missing,
        }
    }
}

impl Tables {
    /// Reads them; numbers of identity columns and sequences are taken up.
    pub(super) fn read(connection: &Connection, sequences: &Sequences) -> rusqlite::Result<Self> {
        let mut tables: HashMap<String, TableDefinition> = HashMap::new();
        let mut views = HashSet::new();
        let mut next: HashMap<String, i64> = HashMap::new();
        let mut counters = Vec::new();
        let mut all = connection.prepare_cached(
            "SELECT kind, name, text FROM transom_object ORDER BY kind = 'ALTER', kind, name",
        )?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let (kind, name, text): (String, String, String) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            if kind == "NEXT" {
                next.insert(name, text.parse().unwrap_or(1));
                continue;
            }
            let Ok(statement) = transom_sql::statement(&text) else {
                continue;
            };
            match statement.kind {
                Kind::CreateTable(table) => {
                    tables.insert(table.name.to_string(), table);
                }
                Kind::AlterTable(more) => {
                    if let Some(table) = tables.get_mut(&more.name.to_string()) {
                        table.columns.extend(more.columns);
                    }
                }
                Kind::CreateView(name) => drop(views.insert(name.to_string())),
                Kind::CreateSequence { name, numbers } => {
                    counters.push((name.to_string(), numbers));
                }
                _ => {}
            }
        }
        for table in tables.values() {
            for column in &table.columns {
                if let Some(identity) = &column.identity {
                    let name = identity_name(&table.name.to_string(), &column.name);
                    counters.push((name, identity.numbers.clone()));
                }
            }
        }
        for (name, numbers) in counters {
            let first = next.get(&name).copied();
            sequences.define(&name, counter(&numbers, first));
        }
        let tables = tables
            .into_iter()
            .map(|(name, table)| (name, Arc::new(table)));
        Ok(Self {
            tables: tables.collect(),
            views,
        })
    }
}

fn counter(numbers: &Numbers, next: Option<i64>) -> Counter {
    Counter {
        next: next.or(numbers.start).unwrap_or(1),
        step: numbers.increment.unwrap_or(1),
    }
}

/// Keeps what a statement of data definition made, or forgets what it dropped.
pub(super) fn keep(
    connection: &Connection,
    kind: &Kind,
    text: &str,
    sequences: &Sequences,
) -> rusqlite::Result<()> {
    let put = |kind: &str, name: String| {
        connection
            .execute(
                "INSERT OR REPLACE INTO transom_object VALUES (?1, ?2, ?3)",
                params![kind, name, text],
            )
            .map(drop)
    };
    match kind {
        Kind::CreateTable(table) => put("TABLE", table.name.to_string()),
        Kind::AlterTable(table) => {
            let count: i64 = connection.query_row(
                "SELECT COUNT(*) FROM transom_object WHERE kind = 'ALTER'",
                [],
                |row| row.get(0),
            )?;
            put("ALTER", format!("{}\u{1F}{count:09}", table.name))
        }
        Kind::CreateView(name) => put("VIEW", name.to_string()),
        Kind::CreateSequence { name, .. } => put("SEQUENCE", name.to_string()),
        Kind::Drop { name, .. } => {
            let name = name.to_string();
            sequences.forget(&name);
            connection
                .execute(
                    "DELETE FROM transom_object WHERE name = ?1 OR name LIKE ?1 || char(31) || '%' \
                     OR (kind = 'NEXT' AND name LIKE ?1 || '.%' || char(31) || 'IDENTITY')",
                    [name],
                )
                .map(drop)
        }
        _ => Ok(()),
    }
}

/// Keeps the next number of a sequence.
pub(super) fn keep_next(connection: &Connection, name: &str, next: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO transom_object VALUES ('NEXT', ?1, ?2)")?
        .execute(params![name, next.to_string()])
        .map(drop)
}
