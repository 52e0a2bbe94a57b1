//! The server as an engine: sessions, marks, identity.

use super::options::PostgresOptions;
use super::remote;
use super::shared::Shared;
use crate::session::{SqlEngine, SqlSession};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use transom_recovery::guard::lock;
use transom_recovery::{StoreError, UowId};

/// A server.
pub struct Postgres {
    shared: Arc<Shared>,
}

impl Postgres {
    /// Connects, makes what is missing there. With the number of its system a region is the only
    /// one of its name, and units of work can end by marks; scripts and checks have none. Blocks.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: later it may be reached.
    pub fn open(options: PostgresOptions, system: Option<u64>) -> Result<Self, StoreError> {
        let shared = Arc::new(Shared::open(options, system)?);
        Ok(Self { shared })
    }
}

impl SqlEngine for Postgres {
    /// It connects with its first statement: whoever asks for a session must not wait.
    fn session(&self, abandoned: Arc<AtomicBool>) -> Result<Box<dyn SqlSession>, StoreError> {
        let session = remote::session(self.shared.clone(), abandoned)?;
        Ok(Box::new(session))
    }

    fn wake(&self) {
        self.shared.woken.notify_waiters();
    }

    fn has_decided(&self, uow: UowId) -> Result<bool, StoreError> {
        self.shared.has_decided(uow)
    }

    fn forget_mark(&self, uow: UowId) {
        lock(&self.shared.old_marks).push(uow);
    }

    fn forget_earlier_marks(&self) {
        let earlier = std::mem::take(&mut *lock(&self.shared.earlier));
        lock(&self.shared.old_marks).extend(earlier);
    }

    fn identity(&self) -> String {
        self.shared.identity.clone()
    }
}
