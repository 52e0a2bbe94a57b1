//! File control: READ, WRITE, REWRITE, DELETE, UNLOCK and browses.
//!
//! What: one file per command; `access` checks the file, `rid` reads and stores RIDFLD, `record`
//! the record itself, `source` reads committed records where they lie or asks the region, `wire`
//! the questions to the region. Everything that locks or changes is done by the region process.
//! Worker side. Not here: records and locks (`transom_datasets`), the region side
//! (`region/server/file_control`).

mod access;
pub(crate) mod browse;
pub(crate) mod delete;
pub(crate) mod read;
mod record;
pub(crate) mod rewrite;
mod rid;
mod sharing;
mod source;
pub(crate) mod unlock;
pub(crate) mod write;

pub(crate) use access::ask;
pub(crate) use source::Reading;
pub(crate) use transom_wire::file_control::{Action, Busy};

use crate::command::{Cx, Fail, ask_region, raise};
use crate::task_state::TaskState;
use browse::Browse;
use std::collections::HashSet;
use transom_commands::opt;
use transom_datasets::Position;
use transom_types::{ProgramName, Resp};
use transom_wire::definitions::{FileEntry, FileShape, file_users};
use transom_wire::file_control::{FileRequest, Patience};
use transom_workers::seam::{Address, Host};

/// Browses and records held for update of one task; more raise INVREQ.
pub const HELD_MAX: usize = 10_000;

/// What a task knows of the files it uses.
#[derive(Default)]
pub(crate) struct TaskFiles {
    browses: Vec<Browse>,
    held: Vec<HeldRecord>,
    /// Tables and base keys of records that REPEATABLE keeps as they are.
    kept: HashSet<(String, Vec<u8>)>,
    /// Storage that READ SET handed out, by file.
    areas: Vec<(ProgramName, Address)>,
    /// Tables of base records with changes that are not committed.
    changed: Vec<String>,
    last_token: u32,
}

/// A record read for update.
struct HeldRecord {
    file: ProgramName,
    /// `None`: without TOKEN.
    token: Option<u32>,
    /// Base data set: other files may show the same record.
    base: String,
    position: Position,
}

impl TaskFiles {
    /// Takes the record that REWRITE, DELETE or UNLOCK means out of those held.
    fn held(&self, file: ProgramName, token: Option<u32>) -> Option<usize> {
        self.held
            .iter()
            .position(|held| held.file == file && held.token == token)
    }

    /// The task uses this file: what it has begun it may end when others may not begin.
    fn uses(&self, file: ProgramName, shape: Option<&FileShape>) -> bool {
        self.browses.iter().any(|browse| browse.file() == file)
            || self.held.iter().any(|held| held.file == file)
            || shape.is_some_and(|shape| self.changed.contains(&shape.base))
    }

    /// A change that belongs to the unit of work, or was made at once.
    fn changed(&mut self, shape: &FileShape, recoverable: bool) {
        for browse in &mut self.browses {
            browse.forget_ahead(&shape.base);
        }
        if recoverable && !self.changed.contains(&shape.base) {
            self.changed.push(shape.base.clone());
        }
    }
}

/// The unit of work ended: records held for update are not any more, browses are over.
pub(crate) fn uow_ended(host: &mut dyn Host, task: &mut TaskState) {
    while let Some(browse) = task.files.browses.pop() {
        browse_ended(host, &task.files, browse.file(), task.number);
    }
    task.files.held.clear();
    task.files.kept.clear();
    task.files.changed.clear();
}

/// A browse is over. The last one of a file ends its use, for which somebody may wait.
fn browse_ended(host: &mut dyn Host, files: &TaskFiles, file: ProgramName, task: u32) {
    if files.browses.iter().any(|browse| browse.file() == file) {
        return;
    }
    file_users::leave(host.shared(), file, task);
    if FileEntry::find(host.shared(), file).is_some_and(|entry| entry.status.is_ending()) {
        let request = FileRequest {
            file,
            action: Action::Left,
        };
        // Nothing to do when the region has gone.
        let _answer = ask_region(host, &request);
    }
}

/// The TOKEN argument.
fn token(cx: &Cx<'_>) -> Option<u32> {
    let given = cx.number(opt::TOKEN)?;
    Some(u32::try_from(given).unwrap_or(0))
}

/// The record that TOKEN names, or the one read for update without TOKEN. Conditions: INVREQ with
/// `without` when there is none, 47 for an unknown token.
fn held(cx: &Cx<'_>, file: ProgramName, without: u32) -> Result<usize, Fail> {
    let token = token(cx);
    match cx.task.files.held(file, token) {
        Some(at) => Ok(at),
        None if token.is_some() => raise(Resp::INVREQ, 47),
        None => raise(Resp::INVREQ, without),
    }
}

/// NOSUSPEND and DTIMOUT.
fn patience(cx: &Cx<'_>) -> Patience {
    Patience {
        no_suspend: cx.has(opt::NOSUSPEND),
        dtimout_ms: cx.task.transaction.dtimout_ms,
    }
}
