//! Sleeping on a word, and waking who sleeps there.
//!
//! Not here: what the words mean.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Waits until `word` is no longer `seen`, the time is over or a wake-up comes.
pub(crate) fn futex_wait(word: &AtomicU32, seen: u32, timeout: Option<Duration>) {
    futex_wait_at(word.as_ptr(), seen, timeout);
}

/// Wakes one waiter.
pub(crate) fn futex_wake(word: &AtomicU32) {
    futex_wake_at(word.as_ptr());
}

/// As [`futex_wait`], for a word that is a part of a larger one.
pub(crate) fn futex_wait_at(word: *const u32, seen: u32, timeout: Option<Duration>) {
    let spec = timeout.map(|t| libc::timespec {
        tv_sec: t.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(t.subsec_nanos()),
    });
    let spec_at = spec.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the kernel alone looks at the word, and answers EFAULT where there is none; the time
    // specification outlives the call.
    unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAIT, seen, spec_at) };
}

/// As [`futex_wake`].
pub(crate) fn futex_wake_at(word: *const u32) {
    // SAFETY: the kernel looks up who sleeps there; nothing is read or written.
    unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE, 1) };
}
