//! Who uses a file, and which files are to be closed or disabled.
//!
//! What: a task uses a file from READ UPDATE to REWRITE, DELETE or UNLOCK, and from a change of a
//! recoverable file to the end of the unit of work. Why apart: it knows no file, so nothing else
//! is locked behind its locks. Not here: browses (`definitions::file_users`), closing and disabling
//! (`ending`).

use crate::replier::lock;
use std::collections::HashMap;
use std::sync::Mutex;
use tokio::sync::oneshot;
use transom_types::FileName;
use transom_wire::file_control::Action;

/// Users of files, and what waits for them.
#[derive(Default)]
pub(super) struct Users {
    /// By file and task.
    known: Mutex<HashMap<(FileName, u32), Use>>,
    ending: Mutex<HashMap<FileName, Ending>>,
}

/// What a task does with a file, in one unit of work.
#[derive(Default)]
struct Use {
    /// Records held for update.
    held: u32,
    /// Changes that belong to the unit of work.
    changed: bool,
}

/// A file that will be closed or disabled.
#[derive(Default)]
pub(super) struct Ending {
    pub(super) close: bool,
    pub(super) disable: bool,
    pub(super) waiters: Vec<oneshot::Sender<()>>,
}

/// What a request does to the use of a file.
#[derive(Clone, Copy)]
pub(super) enum Step {
    None,
    Hold,
    Release,
    /// The record it held was changed.
    Change,
    /// A record it did not hold.
    Add,
}

impl Step {
    pub(super) fn of(action: &Action) -> Self {
        match action {
            Action::Read(_, _, Some(_)) | Action::ReadAt(..) => Self::Hold,
            Action::Unlock(_) => Self::Release,
            Action::Rewrite(..) | Action::Delete(..) => Self::Change,
            Action::Insert(..) | Action::DeleteKey(..) | Action::DeleteGeneric(..) => Self::Add,
            _ => Self::None,
        }
    }
}

/// What a step made of a task's use of a file.
pub(super) struct Took {
    /// It did not use the file before.
    pub(super) new: bool,
    /// It holds nothing and has changed nothing.
    pub(super) left: bool,
}

impl Users {
    /// Takes note of a request that was done; `None`: it is no use.
    pub(super) fn took(
        &self,
        task: u32,
        file: FileName,
        recoverable: bool,
        step: Step,
    ) -> Option<Took> {
        let mut known = lock(&self.known);
        let new = !known.contains_key(&(file, task));
        match step {
            Step::None => return None,
            Step::Release if new => return None,
            Step::Add if !recoverable => return None,
            _ => {}
        }
        let used = known.entry((file, task)).or_default();
        match step {
            Step::Hold => used.held += 1,
            Step::Release => used.held = used.held.saturating_sub(1),
            Step::Change => {
                used.held = used.held.saturating_sub(1);
                used.changed |= recoverable;
            }
            Step::Add => used.changed = true,
            Step::None => {}
        }
        let left = used.held == 0 && !used.changed;
        Some(Took { new, left })
    }

    /// The task uses the file no more.
    pub(super) fn leave(&self, task: u32, file: FileName) {
        lock(&self.known).remove(&(file, task));
    }

    /// Tasks that hold records of a file or have changed it.
    pub(super) fn of(&self, name: FileName) -> Vec<u32> {
        lock(&self.known)
            .iter()
            .filter(|((file, _), used)| *file == name && (used.held > 0 || used.changed))
            .map(|((_, task), _)| *task)
            .collect()
    }
}

impl Users {
    /// A file is to be closed or disabled when nobody uses it any more; who waits is told then.
    pub(super) fn end(&self, name: FileName, close: bool, waiter: oneshot::Sender<()>) {
        let mut ending = lock(&self.ending);
        let ending = ending.entry(name).or_default();
        ending.close |= close;
        ending.disable |= !close;
        ending.waiters.push(waiter);
    }

    /// Files that are to be closed or disabled.
    pub(super) fn ending(&self) -> Vec<FileName> {
        lock(&self.ending).keys().copied().collect()
    }

    /// The file is to be closed or disabled.
    pub(super) fn is_ending(&self, name: FileName) -> bool {
        lock(&self.ending).contains_key(&name)
    }

    /// What is to become of a file; once.
    pub(super) fn take_ending(&self, name: FileName) -> Option<Ending> {
        lock(&self.ending).remove(&name)
    }
}
