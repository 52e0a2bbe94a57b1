//! Threads that keep a state of the tree from being overwritten, and flush it.
//!
//! What: a read transaction that stays open at one state; LMDB uses no page of that state again
//! while it does. Why: the state of the last checkpoint must survive until the next one is on the
//! disk. Not here: which state that is (`durable`).

use super::look::read;
use super::pages::Pages;
use super::readers::{Places, Turn};
use heed::Env;
use std::fs::File;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;
use transom_recovery::StoreError;

/// A state that is kept until this is dropped.
pub(super) struct Keeper {
    /// The state.
    transaction: u64,
    /// Dropped: the thread may end.
    release: Option<SyncSender<()>>,
    flushed: Receiver<Result<(), StoreError>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Keeps the state committed last, flushes the data file and sees to its `pages` in the
    /// background. The caller is the only writer and writes nothing meanwhile; when this returns
    /// the state is safe from being overwritten, not yet from power loss.
    pub(super) fn start(env: &Env, data: Arc<File>, mut pages: Pages) -> Result<Self, StoreError> {
        let (release, released) = sync_channel::<()>(1);
        let (tell, flushed) = sync_channel(1);
        let env = env.clone();
        let (began, ready) = sync_channel::<Result<u64, StoreError>>(1);
        let builder = std::thread::Builder::new().name("transom-checkpoint".to_owned());
        let thread = builder.spawn(move || {
            let txn = read(&env);
            let state = txn.as_ref().map(|txn| txn.id() as u64);
            let failed = state.is_err();
            let _starter = began.send(state.map_err(Clone::clone));
            if failed {
                return;
            }
            let done = data.sync_data().and_then(|()| pages.bring(&data));
            let done = done.map_err(|e| StoreError::Io(format!("flush of the store: {e}")));
            let _waiting = tell.send(done);
            // Ends when the sender is dropped.
            while is_kept(&released, pages.pause()) {
                pages.look(&data);
            }
            drop(txn);
        });
        let thread = thread.map_err(|e| StoreError::Io(e.to_string()))?;
        let mut keeper = Self {
            transaction: 0,
            release: Some(release),
            flushed,
            thread: Some(thread),
        };
        keeper.transaction = ready.recv().unwrap_or(Err(StoreError::Closed))?;
        Ok(keeper)
    }

    /// The transaction of its state.
    pub(super) fn transaction(&self) -> u64 {
        self.transaction
    }

    /// The end of the flush, if it is over; once.
    pub(super) fn try_flushed(&self) -> Option<Result<(), StoreError>> {
        self.flushed.try_recv().ok()
    }

    /// Waits for the end of the flush; once.
    pub(super) fn wait_flushed(&self) -> Result<(), StoreError> {
        self.flushed.recv().unwrap_or(Err(StoreError::Closed))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.release = None;
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

/// Keeps the state of an earlier checkpoint, for those of other processes who began to read before
/// the state of a later one was kept and read still.
pub(super) struct Left {
    places: Arc<Places>,
    kept: Option<(Keeper, Vec<Turn>)>,
}

impl Left {
    pub(super) fn new(places: Arc<Places>) -> Self {
        let kept = None;
        Self { places, kept }
    }

    /// Who reads now. Whoever begins later sees what is committed, or a later state.
    pub(super) fn reading(&self) -> Result<Vec<Turn>, StoreError> {
        self.places.reading()
    }

    /// A checkpoint counts no longer; `turns` may read its state.
    pub(super) fn take(&mut self, keeper: Keeper, mut turns: Vec<Turn>) {
        // One that is kept keeps what all later ones would.
        let keeper = match self.kept.take() {
            Some((earlier, reading)) => {
                turns.extend(reading);
                earlier
            }
            None => keeper,
        };
        self.kept = Some((keeper, turns));
    }

    /// Gives it up when they have ended; whether it did.
    pub(super) fn let_go(&mut self) -> bool {
        if let Some((_, turns)) = &mut self.kept {
            *turns = self.places.still(turns);
        }
        let ended = self.kept.as_ref().is_some_and(|kept| kept.1.is_empty());
        if ended {
            self.kept = None;
        }
        ended
    }
}

/// Waits; false: the state is not kept any longer.
fn is_kept(released: &Receiver<()>, pause: Option<Duration>) -> bool {
    let ended = match pause {
        Some(pause) => released.recv_timeout(pause),
        None => released.recv().map_err(RecvTimeoutError::from),
    };
    ended == Err(RecvTimeoutError::Timeout)
}
