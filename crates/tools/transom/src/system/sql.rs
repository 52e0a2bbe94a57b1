//! The database of EXEC SQL, as `[sql]` describes it.

use super::{Finding, SystemDirectory};
use transom_region_sql::{SqlConfig, SqlDatabase};
use transom_system::build::Outcome;
use transom_types::Applid;

/// What the region is given.
pub(crate) fn database(system: &SystemDirectory) -> SqlDatabase {
    SqlDatabase::new(&config(system))
}

/// Where the database is, and how it behaves.
pub(crate) fn config(system: &SystemDirectory) -> SqlConfig {
    let settings = &system.settings;
    SqlConfig::of(
        (&settings.sql, &settings.sql_packages),
        &system.root,
        Applid::from_field(settings.region.applid.as_bytes()),
        system.translation.ebcdic_order,
    )
}

/// What BIND would tell of the statements of programs; nothing where there is no database yet.
pub(crate) fn not_bound(system: &SystemDirectory, outcome: &Outcome) -> Vec<Finding> {
    let config = config(system);
    if !config.is_there() {
        return Vec::new();
    }
    let engine = match config.open() {
        Ok(engine) => engine,
        Err(why) => return vec![Finding::notice(why.to_string())],
    };
    let statements = outcome.reports.iter().flat_map(|report| &report.sql);
    let statements = statements.map(|one| (&*one.program, &*one.text, (&*one.file, one.line)));
    let told = transom_region_sql::not_bound(&*engine, statements);
    told.iter()
        .map(|problem| Finding::notice(problem.place_first().to_string()))
        .collect()
}
