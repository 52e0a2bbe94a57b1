//! Where a task that is under EDF stops: at its programs' begin and end, around its commands.
//!
//! What: [`Debugger`], whom a stopped task waits for. Not here: the ways through it (`debugged`);
//! displays, keys and terminals (`region/supplied`).

use crate::state::TaskState;
use transom_commands::OptionId;
use transom_types::{AbendCode, Resp};
use transom_workers::seam::{Call, Host, SqlCall, TaskEnd};

/// A stopped task.
pub struct Stopped<'a> {
    pub host: &'a mut dyn Host,
    pub task: &'a mut TaskState,
}

/// What it stopped at.
pub enum Statement<'a> {
    Command(&'a mut dyn Call),
    Sql(&'a mut dyn SqlCall),
}

/// How the task goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// As it would have.
    GoOn,
    /// Without the command.
    Skip,
    /// With this response to the command.
    Respond(Resp),
    /// It ends.
    Abend(AbendCode, String),
}

/// A value in place of a constant of the program, for one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edited {
    Text(Vec<u8>),
    Number(i64),
}

/// Shows a task to whoever debugs it, and changes what is asked for.
pub trait Debugger {
    /// The task runs under EDF. Looked at when it begins and whenever EDF is switched on or off.
    fn attends(&mut self, at: Stopped<'_>) -> bool;
    /// A program begins.
    fn program_begins(&mut self, at: Stopped<'_>);
    /// A command or statement is about to run.
    fn before(&mut self, at: Stopped<'_>, statement: &mut Statement<'_>) -> Verdict;
    /// Values of the command that is about to run that its program has as constants.
    fn edited(&mut self) -> Vec<(OptionId, Edited)>;
    /// It did, or was skipped.
    fn after(&mut self, at: Stopped<'_>, statement: &mut Statement<'_>) -> Verdict;
    /// A program ends.
    fn program_ends(&mut self, at: Stopped<'_>);
    /// The program of a LINK came back: the LINK is over.
    fn link_over(&mut self, at: Stopped<'_>) -> Verdict;
    /// The task abended; an exit may handle it.
    fn abended(&mut self, at: Stopped<'_>, code: AbendCode, text: &str);
    /// The task is about to end.
    fn task_ends(&mut self, at: Stopped<'_>, end: &TaskEnd);
    /// Nobody debugs the task any more.
    fn is_over(&self) -> bool;
    /// The task ended.
    fn forget(&mut self, host: &mut dyn Host);
}

/// What the command processor knows of it.
#[derive(Default)]
pub struct Debugging {
    /// `None` while a stopped task is shown, or where there is none.
    pub debugger: Option<Box<dyn Debugger>>,
    /// What `Shared::changes` said when a task was looked at.
    pub seen: Option<u64>,
    /// Something was under EDF then.
    pub any: bool,
    /// The task has not been looked at, and must be.
    pub unlooked: bool,
    /// The task is under EDF.
    pub on: bool,
}

impl Debugging {
    pub fn with(debugger: Box<dyn Debugger>) -> Self {
        Self {
            debugger: Some(debugger),
            ..Self::default()
        }
    }
}
