//! Statements a COBOL program has, and what becomes of them.

mod codes;
mod files;
mod fuzz;
mod rewrites;
mod statements;
mod tokens;

use std::sync::Arc;
use transom_sql::{Catalog, Kind, Lookup, Name, TableDefinition, statement};

/// Tables by DDL.
pub(crate) struct Tables(Vec<TableDefinition>);

impl Tables {
    pub(crate) fn new(ddl: &[&str]) -> Self {
        let tables = ddl
            .iter()
            .map(|text| match statement(text).map(|s| s.kind) {
                Ok(Kind::CreateTable(table)) => table,
                other => panic!("{text}: {other:?}"),
            });
        Self(tables.collect())
    }
}

impl Catalog for Tables {
    fn table(&self, name: &Name) -> Lookup {
        let is_it = |t: &&TableDefinition| t.name == *name;
        let found = self.0.iter().find(is_it);
        found.map_or(Lookup::Missing, |t| Lookup::Found(Arc::new(t.clone())))
    }
}
