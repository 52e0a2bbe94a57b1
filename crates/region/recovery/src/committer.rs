//! Group commit: one thread writes everything that waits in one engine transaction.
//!
//! What: a queue of batches, a thread that takes all of them at once, an answer to each. Why: a
//! flush costs the same for one unit of work and for fifty; the threads of the region must not
//! stand in it. Engines that are not durable are written by the caller itself. Not here: what is in
//! a batch.

use crate::engine::{Batch, Engine, Tend};
use crate::guard::lock;
use crate::{LimitStat, StoreError, fail_point};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Table of the counters of tables.
pub(crate) const COUNTERS: &str = "uow/counters";

/// Called with the result, on the committer's thread, before anybody who waits is woken.
type Done = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Its flag is set before anybody is answered when the device failed.
type Task<E> = Box<dyn FnOnce(&E, &AtomicBool) + Send>;

enum Job<E> {
    Write(Batch, Done),
    Run(Task<E>),
}

/// The only writer of an engine.
pub(crate) struct Committer<E: Engine> {
    shared: Arc<Shared<E>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared<E: Engine> {
    engine: Arc<E>,
    queue: Mutex<Queue<E>>,
    filled: Condvar,
    counters: Mutex<HashMap<Arc<str>, Counter>>,
    writer: Mutex<()>,
    failed: AtomicBool,
    groups: AtomicU64,
    limit: usize,
}

struct Queue<E> {
    jobs: VecDeque<Job<E>>,
    closed: bool,
    peak: usize,
    refused: u64,
}

struct Counter {
    next: u64,
    dirty: bool,
}

impl<E: Engine> Committer<E> {
    /// Starts the thread if the engine is durable. At most `limit` batches wait.
    pub(crate) fn start(engine: Arc<E>, limit: usize) -> Result<Self, StoreError> {
        let committer = Self::inline(engine, limit);
        if committer.shared.engine.caps().durable {
            let shared = committer.shared.clone();
            let builder = std::thread::Builder::new().name("transom-commit".to_owned());
            let started = builder.spawn(move || shared.run());
            let thread = started.map_err(|e| StoreError::Io(e.to_string()))?;
            *lock(&committer.thread) = Some(thread);
        }
        Ok(committer)
    }

    /// One whose callers write themselves.
    pub(crate) fn inline(engine: Arc<E>, limit: usize) -> Self {
        let queue = Queue {
            jobs: VecDeque::new(),
            closed: false,
            peak: 0,
            refused: 0,
        };
        let shared = Shared {
            engine,
            queue: Mutex::new(queue),
            filled: Condvar::new(),
            counters: Mutex::default(),
            writer: Mutex::new(()),
            failed: AtomicBool::new(false),
            groups: AtomicU64::new(0),
            limit,
        };
        Self {
            shared: Arc::new(shared),
            thread: Mutex::new(None),
        }
    }

    /// Queues a batch; `done` is called in any case, maybe before this returns.
    pub(crate) fn write(&self, batch: Batch, done: Done) {
        self.submit(Job::Write(batch, done));
    }

    /// Runs something that writes between two groups.
    pub(crate) fn run(&self, task: Task<E>) {
        self.submit(Job::Run(task));
    }

    fn submit(&self, job: Job<E>) {
        if !self.shared.engine.caps().durable {
            let _writer = lock(&self.shared.writer);
            return self.shared.carry_out(vec![job]);
        }
        let mut queue = lock(&self.shared.queue);
        if queue.closed || queue.jobs.len() >= self.shared.limit {
            let error = if queue.closed {
                StoreError::Closed
            } else {
                queue.refused += 1;
                StoreError::Limit("commit queue")
            };
            drop(queue);
            if let Job::Write(_, done) = job {
                done(Err(error));
            }
            return;
        }
        queue.jobs.push_back(job);
        queue.peak = queue.peak.max(queue.jobs.len());
        drop(queue);
        self.shared.filled.notify_one();
    }

    /// Takes numbers of a table's counter.
    pub(crate) fn allocate(&self, table: &str, amount: u64) -> Result<u64, StoreError> {
        let mut counters = lock(&self.shared.counters);
        if !counters.contains_key(table) {
            let stored = self.shared.engine.get(COUNTERS, table.as_bytes())?;
            let next = stored
                .and_then(|b| b.try_into().ok())
                .map_or(0, u64::from_be_bytes);
            counters.insert(table.into(), Counter { next, dirty: false });
        }
        let counter = counters.get_mut(table).ok_or(StoreError::Closed)?;
        let first = counter.next;
        counter.next = first
            .checked_add(amount)
            .ok_or(StoreError::Limit("counter"))?;
        counter.dirty |= amount > 0;
        Ok(first)
    }

    /// Forgets the counter in memory; the caller has deleted the stored one or set it.
    pub(crate) fn forget_counter(&self, table: &str) {
        lock(&self.shared.counters).remove(table);
    }

    /// Transactions so far.
    pub(crate) fn groups(&self) -> u64 {
        self.shared.groups.load(Relaxed)
    }

    /// The queue as a limit.
    pub(crate) fn limit(&self) -> LimitStat {
        let queue = lock(&self.shared.queue);
        LimitStat {
            name: "commit queue",
            now: queue.jobs.len() as u64,
            peak: queue.peak as u64,
            limit: self.shared.limit as u64,
            reached: queue.refused,
        }
    }
}

impl<E: Engine> Drop for Committer<E> {
    fn drop(&mut self) {
        lock(&self.shared.queue).closed = true;
        self.shared.filled.notify_all();
        let thread = lock(&self.thread).take();
        // The last owner of a store may be a completion that runs on the committer's own thread.
        if let Some(thread) = thread.filter(|t| t.thread().id() != std::thread::current().id()) {
            let _ = thread.join();
        }
    }
}

/// When the thread ends, even by a panic of the engine, nobody may wait for it: jobs are dropped,
/// who waits for them gets [`StoreError::Closed`], and so does who comes later.
struct Closes<'s, E: Engine>(&'s Shared<E>);

impl<E: Engine> Drop for Closes<'_, E> {
    fn drop(&mut self) {
        let jobs = {
            let mut queue = lock(&self.0.queue);
            queue.closed = true;
            std::mem::take(&mut queue.jobs)
        };
        // Their ends may take locks of the store.
        drop(jobs);
    }
}

impl<E: Engine> Shared<E> {
    fn run(&self) {
        let _closes = Closes(self);
        loop {
            let mut queue = lock(&self.queue);
            while queue.jobs.is_empty() {
                if queue.closed {
                    return;
                }
                drop(queue);
                let left = self.tend();
                queue = lock(&self.queue);
                if !queue.jobs.is_empty() || queue.closed {
                    continue;
                }
                queue = match left {
                    Tend::Again => queue,
                    Tend::After(pause) => {
                        let waited = self.filled.wait_timeout(queue, pause);
                        waited.unwrap_or_else(PoisonError::into_inner).0
                    }
                    Tend::Done => {
                        let waited = self.filled.wait(queue);
                        waited.unwrap_or_else(PoisonError::into_inner)
                    }
                };
            }
            let jobs: Vec<Job<E>> = queue.jobs.drain(..).collect();
            drop(queue);
            self.carry_out(jobs);
        }
    }

    /// What can wait until nobody does.
    fn tend(&self) -> Tend {
        if self.failed.load(Relaxed) {
            return Tend::Done;
        }
        match self.engine.tend() {
            Ok(left) => left,
            Err(error) => {
                if matches!(error, StoreError::Io(_)) {
                    self.failed.store(true, Relaxed);
                }
                Tend::Done
            }
        }
    }

    fn carry_out(&self, jobs: Vec<Job<E>>) {
        let mut batches = Vec::new();
        let mut waiting = Vec::new();
        for job in jobs {
            match job {
                Job::Write(batch, done) => {
                    batches.push(batch);
                    waiting.push(done);
                }
                Job::Run(task) => {
                    self.write_group(&mut batches, &mut waiting);
                    // After a failed flush nothing is changed; who waits for a task that is dropped
                    // is told so.
                    if !self.failed.load(Relaxed) {
                        task(&self.engine, &self.failed);
                    }
                }
            }
        }
        self.write_group(&mut batches, &mut waiting);
    }

    fn write_group(&self, batches: &mut Vec<Batch>, waiting: &mut Vec<Done>) {
        if batches.is_empty() {
            return;
        }
        let results = self.apply(batches);
        batches.clear();
        for (done, result) in waiting.drain(..).zip(results) {
            done(result);
        }
        self.engine.answered();
    }

    fn apply(&self, batches: &mut Vec<Batch>) -> Vec<Result<(), StoreError>> {
        let count = batches.len();
        if self.failed.load(Relaxed) {
            return vec![Err(StoreError::Closed); count];
        }
        let (counters, names) = self.dirty_counters();
        batches.push(counters);
        let mut results = match fail_point("group-begin") {
            Ok(()) => self.engine.apply(batches),
            Err(error) => vec![Err(error); batches.len()],
        };
        self.groups.fetch_add(1, Relaxed);
        let counters = batches.pop().unwrap_or_default();
        if count > 1
            && results
                .iter()
                .any(|r| matches!(r, Err(StoreError::NoSpace(_))))
        {
            // One batch too many must not cost the others: each on its own.
            results = self.apply_singly(batches, &counters);
        }
        if results.iter().any(|r| matches!(r, Err(StoreError::Io(_)))) {
            // A flush that failed once may report success the next time without having written.
            self.failed.store(true, Relaxed);
        }
        if results.iter().all(Result::is_err) {
            let mut all = lock(&self.counters);
            for name in names {
                all.entry(name).and_modify(|c| c.dirty = true);
            }
        }
        results.resize(count, Err(StoreError::Closed));
        results
    }

    fn apply_singly(&self, batches: &[Batch], counters: &Batch) -> Vec<Result<(), StoreError>> {
        let mut results = Vec::with_capacity(batches.len());
        for batch in batches {
            let pair = [batch.clone(), counters.clone()];
            let result = self.engine.apply(&pair).into_iter().next();
            self.groups.fetch_add(1, Relaxed);
            results.push(result.unwrap_or(Err(StoreError::Closed)));
        }
        results
    }

    fn dirty_counters(&self) -> (Batch, Vec<Arc<str>>) {
        use crate::engine::{Action, EngineWrite};
        let mut batch = Batch::default();
        let mut names = Vec::new();
        for (name, counter) in lock(&self.counters).iter_mut().filter(|c| c.1.dirty) {
            counter.dirty = false;
            names.push(name.clone());
            batch.writes.push(EngineWrite {
                table: COUNTERS.into(),
                key: name.as_bytes().to_vec(),
                action: Action::Put(counter.next.to_be_bytes().to_vec()),
            });
        }
        (batch, names)
    }
}
