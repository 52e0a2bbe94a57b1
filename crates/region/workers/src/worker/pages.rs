//! Which pages of task storage are open.
//!
//! What: pages of a range are closed until somebody touches one; the fault opens it and those
//! before it, and the instruction goes on. Why: what a task touched must be cleared before the next
//! one, and a program may touch more than it was given. A closed page is known to be as it was, so
//! tasks that touch little cost little, and nobody is asked for each of them. Not here: what lies
//! in the pages (`arena`), faults of programs (`edge/level.c`).

use std::ffi::c_int;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub(super) const PAGE_BYTES: usize = 4096;
/// Most bytes that stay open for the next task, and are cleared; what lies above goes back to the
/// system at task end. 64 KB are cleared in about a microsecond, twice a full COMMAREA.
const KEEP_BYTES: usize = 64 << 10;

/// Ranges of this process. A worker has two.
static RANGES: [Range; 8] = [const { Range::none() }; 8];

#[derive(Debug)]
struct Range {
    /// Zero: nobody has this place.
    base: AtomicUsize,
    size: AtomicUsize,
    /// Bytes from the start that are open.
    open: AtomicUsize,
}

impl Range {
    const fn none() -> Self {
        Self {
            base: AtomicUsize::new(0),
            size: AtomicUsize::new(0),
            open: AtomicUsize::new(0),
        }
    }

    /// Opens it up to this byte, or the whole of it where more is opened than stays. Called by the
    /// handler of faults, too: nothing in it allocates or locks.
    fn open_to(&self, end: usize) -> bool {
        let (base, size) = (self.base.load(SeqCst), self.size.load(SeqCst));
        let open = self.open.load(SeqCst);
        let end = if end > KEEP_BYTES { size } else { end };
        let access = libc::PROT_READ | libc::PROT_WRITE;
        if end > open && !protect(base + open, end - open, access) {
            return false;
        }
        self.open.fetch_max(end, SeqCst);
        true
    }
}

/// The open pages of one range.
#[derive(Debug)]
pub(super) struct Pages(&'static Range);

impl Pages {
    /// A range whose pages nobody has touched, all of them closed. It is never given back.
    pub(super) fn close(base: usize, size: usize) -> io::Result<Self> {
        let free = |r: &&Range| r.base.compare_exchange(0, base, SeqCst, SeqCst).is_ok();
        let Some(range) = RANGES.iter().find(free) else {
            return Err(io::Error::other("more ranges of task storage than places"));
        };
        range.size.store(size, SeqCst);
        // A huge page would reach beyond the byte that was touched. The advice fails where there
        // are no huge pages.
        // SAFETY: advice for a range that was just reserved.
        unsafe { libc::madvise(base as *mut libc::c_void, size, libc::MADV_NOHUGEPAGE) };
        if !protect(base, size, libc::PROT_NONE) {
            return Err(io::Error::last_os_error());
        }
        Ok(Self(range))
    }

    /// Bytes from the start that are open.
    pub(super) fn open(&self) -> usize {
        self.0.open.load(SeqCst)
    }

    /// Storage up to this byte is handed out: more than stays open is opened at once, since a fault
    /// costs more than a call.
    pub(super) fn reach(&self, end: usize) -> bool {
        end <= KEEP_BYTES.max(self.open()) || self.0.open_to(end)
    }

    /// Zeros everywhere. At most `keep` bytes stay open where pages must be closed.
    pub(super) fn clear(&self, keep: usize) {
        let (base, size) = (self.0.base.load(SeqCst), self.0.size.load(SeqCst));
        let mut open = self.open();
        if open > KEEP_BYTES || keep == 0 && open > 0 {
            let keep = keep.min(KEEP_BYTES).min(open);
            let (above, bytes) = (base + keep, open - keep);
            // SAFETY: inside the range; no task has a part of it any more. The pages come back as
            // zeros.
            let gone =
                unsafe { libc::madvise(above as *mut libc::c_void, bytes, libc::MADV_DONTNEED) };
            // Pages that stay open are only dearer.
            if gone == 0 && protect(above, size - keep, libc::PROT_NONE) {
                self.0.open.store(keep, SeqCst);
                open = keep;
            }
        }
        // SAFETY: open pages of the range, as above.
        unsafe { std::ptr::write_bytes(base as *mut u8, 0, open) };
    }
}

/// Opens the page of this address; 0: it is no closed page of task storage.
#[unsafe(no_mangle)]
pub(super) extern "C" fn txm_open_storage(address: usize) -> c_int {
    let done = RANGES.iter().any(|range| {
        let base = range.base.load(SeqCst);
        let at = address.wrapping_sub(base);
        base != 0
            && (range.open.load(SeqCst)..range.size.load(SeqCst)).contains(&at)
            && range.open_to((at + 1).next_multiple_of(PAGE_BYTES))
    });
    c_int::from(done)
}

fn protect(at: usize, bytes: usize, access: c_int) -> bool {
    // SAFETY: pages of a range that is never given back; who touches a closed one has a fault.
    bytes == 0 || unsafe { libc::mprotect(at as *mut libc::c_void, bytes, access) == 0 }
}

/// Opens pages as the edge does, for tests without a worker.
#[cfg(test)]
pub(super) fn open_on_faults() {
    extern "C" fn fault(signal: c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system filled it; the default ends the process.
        unsafe {
            if txm_open_storage((*info).si_addr() as usize) == 0 {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
    }
    // SAFETY: a structure of integers, for which zeros are a value.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = fault as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER;
        libc::sigaction(libc::SIGSEGV, &action, std::ptr::null_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address_map::reserve;

    #[test]
    fn a_page_opens_when_it_is_touched_and_those_before_it() {
        open_on_faults();
        let (base, size) = (0x3100_0000_0000, 1 << 20);
        let pages = Pages::close(reserve(base, size).unwrap(), size).unwrap();
        let touch = |at: usize| {
            // SAFETY: inside the range.
            unsafe { std::ptr::write_volatile((base + at) as *mut u8, b'x') };
        };
        let read = |at: usize| {
            // SAFETY: inside the range.
            unsafe { std::ptr::read_volatile((base + at) as *const u8) }
        };
        assert_eq!(pages.open(), 0);
        touch(2 * PAGE_BYTES);
        assert_eq!(pages.open(), 3 * PAGE_BYTES);
        pages.clear(PAGE_BYTES);
        assert_eq!((pages.open(), read(2 * PAGE_BYTES)), (3 * PAGE_BYTES, 0));
        touch(KEEP_BYTES);
        assert_eq!(pages.open(), size);
        pages.clear(PAGE_BYTES);
        assert_eq!(pages.open(), PAGE_BYTES);
        assert_eq!(read(KEEP_BYTES), 0);
        pages.clear(0);
        assert_eq!(pages.open(), 0);
        assert_eq!(txm_open_storage(base + size), 0);
    }
}
