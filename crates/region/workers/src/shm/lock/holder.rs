//! Who this thread is to the locks, and which of them it has.
//!
//! What: a number for each thread of the region and for each worker, and the locks a thread has or
//! waits for, in its own memory. Why there: the word of a lock may say anything. Not here: the
//! words.

use super::turn::Turn;
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Threads of the region have numbers from here on; below are workers by their slots.
const FIRST_THREAD: u32 = 1 << 16;
/// Locks a thread can have at a time.
const DEPTH: usize = 8;

/// What is known of the thread with a number, or of the next one with it.
#[derive(Default)]
struct Locks {
    /// Those it has, by their addresses; 0 = none.
    at: [AtomicUsize; DEPTH],
    /// How often it had one.
    turns: AtomicU32,
}

/// Locks of all threads that ever were, by number; those of ended threads are used again.
static THREADS: Mutex<Threads> = Mutex::new(Threads {
    all: Vec::new(),
    free: Vec::new(),
});

struct Threads {
    all: Vec<&'static Locks>,
    free: Vec<usize>,
}

thread_local! {
    static ME: Cell<u32> = const { Cell::new(0) };
    static MINE: Cell<Option<&'static Locks>> = const { Cell::new(None) };
    static LIFE: Life = const { Life(Cell::new(None)) };
}

/// Gives the number back when the thread ends.
struct Life(Cell<Option<usize>>);

impl Drop for Life {
    fn drop(&mut self) {
        if let Some(place) = self.0.get() {
            ME.set(0);
            MINE.set(None);
            threads().free.push(place);
        }
    }
}

fn threads() -> MutexGuard<'static, Threads> {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// This process is the worker of a slot from now on.
pub(crate) fn become_worker(slot: usize) {
    // The worker that had the slot before counted from elsewhere.
    mine()
        .turns
        .store(std::process::id() << 16, Ordering::Relaxed);
    ME.set(slot as u32 + 1);
}

/// The slot this process is the worker of.
pub(crate) fn worker() -> Option<usize> {
    let me = ME.get();
    (1..FIRST_THREAD).contains(&me).then(|| me as usize - 1)
}

/// Number of this thread.
pub(super) fn me() -> u32 {
    match ME.get() {
        0 => {
            mine();
            ME.get()
        }
        me => me,
    }
}

/// A number is that of a thread of the region.
pub(super) fn is_thread(number: u32) -> bool {
    number >= FIRST_THREAD
}

/// This process has threads of the region; a worker knows nothing of them.
pub(super) fn is_region() -> bool {
    is_thread(me())
}

/// The thread with this number has a lock, or waits for it.
pub(super) fn has(number: u32, lock: usize) -> bool {
    let threads = threads();
    let of = threads.all.get((number - FIRST_THREAD) as usize);
    of.is_some_and(|locks| locks.at.iter().any(|at| at.load(Ordering::Acquire) == lock))
}

/// This thread is to have a lock: its turn. `None`: it has it already.
#[inline]
pub(super) fn begin(lock: usize) -> Option<Turn> {
    let mine = mine();
    let mut empty = None;
    for at in &mine.at {
        match at.load(Ordering::Relaxed) {
            0 => empty = empty.or(Some(at)),
            other if other == lock => return None,
            _ => {}
        }
    }
    if let Some(at) = empty {
        at.store(lock, Ordering::Release);
    }
    let turn = mine.turns.load(Ordering::Relaxed).wrapping_add(1);
    mine.turns.store(turn, Ordering::Relaxed);
    Some(Turn::new(ME.get(), turn))
}

/// It gives it back.
#[inline]
pub(super) fn forget(lock: usize) {
    for at in &mine().at {
        if at.load(Ordering::Relaxed) == lock {
            at.store(0, Ordering::Release);
        }
    }
}

fn mine() -> &'static Locks {
    if let Some(mine) = MINE.get() {
        return mine;
    }
    let (place, mine) = {
        let mut threads = threads();
        match threads.free.pop() {
            Some(place) => (place, threads.all[place]),
            None => {
                let new: &'static Locks = Box::leak(Box::default());
                threads.all.push(new);
                (threads.all.len() - 1, new)
            }
        }
    };
    mine.at.iter().for_each(|at| at.store(0, Ordering::Release));
    ME.set(FIRST_THREAD + place as u32);
    MINE.set(Some(mine));
    // A thread whose storage is being taken down keeps its number for ever.
    let _ = LIFE.try_with(|life| life.0.set(Some(place)));
    mine
}
