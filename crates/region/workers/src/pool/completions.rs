//! Ended tasks and requests of commands, on their way from shared memory to whoever waits for them.

use super::inner::{Inner, Orphan, lock};
use crate::ask::Ask;
use crate::config::TaskReply;
use crate::seam::TaskEnd;
use crate::shm::layout::state;
use crate::shm::{Kind, nudge, payload};
use crate::worker::link;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};
use transom_processors::Found;
use transom_types::AbendCode;

/// Text of the abend of a task whose part of shared memory its checksum does not fit.
const OVERWRITTEN: &str = "what it has in shared memory was overwritten";
/// How long a worker that was killed may take to be gone.
const GONE_WITHIN: Duration = Duration::from_millis(200);

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
        let (done, task_number) = {
            let entry = &mut lock(&self.table).entries[task];
            let Some(done) = entry.done.take() else {
                return;
            };
            (done, entry.task_number)
        };
        let block = self.segment.task(task);
        let done_before_death = block.state.load(SeqCst) == state::DONE;
        let (end, reply, worker_died) = match orphan {
            Some(o) if !done_before_death => (TaskEnd::Abend(o.code, o.text), Vec::new(), true),
            _ => match payload::reply(self.segment, block, task_number) {
                Some((0, _, reply)) => (TaskEnd::Normal, reply, false),
                Some((code, text, reply)) => {
                    let code = AbendCode::from_field(&code.to_le_bytes());
                    (TaskEnd::Abend(code, text), reply, false)
                }
                // What it did is done; what it says of it nobody can believe.
                None => {
                    self.segment.note_damage(Kind::Item);
                    let text = OVERWRITTEN.to_owned();
                    (TaskEnd::Abend(AbendCode::ASRB, text), Vec::new(), true)
                }
            },
        };
        payload::clear(self.segment, block);
        block.state.store(state::FREE, SeqCst);
        {
            let mut table = lock(&self.table);
            table.entries[task].generation += 1;
            table.free.push(task);
        }
        self.counts.completed.fetch_add(1, SeqCst);
        done(TaskReply {
            task_number,
            end,
            reply,
            worker_died,
        });
    }

    fn ask(self: &Arc<Self>, task: usize) {
        let (generation, task_number) = {
            let mut table = lock(&self.table);
            let entry = &mut table.entries[task];
            // A list that a program wrote over may name a task twice.
            if entry.done.is_none() || entry.waits {
                return;
            }
            (entry.asked, entry.waits) = (true, true);
            (entry.generation, entry.task_number)
        };
        let block = self.segment.task(task);
        let Some(request) = payload::take_ask(self.segment, block, task_number) else {
            return self.give_up(task, generation);
        };
        let inner = Arc::clone(self);
        let answer = move |reply: &[u8]| inner.answer(task, generation, reply);
        while self.config.lines_first && !self.read_lines() {}
        (self.config.ask)(Ask::new(task_number, request, answer));
    }

    /// Ends a task whose part of shared memory is not what it should be: first its worker.
    pub(super) fn give_up(&self, task: usize, generation: u64) {
        self.segment.note_damage(Kind::Item);
        let number = lock(&self.table).entries[task].task_number;
        let runs = |slot: &usize| {
            let slot = self.segment.slot(*slot);
            slot.task.load(SeqCst) == task as u32 + 1
                || slot.view.current_task.load(SeqCst) == number
        };
        let end = Instant::now() + GONE_WITHIN;
        for slot in (0..self.segment.slots()).filter(runs) {
            while self.processes.kill(slot) && Instant::now() < end {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
        lock(&self.orphans).push(Orphan {
            task,
            generation,
            code: AbendCode::ASRB,
            text: OVERWRITTEN.to_owned(),
        });
        link::signal(self.completion.as_raw_fd());
    }

    fn answer(&self, task: usize, generation: u64, reply: &[u8]) {
        // The table is held so that the block cannot be freed meanwhile.
        let mut table = lock(&self.table);
        let block = self.segment.task(task);
        let entry = &mut table.entries[task];
        if entry.generation != generation || !entry.waits {
            return;
        }
        entry.waits = false;
        payload::put_ask(self.segment, block, entry.task_number, reply);
        block.asking.store(2, SeqCst);
        let worker = block.worker.load(SeqCst) as usize;
        if (1..=self.segment.slots()).contains(&worker) {
            nudge(self.segment.slot(worker - 1));
        }
    }
}
