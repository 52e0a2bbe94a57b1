//! The processes of workers as the region knows them.
//!
//! What: by slot, the process the zygote forked, from the request on to the word of its death. Why
//! a record of its own: the number in the slot lies where programs can write, and a signal must not
//! go to whoever has it by then. Not here: slots and their states.

use crate::shm::lock::court::Record;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the zygote may take to say which process it forked; nobody holds a lock that long.
const WORD_WITHIN: Duration = Duration::from_secs(30);

/// What is known of a slot.
#[derive(Debug, Default)]
enum Life {
    #[default]
    None,
    /// The zygote is to fork it: it may run before its number is known. Looks since then.
    Asked(Instant, u32),
    Known(Process),
}

#[derive(Debug)]
struct Process {
    pid: u32,
    /// Stays that of this process when the number is used again. Kernels before 5.3 have none.
    handle: Option<OwnedFd>,
    /// Looks that found it dead.
    dead: u32,
}

/// All slots.
#[derive(Debug)]
pub(super) struct Processes(Mutex<Vec<Life>>);

impl Processes {
    pub(super) fn new(slots: usize) -> Self {
        Self(Mutex::new((0..slots).map(|_| Life::None).collect()))
    }

    /// The zygote is being asked for a worker.
    pub(super) fn asked(&self, slot: usize) {
        self.set(slot, Life::Asked(Instant::now(), 0));
    }

    /// The zygote has forked it.
    pub(super) fn known(&self, slot: usize, pid: u32) {
        let handle = handle_of(pid).ok();
        self.set(
            slot,
            Life::Known(Process {
                pid,
                handle,
                dead: 0,
            }),
        );
    }

    /// It is gone, or does not come.
    pub(super) fn gone(&self, slot: usize) {
        self.set(slot, Life::None);
    }

    /// Its number, if there is one.
    pub(super) fn pid(&self, slot: usize) -> Option<u32> {
        match self.lives().get(slot) {
            Some(Life::Known(process)) => Some(process.pid),
            _ => None,
        }
    }

    /// There is one, or one is on its way.
    pub(super) fn is_used(&self, slot: usize) -> bool {
        !matches!(self.lives().get(slot), None | Some(Life::None))
    }

    /// Looks in a row, this one among them, at which a word of the zygote was due: that it has
    /// forked it, or that it is gone. Looks and not time: all may have been frozen together.
    pub(super) fn silent(&self, slot: usize) -> u32 {
        let mut lives = self.lives();
        let looks = match lives.get_mut(slot) {
            Some(Life::Asked(_, looks)) => looks,
            Some(Life::Known(process)) if !process.lives() => &mut process.dead,
            _ => return 0,
        };
        *looks = looks.saturating_add(1);
        *looks
    }

    /// Ends it if it is there; whether it still is.
    pub(super) fn kill(&self, slot: usize) -> bool {
        match self.lives().get(slot) {
            Some(Life::Known(process)) => {
                process.kill();
                process.lives()
            }
            _ => false,
        }
    }

    fn set(&self, slot: usize, life: Life) {
        if let Some(at) = self.lives().get_mut(slot) {
            *at = life;
        }
    }

    fn lives(&self) -> MutexGuard<'_, Vec<Life>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record for Processes {
    fn lives(&self, slot: usize, too_long: bool) -> bool {
        match Processes::lives(self).get(slot) {
            None | Some(Life::None) => false,
            Some(Life::Asked(since, _)) => since.elapsed() < WORD_WITHIN,
            Some(Life::Known(process)) => {
                if too_long {
                    process.kill();
                }
                process.lives()
            }
        }
    }
}

impl Process {
    /// It runs: it is there and no zombie, which nobody may ever collect.
    fn lives(&self) -> bool {
        match &self.handle {
            Some(handle) => !is_readable(handle.as_raw_fd()),
            None => {
                let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid));
                let stat = stat.unwrap_or_default();
                let state = stat
                    .rsplit_once(") ")
                    .and_then(|(_, rest)| rest.chars().next());
                !matches!(state, None | Some('Z' | 'X'))
            }
        }
    }

    fn kill(&self) {
        // SAFETY: a signal to the process of the handle, which is our worker or gone; without
        // handles, to the number the zygote gave and whose death it has not told.
        unsafe {
            match &self.handle {
                Some(handle) => {
                    let (fd, signal, none) = (handle.as_raw_fd(), libc::SIGKILL, 0);
                    let info: *const libc::siginfo_t = std::ptr::null();
                    libc::syscall(libc::SYS_pidfd_send_signal, fd, signal, info, none);
                }
                None => {
                    libc::kill(self.pid as libc::pid_t, libc::SIGKILL);
                }
            }
        }
    }
}

fn handle_of(pid: u32) -> io::Result<OwnedFd> {
    // SAFETY: a plain system call; the result is checked.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid as libc::pid_t, 0) };
    match RawFd::try_from(fd) {
        // SAFETY: just created, owned by nobody else.
        Ok(fd @ 0..) => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The handle of a process is readable when the process has ended.
fn is_readable(fd: RawFd) -> bool {
    let mut poll = libc::pollfd {
        fd,
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one valid entry.
    unsafe { libc::poll(&mut poll, 1, 0) == 1 && poll.revents != 0 }
}
