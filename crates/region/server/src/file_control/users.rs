//! Who uses a file, and closing or disabling it when nobody does any more.
//!
//! What: a task uses a file from READ UPDATE to REWRITE, DELETE or UNLOCK, from a change of a
//! recoverable file to the end of the unit of work, and while it browses. SET FILE CLOSED and
//! DISABLED refuse new users at once and come true when the last one has left. Not here: browses
//! (`definitions::file_users`), opening and closing itself (`open`).

use super::automatic;
use crate::replier::{Replier, lock};
use crate::{Inner, syncpoint};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_recovery::Outcome;
use transom_types::{AbendCode, ProgramName, Resp};
use transom_wire::definitions::{Enablement, FileEntry, TaskEntry, file_users};
use transom_wire::file_control::{Action, Busy};
use transom_wire::requests::RegionAnswer;

/// Users of files, and what waits for them.
#[derive(Default)]
pub(super) struct Users {
    /// By file and task.
    known: Mutex<HashMap<(ProgramName, u32), Use>>,
    ending: Mutex<HashMap<ProgramName, Ending>>,
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
struct Ending {
    close: bool,
    disable: bool,
    waiters: Vec<oneshot::Sender<()>>,
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

/// Takes note of a request that was done.
pub(super) fn took(
    inner: &Arc<Inner>,
    task: u32,
    file: ProgramName,
    (recoverable, forward): (bool, Option<ProgramName>),
    step: Step,
) {
    let left = {
        let mut known = lock(&inner.services.files.users.known);
        let new = !known.contains_key(&(file, task));
        match step {
            Step::None => return,
            Step::Release if new => return,
            Step::Add if !recoverable => return,
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
        drop(known);
        if new {
            leaves_with_unit(inner, task, file, forward);
        }
        left
    };
    if left {
        settle(inner, file);
    }
}

/// The end of the unit of work ends the use; the forward recovery log learns how it ended.
fn leaves_with_unit(inner: &Inner, task: u32, file: ProgramName, forward: Option<ProgramName>) {
    let uow = syncpoint::current(inner, task).number;
    let tell = move |inner: &Arc<Inner>, committed: bool| {
        let known = lock(&inner.services.files.users.known);
        let changed = known.get(&(file, task)).is_some_and(|used| used.changed);
        drop(known);
        if let (Some(log), true) = (forward, changed) {
            automatic::unit_ended(inner, task, log, uow, committed);
        }
    };
    let aside = forward.is_some();
    let learns = move |inner: &Arc<Inner>, outcome| {
        // Of a commit it has learnt before the task went on.
        if outcome == Outcome::Backout {
            tell(inner, false);
        }
        lock(&inner.services.files.users.known).remove(&(file, task));
        settle(inner, file);
    };
    let told = !aside || syncpoint::subscribe_aside(inner, task, move |inner| tell(inner, true));
    let subscribed = told && syncpoint::subscribe(inner, task, learns);
    if !subscribed {
        // Nobody would take it away.
        lock(&inner.services.files.users.known).remove(&(file, task));
    }
}

/// A task is over: one whose worker died has left its browses open.
pub(crate) fn task_ended(inner: &Arc<Inner>, task: u32) {
    let ending = lock(&inner.services.files.users.ending);
    let names: Vec<ProgramName> = ending.keys().copied().collect();
    drop(ending);
    for name in names {
        file_users::leave(inner.pool.shared(), name, task);
        settle(inner, name);
    }
}

/// SET FILE CLOSED, or DISABLED.
pub(super) fn end(
    inner: &Arc<Inner>,
    replier: Replier,
    name: ProgramName,
    close: bool,
    busy: Busy,
) {
    let files = &inner.services.files;
    let shared = inner.pool.shared();
    let Some(mut entry) = FileEntry::find(shared, name) else {
        return replier.answer(&RegionAnswer::normal());
    };
    let users = users(inner, name);
    let task = replier.task_number();
    if busy != Busy::NoWait && users.contains(&task) {
        let text = messages::fc::in_use_by_task(name);
        return replier.answer(&RegionAnswer::refused(Resp::INVREQ, 21, text));
    }
    entry.status = match (close, entry.status) {
        (false, _) => Enablement::Disabling,
        (true, Enablement::Enabled) => Enablement::Unenabling,
        (true, other) => other,
    };
    // As long as before: there is room.
    let _stored = entry.install(shared);
    let (done, waits) = oneshot::channel();
    {
        let mut ending = lock(&files.users.ending);
        let ending = ending.entry(name).or_default();
        ending.close |= close;
        ending.disable |= !close;
        ending.waiters.push(done);
    }
    if busy == Busy::Force {
        for user in users {
            inner.purge(user, AbendCode::AKC3, true);
        }
    }
    settle(inner, name);
    if busy == Busy::NoWait {
        return replier.answer(&RegionAnswer::normal());
    }
    replier.answer_with(async move {
        // Dropped only with the region.
        let _over = waits.await;
        RegionAnswer::normal()
    });
}

/// Closes or disables a file that waits for that and has no users.
pub(super) fn settle(inner: &Arc<Inner>, name: ProgramName) {
    let files = &inner.services.files;
    if !lock(&files.users.ending).contains_key(&name) || !users(inner, name).is_empty() {
        return;
    }
    let Some(ending) = lock(&files.users.ending).remove(&name) else {
        return;
    };
    let shared = inner.pool.shared();
    if ending.disable
        && let Some(mut entry) = FileEntry::find(shared, name)
    {
        entry.status = Enablement::Disabled;
        let _stored = entry.install(shared);
    }
    if ending.close {
        files.close(shared, name);
    }
    for waiter in ending.waiters {
        // Who did not wait is not told.
        let _told = waiter.send(());
    }
}

/// Tasks that use a file now.
fn users(inner: &Inner, name: ProgramName) -> Vec<u32> {
    let shared = inner.pool.shared();
    let mut users: Vec<u32> = lock(&inner.services.files.users.known)
        .iter()
        .filter(|((file, _), used)| *file == name && (used.held > 0 || used.changed))
        .map(|((_, task), _)| *task)
        .collect();
    let browsing = file_users::users(shared, name);
    users.extend(
        browsing
            .into_iter()
            .filter(|task| TaskEntry::find(shared, *task).is_some()),
    );
    users.sort_unstable();
    users.dedup();
    users
}
