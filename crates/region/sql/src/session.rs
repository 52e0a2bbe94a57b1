//! What an engine offers: sessions, one for each task.
//!
//! Why a trait: in which process the engine runs may change, and there are several engines; threads
//! and units of work stand on this. Not here: threads (`sessions`), SQL.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use transom_recovery::{Part, StoreError, UowId};
use transom_sql::{Name, TableDefinition};
use transom_wire::sql::{Request, SqlAnswer, SqlFrom};

/// A database.
pub trait SqlEngine: Send + Sync {
    /// A new session. `abandoned` is set when its task is gone: a wait then ends.
    fn session(&self, abandoned: Arc<AtomicBool>) -> Result<Box<dyn SqlSession>, StoreError>;

    /// Those that wait look whether they are abandoned.
    fn wake(&self);

    /// The mark of a unit of work is there.
    fn has_decided(&self, uow: UowId) -> Result<bool, StoreError>;

    /// Nobody will ask for this mark any more.
    fn forget_mark(&self, uow: UowId);

    /// Nobody will ask for marks of earlier runs any more.
    fn forget_earlier_marks(&self);

    /// What tells this database from all others, also after a restart.
    fn identity(&self) -> String;
}

/// The statements of one task. Used by one thread at a time; blocks.
pub trait SqlSession: Send {
    /// Runs a statement.
    fn run(&mut self, request: Request) -> SqlAnswer;

    /// A statement is short for sure, as things are: it may run on a thread that others wait for.
    fn is_short(&mut self, _request: &Request) -> bool {
        false
    }

    /// What a statement would do, without running it. The error is the answer it would get.
    fn look(&mut self, from: &SqlFrom, text: &str) -> Result<Look, SqlAnswer>;

    /// A table or view by its name, with the schema names without one have; `None`: there is none.
    fn definition(&mut self, name: &Name) -> Result<Option<TableDefinition>, StoreError>;

    /// What it has in its unit of work.
    fn part(&self) -> Part;

    /// Commits; with a mark of the unit of work where it decides. Cursors WITH HOLD stay open.
    fn commit(&mut self, mark: Option<UowId>) -> Result<(), StoreError>;

    /// Backs out and closes all cursors.
    fn backout(&mut self) -> Result<(), StoreError>;

    /// Between two units of work: cursors are open, or special registers were set.
    fn keeps(&self) -> bool;

    /// Forgets what belonged to its task: the next one is another.
    fn reset(&mut self);

    /// From now on, until it is told otherwise, all statements see one moment, and a statement that
    /// would wait or that takes more than about a millisecond is given up. `false`: it cannot do
    /// that.
    fn hurry(&mut self, _on: bool) -> bool {
        false
    }

    /// A statement was given up since: its answer counts for nothing.
    fn gave_up(&self) -> bool {
        false
    }
}

/// What a statement would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// It ends the unit of work.
    pub ends: Option<Ends>,
    /// Names of the columns of its rows.
    pub columns: Vec<String>,
}

/// COMMIT or ROLLBACK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    Commit,
    Backout,
}
