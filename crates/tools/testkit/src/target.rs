//! Which stores are tortured, and how they are opened.

use crate::sql_money::{Engine, SqlMoney};
use std::path::Path;
use std::sync::Arc;
use transom_datasets::{LocalOptions, PgOptions, PgStore, compact_local, open_local};
use transom_messages::Operator;
use transom_recovery::{JointStore, Managed, Partner, Settings, StoreError, UowStore};
use transom_types::Applid;

/// Bytes of a log of the embedded store. Few, so that a short run makes many checkpoints.
const LOG_BYTES: usize = 24 << 10;

/// Where the money lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Target {
    /// Files of the embedded store.
    Local,
    /// The same and a recoverable queue.
    Queue,
    /// Files and a queue in PostgreSQL.
    Postgres,
    /// Files and a queue of the embedded store and, in the same unit of work, files of PostgreSQL.
    Both,
    /// The same with tables of the SQL engine, which decides as last agent.
    Sql,
    /// The same with tables on a PostgreSQL server.
    Server,
}

/// Stores that are open.
pub(crate) struct Opened {
    pub(crate) store: Arc<dyn UowStore>,
    pub(crate) sql: Option<SqlMoney>,
    pub(crate) applid: Applid,
}

impl Target {
    /// As an argument.
    pub(crate) fn word(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// True when the embedded store takes part.
    pub(crate) fn is_local(self) -> bool {
        self != Self::Postgres
    }

    /// True when a store in PostgreSQL takes part.
    pub(crate) fn is_postgres(self) -> bool {
        matches!(self, Self::Postgres | Self::Both)
    }

    /// True when tables of SQL take part.
    pub(crate) fn is_sql(self) -> bool {
        matches!(self, Self::Sql | Self::Server)
    }

    /// True when it needs a database on a server.
    pub(crate) fn is_on_server(self) -> bool {
        self.is_postgres() || self == Self::Server
    }

    /// True when one unit of work has a part in two places, and the coordinator ends it.
    pub(crate) fn is_joint(self) -> bool {
        self == Self::Both || self.is_sql()
    }

    /// Opens it; tables whose names contain `/BANK.` lie in the second store when there is one.
    pub(crate) fn open(
        self,
        folder: &Path,
        connect: &str,
        map_bytes: usize,
    ) -> Result<Opened, StoreError> {
        let target = self;
        let applid = applid(folder);
        let local = || -> Result<Arc<dyn UowStore>, StoreError> {
            let store = open_local(folder, options(map_bytes), Settings::default())?;
            Ok(Arc::new(store))
        };
        let postgres = move |connect: &str, system| -> Result<Arc<dyn UowStore>, StoreError> {
            let mut options = PgOptions::new(connect, applid);
            options.system = system;
            Ok(Arc::new(PgStore::open(options)?))
        };
        let say = Operator::new(|line| eprintln!("{line}"));
        let mut sql = None;
        let store = match target {
            Target::Local | Target::Queue => local()?,
            Target::Postgres => postgres(connect, 0)?,
            Target::Both => {
                let connect = connect.to_owned();
                let partner = Partner {
                    name: "bank".to_owned(),
                    connect: Box::new(move |system| postgres(&connect, system)),
                    owns: Box::new(|table| table.contains("/BANK.")),
                };
                Arc::new(JointStore::open(local()?, vec![partner], say)?)
            }
            Target::Sql | Target::Server => {
                let Managed { store, manager } = Managed::new(local()?, say)?;
                let engine = match target {
                    Target::Sql => Engine::Embedded(folder.to_owned()),
                    _ => Engine::Server(connect.to_owned(), applid),
                };
                sql = Some(SqlMoney::open(engine, &*manager)?);
                store
            }
        };
        Ok(Opened { store, sql, applid })
    }
}

fn options(map_bytes: usize) -> LocalOptions {
    LocalOptions {
        map_bytes,
        log_bytes: LOG_BYTES,
        ..LocalOptions::default()
    }
}

/// Makes the embedded store of a folder shorter.
pub(crate) fn compact(folder: &Path, map_bytes: usize) -> Result<(), StoreError> {
    compact_local(folder, options(map_bytes)).map(drop)
}

/// Each folder is a region of its own: one server keeps the prepared work of all of them apart by
/// their names.
fn applid(folder: &Path) -> Applid {
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_uppercase();
    let tail: String = name.chars().rev().take(7).collect();
    let name: String = std::iter::once('T').chain(tail.chars().rev()).collect();
    Applid::from_field(name.as_bytes())
}
