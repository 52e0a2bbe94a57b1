//! Places of workers among the readers of the store, which a program could take from all others.
//!
//! What: workers get the memory of the places opened anew for them, so that locks which a program
//! sets on it end with them; and a look whether somebody has locked places that are nobody's turn.
//! Why the last ones: a worker takes the first that is free, and there are never so many workers.
//! Not here: the places themselves (`region/datasets`).

use super::inner::Inner;
use super::supervisor::Supervisor;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use transom_messages as messages;

/// Of the places, this part is never reached.
const LAST: u64 = 64;

/// The memory, opened anew: a lock belongs to who has opened a file, and the region has it open.
pub(super) fn opened_again(inner: &Inner) -> io::Result<Option<File>> {
    let open = |memory: &std::sync::Arc<File>| {
        let path = format!("/proc/self/fd/{}", memory.as_raw_fd());
        OpenOptions::new().read(true).write(true).open(path)
    };
    inner.config.reader_places.as_ref().map(open).transpose()
}

impl Supervisor {
    /// At each look at all tasks. Who has taken the places is not known, so all workers end.
    pub(super) fn judge_places(&mut self) {
        let memory = self.inner.config.reader_places.as_ref();
        if self.zygote.is_some() && memory.is_some_and(|memory| are_taken(memory)) {
            self.tell(messages::wk::places_taken());
            self.zygote_gone();
        }
    }
}

/// Somebody has locked one of the last places.
fn are_taken(memory: &File) -> bool {
    let bytes = memory.metadata().map_or(0, |facts| facts.len());
    let last = bytes / LAST;
    let mut asked = libc::flock {
        l_type: libc::F_WRLCK as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: (bytes - last) as libc::off_t,
        l_len: last as libc::off_t,
        l_pid: 0,
    };
    // SAFETY: the descriptor is open and the structure valid for the call.
    let done = unsafe { libc::fcntl(memory.as_raw_fd(), libc::F_OFD_GETLK, &raw mut asked) };
    last > 0 && done == 0 && i32::from(asked.l_type) != libc::F_UNLCK
}
