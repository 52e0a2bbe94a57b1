//! The embedded engine: LMDB.
//!
//! What: one environment with all tables of a region in one ordered tree, a checksum behind each
//! record, and an atomic durable batch per group of units of work, flushed to a log before the tree
//! has it. Why one tree: tables come and go while other processes read, a read transaction costs
//! the same for one table and for ten thousand, and a commit writes one root. Not here: locks and
//! units of work (recovery).

mod ahead;
mod apply;
mod checkpoint;
mod compact;
mod copy;
mod count;
mod durable;
mod engine;
mod error;
mod fault;
mod fields;
mod figures;
mod folder;
mod format;
mod found;
mod free;
mod header;
mod identity;
mod keeper;
mod layout;
mod lock_file;
mod log;
mod look;
mod map;
mod numbers;
mod owner;
mod pages;
mod punch;
mod read_only;
mod readers;
mod replay;
mod restore;
mod structure;
mod sums;
mod swap;
mod upkeep;
mod used;

pub use compact::{Compacted, compact_local};
pub use copy::{Copied, copy_local, copy_local_and};
pub use engine::{LmdbEngine, LocalOptions};
pub use identity::Identity;
pub use read_only::ReadOnlyStore;
pub use restore::restore_local;

use std::path::{Path, PathBuf};
use transom_recovery::{EngineStore, Settings, StoreError};

/// The store of a region on its own disk.
pub type LocalStore = EngineStore<LmdbEngine>;

/// Looks at every page of the data file of a store without mapping it, whether the pages belong
/// together and are those that were written last. A store that is damaged there is refused with
/// [`StoreError::Io`]; mapped it could end the process. Reads the whole file. Refused with
/// [`StoreError::InUse`] while a region has it open: its pages change.
pub fn check_structure(folder: &Path) -> Result<(), StoreError> {
    let data = folder.join(layout::DATA);
    if !data.exists() {
        return Ok(());
    }
    let _lock = self::folder::lock_folder(folder)?;
    swap::finish_restore(folder)?;
    let checkpoint = checkpoint::CheckpointFile::open(folder)?;
    found::check(folder, &data, checkpoint.as_ref(), structure::Depth::Leaves)
}

/// The file of a store that a worker opens. It does not write to it: its place among the readers is
/// in memory it is given ([`Engine::reader_places`](transom_recovery::Engine::reader_places)).
pub fn reader_file(folder: &Path) -> PathBuf {
    folder.join(layout::DATA)
}

/// Opens, or creates, the store in a folder. Refused with [`StoreError::InUse`] while another
/// process has it open.
pub fn open_local(
    folder: &Path,
    options: LocalOptions,
    settings: Settings,
) -> Result<LocalStore, StoreError> {
    LocalStore::open(LmdbEngine::open(folder, options)?, settings)
}
