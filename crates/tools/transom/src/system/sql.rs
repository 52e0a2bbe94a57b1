//! The database of EXEC SQL, as `[sql]` describes it.

use super::SystemDirectory;
use transom_region_sql::{SqlConfig, SqlDatabase, SqliteOptions};

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
    SqliteOptions {
        file: table.path(&system.root),
        ebcdic_order: system.translation.ebcdic_order,
        lock_wait: table.lock_wait_seconds,
        back_out: table.drollback,
    }
}
