//! The database as an engine: sessions, marks, identity.

use super::functions::Sequences;
use super::shared::{Shared, SqliteOptions};
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
    /// Opens the file; makes it where there is none.
    pub fn open(options: SqliteOptions) -> Result<Self, StoreError> {
        let sequences = Arc::new(Sequences::default());
        let own = open::first(&options, &sequences)?;
        let identity = open::identity(&own).map_err(|e| errors::of_store(&e))?;
        let shared = Shared {
            options,
            gate: Gate::default(),
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
        found
            .map(|row| row.is_some())
            .map_err(|e| errors::of_store(&e))
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
