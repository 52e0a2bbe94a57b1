//! Looks at what shared memory says of locks and tasks: whether it can be.
//!
//! What: holders of locks that are none, tasks that are nowhere, wake-ups that were lost; told to
//! the operator and mended, at worst by the end of a task. Why: a program can store over a lock, a
//! queue, a task block, and whoever waits for it would wait for ever. Why several looks: what is on
//! its way from one place to the next looks wrong for a moment. Not here: checksums (`shm::seal`),
//! deaths.

use super::inner::lock;
use super::supervisor::{Supervisor, TICK};
use super::suspect::Suspect;
use crate::dispatch::Dispatch;
use crate::shm::Kind;
use crate::shm::groups::Groups;
use crate::shm::layout::{state, worker};
use crate::shm::lock::court::{self, Verdict};
use crate::shm::wake_anyhow;
use crate::worker::link;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};
use transom_messages::{self as messages, Operator};
use transom_wire::definitions::installed_names;
use transom_wire::{Shared, Space};

/// Distance of looks at all tasks.
const LOOK: Duration = Duration::from_secs(1);
/// Looks in a row that find the same.
const LOOKS_MAX: u8 = 5;
/// As many for a worker that starts: it may have to load programs.
const STARTS_MAX: u8 = 60;

/// What all tasks rely on beside definitions.
const OF_ALL: [Space; 7] = [
    Space::Enqueue,
    Space::Counter,
    Space::Task,
    Space::System,
    Space::Alias,
    Space::Interval,
    Space::Edf,
];

/// An active task as the region's own record has it.
struct Known {
    task: usize,
    generation: u64,
    number: u32,
    waits: bool,
}

/// What all tasks rely on was stored over: whoever went on might commit what is not so. The process
/// ends as if it had been killed, which is what the store is made for; whoever comes second waits.
pub(super) fn end(operator: &Operator) -> ! {
    static ENDS: AtomicBool = AtomicBool::new(false);
    if !ENDS.swap(true, SeqCst) {
        operator.tell(messages::wk::definitions_overwritten());
        operator.flush();
        // SAFETY: ends the process; nothing of it is needed any more.
        unsafe { libc::_exit(1) }
    }
    loop {
        std::thread::park();
    }
}

impl Supervisor {
    /// At each tick.
    pub(super) fn look_around(&mut self) {
        self.judge_locks();
        self.settle_doubts();
        let now = Instant::now();
        if self.looks.next.is_some_and(|next| now < next) {
            return;
        }
        self.looks.next = Some(now + LOOK);
        self.tell_damage();
        let known = self.active();
        self.looks.stalled.look(&self.inner);
        self.judge_zygote();
        self.judge_places();
        if known.is_empty() {
            self.looks.suspects.fill(Suspect::default());
            return;
        }
        // What waits for a region that is slow is not lost.
        let drains = self.inner.drains.load(SeqCst);
        if std::mem::replace(&mut self.looks.drains, drains) != drains {
            self.judge_tasks(&known);
            self.judge_workers();
        }
        let segment = self.inner.segment;
        // A word that was written over says "awake" of one that sleeps.
        for slot in self.used_slots() {
            wake_anyhow(segment.slot(slot));
        }
        link::signal(self.inner.completion.as_raw_fd());
    }

    /// Reads what all tasks rely on, where a worker has said that it is damaged: what does not fit
    /// its checksum is noted by who reads it.
    fn settle_doubts(&self) {
        if !self.inner.doubted.swap(false, SeqCst) {
            return;
        }
        let shared = Groups(self.inner.segment);
        let _read = installed_names(&shared);
        for space in OF_ALL {
            for name in shared.group_names(space) {
                shared.with_group(space, &name, &mut |group| {
                    for item in group.items() {
                        let _read = group.get(item);
                    }
                });
            }
        }
    }

    fn judge_locks(&mut self) {
        let inner = self.inner.clone();
        for lock in [inner.segment, inner.storage.segment()]
            .into_iter()
            .flat_map(|segment| segment.header().locks())
        {
            let address = std::ptr::from_ref(lock) as usize;
            let Some(turn) = lock.turn() else {
                self.looks.held.remove(&address);
                continue;
            };
            let held = self.looks.held.entry(address).or_insert((turn, 0));
            if held.0 != turn {
                *held = (turn, 0);
            }
            if court::judge(address, turn.owner(), TICK * held.1) == Verdict::Gone {
                lock.take_away(turn);
            }
            held.1 += 1;
        }
    }

    fn tell_damage(&mut self) {
        let now = self.inner.segment.found();
        if std::mem::replace(&mut self.looks.told, now) != now {
            self.tell(messages::wk::memory_overwritten());
        }
    }

    fn active(&self) -> Vec<Known> {
        let table = lock(&self.inner.table);
        let entries = table.entries.iter().enumerate();
        let active = entries.filter(|(_, entry)| entry.done.is_some());
        active
            .map(|(task, entry)| Known {
                task,
                generation: entry.generation,
                number: entry.task_number,
                waits: entry.waits,
            })
            .collect()
    }

    /// What queues and lists have lost comes back; a task that is nowhere ends.
    fn judge_tasks(&self, known: &[Known]) {
        let dispatch = Dispatch::new(self.inner.segment);
        if let Some(effects) = dispatch.mend() {
            self.inner.segment.note_damage(Kind::Item);
            effects.wake(self.inner.segment);
        }
        let mut lost = Vec::new();
        {
            let mut table = lock(&self.inner.table);
            for known in known {
                let entry = &mut table.entries[known.task];
                if entry.generation != known.generation {
                    continue;
                }
                let (can_be, mark) = (self.can_be(known), self.mark_of(known.task));
                if entry.suspect.looks(can_be, mark) >= LOOKS_MAX {
                    lost.push((known.task, known.generation));
                }
            }
        }
        for (task, generation) in &lost {
            self.inner.give_up(*task, *generation);
        }
    }

    /// Changes when a task goes on.
    fn mark_of(&self, task: usize) -> u64 {
        let segment = self.inner.segment;
        let block = segment.task(task);
        let worker = (block.worker.load(SeqCst) as usize).checked_sub(1);
        let slice = worker.map_or(0, |worker| segment.slot(worker).slice.load(SeqCst));
        let (state, asking) = (block.state.load(SeqCst), block.asking.load(SeqCst));
        u64::from(slice) << 32 | u64::from(state) << 16 | u64::from(asking & 0xFFFF)
    }

    /// What the block says of a task fits to what others say of it.
    fn can_be(&self, known: &Known) -> bool {
        let segment = self.inner.segment;
        let block = segment.task(known.task);
        let runs = || {
            let worker = (block.worker.load(SeqCst) as usize).checked_sub(1);
            worker.is_some_and(|worker| {
                worker < segment.slots()
                    && segment.slot(worker).task.load(SeqCst) == known.task as u32 + 1
                    && self.inner.processes.is_used(worker)
            })
        };
        let answered = block.asking.load(SeqCst) == 1 && !known.waits;
        block.task_number.load(SeqCst) == known.number
            && match block.state.load(SeqCst) {
                // In its queue: that was looked at.
                state::READY => true,
                state::RUNNING | state::RESUME => runs(),
                state::WAITING => runs() && !answered,
                // On its way to its end.
                _ => false,
            }
    }

    /// Ends workers whose slot says what cannot be for long: they run a task that was given up, or
    /// wait for one in no list.
    fn judge_workers(&mut self) {
        for me in 0..self.inner.segment.slots() {
            let can_be = !self.inner.processes.is_used(me) || self.worker_can_be(me);
            let slot = self.inner.segment.slot(me);
            let (slice, task) = (slot.slice.load(SeqCst), slot.task.load(SeqCst));
            let mark = u64::from(slice) << 32 | u64::from(task);
            let looks = self.looks.suspects[me].looks(can_be, mark);
            let starts = slot.state.load(SeqCst) == worker::STARTING;
            if looks == if starts { STARTS_MAX } else { LOOKS_MAX } {
                // Its death is told by the zygote, as any other.
                self.inner.processes.kill(me);
            }
        }
    }

    fn worker_can_be(&self, me: usize) -> bool {
        let segment = self.inner.segment;
        let slot = segment.slot(me);
        let task = (slot.task.load(SeqCst) as usize).checked_sub(1);
        match (slot.state.load(SeqCst), task) {
            (worker::IDLE, None) => true,
            (worker::BUSY | worker::LEAVING, Some(task)) => {
                let known = lock(&self.inner.table);
                let entry = known.entries.get(task);
                let active = entry.is_some_and(|entry| entry.done.is_some());
                active && Dispatch::new(segment).belongs(task, me)
            }
            // On its way from one to the next.
            _ => false,
        }
    }
}
