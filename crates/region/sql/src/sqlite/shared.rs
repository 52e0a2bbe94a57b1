//! What all sessions of a database have, and how it was opened.

use super::checkpoints::{self, Checkpoints};
use super::flushes::Flushes;
use super::functions::{Sequences, Taken};
use super::syncs::Syncs;
use crate::gate::Gate;
use crate::statements::Qualifiers;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_recovery::guard::lock;

/// Where the database is, and how it behaves.
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// Its file.
    pub file: PathBuf,
    /// Characters are in the order of code page 037.
    pub ebcdic_order: bool,
    /// Memory for pages of the connection that changes them.
    pub cache_megabytes: u32,
    /// Pages in the log from which on they are brought into the file.
    pub log_pages: u32,
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
    pub(super) syncs: Syncs,
    pub(super) gate: Arc<Gate>,
    /// Whoever has the turn to write has it.
    pub(super) writer: Mutex<Option<Writing>>,
    pub(super) flushes: Arc<Flushes>,
    /// `None`: SQLite does it in a COMMIT.
    pub(super) checkpoints: Option<Checkpoints>,
    pub(super) identity: String,
    /// Numbers of identity columns and sequences.
    pub(super) sequences: Arc<Sequences>,
    /// Marks that may be deleted.
    pub(super) old_marks: Mutex<Vec<Vec<u8>>>,
    /// For questions that belong to no session.
    pub(super) own: Mutex<Connection>,
}

/// The connection that changes the database, one for all: what it has in memory is what is there,
/// while each other one reads again what was changed beside it.
pub(super) struct Writing {
    pub(super) connection: Connection,
    /// Numbers of sequences its statements took.
    pub(super) taken: Arc<Mutex<Taken>>,
    /// Another number when somebody else has committed something; `None`: not looked at yet.
    pub(super) version: Option<i64>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        let writer = lock(&self.writer).take();
        for connection in writer.iter().map(|writer| &writer.connection) {
            checkpoints::closes(connection, &self.flushes);
        }
        checkpoints::closes(&lock(&self.own), &self.flushes);
    }
}
