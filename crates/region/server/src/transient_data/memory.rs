//! Intrapartition queues with RECOVSTATUS(NO): records in memory, kept only by an orderly end
//! (`warm`).

use super::super::Inner;
use super::super::replier::lock;
use super::{Asked, Queue, ati, stored};
use std::sync::Arc;
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;
use transom_wire::transient_data::Action;

/// Bytes a record takes besides its own.
const OVERHEAD: usize = 32;

/// WRITEQ, READQ or DELETEQ.
pub(super) fn answer(inner: &Arc<Inner>, action: Action, asked: &Asked) -> RegionAnswer {
    match action {
        Action::Write(record) => write(inner, asked, record),
        Action::Read { .. } => read(inner, asked),
        Action::Delete => {
            let records = std::mem::take(&mut *lock(&asked.queue.records));
            let bytes = records.iter().map(|record| record.len() + OVERHEAD).sum();
            give_back(inner, bytes);
            let count = records.len() as u64;
            lock(&asked.queue.trigger).taken(count);
            RegionAnswer::normal()
        }
        _ => RegionAnswer::refused(Resp::INVREQ, 0, messages::ei::request_damaged()),
    }
}

fn write(inner: &Arc<Inner>, asked: &Asked, record: Vec<u8>) -> RegionAnswer {
    let bytes = record.len() + OVERHEAD;
    if !inner.services.transient.has_room(bytes) {
        let text = messages::td::memory_full(
            asked.entry.text(),
            inner.services.transient.memory_bytes().0.0,
        );
        return RegionAnswer::refused(Resp::NOSPACE, 0, text);
    }
    lock(&asked.queue.records).push_back(record);
    stored::written(inner, &asked.entry, &asked.queue, 1);
    RegionAnswer::normal()
}

fn read(inner: &Arc<Inner>, asked: &Asked) -> RegionAnswer {
    let record = lock(&asked.queue.records).pop_front();
    let mut trigger = lock(&asked.queue.trigger);
    match record {
        None => {
            trigger.found_empty(ati::rules(&asked.entry));
            RegionAnswer::refused(Resp::QZERO, 0, "")
        }
        Some(record) => {
            trigger.taken(1);
            give_back(inner, record.len() + OVERHEAD);
            RegionAnswer::with_data(record)
        }
    }
}

fn give_back(inner: &Inner, bytes: usize) {
    inner.services.transient.bytes.take(bytes as u64);
}

/// A record an earlier run left; `false`: there is no room for it.
pub(super) fn put_back(inner: &Inner, queue: &Queue, record: &[u8]) -> bool {
    let room = inner.services.transient.has_room(record.len() + OVERHEAD);
    if room {
        lock(&queue.records).push_back(record.to_vec());
        lock(&queue.trigger).count += 1;
    }
    room
}
