//! Tasks that trigger levels start.

use super::super::Inner;
use super::super::replier::lock;
use super::super::starter::{Ended, NewTask, Starter};
use super::trigger::Rules;
use super::{installed, stored};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use transom_messages as messages;
use transom_region_api::{Fault, Payload, StartedBy};
use transom_types::{TermId, TransId};
use transom_wire::definitions::{TdKind, TdQueueEntry, TdRecovery};
use transom_wire::interval::Owner;
use transom_wire::payload::{Section, Sections};

/// Until a task that found no place is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// What the trigger of a queue has to know.
pub(super) fn rules(entry: &TdQueueEntry) -> Rules {
    Rules {
        level: entry.transid.map_or(0, |_| u64::from(entry.trigger_level)),
        logical: entry.recovery == TdRecovery::Logical,
        at_terminal: entry.terminal.is_some(),
    }
}

/// Starts the task of a cycle.
pub(super) fn start(inner: &Arc<Inner>, entry: &TdQueueEntry, cycle: u64) {
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
        sections,
    };
    if let Some(terminal) = entry.terminal {
        if inner.terminals.start_at(terminal, task).is_err() {
            say_once(inner, entry, terminal, transid);
            trigger_ended(inner, entry.name, cycle, false);
        }
        return;
    }
    // Its end is seen by its section, as that of a task at a terminal.
    let on_end = Box::new(|_: Ended| {});
    let Err(failure) = inner.tasks.start(task, on_end) else {
        return;
    };
    if failure.fault == Fault::Busy
        && !inner.is_stopping()
        && let Ok(runtime) = tokio::runtime::Handle::try_current()
    {
        let (region, entry) = (inner.clone(), entry.clone());
        let soon = inner.clock.sleep(RETRY);
        runtime.spawn(async move {
            soon.await;
            start(&region, &entry, cycle);
        });
        return;
    }
    inner.tell(messages::td::transaction_not_started(
        entry.text(),
        transid,
        &failure.text,
    ));
    trigger_ended(inner, entry.name, cycle, false);
}

/// Until the terminal comes each write would say it again.
fn say_once(inner: &Inner, entry: &TdQueueEntry, terminal: TermId, transid: TransId) {
    let queue = inner.services.transient.queue(entry.name);
    if !queue.waits_for_terminal.swap(true, Ordering::Relaxed) {
        inner.tell(messages::td::terminal_not_ready(
            entry.text(),
            terminal,
            transid,
        ));
    }
}

/// A terminal takes tasks: queues that wait for it start theirs.
pub(in super::super) fn terminal_arrived(inner: &Arc<Inner>, terminal: TermId) {
    let at_it = |entry: &TdQueueEntry| {
        entry.kind == TdKind::Intra && entry.terminal == Some(terminal) && entry.enabled
    };
    for entry in installed(inner, at_it) {
        let queue = inner.services.transient.queue(entry.name);
        queue.waits_for_terminal.store(false, Ordering::Relaxed);
        stored::written(inner, &entry, &queue, 0);
    }
}

/// The task of a cycle did not come to run. Busy: it is tried again soon, else at the next write.
pub(in super::super) fn not_started(inner: &Arc<Inner>, name: [u8; 4], cycle: u64, busy: bool) {
    trigger_ended(inner, name, cycle, false);
    let Some(runtime) = tokio::runtime::Handle::try_current().ok().filter(|_| busy) else {
        return;
    };
    let region = Arc::downgrade(inner);
    let soon = inner.clock.sleep(RETRY);
    runtime.spawn(async move {
        soon.await;
        let Some(region) = region.upgrade().filter(|region| !region.is_stopping()) else {
            return;
        };
        if let Some(entry) = TdQueueEntry::find(region.pool.shared(), name) {
            let queue = region.services.transient.queue(name);
            stored::written(&region, &entry, &queue, 0);
        }
    });
}

/// The task of a cycle ended.
pub(in super::super) fn trigger_ended(
    inner: &Arc<Inner>,
    name: [u8; 4],
    cycle: u64,
    normally: bool,
) {
    let Some(entry) = TdQueueEntry::find(inner.pool.shared(), name) else {
        return;
    };
    let queue = inner.services.transient.queue(name);
    let next = lock(&queue.trigger).task_ended(cycle, normally, rules(&entry));
    if let Some(next) = next {
        start(inner, &entry, next);
    }
}
