//! A worker's way to the region process: descriptors, log, wake-ups.

use crate::config::MAX_LOG_LINE_BYTES;
use crate::shm::Segment;
use crate::shm::layout::TaskBlock;
use std::ffi::c_void;
use std::sync::atomic::Ordering::SeqCst;

/// Descriptors the region hands to the zygote.
pub(crate) const CONTROL_FD: i32 = 3;
pub(crate) const SEGMENT_FD: i32 = 4;
pub(crate) const LOG_FD: i32 = 5;
pub(crate) const COMPLETION_FD: i32 = 6;
pub(crate) const KICK_FD: i32 = 7;
pub(crate) const STORAGE_FD: i32 = 8;
/// First descriptor that is nobody's.
pub(crate) const FREE_FD: i32 = 9;

/// Sources on the log socket.
pub(crate) const LOG_COMMAND: u8 = 0;
pub(crate) const LOG_DISPLAY: u8 = 1;
pub(crate) const LOG_WORKERS: u8 = 2;

/// Sends one log line. Lines of programs wait while the region is behind; lines of the plumbing are
/// dropped then, for the region may be waiting for us.
pub(crate) fn log(source: u8, task_number: u32, text: &str) {
    let text = &text.as_bytes()[..text.len().min(MAX_LOG_LINE_BYTES)];
    let mut message = Vec::with_capacity(5 + text.len());
    message.push(source);
    message.extend_from_slice(&task_number.to_le_bytes());
    message.extend_from_slice(text);
    let wait = if source == LOG_WORKERS {
        libc::MSG_DONTWAIT
    } else {
        0
    };
    // SAFETY: a valid buffer; errors mean that the region is gone, and so are we soon.
    unsafe {
        let flags = libc::MSG_NOSIGNAL | wait;
        libc::send(LOG_FD, message.as_ptr().cast(), message.len(), flags);
    }
}

/// Adds one to an eventfd.
pub(crate) fn signal(fd: i32) {
    let one = 1_u64;
    // SAFETY: eight valid bytes; a full counter is as good as a signal.
    unsafe { libc::write(fd, (&raw const one).cast::<c_void>(), 8) };
}

/// Puts a task block in the list the region drains, and wakes the region if it sleeps.
pub(crate) fn push_done(segment: &Segment, task: usize, completion_fd: i32) {
    let header = segment.header();
    let block: &TaskBlock = segment.task(task);
    let mut head = header.done_head.0.load(SeqCst);
    loop {
        block.done_next.store(head, SeqCst);
        match header
            .done_head
            .0
            .compare_exchange(head, task as u32 + 1, SeqCst, SeqCst)
        {
            Ok(_) => break,
            Err(now) => head = now,
        }
    }
    if header.region_sleeps.0.swap(0, SeqCst) != 0 {
        signal(completion_fd);
    }
}

/// Tells the supervisor that a ready task has no worker.
pub(crate) fn kick(segment: &Segment, kick_fd: i32) {
    if segment.header().no_room.0.load(SeqCst) == 0 {
        signal(kick_fd);
    }
}
