//! VSAM-style datasets with record locks, on LMDB, in memory and on PostgreSQL.

#![forbid(unsafe_code)]

pub use transom_recovery::MemoryStore;
