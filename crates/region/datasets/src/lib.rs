//! VSAM-style datasets with record locks, on LMDB, in memory and on PostgreSQL.
//!
//! What: [`Datasets`], the catalog of clusters, alternate indexes and paths, and [`Dataset`], the
//! operations on one of them, over any [`UowStore`](transom_recovery::UowStore); the stores
//! themselves. Why: file control thinks in keys, RBAs and conditions, stores in tables of bytes.
//! Not here: EXEC CICS options, RESP codes, files of the CSD (core), IDCAMS statements
//! (formats/idcams).

#![deny(unsafe_code)]

mod alter;
mod browse;
mod catalog;
mod condition;
#[cfg(feature = "conformance")]
pub mod conformance;
mod dataset;
mod define;
mod examine;
mod keys;
mod lmdb;
mod load;
mod name;
mod order;
mod postgres;
mod read;
mod recover;
mod sort;
mod write;

pub use catalog::{Datasets, Entry};
pub use condition::Condition;
pub use dataset::{Access, Dataset};
pub use define::{AlternateIndex, Cluster, Extra, Load, Log, Organization, PathEntry};
pub use examine::Fault;
pub use keys::{
    Collating, KeyException, KeyHolds, KeyOrder, KeyPart, KeyRules, NoKeyOrder, PartHolds,
};
pub use lmdb::{
    Compacted, Copied, Identity, LmdbEngine, LocalOptions, LocalStore, ReadOnlyStore,
    check_structure, compact_local, copy_local, copy_local_and, open_local, reader_file,
    restore_local,
};
pub use load::{LoadRecord, Loaded};
pub use name::{DatasetName, DatasetNameError};
pub use order::OrderError;
pub use postgres::{PgOptions, PgStore};
pub use sort::{Pair, Pass, Sorted, Sorter};
pub use transom_recovery::MemoryStore;
pub use transom_types::{Batch, Find, Found, Position, Seen, Start};
