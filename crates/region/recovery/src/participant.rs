//! Who takes part in the end of a unit of work.
//!
//! What: the trait [`Participant`] and what it says about units of work. Why: a unit of work ends
//! in all places alike, whether a place is a store, a session with an SQL server or a conversation
//! with another region. Not here: who decides and in what order (`coordinator`), how records are
//! read and changed (the store's facets).

use crate::{StoreError, UowId};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;

/// Answer of a participant or store. Needs no particular executor; local stores have it ready at
/// the first poll unless a lock has to be waited for or a disk flushed. Dropping it while it waits
/// for a lock gives up the wait (on PostgreSQL: at the end of the unit of work); dropping a commit
/// does not stop the commit.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// An answer that is there already.
pub fn ready<'a, T: Send + 'a>(answer: Result<T, StoreError>) -> StoreFuture<'a, T> {
    Box::pin(std::future::ready(answer))
}

/// How a unit of work ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its changes become visible and durable.
    Commit,
    /// Its changes are forgotten.
    Backout,
}

/// A prepared unit of work whose outcome is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InDoubt {
    /// Its name.
    pub uow: UowId,
    /// What the coordinator gave to `prepare`: participants, for instance.
    pub info: Vec<u8>,
    /// When it was prepared.
    pub since: SystemTime,
    /// Its locks are retained: others get [`StoreError::Locked`] at once.
    pub retained: bool,
    /// Set when the outcome is known and a participant could not be told yet.
    pub untold: Option<Untold>,
}

/// A participant that does not know yet how a unit of work ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untold {
    /// Name of the participant.
    pub partner: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// What a unit of work has at a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Nothing.
    None,
    /// Locks or a place to read from; nothing to be made durable.
    Locks,
    /// Changes.
    Changes,
    /// Changes that are prepared.
    Prepared,
}

/// One that takes part in units of work.
///
/// A unit of work begins here with its first lock or change and needs no call for that: [`part`]
/// says whether there is any. The errors tell the coordinator what it may do next:
/// [`StoreError::Unavailable`] is asked again later, [`StoreError::Unknown`] is over and nobody
/// knows how, any other refusal of `prepare` or of a commit in one phase leaves the unit of work as
/// it was, and it is backed out.
///
/// [`part`]: Participant::part
pub trait Participant: Send + Sync {
    /// What the unit of work has here. Asked at each end of a unit of work: must not wait.
    fn part(&self, uow: UowId) -> Part;

    /// Makes a unit of work survive a restart without deciding it. `info` comes back in
    /// [`InDoubt`]. Who cannot do that can only be changed alone in a unit of work.
    fn prepare<'a>(&'a self, _uow: UowId, _info: &'a [u8]) -> StoreFuture<'a, ()> {
        ready(Err(StoreError::Unsupported("prepare a unit of work")))
    }

    /// Makes the changes of a unit of work visible and durable, then releases its locks. Prepared
    /// or not. A unit of work that never did anything is committed at once.
    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()>;

    /// Forgets the changes of a unit of work and releases its locks. Prepared or not.
    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()>;

    /// Prepared units of work, those of earlier runs included.
    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>> {
        ready(Ok(Vec::new()))
    }

    /// Makes the locks of a prepared unit of work retained: whoever waits for one gets
    /// [`StoreError::Locked`]. Nothing to do for who has no locks of the region.
    fn retain(&self, _uow: UowId) {}

    /// Ends a unit of work in doubt; [`StoreError::NotFound`] if it is not prepared.
    fn resolve(&self, _uow: UowId, _outcome: Outcome) -> StoreFuture<'_, ()> {
        ready(Err(StoreError::NotFound))
    }

    /// It cannot prepare, but commits a mark of a unit of work together with its changes, and can
    /// be asked for it after a restart. One such takes part in a unit of work beside others.
    fn is_last_agent(&self) -> bool {
        false
    }

    /// As last agent: commits with the mark. Its answer is the decision, so an error says that
    /// nothing was committed; all but [`StoreError::Unknown`].
    fn decide(&self, _uow: UowId) -> StoreFuture<'_, ()> {
        ready(Err(StoreError::Unsupported("decide a unit of work")))
    }

    /// As last agent: whether there is a mark of this unit of work.
    fn has_decided(&self, _uow: UowId) -> StoreFuture<'_, bool> {
        ready(Ok(false))
    }

    /// As last agent: nobody will ask for the mark any more. Need not be done at once.
    fn forget_mark(&self, _uow: UowId) {}

    /// As last agent: nobody will ask for marks of earlier runs any more.
    fn forget_earlier_marks(&self) {}

    /// The owner is dead: ends its wait, forgets its changes, releases its locks. Prepared work
    /// stays, with its locks retained; a commit under way goes on.
    fn release(&self, uow: UowId);

    /// What tells this participant from all others, also after a restart; `None` if nothing does.
    fn identity(&self) -> Option<String> {
        None
    }
}

/// Reaches a participant, for the system of this number. May block; called again while it answers
/// [`StoreError::Unavailable`].
pub type Connect = Box<dyn Fn(u64) -> Result<Arc<dyn Participant>, StoreError> + Send + Sync>;

/// Who ends units of work at all who take part, as one participant.
pub trait SyncpointManager: Participant {
    /// Takes a participant in and ends what earlier runs left: in doubt there and decided here is
    /// committed, the rest backed out. One that cannot be reached is asked again in the background;
    /// any other refusal is an error. It stays as long as the region, under the same name in each
    /// run: decisions name it. The name of one that is no store has a kind and a colon. Blocks.
    fn join(&self, name: &str, connect: Connect) -> Result<(), StoreError>;

    /// A participant that was away answers again: what waits for it need not wait longer.
    fn look_again(&self);

    /// A participant will never be told how a unit of work ended: nobody asks it again, also after
    /// a restart. `NotFound`: it knows already.
    fn forget<'a>(&'a self, uow: UowId, name: &'a str) -> StoreFuture<'a, ()>;

    /// Name, identity and whether it can be reached, of each participant.
    fn members(&self) -> Vec<(&str, Option<String>, bool)>;
}
