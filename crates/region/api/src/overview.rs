//! A region as it is looked at from beside: its stage, what there is of everything, how long work
//! takes.
//!
//! What: answers for health checks, scrapes and a status page. Why not more of `Control`: a region
//! in another process is not asked this, and whoever changes a region looks at one thing at a time.
//! Lists are bounded and say how many there are in all. Not here: who may look, how it is shown.

use crate::control::Statistic;
use transom_telemetry::TimedAll;
use transom_types::{FileName, ProgramName, TermId, TransClass, TransId, UserId};

/// A region that is looked at.
pub trait Overview: Send + Sync {
    /// How far it is.
    fn stage(&self) -> Stage;

    /// What there is, at most so many of each kind.
    fn lists(&self, rows_max: usize) -> Lists;

    /// How long tasks took since the start; nothing where nobody measures.
    fn times(&self) -> TaskTimes;
}

/// How far a region is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It takes up what an earlier run left, and runs the programs of PLTPI.
    Starting,
    /// It takes work.
    Running,
    /// It ends: tasks that run are waited for.
    Ending,
}

/// What there is.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    /// Running tasks, by number.
    pub tasks: Listed<TaskRow>,
    /// Installed files, by name.
    pub files: Listed<FileRow>,
    /// Queues, by kind and name.
    pub queues: Listed<QueueRow>,
    /// Figures of each TRANCLASS.
    pub classes: Vec<(TransClass, Vec<Statistic>)>,
}

/// The first of a list, and how long it is.
#[derive(Debug, Clone)]
pub struct Listed<T> {
    /// The first.
    pub rows: Vec<T>,
    /// All of them.
    pub total: usize,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            total: 0,
        }
    }
}

/// A running task.
#[derive(Debug, Clone)]
pub struct TaskRow {
    /// Its number.
    pub number: u32,
    /// Transaction.
    pub transid: TransId,
    /// First program.
    pub program: ProgramName,
    /// User.
    pub userid: UserId,
    /// Terminal; blank: none.
    pub terminal: TermId,
    /// What it waits for (SUSPENDTYPE); empty: it does not wait.
    pub waits_for: String,
}

/// An installed file.
#[derive(Debug, Clone)]
pub struct FileRow {
    /// Its name.
    pub name: FileName,
    /// DSNAME.
    pub dsname: String,
    /// Open.
    pub open: bool,
    /// Requests since it was installed, by kind.
    pub requests: [(&'static str, u64); 6],
}

/// A queue.
#[derive(Debug, Clone)]
pub struct QueueRow {
    /// What kind of queue.
    pub kind: &'static str,
    /// Its name, as CICS has it in bytes.
    pub name: Vec<u8>,
    /// Items; `None`: not counted.
    pub items: Option<u32>,
}

/// How long tasks took, from their attach to their end; those that abended failed.
#[derive(Debug, Clone, Default)]
pub struct TaskTimes {
    /// By transaction.
    pub transactions: TimedAll<TransId>,
    /// By first program.
    pub programs: TimedAll<ProgramName>,
}
