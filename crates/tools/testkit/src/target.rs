//! Which stores are tortured, and how they are opened.

use std::path::Path;
use std::sync::Arc;
use transom_datasets::{LocalOptions, PgOptions, PgStore, compact_local, open_local};
use transom_messages::Operator;
use transom_recovery::{JointStore, Partner, Settings, StoreError, UowStore};
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
}

impl Target {
    /// True when the embedded store takes part.
    pub(crate) fn is_local(self) -> bool {
        self != Self::Postgres
    }

    /// True when PostgreSQL takes part.
    pub(crate) fn is_postgres(self) -> bool {
        matches!(self, Self::Postgres | Self::Both)
    }

    /// Opens it; tables whose names contain `/BANK.` lie in the second store when there is one.
    pub(crate) fn open(
        self,
        folder: &Path,
        connect: &str,
        map_bytes: usize,
    ) -> Result<(Arc<dyn UowStore>, Applid), StoreError> {
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
                let say = Operator::new(|line| eprintln!("{line}"));
                Arc::new(JointStore::open(local()?, vec![partner], say)?)
            }
        };
        Ok((store, applid))
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
