//! Locks in shared memory that survive the death of their holder, and whatever a program writes
//! over them.
//!
//! What: one futex word each. It names the holder, the slot of a worker or a thread of the region,
//! and counts the holder's turns. Nothing in the word is believed alone: what a thread holds it
//! knows itself, and who waits in the region asks ([`court`]) whether the holder named there is
//! alive. Why no mutex of glibc: a robust
//! one has list pointers in the word's place, which a program could set and the region would
//! follow; and one of a stopped process is waited for without end. Not here: what a lock protects,
//! and how that is made whole when its holder died inside.

pub(crate) mod court;
mod holder;
mod turn;

use crate::shm::futex::{futex_wait_at, futex_wake_at};
use court::Verdict;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(crate) use holder::{become_worker, worker};
pub(crate) use turn::Turn;
use turn::{DIED, WAITERS};

/// Longest sleep before a waiter looks again: the one that was woken may die before it has the
/// lock, and nobody wakes another.
const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// A lock, in place in the segment. All zero is a free one.
#[repr(C, align(64))]
pub(crate) struct SharedLock(AtomicU64);

/// Held lock.
pub(crate) struct Held<'a> {
    lock: &'a SharedLock,
    /// `None`: this thread has it already, further out.
    mine: Option<Turn>,
    /// The previous holder died inside: what the lock protects must be checked.
    pub(crate) holder_died: bool,
    /// What this thread holds is its own: the guard stays in it.
    _here: std::marker::PhantomData<*const ()>,
}

impl SharedLock {
    /// Waits for the lock.
    pub(crate) fn lock(&self) -> Held<'_> {
        let mine = holder::begin(self.address());
        let holder_died = mine.is_some_and(|mine| !self.replace(0, mine.word()) && self.wait(mine));
        Held {
            lock: self,
            mine,
            holder_died,
            _here: std::marker::PhantomData,
        }
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    /// Sleeps until it is this thread's; whether the last holder died inside.
    fn wait(&self, mine: Turn) -> bool {
        // Many who have it one after the other are none who has it too long. Sleeps are counted,
        // not time: a machine that stands still is not the holder's.
        let (mut seen, mut sleeps) = (None, 0);
        loop {
            let now = self.0.load(Ordering::Acquire);
            let Some(turn) = Turn::of(now) else {
                // Others may sleep, too: the next unlock wakes one of them.
                if self.replace(now, mine.word() | WAITERS) {
                    return now & DIED != 0;
                }
                continue;
            };
            if seen.replace(turn) != Some(turn) {
                sleeps = 0;
            }
            if (sleeps > 0 || holder::is_thread(turn.owner()))
                && court::judge(self.address(), turn.owner(), LOOK_AGAIN * sleeps) == Verdict::Gone
            {
                self.take_away(turn);
                continue;
            }
            if now & WAITERS == 0 && !self.replace(now, now | WAITERS) {
                continue;
            }
            futex_wait_at(self.low_half(), (now | WAITERS) as u32, Some(LOOK_AGAIN));
            sleeps += 1;
        }
    }

    /// What waiters sleep on: holder and flags.
    fn low_half(&self) -> *const u32 {
        let at = self.0.as_ptr().cast::<u32>();
        if cfg!(target_endian = "big") {
            at.wrapping_add(1)
        } else {
            at
        }
    }

    fn replace(&self, from: u64, to: u64) -> bool {
        let replaced = self
            .0
            .compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed);
        replaced.is_ok()
    }

    /// Whoever had this turn is gone, or never was: the next one is told.
    pub(crate) fn take_away(&self, turn: Turn) {
        self.take_from(|now| now == turn);
    }

    /// The same for all turns of a holder that is dead.
    pub(crate) fn take_away_from(&self, owner: u32) {
        self.take_from(|now| now.owner() == owner);
    }

    fn take_from(&self, whose: impl Fn(Turn) -> bool) {
        let mut now = self.0.load(Ordering::Acquire);
        while Turn::of(now).is_some_and(&whose) {
            if self.replace(now, DIED | now & WAITERS) {
                return futex_wake_at(self.low_half());
            }
            now = self.0.load(Ordering::Acquire);
        }
    }

    fn release(&self, mine: Turn) {
        if self.replace(mine.word(), 0) {
            return;
        }
        // What a program wrote over the word is not this thread's to change.
        let mut now = self.0.load(Ordering::Acquire);
        while Turn::of(now) == Some(mine) {
            if self.replace(now, 0) {
                return futex_wake_at(self.low_half());
            }
            now = self.0.load(Ordering::Acquire);
        }
    }

    /// Whose turn it is.
    pub(crate) fn turn(&self) -> Option<Turn> {
        Turn::of(self.0.load(Ordering::Acquire))
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let Some(mine) = self.mine else { return };
        // Tests: a thread that panics is a process that dies with the lock.
        #[cfg(test)]
        if std::thread::panicking() {
            return holder::forget(self.lock.address());
        }
        self.lock.release(mine);
        // Only now: who waits must not take away what this thread still has.
        holder::forget(self.lock.address());
    }
}

#[cfg(test)]
mod tests {
    use super::turn::OWNER;
    use super::*;
    use std::sync::atomic::Ordering::SeqCst;
    use std::sync::atomic::{AtomicBool, AtomicU32};
    use std::time::Instant;

    fn lock() -> SharedLock {
        SharedLock(AtomicU64::new(0))
    }

    /// What is left when the one waiter that was woken dies: the others sleep and no unlock knows.
    #[test]
    fn a_waiter_nobody_wakes_gets_the_lock() {
        let lock = lock();
        std::thread::scope(|scope| {
            let held = lock.lock();
            scope.spawn(|| drop(lock.lock()));
            let end = Instant::now() + Duration::from_secs(10);
            while lock.0.load(SeqCst) & WAITERS == 0 {
                assert!(Instant::now() < end, "nobody waits");
                std::thread::yield_now();
            }
            lock.0.fetch_and(!WAITERS, SeqCst);
            drop(held);
        });
    }

    #[test]
    fn the_next_holder_is_told_of_a_death() {
        let lock = lock();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let held = lock.lock();
                holder::forget(lock.address());
                std::mem::forget(held);
            });
        });
        assert!(lock.lock().holder_died);
        assert!(!lock.lock().holder_died);
    }

    #[test]
    fn a_thread_that_has_it_gets_it_again() {
        let lock = lock();
        let outer = lock.lock();
        drop(lock.lock());
        assert_eq!(lock.turn(), outer.mine);
        drop(outer);
        assert_eq!(lock.turn(), None);
    }

    /// Somebody looks while the lock is held, is held up for a moment, and finds that its holder
    /// has it no more: by then the same holder may have it again.
    #[test]
    fn what_was_found_out_about_one_turn_says_nothing_of_the_next() {
        let lock = lock();
        let held = lock.lock();
        let seen = lock.turn().unwrap();
        drop(held);
        let verdict = std::thread::scope(|scope| {
            let judge = || court::judge(lock.address(), seen.owner(), Duration::ZERO);
            scope.spawn(judge).join().unwrap()
        });
        assert_eq!(verdict, Verdict::Gone);
        let again = lock.lock();
        lock.take_away(seen);
        assert_eq!(lock.turn(), again.mine, "taken away from who holds it");
        drop(again);
        assert!(!lock.lock().holder_died);
    }

    /// A thread that is not there, one that does not hold it, a worker nobody knows.
    #[test]
    fn words_that_a_program_wrote_hold_nobody_up() {
        let lock = lock();
        let me = u64::from(holder::me());
        let all = [me, me + 5_000, OWNER, DIED, WAITERS, u64::MAX, 1 << 32 | me];
        for word in all {
            lock.0.store(word, SeqCst);
            let held = lock.lock();
            lock.0.store(7, SeqCst);
            drop(held);
            assert_eq!(lock.0.swap(0, SeqCst), 7, "{word:#x}");
        }
    }

    /// As the supervisor looks at all locks, for as long as two threads are busy.
    #[test]
    fn looks_take_nothing_away_from_who_goes_on() {
        let (lock, inside) = (lock(), AtomicU32::new(0));
        let (busy, failed) = (AtomicU32::new(2), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for n in 0..50_000 {
                        let held = lock.lock();
                        let others = inside.fetch_add(1, SeqCst);
                        inside.fetch_sub(1, SeqCst);
                        let died = held.holder_died;
                        drop(held);
                        if died || others != 0 {
                            failed.store(true, SeqCst);
                            panic!("{n}: died {died}, {others} others inside");
                        }
                    }
                    busy.fetch_sub(1, SeqCst);
                });
            }
            while busy.load(SeqCst) != 0 && !failed.load(SeqCst) {
                if let Some(turn) = lock.turn()
                    && court::judge(lock.address(), turn.owner(), Duration::ZERO) == Verdict::Gone
                {
                    lock.take_away(turn);
                }
            }
        });
    }

    #[test]
    fn one_thread_at_a_time() {
        let (lock, inside) = (lock(), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for n in 0..20_000 {
                        let held = lock.lock();
                        assert!(!held.holder_died);
                        assert_eq!(inside.fetch_add(1, SeqCst), 0);
                        if n % 64 == 0 {
                            std::thread::yield_now();
                        }
                        inside.fetch_sub(1, SeqCst);
                    }
                });
            }
        });
    }
}
