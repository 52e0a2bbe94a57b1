//! A worker's way to the region process: descriptors, log, wake-ups.

use crate::config::MAX_LOG_LINE_BYTES;
use crate::shm::layout::{SlotView, TaskBlock, state};
use crate::shm::{Kind, Segment, lock, nudge, payload};
use std::ffi::c_void;
use std::sync::atomic::Ordering::SeqCst;
use transom_messages::Who;
use transom_wire::Shared;
use transom_wire::definitions::TaskEntry;

/// Descriptors the region hands to the zygote.
pub(crate) const CONTROL_FD: i32 = 3;
pub(crate) const SEGMENT_FD: i32 = 4;
pub(crate) const LOG_FD: i32 = 5;
pub(crate) const COMPLETION_FD: i32 = 6;
pub(crate) const KICK_FD: i32 = 7;
pub(crate) const STORAGE_FD: i32 = 8;
/// The end of `seam::READER_PLACES`.
pub(crate) const PLACES_FD: i32 = 9;
pub(crate) const DEFINITIONS_FD: i32 = 10;
/// First descriptor that is nobody's.
pub(crate) const FREE_FD: i32 = 11;

/// Sources on the log socket.
pub(crate) const LOG_COMMAND: u8 = 0;
pub(crate) const LOG_DISPLAY: u8 = 1;
pub(crate) const LOG_WORKERS: u8 = 2;
/// On the same socket, no line: what of shared memory was found to be overwritten.
pub(crate) const DAMAGE: u8 = 3;

/// Bytes in front of a line: its source, the number of its task, whose task that is.
pub(crate) const LOG_HEAD_BYTES: usize = 1 + 4 + WHO_BYTES;
/// Transaction, terminal and user of a task, padded; blank: none.
const WHO_BYTES: usize = 4 + 4 + 8;
/// Number of a task and whose it is.
pub(crate) type OfTask = (u32, [u8; WHO_BYTES]);
/// Nobody's.
pub(crate) const NOBODY: [u8; WHO_BYTES] = [b' '; WHO_BYTES];

/// Whose a task is, on its lines: when the region reads them the task may have ended.
pub(crate) fn who(shared: &dyn Shared, task_number: u32) -> [u8; WHO_BYTES] {
    let mut who = NOBODY;
    if task_number != 0
        && let Some(entry) = TaskEntry::find(shared, task_number)
    {
        who[..4].copy_from_slice(entry.transid.as_bytes());
        who[4..8].copy_from_slice(entry.terminal.as_bytes());
        who[8..].copy_from_slice(entry.userid.as_bytes());
    }
    who
}

/// The same read.
pub(crate) fn read_who(bytes: &[u8]) -> Option<Who> {
    let text = |from: usize, to: usize| {
        let part = bytes.get(from..to).unwrap_or_default();
        String::from_utf8_lossy(part).into_owned()
    };
    Who::new(&text(0, 4), &text(4, 8), &text(8, WHO_BYTES))
}

/// Sends one log line. Lines of programs wait while the region is behind; lines of the plumbing are
/// dropped then, for the region may be waiting for us.
pub(crate) fn log(source: u8, (task_number, who): OfTask, text: &str) {
    let text = &text.as_bytes()[..text.len().min(MAX_LOG_LINE_BYTES)];
    let mut message = Vec::with_capacity(LOG_HEAD_BYTES + text.len());
    message.push(source);
    message.extend_from_slice(&task_number.to_le_bytes());
    message.extend_from_slice(&who);
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

/// Something in shared memory is not as it was stored: the region is told, and this task, which may
/// not take it for missing, ends with its worker.
pub(crate) fn damaged(segment: &Segment, kind: Kind) {
    let what = match kind {
        Kind::Item => "I",
        Kind::Definition => "D",
    };
    log(DAMAGE, (0, NOBODY), what);
    if let Some(me) = lock::worker() {
        die(&segment.slot(me).view, "shared memory was overwritten");
    }
}

/// What the region says of a task is not what it said, or somebody has begun it: the region is
/// told, and this process ends.
pub(crate) fn damaged_task(view: &SlotView) -> ! {
    log(DAMAGE, (0, NOBODY), "I");
    die(
        view,
        "what the region says of the task was overwritten in shared memory",
    )
}

/// Ends this process, and its task with ASRB.
pub(crate) fn die(view: &SlotView, why: &str) -> ! {
    view.fault_code.store(u32::from_le_bytes(*b"ASRB"), SeqCst);
    payload::set_text(&view.fault_text, why);
    view.fault_task
        .store(view.current_task.load(SeqCst), SeqCst);
    // SAFETY: ends the process; nothing of it is needed any more.
    unsafe { libc::_exit(1) }
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

/// Marks a task as posted, and wakes it.
pub(crate) fn post(segment: &Segment, task_number: u32) {
    for i in 0..segment.slots() {
        let slot = segment.slot(i);
        if slot.view.current_task.load(SeqCst) == task_number {
            slot.posted.store(1, SeqCst);
            let task = slot.task.load(SeqCst) as usize;
            if task != 0 && segment.task(task - 1).state.load(SeqCst) == state::WAITING {
                nudge(slot);
            }
            return;
        }
    }
}
