//! Units of work: what a store must offer, and how work becomes durable or is backed out.
//!
//! What: [`UowStore`], the trait every record store of a region stands behind; record locks, the
//! private changes of a unit of work, group commit and in-doubt units, written once in
//! [`EngineStore`] for every [`Engine`] that can read, scan and apply a batch of changes at once;
//! [`JointStore`], which commits a unit of work in several stores. Why: locks and recovery must
//! mean the same whatever holds the bytes. Not here: record formats, keys and indexes of files
//! (datasets), RESP codes (core), any disk format (the engines).

#![forbid(unsafe_code)]

mod committer;
mod engine;
mod engine_store;
mod error;
mod fail;
mod joint;
mod locks;
mod memory;
mod merge;
mod stats;
mod store;
mod unit;
mod uow_id;
mod wait;

pub use engine::{
    Action, Batch, Engine, EngineCaps, EngineWrite, KeyRange, Scan, prefix_end, scan_range,
};
pub use engine_store::{EngineStore, Settings};
pub use error::StoreError;
pub use fail::fail_point;
pub use joint::{Connect, JointStore, Partner};
pub use memory::MemoryEngine;
pub use merge::merge_rows;
pub use stats::{LimitStat, StoreStats};
pub use store::{
    Caps, Change, Damage, InDoubt, Lock, Match, Outcome, Part, Row, SCAN_BYTES_MAX, StoreFuture,
    Untold, UowStore, Wait, Write,
};
pub use transom_types::Direction;
pub use unit::{Changes, Overlay};
pub use uow_id::UowId;
pub use wait::wait;

/// A store without a disk: same semantics, nothing survives the process. For tests and for data
/// that need not survive.
pub type MemoryStore = EngineStore<MemoryEngine>;
