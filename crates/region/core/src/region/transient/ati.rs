//! Tasks that trigger levels start.

use super::super::Inner;
use super::super::intervals::Owner;
use super::super::services::lock;
use super::super::tasks::{self, Ended, NewTask};
use super::super::terminals;
use super::trigger::Rules;
use crate::definitions::{TdQueueEntry, TdRecovery};
use crate::payload::{Section, Sections};
use std::sync::Arc;
use std::time::Duration;
use transom_region_api::{Fault, Payload, StartedBy};

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
        if terminals::start_at(inner, terminal, task).is_err() {
            inner.say(&format!(
                "TXMTD0007E queue {}: terminal {terminal} cannot run transaction {transid}",
                entry.text()
            ));
            trigger_ended(inner, entry.name, cycle, false);
        }
        return;
    }
    // Its end is seen by its section, as that of a task at a terminal.
    let on_end = Box::new(|_: &Arc<Inner>, _: Ended| {});
    let Err(failure) = tasks::start(inner, task, on_end) else {
        return;
    };
    if failure.fault == Fault::Busy
        && !inner.is_stopping()
        && let Ok(runtime) = tokio::runtime::Handle::try_current()
    {
        let (region, entry) = (inner.clone(), entry.clone());
        runtime.spawn(async move {
            tokio::time::sleep(RETRY).await;
            start(&region, &entry, cycle);
        });
        return;
    }
    inner.say(&format!(
        "TXMTD0008E queue {}: transaction {transid} was not started: {}",
        entry.text(),
        failure.text
    ));
    trigger_ended(inner, entry.name, cycle, false);
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
