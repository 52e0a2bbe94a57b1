//! What a region offers its links: mirror tasks, and the units of work they work in.
//!
//! Why a trait: links know neither tasks nor stores. Not here: doing it (`region/server`).

use crate::frames::Load;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use transom_recovery::{InDoubt, Outcome, Part, StoreError, SyncpointManager, UowId};
use transom_types::{AbendCode, Payload, Resp, TermId, TransId, UserId};
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::{Over, Question, Started};
use transom_wire::terminal::Facts;

/// An answer that takes time.
pub type Later<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A mirror task to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMirror {
    /// Its transaction.
    pub transid: TransId,
    /// Its user; `None`: DFLTUSER.
    pub userid: Option<UserId>,
    /// It ends its unit of work itself (SYNCONRETURN): STARTCODE DS, else D.
    pub apart: bool,
    /// What it inherits of the task that asked; empty: nothing.
    pub origin: Vec<u8>,
}

/// Why there is no mirror, or why it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// By RETURN.
    Normal,
    /// By abend.
    Abend(AbendCode, String),
    /// It did not run.
    NotRun(Resp, u32, String),
}

/// Called once when the mirror has ended.
pub type OnEnd = Box<dyn FnOnce(Ended) + Send>;

/// The region.
pub trait Desk: RoutingDesk {
    /// Starts a mirror; its task number.
    ///
    /// # Errors
    /// It will not run; `on_end` is not called.
    fn start(&self, mirror: NewMirror, on_end: OnEnd) -> Result<u32, Ended>;

    /// What tasks that this one starts inherit of it: its origin.
    fn origin(&self, task: u32) -> Option<Vec<u8>>;

    /// Ends a mirror whose caller is gone.
    fn purge(&self, task: u32);

    /// Work the region has.
    fn load(&self) -> Load;

    /// What the unit of work of a mirror has changed; `None`: none has begun.
    fn part(&self, task: u32) -> Option<Part>;

    /// The unit of work of a mirror; `None`: none has begun, or it is prepared.
    fn unit(&self, task: u32) -> Option<UowId>;

    /// Prepares the unit of work of a mirror, which is the caller's of this name.
    fn prepare(&self, task: u32, caller: UowId) -> Later<Result<(), StoreError>>;

    /// Ends the unit of work of a mirror, prepared or not.
    fn end(&self, task: u32, outcome: Outcome) -> Later<Result<(), StoreError>>;

    /// Nobody will end the prepared unit of work of this mirror soon: its locks are retained.
    fn abandon(&self, task: u32);

    /// Units of work that are prepared here.
    fn in_doubt(&self) -> Later<Result<Vec<InDoubt>, StoreError>>;

    /// Ends one of them.
    fn resolve(&self, uow: UowId, outcome: Outcome) -> Later<Result<(), StoreError>>;

    /// Who ends units of work; `None` after the region has stopped.
    fn manager(&self) -> Option<Arc<dyn SyncpointManager>>;
}

/// A task to start at a terminal of another region.
#[derive(Debug, Clone)]
pub struct NewRouted {
    /// Its transaction.
    pub transid: TransId,
    /// Its user; `None`: DFLTUSER.
    pub userid: Option<UserId>,
    /// Its terminal.
    pub facts: Facts,
    /// COMMAREA or channel.
    pub payload: Payload,
    /// By START; `None`: by input.
    pub started: Option<Started>,
}

/// It will not run: what the user is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotBegun(pub String);

/// Called once when a routed task has ended.
pub type OnOver = Box<dyn FnOnce(Over) + Send>;

/// What a region offers routed tasks, its own and those of others.
pub trait RoutingDesk: Send + Sync {
    /// Starts a task at a terminal of another region; its number.
    ///
    /// # Errors
    /// It will not run; `on_over` is not called.
    fn begin(&self, task: NewRouted, on_over: OnOver) -> Result<u32, NotBegun>;

    /// Answers a question for the task that has the terminal of this name.
    fn ask(&self, task: u32, own: TermId, question: Question) -> Later<RegionAnswer>;

    /// A terminal of this region has that name.
    fn has_terminal(&self, name: TermId) -> bool;
}

/// In front of the caller's name of a unit of work, in what is kept with a prepared one.
const MARK: &[u8] = b"region:";

/// What is kept with a prepared unit of work of another region.
pub fn info(caller: UowId) -> Vec<u8> {
    [MARK, &caller.to_bytes()].concat()
}

/// The caller's name of a prepared unit of work; `None`: it is nobody else's.
pub fn caller(info: &[u8]) -> Option<UowId> {
    UowId::from_bytes(info.strip_prefix(MARK)?)
}
