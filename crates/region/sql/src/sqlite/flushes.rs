//! Commits on their way to the device.
//!
//! What: COMMIT puts pages into the log of SQLite without a flush, and the turn to write is the
//! next one's. Who has to say that something happened, or what it has seen, waits here; one flush
//! serves all who wait. Why: with a flush inside the turn all units of work stand behind it, one by
//! one. Not here: when pages leave the log (`checkpoints`), the turn itself (`gate`).

use super::commits::Commits;
use super::syncs::Syncs;
use crate::statements::not_up;
use std::fs::File;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard};
use transom_messages::{self as messages, Message};
use transom_recovery::guard::lock;
use transom_recovery::{StoreError, fail_point};
use transom_wire::sql::SqlAnswer;

/// Behind the name of the database.
const LOG: &str = "-wal";

/// The commits of one process.
pub(super) struct Flushes {
    log: File,
    /// In a region: told to processes beside it.
    told: Option<Commits>,
    state: Mutex<State>,
    moved: Condvar,
}

/// Commits have numbers, in the order of the turn to write.
#[derive(Default)]
struct State {
    /// The last that has begun: others may see what it changed.
    begun: u64,
    /// The last that is in the log.
    written: u64,
    /// The last that is on the device.
    durable: u64,
    /// How often processes that read must count anew.
    others: u64,
    flushing: bool,
    /// What a failed flush has written is not known, and the next one may say nothing of it.
    failed: Option<Message>,
}

impl Flushes {
    /// Of a database whose log is there. What earlier processes left in it is on the device then:
    /// it is read as committed, wherever it was when they were killed.
    pub(super) fn of(database: &Path, syncs: Syncs) -> Result<Self, StoreError> {
        let opened = || -> std::io::Result<(File, Option<Commits>)> {
            let database = database.canonicalize()?;
            let mut name = database.clone().into_os_string();
            name.push(LOG);
            let log = File::open(name)?;
            log.sync_all()?;
            if let Some(folder) = database.parent() {
                File::open(folder)?.sync_all()?;
            }
            let told = match syncs {
                Syncs::Each => None,
                Syncs::Together => Some(Commits::begin(&database)?),
            };
            Ok((log, told))
        };
        let (log, told) = opened().map_err(|e| StoreError::Io(e.to_string()))?;
        Ok(Self {
            log,
            told,
            state: Mutex::default(),
            moved: Condvar::new(),
        })
    }

    /// COMMIT is about to be said, in the turn to write: its number.
    pub(super) fn begin(&self) -> Result<u64, StoreError> {
        let mut state = lock(&self.state);
        if let Some(error) = &state.failed {
            return Err(StoreError::Unavailable(error.to_string()));
        }
        let number = state.begun + 1;
        if let Some(told) = &self.told {
            let told = told.begun(number);
            told.map_err(|e| StoreError::Unavailable(e.to_string()))?;
        }
        state.begun = number;
        Ok(number)
    }

    /// In the turn to write, before [`Flushes::begin`]: somebody else has committed something.
    pub(super) fn others_committed(&self) -> Result<(), StoreError> {
        let told = self.count_others(&mut lock(&self.state));
        told.map_err(|e| StoreError::Unavailable(e.to_string()))
    }

    fn count_others(&self, state: &mut State) -> std::io::Result<()> {
        state.others += 1;
        let told = self.told.as_ref();
        told.map_or(Ok(()), |told| told.others(state.others))
    }

    /// It has been said, in the same turn. `pages`: it has written some.
    pub(super) fn written(&self, number: u64, pages: bool) {
        let mut state = lock(&self.state);
        state.written = number;
        if !pages {
            // A number that no change of the database belongs to. Who is not told may take that of
            // another process for it.
            let _ = self.count_others(&mut state);
        }
        if !pages && state.durable + 1 == number {
            self.is_durable(&mut state, number);
        }
        drop(state);
        // Readers may have seen it and wait.
        self.moved.notify_all();
    }

    /// Waits until a commit is on the device.
    pub(super) fn durable(&self, number: u64) -> Result<(), StoreError> {
        let ended = self.until(lock(&self.state), number);
        ended.map_err(|error| StoreError::Unknown(error.to_string()))
    }

    /// Waits until all is on the device that a statement may have seen which has run now.
    pub(super) fn seen(&self) -> Result<(), SqlAnswer> {
        let state = lock(&self.state);
        let seen = state.begun;
        self.until(state, seen)
            .map_err(|error| not_up(error.as_ref()))
    }

    /// All is on the device that a statement may have seen which has run now.
    pub(super) fn all_durable(&self) -> bool {
        let state = lock(&self.state);
        state.durable == state.begun && state.failed.is_none()
    }

    /// What is in the log now is on the device afterwards, whoever wrote it.
    pub(super) fn now(&self) -> Result<(), Message> {
        let flushed = self.flush();
        if let Err(error) = &flushed {
            lock(&self.state).failed = Some(error.clone());
        }
        flushed
    }

    /// The answer to who wants to write when a flush has failed.
    pub(super) fn refuses(&self) -> Option<SqlAnswer> {
        let state = lock(&self.state);
        let failed = state.failed.as_ref();
        failed.map(|error| not_up(error.as_ref()))
    }

    fn until<'f>(&'f self, mut state: MutexGuard<'f, State>, number: u64) -> Result<(), Message> {
        loop {
            if state.durable >= number {
                return Ok(());
            }
            if let Some(error) = &state.failed {
                return Err(error.clone());
            }
            if state.flushing || state.written == state.durable {
                let waited = self.moved.wait(state);
                state = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
                continue;
            }
            state.flushing = true;
            let mut leads = Leads {
                flushes: self,
                up_to: state.written,
                ended: Err(messages::sq::not_flushed("it was broken off")),
            };
            drop(state);
            leads.ended = self.flush();
            drop(leads);
            state = lock(&self.state);
        }
    }

    fn is_durable(&self, state: &mut State, number: u64) {
        state.durable = state.durable.max(number);
        if let Some(told) = &self.told {
            // Who is not told waits, which is all that can go wrong.
            let _ = told.durable(state.durable);
        }
    }

    fn flush(&self) -> Result<(), Message> {
        fail_point("sql-flush").map_err(messages::sq::not_flushed)?;
        self.log.sync_data().map_err(messages::sq::not_flushed)
    }
}

/// A flush for all who wait.
struct Leads<'f> {
    flushes: &'f Flushes,
    up_to: u64,
    ended: Result<(), Message>,
}

impl Drop for Leads<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.flushes.state);
        state.flushing = false;
        match std::mem::replace(&mut self.ended, Ok(())) {
            Ok(()) => self.flushes.is_durable(&mut state, self.up_to),
            Err(error) => state.failed = Some(error),
        }
        drop(state);
        self.flushes.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::OwnedFd;
    use std::sync::Arc;
    use std::time::Duration;

    fn on(log: File) -> Flushes {
        Flushes {
            log,
            told: None,
            state: Mutex::default(),
            moved: Condvar::new(),
        }
    }

    #[test]
    fn a_reader_waits_for_a_commit_that_it_may_have_seen_and_for_no_other() {
        let flushes = Arc::new(on(tempfile::tempfile().unwrap()));
        flushes.seen().unwrap();
        let first = flushes.begin().unwrap();
        let reader = {
            let flushes = flushes.clone();
            std::thread::spawn(move || flushes.seen().map(|()| lock(&flushes.state).durable))
        };
        std::thread::sleep(Duration::from_millis(20));
        assert!(!reader.is_finished(), "it is not even in the log");
        flushes.written(first, true);
        // Nobody else flushes.
        assert_eq!(reader.join().unwrap(), Ok(first));
        let second = flushes.begin().unwrap();
        flushes.written(second, false);
        assert_eq!(lock(&flushes.state).durable, second, "it wrote nothing");
    }

    #[test]
    fn after_a_flush_that_failed_nothing_is_acknowledged() {
        // What is no file cannot be flushed.
        let (_, end) = std::io::pipe().unwrap();
        let flushes = on(File::from(OwnedFd::from(end)));
        let number = flushes.begin().unwrap();
        flushes.written(number, true);
        let text = flushes.durable(number).unwrap_err().to_string();
        assert!(text.contains("TXMSQ0022S"), "{text}");
        assert!(matches!(flushes.begin(), Err(StoreError::Unavailable(_))));
        let refused = flushes.refuses().unwrap();
        assert_eq!((refused.code, refused), (-923, flushes.seen().unwrap_err()));
    }
}
