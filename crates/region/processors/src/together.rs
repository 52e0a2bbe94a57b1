//! Region and workers on one processor while they hand tasks to and fro.
//!
//! What: sees that the thread which drains and the workers take turns, one asleep while the other
//! works, and keeps them on the processor of that thread for as long as they do. Why: to wake a
//! sleeper of another processor costs four times what it costs on one's own, and nothing is lost
//! where only one of them works at a time (decision 0029). Not here: who runs next (`dispatch`).
//!
//! Nobody is kept where several have work at once, where turns are rare, or where there is one
//! processor only.

use std::collections::HashSet;
use std::fmt::Debug;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Turns in a row, each of one worker, after which they are kept together.
const TURNS: u32 = 64;
/// Longest time for them.
const TURNS_TIME: Duration = Duration::from_millis(16);
/// Time between two looks whether they still take turns.
pub const LOOK: Duration = Duration::from_millis(20);
/// Turns between two looks below which they part.
const TURNS_LEAST: u32 = 80;
/// They part, too, when at one of so many drains several workers had something.
const CROWD_ONE_OF: u32 = 8;
/// Workers that are kept; more are no pair.
const WORKERS_MAX: usize = 16;
/// Time before the next try, doubled while tries end soon.
const PAUSE: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(3);

/// Whose tasks were found at one drain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Found {
    #[default]
    Nobody,
    /// One worker, however often: where it runs beside this thread, it may ask again meanwhile.
    One(usize),
    Several,
}

impl Found {
    pub fn add(&mut self, slot: Option<usize>) {
        *self = match (*self, slot) {
            (Self::Nobody, Some(slot)) => Self::One(slot),
            (Self::One(before), Some(slot)) if before == slot => *self,
            _ => Self::Several,
        };
    }
}

/// Processors of the system as far as placement needs them.
pub trait Processors: Debug + Send + Sync {
    /// The thread that asks, and its processor.
    fn here(&self) -> (i32, usize);
    /// Keeps a thread or process on one processor; `None`: gives it all again. `false`: refused.
    fn keep(&self, who: i32, processor: Option<usize>) -> bool;
    /// Threads of this process.
    fn threads(&self) -> Vec<i32>;
}

/// The pair, if there is one.
#[derive(Debug)]
pub struct Together {
    /// None: there is but one processor, or nothing is known of them.
    processors: Option<Box<dyn Processors>>,
    state: Mutex<State>,
    /// They were put together and nobody looks after them yet.
    began: AtomicBool,
}

#[derive(Debug)]
struct State {
    turns: u32,
    /// When the first of these turns was.
    since: Instant,
    kept: Option<Kept>,
    not_before: Instant,
    pause: Duration,
}

#[derive(Debug)]
struct Kept {
    thread: i32,
    processor: usize,
    workers: Vec<i32>,
    /// Threads whose place is their own.
    others: HashSet<i32>,
    turns: u32,
    crowds: u32,
    since: Instant,
}

impl Together {
    /// On the processors this process may use; where there is one, nobody is kept.
    pub fn of_system() -> Self {
        let processors = System::new().map(|s| Box::new(s) as Box<dyn Processors>);
        Self::on(processors)
    }

    fn on(processors: Option<Box<dyn Processors>>) -> Self {
        let now = Instant::now();
        Self {
            processors,
            state: Mutex::new(State {
                turns: 0,
                since: now,
                kept: None,
                not_before: now,
                pause: PAUSE,
            }),
            began: AtomicBool::new(false),
        }
    }

    /// The thread was woken and found tasks that ended or ask, looking so many times; `pid`: the
    /// process of a worker. Each look is a turn of those that are kept: beside the thread a worker
    /// has asked again whenever it looks.
    pub fn turn(&self, found: Found, looks: u32, pid: impl FnOnce(usize) -> u32) {
        let Some(processors) = self.processors.as_deref() else {
            return;
        };
        if found == Found::Nobody {
            return;
        }
        let mut state = lock(&self.state);
        if let Some(kept) = &mut state.kept {
            kept.turns = kept.turns.saturating_add(looks);
            match found {
                Found::One(slot) => kept.take(processors, pid(slot) as i32),
                _ => kept.crowds = kept.crowds.saturating_add(looks),
            }
            return;
        }
        let Found::One(slot) = found else {
            state.turns = 0;
            return;
        };
        state.turns += 1;
        if state.turns == 1 {
            state.since = Instant::now();
        }
        if state.turns < TURNS {
            return;
        }
        state.turns = 0;
        let now = Instant::now();
        if now - state.since > TURNS_TIME || now < state.not_before {
            return;
        }
        let (thread, processor) = processors.here();
        if !processors.keep(thread, Some(processor)) {
            state.not_before = now + PAUSE_MAX;
            return;
        }
        let mut kept = Kept {
            thread,
            processor,
            workers: Vec::new(),
            others: processors.threads().into_iter().collect(),
            turns: 0,
            crowds: 0,
            since: now,
        };
        kept.take(processors, pid(slot) as i32);
        state.kept = Some(kept);
        self.began.store(true, SeqCst);
    }

    /// They were put together since the last question: somebody must [`Together::look`] every
    /// [`LOOK`] from now on.
    pub fn began(&self) -> bool {
        self.began.load(SeqCst) && self.began.swap(false, SeqCst)
    }

    /// Parts them where they take no turns any more; `true`: look again.
    pub fn look(&self) -> bool {
        let Some(processors) = self.processors.as_deref() else {
            return false;
        };
        let mut state = lock(&self.state);
        let Some(kept) = &mut state.kept else {
            return false;
        };
        let pair = kept.turns >= TURNS_LEAST
            && kept.crowds <= kept.turns / CROWD_ONE_OF
            && kept.workers.len() <= WORKERS_MAX;
        if pair {
            (kept.turns, kept.crowds) = (0, 0);
            kept.free_the_born(processors);
            return true;
        }
        state.part(processors);
        false
    }

    /// Parts them whatever they do.
    pub fn end(&self) {
        if let Some(processors) = self.processors.as_deref() {
            lock(&self.state).part(processors);
        }
    }
}

impl State {
    fn part(&mut self, processors: &dyn Processors) {
        let Some(mut kept) = self.kept.take() else {
            return;
        };
        processors.keep(kept.thread, None);
        kept.free_the_born(processors);
        // Those that have ended since answer that they are not there.
        for worker in kept.workers {
            processors.keep(worker, None);
        }
        let now = Instant::now();
        self.pause = match now - kept.since > 10 * self.pause {
            true => PAUSE,
            false => PAUSE_MAX.min(2 * self.pause),
        };
        self.not_before = now + self.pause;
    }
}

impl Kept {
    fn take(&mut self, processors: &dyn Processors, worker: i32) {
        let known = worker != 0;
        if known && self.workers.len() <= WORKERS_MAX && !self.workers.contains(&worker) {
            processors.keep(worker, Some(self.processor));
            self.workers.push(worker);
        }
    }

    /// A thread begins where the one that started it is kept, and has other work.
    fn free_the_born(&mut self, processors: &dyn Processors) {
        for thread in processors.threads() {
            if self.others.insert(thread) && thread != self.thread {
                processors.keep(thread, None);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Those of the machine this process may use.
#[derive(Debug)]
struct System {
    all: libc::cpu_set_t,
}

impl System {
    fn new() -> Option<Self> {
        let all = all_processors()?;
        // SAFETY: reads the set.
        let count = unsafe { libc::CPU_COUNT(&all) };
        (count > 1).then_some(Self { all })
    }
}

/// What this process could use when it made its first pool: a thread that makes another one, or
/// starts a zygote again, may be kept on one processor itself.
pub fn all_processors() -> Option<libc::cpu_set_t> {
    static ALL: OnceLock<Option<libc::cpu_set_t>> = OnceLock::new();
    *ALL.get_or_init(|| {
        // SAFETY: a set is integers, for which zeros are a value; the call fills it.
        let (done, all) = unsafe {
            let mut all: libc::cpu_set_t = std::mem::zeroed();
            let done = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut all);
            (done, all)
        };
        (done == 0).then_some(all)
    })
}

impl Processors for System {
    fn here(&self) -> (i32, usize) {
        // SAFETY: plain calls.
        let (thread, processor) = unsafe { (libc::gettid(), libc::sched_getcpu()) };
        (thread, usize::try_from(processor).unwrap_or(0))
    }

    fn keep(&self, who: i32, processor: Option<usize>) -> bool {
        if who <= 0 || processor.is_some_and(|p| p >= libc::CPU_SETSIZE as usize) {
            return false;
        }
        // SAFETY: sets of integers; the index is below the size of the set.
        unsafe {
            let mut set = self.all;
            if let Some(processor) = processor {
                libc::CPU_ZERO(&mut set);
                libc::CPU_SET(processor, &mut set);
            }
            libc::sched_setaffinity(who, size_of::<libc::cpu_set_t>(), &set) == 0
        }
    }

    fn threads(&self) -> Vec<i32> {
        let tasks = fs::read_dir("/proc/self/task").into_iter().flatten();
        let names = tasks.filter_map(|task| task.ok()?.file_name().into_string().ok());
        names.filter_map(|name| name.parse().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    const REGION: i32 = 10;
    const WORKER: u32 = 77;

    #[derive(Debug, Default)]
    struct Fake {
        threads: Mutex<Vec<i32>>,
        kept: Mutex<Vec<(i32, Option<usize>)>>,
    }

    impl Processors for Arc<Fake> {
        fn here(&self) -> (i32, usize) {
            (REGION, 3)
        }

        fn keep(&self, who: i32, processor: Option<usize>) -> bool {
            lock(&self.kept).push((who, processor));
            true
        }

        fn threads(&self) -> Vec<i32> {
            lock(&self.threads).clone()
        }
    }

    fn pair() -> (Together, Arc<Fake>) {
        let fake = Arc::new(Fake::default());
        lock(&fake.threads).extend([REGION, 11]);
        (Together::on(Some(Box::new(fake.clone()))), fake)
    }

    fn turns(together: &Together, count: u32, found: Found) {
        (0..count).for_each(|_| together.turn(found, 1, |slot| WORKER + slot as u32));
    }

    fn done(fake: &Fake) -> Vec<(i32, Option<usize>)> {
        std::mem::take(&mut *lock(&fake.kept))
    }

    #[test]
    fn who_takes_turns_is_kept_together_until_turns_are_rare() {
        let (together, fake) = pair();
        turns(&together, TURNS - 1, Found::One(0));
        assert!(!together.began() && done(&fake).is_empty());
        turns(&together, 1, Found::One(0));
        assert!(together.began() && !together.began());
        assert_eq!(done(&fake), [(REGION, Some(3)), (77, Some(3))]);
        turns(&together, TURNS_LEAST, Found::One(0));
        turns(&together, 1, Found::One(1));
        assert!(together.look());
        assert_eq!(done(&fake), [(78, Some(3))]);
        assert!(!together.look());
        assert_eq!(done(&fake), [(REGION, None), (77, None), (78, None)]);
        turns(&together, 2 * TURNS, Found::One(0));
        assert!(!together.began(), "not again at once");
    }

    #[test]
    fn several_workers_at_once_are_no_pair() {
        let (together, fake) = pair();
        for _ in 0..10 {
            turns(&together, TURNS - 1, Found::One(0));
            turns(&together, 1, Found::Several);
        }
        assert!(done(&fake).is_empty());
        turns(&together, TURNS, Found::One(0));
        assert!(together.began());
        turns(&together, TURNS_LEAST, Found::One(0));
        turns(&together, TURNS_LEAST, Found::Several);
        assert!(!together.look());
    }

    #[test]
    fn looks_of_one_drain_are_turns() {
        let (together, fake) = pair();
        together.turn(Found::One(0), TURNS, |_| WORKER);
        assert!(!together.began(), "it may run beside this thread");
        turns(&together, TURNS, Found::One(0));
        assert!(together.began());
        together.turn(Found::One(0), TURNS_LEAST, |_| WORKER);
        assert!(together.look());
        together.turn(Found::One(0), TURNS_LEAST, |_| WORKER);
        together.turn(Found::Several, TURNS_LEAST, |_| WORKER);
        assert!(!together.look());
        assert_eq!(done(&fake).len(), 4);
    }

    #[test]
    fn a_thread_that_was_born_meanwhile_may_go_anywhere() {
        let (together, fake) = pair();
        turns(&together, TURNS + TURNS_LEAST, Found::One(0));
        done(&fake);
        lock(&fake.threads).push(12);
        assert!(together.look());
        assert_eq!(done(&fake), [(12, None)]);
        together.end();
        assert_eq!(done(&fake), [(REGION, None), (77, None)]);
        assert!(!together.look());
    }

    #[test]
    fn one_processor_keeps_nobody() {
        let together = Together::on(None);
        turns(&together, 10 * TURNS, Found::One(0));
        assert!(!together.began() && !together.look());
        together.end();
    }

    #[test]
    fn a_worker_that_asks_again_meanwhile_is_still_one() {
        let found = |slots: &[Option<usize>]| {
            let mut found = Found::default();
            slots.iter().for_each(|slot| found.add(*slot));
            found
        };
        assert_eq!(found(&[]), Found::Nobody);
        assert_eq!(found(&[Some(3), Some(3), Some(3)]), Found::One(3));
        assert_eq!(found(&[Some(3), Some(4), Some(3)]), Found::Several);
        assert_eq!(found(&[None]), Found::Several);
    }
}
