//! Bringing pages from the log of SQLite into the database.
//!
//! What: a thread that does it once the log has grown, first beside those who write and then, for
//! the few pages that are left, in a turn of its own, so that the next one who writes begins the
//! log again. Why: left to itself SQLite does all of it inside a COMMIT. It flushes the log before
//! it writes a page into the database, and the database before the log begins again, so a commit
//! is always whole in one of them. Not here: when a commit is on the device (`flushes`).

use super::flushes::Flushes;
use crate::gate::Gate;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::hooks::Wal;
use std::cell::Cell;
use std::ffi::c_int;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use transom_recovery::StoreError;
use transom_recovery::guard::lock;

/// One part in so many of them more before it is tried again, when somebody who reads was in the
/// way.
const FURTHER: u32 = 4;
/// How long it waits for a turn to write.
const PATIENCE: Duration = Duration::from_secs(60);

thread_local! {
    /// Pages in the log after the last COMMIT of this thread that wrote some.
    static WRITTEN: Cell<u32> = const { Cell::new(0) };
}

/// The thread, and what it waits for.
pub(super) struct Checkpoints {
    /// Pages in the log from which on they are brought over.
    most: u32,
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

struct Signal {
    state: Mutex<State>,
    moved: Condvar,
}

struct State {
    pages: u32,
    /// So many pages are brought over.
    next: u32,
    closed: bool,
}

impl Checkpoints {
    /// Starts the thread; `most` pages stay in the log.
    pub(super) fn start(
        (connection, most): (Connection, u32),
        gate: Arc<Gate>,
        flushes: Arc<Flushes>,
    ) -> Result<Self, StoreError> {
        let signal = Arc::new(Signal {
            state: Mutex::new(State {
                pages: 0,
                next: most,
                closed: false,
            }),
            moved: Condvar::new(),
        });
        let seen = signal.clone();
        let thread = std::thread::Builder::new()
            .name("transom-sql-log".to_owned())
            .spawn(move || {
                while let Some(pages) = seen.wanted() {
                    if flushes.refuses().is_none() {
                        bring_over(&connection, &gate);
                    }
                    lock(&seen.state).next = pages + most / FURTHER;
                }
                closes(&connection, &flushes);
            });
        Ok(Self {
            most,
            signal,
            thread: Some(thread.map_err(|e| StoreError::Io(e.to_string()))?),
        })
    }

    /// A commit has left so many pages in the log.
    pub(super) fn after(&self, pages: u32) {
        let mut state = lock(&self.signal.state);
        state.pages = pages;
        if pages < self.most {
            // The log has begun again.
            state.next = self.most;
        }
        let wanted = pages >= state.next;
        drop(state);
        if wanted {
            self.signal.moved.notify_one();
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        lock(&self.signal.state).closed = true;
        self.signal.moved.notify_one();
        if let Some(thread) = self.thread.take() {
            // One that panicked has said so.
            let _ = thread.join();
        }
    }
}

impl Signal {
    /// Waits until there is something to do: pages in the log; `None`: nobody writes any more.
    fn wanted(&self) -> Option<u32> {
        let mut state = lock(&self.state);
        loop {
            if state.closed {
                return None;
            }
            if state.pages >= state.next {
                return Some(state.pages);
            }
            let waited = self.moved.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What cannot be brought over now stays in the log.
fn bring_over(connection: &Connection, gate: &Gate) {
    if copied(connection) != Some(true) && gate.enter(PATIENCE, &AtomicBool::new(false)).is_ok() {
        copied(connection);
        gate.leave();
    }
}

/// Brings over what nobody needs in the log; `true`: that was all.
fn copied(connection: &Connection) -> Option<bool> {
    let pragma = "PRAGMA wal_checkpoint(PASSIVE)";
    let done = connection.query_row(pragma, [], |row| {
        Ok(row.get::<_, i64>(1)? == row.get::<_, i64>(2)?)
    });
    done.ok()
}

/// The pages of its commits are counted, and it brings none of them over by itself.
pub(super) fn counts(connection: &Connection) {
    connection.wal_hook(Some(count));
}

fn count(_: &Wal, pages: c_int) -> rusqlite::Result<()> {
    WRITTEN.set(u32::try_from(pages).unwrap_or(0));
    Ok(())
}

/// Pages in the log after a COMMIT that this thread has said since it was asked last; 0: none was
/// written.
pub(super) fn counted() -> u32 {
    WRITTEN.take()
}

/// Before a connection is closed: the last one brings all over, which it must not when a flush has
/// failed, for nobody knows which pages of the log are on the device.
pub(super) fn closes(connection: &Connection, flushes: &Flushes) {
    if flushes.refuses().is_some() {
        let no = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        // One that refuses this can do no more harm than to bring over what it has flushed itself.
        let _ = connection.set_db_config(no, true);
    }
}
