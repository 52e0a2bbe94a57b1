//! Locks that survive the death of their holder, and of those who wait for them.

use std::cell::UnsafeCell;

/// Longest sleep before a waiter looks again. An unlock wakes one waiter; when that one is killed
/// before it has the lock, and another takes the lock meanwhile, the kernel wakes nobody else.
const LOOK_AGAIN_NS: i64 = 10_000_000;

unsafe extern "C" {
    /// Of glibc 2.30 and later, not in the `libc` crate. As `pthread_mutex_timedlock`, but by a
    /// clock that nobody sets.
    fn pthread_mutex_clocklock(
        mutex: *mut libc::pthread_mutex_t,
        clock: libc::clockid_t,
        until: *const libc::timespec,
    ) -> libc::c_int;
}

/// A process-shared robust mutex, in place in the segment.
#[repr(C, align(64))]
pub(crate) struct RobustLock(UnsafeCell<libc::pthread_mutex_t>);

// SAFETY: a process-shared pthread mutex is made for use by many threads and processes.
unsafe impl Sync for RobustLock {}

/// Held lock.
pub(crate) struct Held<'a> {
    lock: &'a RobustLock,
    /// The previous holder died inside: what the lock protects must be checked.
    pub(crate) holder_died: bool,
}

impl RobustLock {
    /// # Safety
    /// `at` must be valid for writes and not in use as a lock.
    pub(crate) unsafe fn initialise(at: *const RobustLock) {
        // SAFETY: by the caller; the attribute object lives on this stack.
        unsafe {
            let mut attributes = std::mem::zeroed::<libc::pthread_mutexattr_t>();
            libc::pthread_mutexattr_init(&mut attributes);
            libc::pthread_mutexattr_setpshared(&mut attributes, libc::PTHREAD_PROCESS_SHARED);
            libc::pthread_mutexattr_setrobust(&mut attributes, libc::PTHREAD_MUTEX_ROBUST);
            libc::pthread_mutexattr_settype(&mut attributes, libc::PTHREAD_MUTEX_RECURSIVE);
            libc::pthread_mutex_init((*at).0.get(), &attributes);
            libc::pthread_mutexattr_destroy(&mut attributes);
        }
    }

    /// Waits for the lock.
    pub(crate) fn lock(&self) -> Held<'_> {
        // SAFETY: initialised before the segment was handed to anybody.
        let mut result = unsafe { libc::pthread_mutex_trylock(self.0.get()) };
        while result == libc::EBUSY || result == libc::ETIMEDOUT {
            let until = soon();
            // SAFETY: as above; the time is whole and outlives the call.
            result =
                unsafe { pthread_mutex_clocklock(self.0.get(), libc::CLOCK_MONOTONIC, &until) };
        }
        let holder_died = result == libc::EOWNERDEAD;
        if holder_died {
            // SAFETY: we hold it; marking it consistent keeps it usable.
            unsafe { libc::pthread_mutex_consistent(self.0.get()) };
        }
        Held {
            lock: self,
            holder_died,
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // Tests: a thread that panics is a process that dies with the lock.
        #[cfg(test)]
        if std::thread::panicking() {
            return;
        }
        // SAFETY: held by this thread, since `Held` is not `Send` (it borrows an UnsafeCell lock).
        unsafe { libc::pthread_mutex_unlock(self.lock.0.get()) };
    }
}

fn soon() -> libc::timespec {
    // SAFETY: writes one timespec.
    let mut time = unsafe {
        let mut time = std::mem::zeroed::<libc::timespec>();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time);
        time
    };
    time.tv_nsec += LOOK_AGAIN_NS;
    if time.tv_nsec >= 1_000_000_000 {
        time.tv_nsec -= 1_000_000_000;
        time.tv_sec += 1;
    }
    time
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::time::{Duration, Instant};

    /// "Somebody waits" in the first word of a mutex; the kernel's `FUTEX_WAITERS`.
    const WAITERS: u32 = 0x8000_0000;

    /// What is left when the one waiter that was woken dies: the others sleep and no unlock knows.
    #[test]
    fn a_waiter_nobody_wakes_gets_the_lock() {
        // SAFETY: all zero is a mutex of the plain kind, made anew below before its first use.
        let lock: RobustLock = unsafe { std::mem::zeroed() };
        // SAFETY: the lock is this test's and not in use.
        unsafe { RobustLock::initialise(&lock) };
        // SAFETY: glibc's mutexes begin with the futex word.
        let word = unsafe { &*lock.0.get().cast::<AtomicU32>() };
        std::thread::scope(|scope| {
            let held = lock.lock();
            scope.spawn(|| drop(lock.lock()));
            let end = Instant::now() + Duration::from_secs(10);
            while word.load(SeqCst) & WAITERS == 0 {
                assert!(Instant::now() < end, "nobody waits");
                std::thread::yield_now();
            }
            word.fetch_and(!WAITERS, SeqCst);
            drop(held);
        });
    }

    #[test]
    fn the_next_holder_is_told_of_a_death() {
        // SAFETY: as above.
        let lock: RobustLock = unsafe { std::mem::zeroed() };
        // SAFETY: as above.
        unsafe { RobustLock::initialise(&lock) };
        std::thread::scope(|scope| {
            scope.spawn(|| std::mem::forget(lock.lock()));
        });
        assert!(lock.lock().holder_died);
        assert!(!lock.lock().holder_died);
    }
}
