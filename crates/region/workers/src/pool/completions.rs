//! Ended tasks and requests of commands, on their way from shared memory to whoever waits for them.

use super::inner::{Inner, Orphan, lock};
use super::together::Found;
use crate::ask::Ask;
use crate::config::TaskReply;
use crate::seam::TaskEnd;
use crate::shm::layout::state;
use crate::shm::{nudge, payload};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use transom_types::AbendCode;

impl Inner {
    /// Everything in the list of ended tasks, oldest first, then tasks of dead workers. The list
    /// comes first: a dead worker adds nothing to it any more.
    /// `found` hears whose they are.
    pub(super) fn drain_once(self: &Arc<Self>, found: &mut Found) -> usize {
        let orphans = std::mem::take(&mut *lock(&self.orphans));
        let mut handled = 0;
        let mut list = Vec::new();
        let mut at = self.segment.header().done_head.0.swap(0, SeqCst) as usize;
        while at != 0 && at <= self.segment.tasks() && list.len() <= self.segment.tasks() {
            list.push(at - 1);
            at = self.segment.task(at - 1).done_next.load(SeqCst) as usize;
        }
        for task in list.into_iter().rev() {
            handled += 1;
            let block = self.segment.task(task);
            let worker = (block.worker.load(SeqCst) as usize).checked_sub(1);
            found.add(worker.filter(|slot| *slot < self.segment.slots()));
            if block.state.load(SeqCst) == state::DONE {
                self.finish(task, None);
            } else if block.asking.load(SeqCst) == 1 {
                self.ask(task);
            }
        }
        for orphan in orphans {
            let current = lock(&self.table).entries[orphan.task].generation;
            if current == orphan.generation {
                handled += 1;
                found.add(None);
                self.finish(orphan.task, Some(orphan));
            }
        }
        handled
    }

    /// Hands out the reply of a task and frees its block.
    ///
    /// A program can write to the block: whose it is, and that it is in use at all, is known from
    /// the table of this process alone. A block that nobody has is not given back once more.
    fn finish(&self, task: usize, orphan: Option<Orphan>) {
        let Some(done) = lock(&self.table).entries[task].done.take() else {
            return;
        };
        let block = self.segment.task(task);
        let done_before_death = block.state.load(SeqCst) == state::DONE;
        let (end, reply, worker_died) = match orphan {
            Some(o) if !done_before_death => (TaskEnd::Abend(o.code, o.text), Vec::new(), true),
            _ => {
                let code = block.end_code.load(SeqCst);
                let end = if code == 0 {
                    TaskEnd::Normal
                } else {
                    let code = AbendCode::from_field(&code.to_le_bytes());
                    TaskEnd::Abend(code, payload::text(&block.text))
                };
                (end, payload::load(self.segment, block), false)
            }
        };
        payload::clear(self.segment, block);
        block.state.store(state::FREE, SeqCst);
        let task_number = {
            let mut table = lock(&self.table);
            let entry = &mut table.entries[task];
            entry.generation += 1;
            let task_number = entry.task_number;
            table.free.push(task);
            task_number
        };
        self.counts.completed.fetch_add(1, SeqCst);
        done(TaskReply {
            task_number,
            end,
            reply,
            worker_died,
        });
    }

    fn ask(self: &Arc<Self>, task: usize) {
        let block = self.segment.task(task);
        let bytes = block.ask_bytes.load(SeqCst) as usize;
        let at = block.ask_at.swap(0, SeqCst);
        let request = self
            .segment
            .slice(at, bytes)
            .map_or_else(Vec::new, <[u8]>::to_vec);
        self.segment.heap().free(at);
        let (generation, task_number) = {
            let table = lock(&self.table);
            let entry = &table.entries[task];
            if entry.done.is_none() {
                return;
            }
            (entry.generation, entry.task_number)
        };
        let inner = Arc::clone(self);
        let answer = move |reply: &[u8]| inner.answer(task, generation, reply);
        (self.config.ask)(Ask::new(task_number, request, answer));
    }

    fn answer(&self, task: usize, generation: u64, reply: &[u8]) {
        // The table is held so that the block cannot be freed meanwhile.
        let table = lock(&self.table);
        let block = self.segment.task(task);
        if table.entries[task].generation != generation || block.asking.load(SeqCst) != 1 {
            return;
        }
        let at = self.segment.heap().allocate(reply.len().max(1));
        if let Some(at) = at {
            self.segment.write(at, reply);
        }
        block.ask_at.store(at.unwrap_or(0), SeqCst);
        block
            .ask_bytes
            .store(if at.is_some() { reply.len() as u32 } else { 0 }, SeqCst);
        block.asking.store(2, SeqCst);
        let worker = block.worker.load(SeqCst) as usize;
        if (1..=self.segment.slots()).contains(&worker) {
            nudge(self.segment.slot(worker - 1));
        }
    }
}
