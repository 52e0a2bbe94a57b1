//! The database of EXEC SQL, as `[sql]` describes it.

use super::{Finding, SystemDirectory};
use transom_region_sql::{Qualifiers, SqlConfig, SqlDatabase, SqliteOptions};
use transom_system::build::Outcome;

/// What the region is given.
pub(crate) fn config(system: &SystemDirectory) -> SqlDatabase {
    let none = system.settings.sql.engine == "NONE";
    SqlDatabase::new(&SqlConfig {
        sqlite: (!none).then(|| options(system)),
    })
}

/// Where the embedded database is, and how it behaves.
pub(crate) fn options(system: &SystemDirectory) -> SqliteOptions {
    let table = &system.settings.sql;
    let packages = system.settings.sql_packages.iter();
    let packages = packages.map(|one| (one.name.clone(), one.qualifier.clone()));
    let all = table.qualifier.as_deref().unwrap_or_default();
    SqliteOptions {
        file: table.path(&system.root),
        ebcdic_order: system.translation.ebcdic_order,
        lock_wait: table.lock_wait_seconds,
        back_out: table.drollback,
        qualifiers: Qualifiers::new(all, packages, &table.location),
    }
}

/// What BIND would tell of the statements of programs; nothing where there is no database yet.
pub(crate) fn not_bound(system: &SystemDirectory, outcome: &Outcome) -> Vec<Finding> {
    if system.settings.sql.engine == "NONE" {
        return Vec::new();
    }
    let statements = outcome.reports.iter().flat_map(|report| &report.sql);
    let statements = statements.map(|one| (&*one.program, &*one.text, (&*one.file, one.line)));
    let told = transom_region_sql::not_bound(options(system), statements);
    told.iter()
        .map(|problem| Finding::notice(problem.place_first().to_string()))
        .collect()
}
