//! A database for tests of the engine.
//!
//! Not here: what is in it.

use super::SqliteOptions;
use crate::statements::Qualifiers;
use std::path::Path;
use std::time::Duration;
use transom_wire::sql::SqlFrom;

/// In a folder, with a cache and a log that a short test fills.
pub(super) fn options(folder: &Path) -> SqliteOptions {
    SqliteOptions {
        file: folder.join("sql.db"),
        ebcdic_order: false,
        cache_megabytes: 1,
        log_pages: 100,
        lock_wait: Duration::from_secs(30),
        back_out: true,
        qualifiers: Qualifiers::default(),
    }
}

/// A statement of program P and user ALICE.
pub(super) fn from(dynamic: bool) -> SqlFrom {
    SqlFrom {
        program: "P".to_owned(),
        user: "ALICE".to_owned(),
        dynamic,
    }
}
