//! Intrapartition queues with RECOVSTATUS(NO): records in memory, kept only by an orderly end
//! (`warm`).

use super::TransientData;
use super::queue::{Asked, Queue};
use crate::replier::lock;
use std::sync::Arc;
use transom_messages as messages;
use transom_starts::trigger::Rules;
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;
use transom_wire::transient_data::Action;

/// Bytes a record takes besides its own.
const OVERHEAD: usize = 32;

impl TransientData {
    /// WRITEQ, READQ or DELETEQ.
    pub(super) fn answer_memory(self: &Arc<Self>, action: Action, asked: &Asked) -> RegionAnswer {
        match action {
            Action::Write(record) => self.write_memory(asked, record),
            Action::Read { .. } => self.read_memory(asked),
            Action::Delete => {
                let records = std::mem::take(&mut *lock(&asked.queue.records));
                let bytes = records.iter().map(|record| record.len() + OVERHEAD).sum();
                self.give_back(bytes);
                let count = records.len() as u64;
                lock(&asked.queue.trigger).taken(count);
                RegionAnswer::normal()
            }
            _ => RegionAnswer::refused(Resp::INVREQ, 0, messages::ei::request_damaged()),
        }
    }

    fn write_memory(self: &Arc<Self>, asked: &Asked, record: Vec<u8>) -> RegionAnswer {
        let bytes = record.len() + OVERHEAD;
        if !self.has_room(bytes) {
            let text = messages::td::memory_full(asked.entry.text(), self.bytes.figures().0);
            return RegionAnswer::refused(Resp::NOSPACE, 0, text);
        }
        lock(&asked.queue.records).push_back(record);
        self.written(&asked.entry, &asked.queue, 1);
        RegionAnswer::normal()
    }

    fn read_memory(&self, asked: &Asked) -> RegionAnswer {
        let record = lock(&asked.queue.records).pop_front();
        let mut trigger = lock(&asked.queue.trigger);
        match record {
            None => {
                trigger.found_empty(Rules::of(&asked.entry));
                RegionAnswer::refused(Resp::QZERO, 0, "")
            }
            Some(record) => {
                trigger.taken(1);
                self.give_back(record.len() + OVERHEAD);
                RegionAnswer::with_data(record)
            }
        }
    }

    /// `false`: there is no room for so many bytes.
    fn has_room(&self, bytes: usize) -> bool {
        self.bytes.add(bytes as u64, self.bytes_max)
    }

    fn give_back(&self, bytes: usize) {
        self.bytes.take(bytes as u64);
    }

    /// A record an earlier run left; `false`: there is no room for it.
    pub(super) fn put_back_record(&self, queue: &Queue, record: &[u8]) -> bool {
        let room = self.has_room(record.len() + OVERHEAD);
        if room {
            lock(&queue.records).push_back(record.to_vec());
            lock(&queue.trigger).count += 1;
        }
        room
    }
}
