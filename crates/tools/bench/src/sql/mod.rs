//! What benches with EXEC SQL share: a sample on an engine, a server of PostgreSQL, the disk.
//!
//! Not here: workloads, figures.

mod disk;
mod engine;
mod load;
mod place;
mod region;
mod server;

pub(crate) use disk::flush_ms;
pub(crate) use engine::Engine;
pub(crate) use load::{Load, Measured, full_speed, paced};
pub(crate) use place::{held, seconds};
pub(crate) use region::{Sample, SqlRegion};
pub(crate) use server::Cluster;
