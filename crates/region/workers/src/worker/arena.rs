//! Task storage: what GETMAIN gives and task end takes back.
//!
//! What: one reserved address range per worker, cut from the start, with lists of freed blocks by
//! size. What it knows of blocks is kept outside the range, so a program that writes past its block
//! damages only its own data. Not here: shared storage.

use crate::address_map::{BELOW_16_MB, TASK_STORAGE, reserve};
use crate::config::MAX_TASK_STORAGE_BYTES;
use std::collections::HashMap;

const ALIGN: usize = 16;
/// Most memory that is kept for the next task, and cleared; what lies above goes back to the system
/// at task end. 64 KB are cleared in about a microsecond, twice a full COMMAREA.
const KEEP_BYTES: usize = 64 << 10;
const PAGE_BYTES: usize = 4096;
/// Tasks without a use for all that is kept after which less is.
const SPARE_TASKS: u32 = 64;

/// The storage of one worker's task.
#[derive(Debug)]
pub(crate) struct Arena {
    base: usize,
    /// Bytes of the range.
    size: usize,
    /// First byte never used by this task.
    top: usize,
    /// Bytes that may have pages between two tasks; all of them are zeros then.
    kept: usize,
    /// Tasks in a row that needed less than `kept`.
    spare: u32,
    /// Page faults of this thread when only `kept` had pages; `None`: not known.
    faults: Option<i64>,
    blocks: HashMap<usize, usize>,
    free: HashMap<usize, Vec<usize>>,
}

impl Arena {
    /// At its place of the address map: one for each process.
    pub(crate) fn new() -> Result<Self, std::io::Error> {
        Self::at(TASK_STORAGE, MAX_TASK_STORAGE_BYTES)
    }

    /// The few things whose addresses have three bytes.
    pub(crate) fn below() -> Result<Self, std::io::Error> {
        Self::at(BELOW_16_MB.start, BELOW_16_MB.len())
    }

    fn at(place: usize, size: usize) -> Result<Self, std::io::Error> {
        Ok(Self {
            base: without_huge_pages(reserve(place, size)?, size),
            size,
            top: 0,
            kept: 0,
            spare: 0,
            faults: None,
            blocks: HashMap::new(),
            free: HashMap::new(),
        })
    }

    /// The address lies in it.
    pub(crate) fn holds(&self, at: usize) -> bool {
        (self.base..self.base + self.size).contains(&at)
    }

    /// A block, 16-byte aligned, filled with `init`. Without one it has nothing of what other
    /// blocks had: one that was in use is cleared, and what was never used is zeros, unless the
    /// task itself wrote past its blocks.
    pub(crate) fn allocate(&mut self, bytes: usize, init: Option<u8>) -> Option<usize> {
        let size = class(bytes)?;
        let freed = self.free.get_mut(&size).and_then(Vec::pop);
        let fill = init.or(freed.map(|_| 0));
        let at = match freed {
            Some(at) => at,
            None => {
                let end = self.top.checked_add(size)?;
                if end > self.size {
                    return None;
                }
                let at = self.base + self.top;
                self.top = end;
                at
            }
        };
        self.blocks.insert(at, size);
        if let Some(fill) = fill {
            // SAFETY: the block lies in our range and nobody else has it.
            unsafe { std::ptr::write_bytes(at as *mut u8, fill, bytes) };
        }
        Some(at)
    }

    /// Takes a block back; `false`: no block in use starts there.
    pub(crate) fn release(&mut self, at: usize) -> bool {
        let Some(size) = self.blocks.remove(&at) else {
            return false;
        };
        self.free.entry(size).or_default().push(at);
        true
    }

    /// End of task. The next one finds zeros everywhere: a program may describe more than it was
    /// given, and must not see there what another task had. Programs that write past their blocks
    /// leave something above `top`, so everything goes.
    ///
    /// Giving pages back is the dear part. Above `kept` there are none after the last time, and who
    /// touches one there has a page fault: without any since then there is nothing to give back.
    /// That holds for a task without storage, too: it may have written where an old POINTER led.
    /// `faults`: page faults of this thread until now, from [`page_faults`].
    pub(crate) fn clear(&mut self, faults: Option<i64>) {
        let needed = self.top.next_multiple_of(PAGE_BYTES).min(KEEP_BYTES);
        // Tasks of other sizes come back soon: what is kept shrinks when many had no use for it.
        self.spare = if needed < self.kept {
            self.spare + 1
        } else {
            0
        };
        let shrinks = self.spare > SPARE_TASKS;
        let touched = self.faults.is_none() || self.faults != faults;
        if touched || shrinks {
            let most = if shrinks { 0 } else { self.kept };
            self.kept = needed.max(most);
            self.spare = 0;
        }
        // SAFETY: inside our reservation; no task has a part of it any more.
        unsafe { std::ptr::write_bytes(self.base as *mut u8, 0, self.kept) };
        if touched || shrinks {
            let (above, bytes) = (self.base + self.kept, self.size - self.kept);
            // SAFETY: as above; the pages come back as zeros.
            unsafe { libc::madvise(above as *mut libc::c_void, bytes, libc::MADV_DONTNEED) };
            self.faults = page_faults();
        }
        self.top = 0;
        self.blocks.clear();
        self.free.clear();
    }
}

/// Page faults of this thread until now; dear enough to be asked for once a task.
pub(crate) fn page_faults() -> Option<i64> {
    // SAFETY: fills a structure of integers, for which zeros are a value.
    let (answer, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let answer = libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        (answer, usage)
    };
    (answer == 0).then(|| usage.ru_minflt + usage.ru_majflt)
}

/// A huge page would reach beyond the byte that was touched.
fn without_huge_pages(base: usize, bytes: usize) -> usize {
    // SAFETY: advice for a range that was just reserved. It fails where there are no huge pages.
    unsafe { libc::madvise(base as *mut libc::c_void, bytes, libc::MADV_NOHUGEPAGE) };
    base
}

/// Rounds up so that freed blocks fit again: multiples of 16 up to 1 KB, then eighths of a power of
/// two.
fn class(bytes: usize) -> Option<usize> {
    let bytes = bytes.max(1).checked_next_multiple_of(ALIGN)?;
    if bytes <= 1024 {
        return Some(bytes);
    }
    let step = (bytes.checked_next_power_of_two()? / 16).max(ALIGN);
    bytes.checked_next_multiple_of(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reuses_what_was_freed_and_refuses_what_is_not_its_own() {
        let mut arena = Arena::at(0x3000_0000_0000 + (1 << 32), MAX_TASK_STORAGE_BYTES).unwrap();
        let a = arena.allocate(5000, Some(b'x')).unwrap();
        assert_eq!(a % 16, 0);
        assert!(!arena.release(a + 16));
        assert!(arena.release(a));
        assert!(!arena.release(a));
        assert_eq!(arena.allocate(5000, None), Some(a));
        for _ in 0..10_000 {
            let b = arena.allocate(100_000, None).unwrap();
            assert!(arena.release(b));
        }
        assert!(arena.allocate(MAX_TASK_STORAGE_BYTES + 1, None).is_none());
        arena.clear(page_faults());
        assert_eq!(arena.allocate(10, None), Some(a));
    }

    /// Bytes of the arena that are not zero, up to `bytes`.
    fn left(arena: &Arena, bytes: usize) -> usize {
        // SAFETY: inside the reservation.
        let all = unsafe { std::slice::from_raw_parts(arena.base as *const u8, bytes) };
        all.iter().filter(|b| **b != 0).count()
    }

    #[test]
    fn the_next_task_finds_zeros_however_far_this_one_wrote() {
        let mut arena = Arena::at(0x3000_0000_0000 + (2 << 32), MAX_TASK_STORAGE_BYTES).unwrap();
        for (asked, written) in [
            (20_000, 20_000),
            (10, 3 << 20),
            (2 << 20, 4 << 20),
            (10, 10),
        ] {
            let at = arena.allocate(asked, Some(b'x')).unwrap();
            // SAFETY: inside the reservation; programs do the same.
            unsafe { std::ptr::write_bytes(at as *mut u8, b'x', written) };
            arena.clear(page_faults());
            assert_eq!(left(&arena, 5 << 20), 0, "{asked} {written}");
        }
    }

    /// A POINTER of an earlier task leads there.
    #[test]
    fn a_task_without_storage_leaves_nothing_either() {
        let mut arena = Arena::at(0x3000_0000_0000 + (4 << 32), MAX_TASK_STORAGE_BYTES).unwrap();
        for at in [0, 1 << 20] {
            // SAFETY: inside the reservation.
            unsafe { std::ptr::write_bytes((arena.base + at) as *mut u8, b'x', 100) };
            arena.clear(page_faults());
            assert_eq!(left(&arena, 2 << 20), 0, "{at}");
        }
    }

    /// The program writes past its block into one that was given back.
    #[test]
    fn a_block_of_the_same_task_may_show_what_the_task_itself_had() {
        let mut arena = Arena::at(0x3000_0000_0000 + (3 << 32), MAX_TASK_STORAGE_BYTES).unwrap();
        let at = arena.allocate(64, Some(b'x')).unwrap();
        assert!(arena.release(at));
        let again = arena.allocate(60, None).unwrap();
        assert_eq!((again, left(&arena, 64)), (at, 4));
    }
}
