//! Looks at one state of the tree.
//!
//! What: read transactions, of the region with a place in LMDB's table of readers, of others with
//! one of their own. Why two: programs run in workers, and LMDB's table has more in it than places
//! (`readers`). Not here: what is read (`map`).

use super::error::translate;
use super::readers::{Entered, Place};
use heed::{Env, RoTxn, WithTls};
use std::ops::Deref;
use std::sync::atomic::{Ordering, fence};
use transom_recovery::StoreError;

/// Times a reader with a place looks for a state that nobody replaced while it looked: that takes a
/// tenth of a microsecond, a commit a hundred times as long.
const BEGIN_TRIES: usize = 1_000;

/// A look at one state.
pub(super) struct Look<'e> {
    txn: RoTxn<'e, WithTls>,
    /// Ends after the transaction.
    _entered: Option<Entered<'e>>,
}

impl Look<'_> {
    /// Ends it and keeps what it opened.
    pub(super) fn keep(self) -> Result<(), StoreError> {
        self.txn.commit().map_err(translate)
    }
}

impl<'e> Deref for Look<'e> {
    type Target = RoTxn<'e, WithTls>;

    fn deref(&self) -> &Self::Target {
        &self.txn
    }
}

/// A look; without a place one that LMDB's table knows of, if there is one.
pub(super) fn begin<'e>(env: &'e Env, place: Option<&'e Place>) -> Result<Look<'e>, StoreError> {
    let Some(place) = place else {
        let _entered = None;
        return read(env).map(|txn| Look { txn, _entered });
    };
    let entered = place.enter();
    // The state is the last one before it was taken and after: then no commit can have written over
    // its header while that was copied.
    for _ in 0..BEGIN_TRIES {
        let txn = env.read_txn().map_err(translate)?;
        fence(Ordering::Acquire);
        if env.info().last_txn_id == txn.id() {
            let _entered = Some(entered);
            return Ok(Look { txn, _entered });
        }
    }
    let text = "the store changes faster than it can be read";
    Err(StoreError::Io(text.to_owned()))
}

/// A read transaction.
pub(super) fn read(env: &Env) -> Result<RoTxn<'_, WithTls>, StoreError> {
    env.read_txn().map_err(translate)
}
