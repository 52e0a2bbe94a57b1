//! Units of work: what a store must offer, and how work becomes durable or is backed out.
//!
//! What: [`UowStore`], the trait every record store of a region stands behind; record locks, the
//! private changes of a unit of work, group commit and in-doubt units, written once in
//! [`EngineStore`] for every [`Engine`] that can read, scan and apply a batch of changes at once;
//! [`Coordinator`], which ends a unit of work in which several take part ([`Participant`]);
//! [`JointStore`], one store out of several; [`OwnTables`], one region's part of a store. Why:
//! locks and recovery must mean the same whatever holds the bytes. Not here: record formats, keys
//! and indexes of files (datasets), RESP codes (core), any disk format (the engines).

#![forbid(unsafe_code)]

mod committer;
mod coordinator;
mod engine;
mod engine_store;
mod error;
mod fail;
pub mod guard;
mod joint;
mod locks;
mod memory;
mod merge;
mod own_tables;
mod participant;
mod record;
mod restored;
mod stats;
mod store;
mod unit;
mod uow_id;
mod wait;

pub use coordinator::Coordinator;
pub use engine::{
    Action, Batch, Engine, EngineCaps, EngineWrite, KeyRange, Scan, Tend, prefix_end, scan_range,
};
pub use engine_store::{EngineStore, MemoryStore, Settings};
pub use error::StoreError;
pub use fail::fail_point;
pub use joint::{JointStore, Managed, Partner};
pub use memory::MemoryEngine;
pub use merge::merge_rows;
pub use own_tables::OwnTables;
pub use participant::{
    Connect, InDoubt, Outcome, Part, Participant, StoreFuture, SyncpointManager, Untold, ready,
};
pub use record::{Caps, Change, Damage, Lock, Match, Row, SCAN_BYTES_MAX, Wait, Write};
pub use restored::{FORWARD, LogPlace, Restored};
pub use stats::{Counters, LimitStat, Space, StoreStats};
pub use store::{OpenStore, READ_ONLY, Records, Units, UowStore, Upkeep};
pub use transom_types::Direction;
pub use unit::{Changes, Overlay, Phase, in_doubt};
pub use uow_id::UowId;
pub use wait::wait;
