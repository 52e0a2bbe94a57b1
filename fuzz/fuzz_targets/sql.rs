//! Any text as a script of Db2 statements: tables that it makes, each statement rewritten for both
//! engines, or what is wrong with it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::HashMap;
use std::sync::Arc;
use transom_sql::{
    Catalog, DclgenOptions, Dialect, Kind, Lookup, Name, NoCatalog, Setting, TableDefinition,
};

#[derive(Default)]
struct Tables(HashMap<String, Arc<TableDefinition>>);

impl Catalog for Tables {
    fn table(&self, name: &Name) -> Lookup {
        match self.0.get(&name.to_string()) {
            Some(table) => Lookup::Found(table.clone()),
            None => Lookup::Missing,
        }
    }
}

fuzz_target!(|text: &str| {
    let mut tables = Tables::default();
    let _ = transom_sql::name(text);
    for one in transom_sql::script(text) {
        let statement = match transom_sql::statement(&one.text) {
            Ok(statement) => statement,
            Err(problem) => {
                let _told = (problem.to_string(), transom_sql::text(problem.code, &problem.tokens));
                continue;
            }
        };
        for host in &statement.hosts {
            assert!(one.text.get(host.at.offset..host.end).is_some());
        }
        for dialect in [Dialect::Sqlite, Dialect::PostgreSql] {
            for catalog in [&tables as &dyn Catalog, &NoCatalog] {
                let setting = Setting { dialect, catalog, schema: "S", hosts: &[], dec31: false };
                let _ = transom_sql::rewrite(&statement, &setting);
            }
        }
        if let Kind::CreateTable(table) = statement.kind {
            let _member = transom_sql::dclgen(&table, &DclgenOptions::default());
            tables.0.insert(table.name.in_schema("S").to_string(), Arc::new(table));
        }
    }
});
