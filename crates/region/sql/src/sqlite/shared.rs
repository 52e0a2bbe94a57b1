//! What all sessions of a database have, and how it was opened.

use super::functions::Sequences;
use crate::gate::Gate;
use crate::statements::Qualifiers;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Where the database is, and how it behaves.
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// Its file.
    pub file: PathBuf,
    /// Characters are in the order of code page 037.
    pub ebcdic_order: bool,
    /// How long a statement waits for those that write.
    pub lock_wait: Duration,
    /// After that the whole unit of work is backed out (-911), not the statement alone (-913).
    pub back_out: bool,
    /// Schemas of names without one.
    pub qualifiers: Qualifiers,
}

/// What all sessions of a database have.
pub(super) struct Shared {
    pub(super) options: SqliteOptions,
    pub(super) gate: Gate,
    pub(super) identity: String,
    /// Numbers of identity columns and sequences.
    pub(super) sequences: Arc<Sequences>,
    /// Marks that may be deleted.
    pub(super) old_marks: Mutex<Vec<Vec<u8>>>,
    /// For questions that belong to no session.
    pub(super) own: Mutex<Connection>,
}
