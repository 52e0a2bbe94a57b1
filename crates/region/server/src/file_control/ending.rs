//! Closing or disabling a file when nobody uses it any more.
//!
//! What: SET FILE CLOSED and DISABLED refuse new users at once and come true when the last one has
//! left. Not here: who uses a file (`users`), opening and closing itself (`open`).

use super::Files;
use super::users::Step;
use crate::replier::Replier;
use crate::starter::{Ending, TaskEvents};
use std::sync::Arc;
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_types::{AbendCode, FileName, Resp};
use transom_wire::definitions::{Enablement, FileEntry, TaskEntry, file_users};
use transom_wire::file_control::Busy;
use transom_wire::requests::RegionAnswer;

impl Files {
    /// Takes note of a request that was done.
    pub(super) fn took(self: &Arc<Self>, task: u32, file: FileName, recoverable: bool, step: Step) {
        let Some(took) = self.users.took(task, file, recoverable, step) else {
            return;
        };
        if took.new {
            self.leaves_with_unit(task, file);
        }
        if took.left {
            self.settle(file);
        }
    }

    /// The end of the unit of work ends the use.
    fn leaves_with_unit(self: &Arc<Self>, task: u32, file: FileName) {
        // Its unit of work begins with the use.
        self.uows.current(task);
        let service = self.clone();
        let learns = move |_| {
            service.users.leave(task, file);
            service.settle(file);
        };
        if !self.uows.subscribe(task, learns) {
            // Nobody would take it away.
            self.users.leave(task, file);
        }
    }

    /// SET FILE CLOSED, or DISABLED.
    pub(super) fn end(&self, replier: Replier, name: FileName, close: bool, busy: Busy) {
        let shared = self.kernel.shared();
        let Some(mut entry) = FileEntry::find(shared, name) else {
            return replier.answer(&RegionAnswer::normal());
        };
        let users = self.users_of(name);
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
        self.users.end(name, close, done);
        if busy == Busy::Force {
            for user in users {
                self.starter.purge(user, AbendCode::AKC3, true);
            }
        }
        self.settle(name);
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
    pub(super) fn settle(&self, name: FileName) {
        if !self.users.is_ending(name) || !self.users_of(name).is_empty() {
            return;
        }
        let Some(ending) = self.users.take_ending(name) else {
            return;
        };
        let shared = self.kernel.shared();
        if ending.disable
            && let Some(mut entry) = FileEntry::find(shared, name)
        {
            entry.status = Enablement::Disabled;
            let _stored = entry.install(shared);
        }
        if ending.close {
            self.close(name);
        }
        for waiter in ending.waiters {
            // Who did not wait is not told.
            let _told = waiter.send(());
        }
    }

    /// Tasks that use a file now.
    fn users_of(&self, name: FileName) -> Vec<u32> {
        let shared = self.kernel.shared();
        let mut users = self.users.of(name);
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
}

impl TaskEvents for Files {
    /// A task is over: one whose worker died has left its browses open.
    fn task_ended(&self, task: u32, _ending: Ending) {
        for name in self.users.ending() {
            file_users::leave(self.kernel.shared(), name, task);
            self.settle(name);
        }
    }
}
