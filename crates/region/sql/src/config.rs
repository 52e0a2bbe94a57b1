//! Where the database of EXEC SQL is.
//!
//! Not here: when it is opened (`database`).

use crate::postgres::{Postgres, PostgresOptions};
use crate::session::SqlEngine;
use crate::sqlite::{Held, Sqlite, SqliteOptions};
use crate::statements::Qualifiers;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use transom_messages as messages;
use transom_recovery::StoreError;
use transom_settings::{SqlPackage, SqlSettings};
use transom_types::Applid;

/// Where the database of EXEC SQL is.
#[derive(Debug, Clone, Default)]
pub enum SqlConfig {
    /// Nowhere: statements end their task with AEY9.
    #[default]
    Without,
    /// The embedded engine.
    Sqlite(SqliteOptions),
    /// A server.
    Postgres(PostgresOptions),
}

impl SqlConfig {
    /// Opens it for a script or a check: a region may run on it.
    ///
    /// # Errors
    /// It cannot be used, or there is none.
    pub fn open(&self) -> Result<Arc<dyn SqlEngine>, NoSession> {
        let failed = NoSession::Failed;
        Ok(match self {
            Self::Without => return Err(NoSession::Without),
            Self::Sqlite(options) => {
                Arc::new(Sqlite::open_beside(options.clone()).map_err(failed)?)
            }
            Self::Postgres(options) => {
                Arc::new(Postgres::open(options.clone(), None).map_err(failed)?)
            }
        })
    }

    /// Opens it for the region of this system.
    pub(crate) fn open_for(&self, system: u64) -> Result<Arc<dyn SqlEngine>, StoreError> {
        Ok(match self {
            Self::Without => return Err(StoreError::Closed),
            Self::Sqlite(options) => Arc::new(Sqlite::open(options.clone())?),
            Self::Postgres(options) => Arc::new(Postgres::open(options.clone(), Some(system))?),
        })
    }

    /// Keeps all from writing while a copy is made; `None`: there is nothing to copy here. A server
    /// has its own ways to be copied.
    ///
    /// # Errors
    /// The database cannot be used.
    pub fn held(&self) -> Result<Option<Held>, StoreError> {
        match self {
            Self::Sqlite(options) => Held::of(options),
            Self::Without | Self::Postgres(_) => Ok(None),
        }
    }

    /// There is a database; of a server nobody knows before it is asked.
    pub fn is_there(&self) -> bool {
        match self {
            Self::Without => false,
            Self::Sqlite(options) => options.file.exists(),
            Self::Postgres(_) => true,
        }
    }

    /// As `[sql]` and `[sql.packages]` of a system directory describe it.
    pub fn of(
        (table, packages): (&SqlSettings, &[SqlPackage]),
        root: &Path,
        applid: Applid,
        ebcdic_order: bool,
    ) -> Self {
        let packages = packages.iter();
        let packages = packages.map(|one| (one.name.clone(), one.qualifier.clone()));
        let all = table.qualifier.as_deref().unwrap_or_default();
        let qualifiers = Qualifiers::new(all, packages, &table.location);
        match table.engine {
            "NONE" => Self::Without,
            "POSTGRES" => Self::Postgres(PostgresOptions {
                connect: table.postgresql.clone().unwrap_or_default(),
                applid,
                ebcdic_order,
                lock_wait: table.lock_wait_seconds,
                back_out: table.drollback,
                qualifiers,
            }),
            _ => Self::Sqlite(SqliteOptions {
                file: table.path(root),
                ebcdic_order,
                cache_megabytes: table.cache_megabytes,
                log_pages: table.log_pages,
                lock_wait: table.lock_wait_seconds,
                back_out: table.drollback,
                qualifiers,
            }),
        }
    }

    /// Name among those who take part in units of work; decisions have it.
    pub(crate) fn member(&self) -> &'static str {
        match self {
            Self::Without | Self::Sqlite(_) => "sql:SQLITE",
            Self::Postgres(_) => "sql:POSTGRES",
        }
    }
}

/// Why there is no session. Its text is a message.
#[derive(Debug)]
pub enum NoSession {
    /// `[sql] engine` says so.
    Without,
    /// It cannot be used.
    Failed(StoreError),
}

impl fmt::Display for NoSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Without => messages::sq::no_engine().fmt(f),
            Self::Failed(error) => messages::sq::not_opened(error).fmt(f),
        }
    }
}

impl std::error::Error for NoSession {}
