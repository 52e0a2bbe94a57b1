//! A session of the database while a request has it.
//!
//! What: it comes back by itself, with nothing of its request left. Not here: the thread.

use std::sync::{Arc, Mutex};
use tokio::sync::OwnedSemaphorePermit;
use transom_recovery::Part;
use transom_recovery::guard::lock;
use transom_region_api::RestFailure;
use transom_region_sql::SqlSession;

/// Sessions that wait for a request.
pub(crate) struct Idle {
    sessions: Mutex<Vec<Box<dyn SqlSession>>>,
    most: usize,
}

impl Idle {
    /// Beyond that they are closed.
    pub(crate) fn at_most(most: usize) -> Self {
        Self {
            sessions: Mutex::default(),
            most,
        }
    }
}

/// A session, or the right to open one. Dropping it ends the unit of work.
pub(crate) struct Lent {
    session: Option<Box<dyn SqlSession>>,
    idle: Arc<Idle>,
    /// Free for the next one behind the session.
    _place: OwnedSemaphorePermit,
}

impl Lent {
    /// One that waits, if one does.
    pub(crate) fn of(idle: &Arc<Idle>, place: OwnedSemaphorePermit) -> Self {
        Self {
            session: lock(&idle.sessions).pop(),
            idle: idle.clone(),
            _place: place,
        }
    }

    /// The session, which is opened first where it is not yet. May block.
    pub(crate) fn or_open(
        &mut self,
        open: impl FnOnce() -> Result<Box<dyn SqlSession>, RestFailure>,
    ) -> Result<&mut dyn SqlSession, RestFailure> {
        let session = match self.session.take() {
            Some(session) => session,
            None => open()?,
        };
        Ok(&mut **self.session.insert(session))
    }

    /// There is a session.
    pub(crate) fn is_open(&self) -> bool {
        self.session.is_some()
    }

    /// Does something that neither waits nor takes long; `None`: there is no session that can, or
    /// it came to no end.
    pub(crate) fn in_a_hurry<T>(
        &mut self,
        work: impl FnOnce(&mut dyn SqlSession) -> Option<T>,
    ) -> Option<T> {
        let session = &mut **self.session.as_mut()?;
        if !session.hurry(true) {
            return None;
        }
        let done = work(session);
        session.hurry(false);
        if done.is_none() || session.gave_up() {
            // What cannot be backed out is closed with its session.
            if session.backout().is_err() {
                self.session = None;
            }
            return None;
        }
        done
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(mut session) = self.session.take() else {
            return;
        };
        // One that cannot even back out is closed, and one whose work broke off in the middle.
        let clean = !std::thread::panicking()
            && (session.part() == Part::None || session.backout().is_ok());
        session.reset();
        let mut sessions = lock(&self.idle.sessions);
        if clean && sessions.len() < self.idle.most {
            sessions.push(session);
        }
    }
}
