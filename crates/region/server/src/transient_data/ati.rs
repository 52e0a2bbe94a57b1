//! Tasks that trigger levels start.
//!
//! What: starts the task of a cycle, follows it by its number, and tries again what found no place
//! or no terminal. Not here: when a cycle begins (`trigger`).

use super::TransientData;
use super::queue::Queue;
use crate::replier::lock;
use crate::starter::{Ended, Ending, NewTask, TaskEvents};
use crate::terminal::TerminalEvents;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use transom_messages as messages;
use transom_region_api::{Fault, Payload, StartedBy};
use transom_starts::trigger::Rules;
use transom_types::{TdQueueName, TermId, TransId};
use transom_wire::definitions::{TdKind, TdQueueEntry};
use transom_wire::interval::Owner;
use transom_wire::payload::{Section, Sections};

/// Until a task that found no place is tried again.
const RETRY: Duration = Duration::from_millis(500);

impl TransientData {
    /// Records came: starts the task of the queue when its level is reached.
    pub(super) fn written(self: &Arc<Self>, entry: &TdQueueEntry, queue: &Queue, records: u64) {
        let cycle = lock(&queue.trigger).written(records, Rules::of(entry));
        if let Some(cycle) = cycle {
            self.start(entry, cycle);
        }
    }

    /// Starts the task of a cycle.
    fn start(self: &Arc<Self>, entry: &TdQueueEntry, cycle: u64) {
        let Some(transid) = entry.transid else { return };
        let mut sections = Sections::default();
        sections.add(
            Section::Retrieve,
            &Owner::Trigger(entry.name, cycle).encode(),
        );
        let task = NewTask {
            transid,
            program: None,
            userid: entry.userid,
            payload: Payload::Commarea(Vec::new()),
            reply_bytes_max: 0,
            started_by: StartedBy::Trigger,
            start_code: *b"QD",
            client: None,
            sections,
            restarts: 0,
        };
        if let Some(terminal) = entry.terminal {
            if self.terminals.start_at(terminal, task).is_err() {
                self.say_once(entry, terminal, transid);
                self.trigger_ended(entry.name, cycle, false);
            }
            return;
        }
        // Its end is seen by its section, as that of a task at a terminal.
        let on_end = Box::new(|_: Ended| {});
        let Err(failure) = self.starter.start(task, on_end) else {
            return;
        };
        if failure.fault == Fault::Busy
            && !self.kernel.is_stopping()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let (service, entry) = (self.clone(), entry.clone());
            let soon = self.kernel.clock.sleep(RETRY);
            runtime.spawn(async move {
                soon.await;
                service.start(&entry, cycle);
            });
            return;
        }
        self.kernel.tell(messages::td::transaction_not_started(
            entry.text(),
            transid,
            &failure.text,
        ));
        self.trigger_ended(entry.name, cycle, false);
    }

    /// Until the terminal comes each write would say it again.
    fn say_once(&self, entry: &TdQueueEntry, terminal: TermId, transid: TransId) {
        let queue = self.queue(entry.name);
        if !queue.waits_for_terminal.swap(true, Ordering::Relaxed) {
            let text = messages::td::terminal_not_ready(entry.text(), terminal, transid);
            self.kernel.tell(text);
        }
    }

    /// The task of a cycle did not come to run. Busy: it is tried again soon, else at the next
    /// write.
    fn not_started(self: &Arc<Self>, name: TdQueueName, cycle: u64, busy: bool) {
        self.trigger_ended(name, cycle, false);
        let Some(runtime) = tokio::runtime::Handle::try_current().ok().filter(|_| busy) else {
            return;
        };
        let service = Arc::downgrade(self);
        let soon = self.kernel.clock.sleep(RETRY);
        runtime.spawn(async move {
            soon.await;
            let service = service.upgrade();
            let Some(service) = service.filter(|service| !service.kernel.is_stopping()) else {
                return;
            };
            if let Some(entry) = TdQueueEntry::find(service.kernel.shared(), name) {
                let queue = service.queue(name);
                service.written(&entry, &queue, 0);
            }
        });
    }

    /// The task of a cycle ended.
    fn trigger_ended(self: &Arc<Self>, name: TdQueueName, cycle: u64, normally: bool) {
        let Some(entry) = TdQueueEntry::find(self.kernel.shared(), name) else {
            return;
        };
        let queue = self.queue(name);
        let next = lock(&queue.trigger).task_ended(cycle, normally, Rules::of(&entry));
        if let Some(next) = next {
            self.start(&entry, next);
        }
    }
}

/// The queue and cycle a task is started for.
fn trigger(sections: &Sections) -> Option<(TdQueueName, u64)> {
    match sections.get(Section::Retrieve).and_then(Owner::decode)? {
        Owner::Trigger(queue, cycle) => Some((queue, cycle)),
        _ => None,
    }
}

/// Tasks of triggers, with terminal or without.
impl TaskEvents for TransientData {
    fn task_began(&self, task_number: u32, sections: &Sections) {
        if let Some(cycle) = trigger(sections) {
            lock(&self.running).insert(task_number, cycle);
        }
    }

    /// Who starts a task without terminal is told by the starter.
    fn task_refused(&self, sections: &Sections, busy: bool) {
        let at_terminal = sections.get(Section::Terminal).is_some();
        if let Some((queue, cycle)) = trigger(sections).filter(|_| at_terminal)
            && let Some(me) = self.me.upgrade()
        {
            me.not_started(queue, cycle, busy);
        }
    }

    fn task_ended(&self, task_number: u32, ending: Ending) {
        let ended = lock(&self.running).remove(&task_number);
        let (Some((queue, cycle)), Some(me)) = (ended, self.me.upgrade()) else {
            return;
        };
        match ending {
            Ending::NoPlace => me.not_started(queue, cycle, true),
            _ => me.trigger_ended(queue, cycle, ending == Ending::Normal),
        }
    }
}

impl TerminalEvents for TransientData {
    /// A terminal takes tasks: queues that wait for it start theirs.
    fn terminal_arrived(&self, terminal: TermId) {
        let Some(me) = self.me.upgrade() else { return };
        let at_it = |entry: &TdQueueEntry| {
            entry.kind == TdKind::Intra && entry.terminal == Some(terminal) && entry.enabled
        };
        for entry in self.installed(at_it) {
            let queue = self.queue(entry.name);
            queue.waits_for_terminal.store(false, Ordering::Relaxed);
            me.written(&entry, &queue, 0);
        }
    }

    /// Tasks of triggers that waited for a terminal will not run.
    fn terminal_gone(&self, _terminal: TermId, tasks: &VecDeque<NewTask>) {
        let Some(me) = self.me.upgrade() else { return };
        for (queue, cycle) in tasks.iter().filter_map(|task| trigger(&task.sections)) {
            me.not_started(queue, cycle, false);
        }
    }
}
