//! The database as an engine: sessions, marks, identity.

use super::checkpoints::Checkpoints;
use super::flushes::Flushes;
use super::functions::Sequences;
use super::shared::{Shared, SqliteOptions};
use super::syncs::Syncs;
use super::{driver, errors, open};
use crate::gate::Gate;
use crate::session::{SqlEngine, SqlSession};
use rusqlite::OptionalExtension;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use transom_recovery::guard::lock;
use transom_recovery::{StoreError, UowId};

/// A database.
pub struct Sqlite {
    pub(super) shared: Arc<Shared>,
}

impl Sqlite {
    /// Opens the file for a region; makes it where there is none.
    pub fn open(options: SqliteOptions) -> Result<Self, StoreError> {
        Self::with(options, Syncs::Together)
    }

    /// Opens it for a process beside the region's, if there is one: what it commits is on the
    /// device before the region can see it.
    pub fn open_beside(options: SqliteOptions) -> Result<Self, StoreError> {
        Self::with(options, Syncs::Each)
    }

    fn with(options: SqliteOptions, syncs: Syncs) -> Result<Self, StoreError> {
        let sequences = Arc::new(Sequences::default());
        let how = (&options, syncs);
        let own = open::first(how, &sequences)?;
        let identity = open::identity(&own).map_err(|e| errors::of_store(&e))?;
        let flushes = Arc::new(Flushes::of(&options.file, syncs)?);
        let gate = Arc::new(Gate::default());
        let checkpoints = match syncs {
            Syncs::Each => None,
            Syncs::Together => {
                let connection = open::connection(how, &sequences, &Arc::default())?;
                let of = (connection, options.log_pages);
                Some(Checkpoints::start(of, gate.clone(), flushes.clone())?)
            }
        };
        let shared = Shared {
            options,
            syncs,
            gate,
            writer: Mutex::default(),
            flushes,
            checkpoints,
            identity,
            sequences,
            old_marks: Mutex::default(),
            own: Mutex::new(own),
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }
}

impl SqlEngine for Sqlite {
    fn session(&self, abandoned: Arc<AtomicBool>) -> Result<Box<dyn SqlSession>, StoreError> {
        let session = driver::session(self.shared.clone(), abandoned)?;
        Ok(Box::new(session))
    }

    fn wake(&self) {
        self.shared.gate.look();
    }

    fn has_decided(&self, uow: UowId) -> Result<bool, StoreError> {
        let own = lock(&self.shared.own);
        let found = own
            .query_row(
                "SELECT 1 FROM transom_mark WHERE uow = ?1",
                [&uow.to_bytes()[..]],
                |_| Ok(()),
            )
            .optional();
        let found = found.map_err(|e| errors::of_store(&e))?.is_some();
        drop(own);
        if found {
            // Who asks does what it says, and whoever wrote it may not have waited for the device.
            let flushed = self.shared.flushes.now();
            flushed.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        }
        Ok(found)
    }

    fn forget_mark(&self, uow: UowId) {
        lock(&self.shared.old_marks).push(uow.to_bytes().to_vec());
    }

    fn forget_earlier_marks(&self) {
        let own = lock(&self.shared.own);
        // What cannot be deleted now is deleted after another start.
        let _ = own.execute("DELETE FROM transom_mark", []);
    }

    fn identity(&self) -> String {
        self.shared.identity.clone()
    }
}
