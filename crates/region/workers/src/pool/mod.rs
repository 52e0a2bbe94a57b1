//! The region's side: attaches tasks, hands out their replies, supervises zygote and workers.

mod completions;
mod deaths;
mod inner;
mod logs;
mod looks;
mod places;
mod processes;
mod silent;
mod stalled;
mod start;
mod supervisor;
mod suspect;
mod watchdog;

use crate::config::{
    AttachError, Done, MAX_PAYLOAD_BYTES, MAX_TASKS, MAX_WORKERS, PoolConfig, PoolError,
    PoolStatistics, TaskOptions,
};
use crate::dispatch::Dispatch;
use crate::seam::AttachBlock;
use crate::shm::definitions;
use crate::shm::groups::Groups;
use crate::shm::layout::{Layout, TaskBlock};
use crate::shm::lock::court;
use crate::shm::payload::{self, Facts, Whose};
use crate::shm::storage::Storage;
use crate::shm::trace::SegmentRings;
use crate::shm::{Kind, Segment, nudge};
use crate::worker::link;
use inner::{Counts, Entry, Inner, Table, lock};
use processes::Processes;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use suspect::Suspect;
pub use transom_processors::LOOK as LOOK_TOGETHER;
use transom_processors::{Found, Together};
use transom_types::AbendCode;
use transom_wire::Shared;

/// Looks for completions in one drain.
const ROUNDS_MAX: u32 = 64;

/// A running pool of COBOL workers. Dropping it ends all of them.
#[derive(Debug)]
pub struct Pool {
    inner: Arc<Inner>,
    groups: Groups<'static>,
    supervisor: Mutex<Option<JoinHandle<()>>>,
}

impl Pool {
    /// Starts the zygote and waits until it can run COBOL.
    pub fn start(config: PoolConfig) -> Result<Pool, PoolError> {
        let config = checked(config)?;
        let os = |doing| move |error| PoolError::Os { doing, error };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let layout = Layout {
            slots: config.max_workers,
            tasks: config.max_tasks,
            heap_bytes: config.shared_bytes,
            open_limit: cores as u32,
        };
        let mut segment = Segment::create(&layout).map_err(os("shared memory"))?;
        let apart = definitions::create(config.shared_bytes);
        segment.apart = Some(Box::new(apart.map_err(os("shared memory"))?));
        // The segment stays mapped: threads of the region may still hold replies in it.
        let segment: &'static Segment = Box::leak(Box::new(segment));
        let apart = segment.apart.as_deref();
        let parts: Vec<&Segment> = std::iter::once(segment).chain(apart).collect();
        parts.iter().for_each(|part| end_when_hit(part, &config));
        let tasks = config.max_tasks;
        let storage = Storage::create().map_err(os("shared memory"))?;
        let processes = Arc::new(Processes::new(config.max_workers));
        for part in parts.into_iter().chain([storage.segment()]) {
            let addresses = part.base()..part.base() + part.bytes();
            court::appoint(addresses, processes.clone());
        }
        let inner = Arc::new(Inner {
            segment,
            storage,
            processes,
            table: Mutex::new(Table {
                entries: (0..tasks).map(|_| Entry::default()).collect(),
                free: (0..tasks).rev().collect(),
                active_peak: 0,
            }),
            orphans: Mutex::new(Vec::new()),
            to_wake: Mutex::new(Vec::new()),
            completion: start::event_fd().map_err(os("eventfd"))?,
            kick: start::event_fd().map_err(os("eventfd"))?,
            stopping: AtomicBool::new(false),
            ended: Arc::default(),
            counts: Counts::default(),
            together: Together::of_system(),
            drains: AtomicU64::new(0),
            lines: Mutex::default(),
            doubted: AtomicBool::new(false),
            config,
        });
        segment.header().region_sleeps.0.store(1, SeqCst);
        let supervisor = supervisor::start(&inner)?;
        Ok(Pool {
            inner,
            groups: Groups(segment),
            supervisor: Mutex::new(Some(supervisor)),
        })
    }

    /// Queues a task. `done` is called once, from [`Pool::drain_completions`].
    pub fn attach(
        &self,
        task: &AttachBlock,
        options: TaskOptions,
        done: Done,
    ) -> Result<(), AttachError> {
        self.attach_quietly(task, options, done)?;
        self.wake_workers();
        Ok(())
    }

    /// As [`Pool::attach`], but a sleeping worker that gets the task is only woken by the next
    /// [`Pool::wake_workers`]. A caller that attaches many tasks in a row spares a change of
    /// process for each: the first worker takes them all.
    pub fn attach_quietly(
        &self,
        task: &AttachBlock,
        options: TaskOptions,
        done: Done,
    ) -> Result<(), AttachError> {
        let inner = &*self.inner;
        if inner.stopping.load(SeqCst) {
            return Err(AttachError::Stopped);
        }
        if task.input.len() > MAX_PAYLOAD_BYTES {
            return Err(AttachError::InputTooLarge);
        }
        let Some(index) = lock(&inner.table).free.pop() else {
            inner.counts.refused.fetch_add(1, SeqCst);
            return Err(AttachError::TooManyTasks);
        };
        let block = inner.segment.task(index);
        let facts = fill(block, task, options, inner.config.runaway_ms);
        let whose = Whose::Input(facts);
        if !payload::store(inner.segment, block, whose, &[&task.input]) {
            lock(&inner.table).free.push(index);
            return Err(AttachError::NoStorage);
        }
        {
            let mut table = lock(&inner.table);
            let entry = &mut table.entries[index];
            entry.done = Some(done);
            entry.task_number = task.task_number;
            (entry.asked, entry.waits, entry.suspect) = (false, false, Suspect::default());
            let active = table.entries.len() - table.free.len();
            table.active_peak = table.active_peak.max(active);
        }
        inner.counts.attached.fetch_add(1, SeqCst);
        let effects = Dispatch::new(inner.segment).attach(index);
        if !effects.wake.is_empty() {
            lock(&inner.to_wake).extend(&effects.wake);
        }
        if effects.want_worker {
            link::kick(inner.segment, inner.kick.as_raw_fd());
        }
        Ok(())
    }

    /// Wakes the workers that [`Pool::attach_quietly`] gave something.
    pub fn wake_workers(&self) {
        let mut slots = lock(&self.inner.to_wake);
        for slot in slots.drain(..) {
            nudge(self.inner.segment.slot(slot));
        }
    }

    /// Becomes readable when [`Pool::drain_completions`] has work. Register it with an event loop
    /// that tells of changes (edge-triggered); nobody reads it.
    pub fn completion_fd(&self) -> BorrowedFd<'_> {
        self.inner.completion.as_fd()
    }

    /// Turns true when nobody supervises the workers any more: no reply comes after that. The
    /// descriptor of [`Pool::completion_fd`] is readable then.
    pub fn ended(&self) -> Arc<AtomicBool> {
        self.inner.ended.clone()
    }

    /// Sleeps until there are completions or the time is over, for callers without an event loop.
    pub fn wait_completions(&self, timeout: Duration) {
        let ms = i32::try_from(timeout.as_millis()).unwrap_or(i32::MAX);
        let completion = self.inner.completion.as_raw_fd();
        if start::wait_readable(completion, ms) {
            start::clear_event(completion);
        }
    }

    /// Calls `done` of tasks that ended and the ask handler; answers how many. Call it when the
    /// file descriptor is readable, from one thread at a time. A worker that asks again and again
    /// on this thread's processor has always asked when it is looked at: after so many rounds the
    /// thread has a chance to do something else, and the descriptor stays readable.
    pub fn drain_completions(&self) -> usize {
        let inner = &self.inner;
        let (mut handled, mut rounds, mut found) = (0, 0, Found::default());
        loop {
            handled += inner.drain_once(&mut found);
            rounds += 1;
            inner.drains.fetch_add(1, SeqCst);
            inner.segment.header().region_sleeps.0.store(1, SeqCst);
            let more = inner.segment.header().done_head.0.load(SeqCst) != 0
                || !lock(&inner.orphans).is_empty();
            if more && rounds < ROUNDS_MAX {
                inner.segment.header().region_sleeps.0.store(0, SeqCst);
                continue;
            }
            if more {
                crate::worker::link::signal(inner.completion.as_raw_fd());
            }
            let pid = |slot| inner.processes.pid(slot).unwrap_or(0);
            inner.together.turn(found, rounds, pid);
            return handled;
        }
    }

    /// The draining thread and its workers were put on one processor since the last question:
    /// somebody calls [`Pool::look_together`] every [`LOOK_TOGETHER`] from now on.
    pub fn began_together(&self) -> bool {
        self.inner.together.began()
    }

    /// Parts them where they do not work by turns any more; `true`: look again.
    pub fn look_together(&self) -> bool {
        self.inner.together.look()
    }

    /// Ends a task: at once with `code` if it waits, at its next safe point if it runs. With
    /// `force` its worker is killed. `false`: no such task is running.
    pub fn purge(&self, task_number: u32, code: AbendCode, force: bool) -> bool {
        let segment = self.inner.segment;
        let running = |i: &usize| {
            task_number != 0 && segment.slot(*i).view.current_task.load(SeqCst) == task_number
        };
        let Some(i) = (0..segment.slots()).find(running) else {
            return false;
        };
        let slot = segment.slot(i);
        slot.async_code
            .store(u32::from_le_bytes(*code.as_bytes()), SeqCst);
        if force {
            slot.view
                .fault_code
                .store(u32::from_le_bytes(*code.as_bytes()), SeqCst);
            payload::set_text(&slot.view.fault_text, "task force-purged");
            slot.view.fault_task.store(task_number, SeqCst);
            slot.signal_wanted.store(libc::SIGKILL as u32, SeqCst);
        } else {
            slot.view.async_task.store(task_number, SeqCst);
            slot.signal_wanted.store(libc::SIGUSR1 as u32, SeqCst);
            nudge(slot);
        }
        link::signal(self.inner.kick.as_raw_fd());
        true
    }

    /// Ends the wait of a task.
    pub fn post(&self, task_number: u32) {
        link::post(self.inner.segment, task_number);
    }

    /// Region-wide data, the same that commands see.
    pub fn shared(&self) -> &(dyn Shared + Send + Sync) {
        &self.groups
    }

    /// The same as a handle; the data outlives the pool.
    pub fn shared_handle(&self) -> Arc<dyn Shared + Send + Sync> {
        Arc::new(Groups(self.inner.segment))
    }

    /// Trace entries of the workers; they outlive the pool.
    pub fn trace(&self) -> Arc<dyn transom_trace::Rings> {
        Arc::new(SegmentRings(self.inner.segment))
    }

    /// Counts.
    pub fn statistics(&self) -> PoolStatistics {
        let c = &self.inner.counts;
        let heap = self.inner.segment.heap();
        let table = lock(&self.inner.table);
        PoolStatistics {
            workers: c.workers.load(SeqCst),
            workers_peak: c.workers_peak.load(SeqCst),
            spawned: c.spawned.load(SeqCst),
            ended: c.ended.load(SeqCst),
            died: c.died.load(SeqCst),
            zygote_restarts: c.zygote_restarts.load(SeqCst),
            attached: c.attached.load(SeqCst),
            completed: c.completed.load(SeqCst),
            active: table.entries.len() - table.free.len(),
            active_peak: table.active_peak,
            refused: c.refused.load(SeqCst),
            shared_used: heap.used_bytes() + self.inner.storage.segment().heap().used_bytes(),
            shared_total: heap.total_bytes(),
        }
    }

    /// Peaks are what there is now.
    pub fn reset_peaks(&self) {
        let counts = &self.inner.counts;
        counts
            .workers_peak
            .store(counts.workers.load(SeqCst), SeqCst);
        let mut table = lock(&self.inner.table);
        table.active_peak = table.entries.len() - table.free.len();
    }

    /// Ends all workers; active tasks end with ASRB. Waits until they are gone.
    pub fn stop(&self) {
        self.inner.together.end();
        self.inner.stopping.store(true, SeqCst);
        link::signal(self.inner.kick.as_raw_fd());
        if let Some(thread) = lock(&self.supervisor).take() {
            let _ = thread.join();
        }
    }

    /// Process numbers of the workers now, for accounting.
    pub fn worker_pids(&self) -> Vec<u32> {
        let slots = 0..self.inner.segment.slots();
        slots
            .filter_map(|slot| self.inner.processes.pid(slot))
            .collect()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop();
    }
}

fn checked(config: PoolConfig) -> Result<PoolConfig, PoolError> {
    if !(1..=MAX_WORKERS).contains(&config.max_workers) {
        let n = config.max_workers;
        return Err(PoolError::Config(format!(
            "{n} workers: 1 to {MAX_WORKERS} are possible"
        )));
    }
    if !(1..=MAX_TASKS).contains(&config.max_tasks) {
        let n = config.max_tasks;
        return Err(PoolError::Config(format!(
            "{n} tasks: 1 to {MAX_TASKS} are possible"
        )));
    }
    Ok(config)
}

/// Says in a block what the task is.
fn fill(block: &TaskBlock, task: &AttachBlock, options: TaskOptions, runaway_ms: u32) -> Facts {
    let facts = Facts {
        number: task.task_number,
        transid: u32::from_le_bytes(*task.transid.as_bytes()),
        program: u64::from_le_bytes(*task.program.as_bytes()),
        userid: u64::from_le_bytes(*task.userid.as_bytes()),
        quasirent: options.quasirent,
    };
    block.task_number.store(facts.number, SeqCst);
    block.priority.store(options.priority.into(), SeqCst);
    block.quasirent.store(facts.quasirent.into(), SeqCst);
    block
        .runaway_ms
        .store(options.runaway_ms.unwrap_or(runaway_ms), SeqCst);
    block.worker.store(0, SeqCst);
    block.counted.store(0, SeqCst);
    block.end_code.store(0, SeqCst);
    block.restarts.store(0, SeqCst);
    block.asking.store(0, SeqCst);
    block.transid.store(facts.transid, SeqCst);
    block.program.store(facts.program, SeqCst);
    block.userid.store(facts.userid, SeqCst);
    facts
}

/// Where what all tasks rely on was overwritten, the region ends.
fn end_when_hit(part: &Segment, config: &PoolConfig) {
    let operator = config.operator.clone();
    part.tell_finds(Box::new(move |_, kind| {
        if kind == Kind::Definition {
            looks::end(&operator);
        }
    }));
}
