//! Locks that survive the death of their holder.

use std::cell::UnsafeCell;

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
        let result = unsafe { libc::pthread_mutex_lock(self.0.get()) };
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
        // SAFETY: held by this thread, since `Held` is not `Send` (it borrows an UnsafeCell lock).
        unsafe { libc::pthread_mutex_unlock(self.lock.0.get()) };
    }
}
