//! Storage that programs share: the CWA, GETMAIN SHARED, tables that were LOADed.
//!
//! What: one memfd with a heap and a page for the CWA. Programs have its blocks, and the CWA, at
//! places of the address map between pages that nobody has; what is known of the blocks lies above
//! all addresses of four bytes. Why: a program that writes past the CWA, or past all of this
//! storage, gets a program check, and reaches neither lists of blocks nor other storage. Not here:
//! blocks against each other, which have no room for a page in between.

use super::layout::Layout;
use super::{Access, Segment, map, map_at, memory, seal};
use crate::address_map::{CWA, SHARED_STORAGE};
use crate::config::MAX_SHARED_STORAGE_BYTES;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};

/// Owner of all blocks: any task may give one back.
const ANYBODY: u64 = 1 << 60;
/// What the end of the CWA lies on: a doubleword.
const CWA_ALIGN: usize = 8;

/// The storage, with its heap mapped where the kernel wants it.
#[derive(Debug)]
pub(crate) struct Storage {
    segment: Segment,
    /// CWAKEY=CICS.
    cwa_locked: bool,
}

impl Storage {
    /// Creates it, for a region: programs' addresses are for workers alone.
    pub(crate) fn create() -> io::Result<Self> {
        let layout = layout();
        let fd = memory(c"transom-storage", layout.total_bytes() + CWA.len())?;
        seal(&fd, libc::F_SEAL_SEAL)?;
        let base = map_at(fd.as_fd(), 0, layout.total_bytes(), (0, 0), Access::Write)?;
        Ok(Self {
            segment: Segment::first(fd, base, &layout, 0),
            cwa_locked: false,
        })
    }

    /// Opens what [`Storage::create`] created, at the addresses that programs see.
    /// `cwa_locked`: a program must have CICS key to store in the CWA.
    pub(crate) fn open(fd: OwnedFd, cwa_locked: bool) -> io::Result<Self> {
        let bytes = layout().total_bytes();
        let base = map_at(fd.as_fd(), 0, bytes, (0, 0), Access::Write)?;
        let segment = Segment::opened(fd, base, bytes)?;
        let heap = segment.places().heap_at as usize;
        let all = places();
        map(segment.fd(), all.start, all.len(), heap)?;
        map(segment.fd(), CWA.start, CWA.len(), bytes)?;
        Ok(Self {
            segment,
            cwa_locked,
        })
    }

    /// Locks and counts of its heap.
    pub(crate) fn segment(&self) -> &Segment {
        &self.segment
    }

    /// A block for programs, not cleared: 16-byte aligned, until somebody gives it back.
    pub(crate) fn allocate(&self, bytes: usize) -> Option<usize> {
        let at = self
            .segment
            .heap()
            .allocate_for(&self.segment, ANYBODY, bytes)?;
        Some(places().start + (at - self.segment.places().heap_at) as usize)
    }

    /// Takes a block back; `false`: none starts there.
    pub(crate) fn release(&self, address: usize) -> bool {
        if !places().contains(&address) {
            return false;
        }
        let at = self.segment.places().heap_at + (address - places().start) as u64;
        self.segment.heap().free_of(&self.segment, ANYBODY, at)
    }

    /// The address is of such storage.
    pub(crate) fn holds(&self, address: usize) -> bool {
        places().contains(&address) || CWA.contains(&address)
    }

    /// The CWA, the same for all: its end is the end of its page.
    pub(crate) fn cwa(&self, bytes: usize) -> Option<usize> {
        let room = bytes.checked_next_multiple_of(CWA_ALIGN)?;
        let fits = (1..=CWA.len()).contains(&room);
        fits.then(|| CWA.end - room)
    }

    /// Not all programs may store in the CWA.
    pub(crate) fn cwa_locked(&self) -> bool {
        self.cwa_locked
    }

    /// Lets the program that runs now store in the CWA, or not.
    pub(crate) fn open_cwa(&self, open: bool) -> io::Result<()> {
        let access = match open {
            true => libc::PROT_READ | libc::PROT_WRITE,
            false => libc::PROT_READ,
        };
        // SAFETY: the page was mapped by `open`, and Rust has no reference into it.
        match unsafe { libc::mprotect(CWA.start as *mut libc::c_void, CWA.len(), access) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Where workers have the heap's blocks.
fn places() -> Range<usize> {
    SHARED_STORAGE..SHARED_STORAGE + MAX_SHARED_STORAGE_BYTES
}

/// Tables so small that nobody uses them, and the heap.
fn layout() -> Layout {
    Layout {
        slots: 1,
        tasks: 1,
        heap_bytes: MAX_SHARED_STORAGE_BYTES,
        open_limit: 1,
    }
}
