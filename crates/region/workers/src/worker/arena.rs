//! Task storage: what GETMAIN gives and task end takes back.
//!
//! What: one reserved address range per worker, cut from the start, with lists of freed blocks by
//! size. What it knows of blocks is kept outside the range, so a program that writes past its block
//! damages only its own data. Not here: shared storage, which pages of a range are open (`pages`).

use super::pages::{PAGE_BYTES, Pages};
use crate::address_map::{BELOW_16_MB, TASK_STORAGE, reserve};
use crate::config::MAX_TASK_STORAGE_BYTES;
use foldhash::HashMap;

const ALIGN: usize = 16;
/// Tasks without a use for all open pages after which those are closed.
const SPARE_TASKS: u32 = 64;

/// The storage of one worker's task.
#[derive(Debug)]
pub(crate) struct Arena {
    base: usize,
    /// Bytes of the range.
    size: usize,
    /// First byte never used by this task.
    top: usize,
    pages: Pages,
    /// Tasks in a row that needed fewer pages than are open.
    spare: u32,
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
        let base = reserve(place, size)?;
        Ok(Self {
            base,
            size,
            top: 0,
            pages: Pages::close(base, size)?,
            spare: 0,
            blocks: HashMap::default(),
            free: HashMap::default(),
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
                if !self.pages.reach(end) {
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
    /// leave something above `top`, and one without storage where an old POINTER led, so every page
    /// goes that anybody touched.
    pub(crate) fn clear(&mut self) {
        let needed = self.top.next_multiple_of(PAGE_BYTES);
        self.spare = match needed < self.pages.open() {
            true => self.spare + 1,
            false => 0,
        };
        let keep = if self.spare > SPARE_TASKS { 0 } else { needed };
        if keep == 0 {
            self.spare = 0;
        }
        self.pages.clear(keep);
        self.top = 0;
        self.blocks.clear();
        self.free.clear();
    }
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
    use super::super::pages::open_on_faults;
    use super::*;

    #[test]
    fn reuses_what_was_freed_and_refuses_what_is_not_its_own() {
        open_on_faults();
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
        arena.clear();
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
        open_on_faults();
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
            arena.clear();
            assert_eq!(left(&arena, 5 << 20), 0, "{asked} {written}");
        }
    }

    /// A POINTER of an earlier task leads there.
    #[test]
    fn a_task_without_storage_leaves_nothing_either() {
        open_on_faults();
        let mut arena = Arena::at(0x3000_0000_0000 + (4 << 32), MAX_TASK_STORAGE_BYTES).unwrap();
        for at in [0, 1 << 20] {
            // SAFETY: inside the reservation.
            unsafe { std::ptr::write_bytes((arena.base + at) as *mut u8, b'x', 100) };
            arena.clear();
            assert_eq!(left(&arena, 2 << 20), 0, "{at}");
        }
    }

    /// The program writes past its block into one that was given back.
    #[test]
    fn a_block_of_the_same_task_may_show_what_the_task_itself_had() {
        open_on_faults();
        let mut arena = Arena::at(0x3000_0000_0000 + (3 << 32), MAX_TASK_STORAGE_BYTES).unwrap();
        let at = arena.allocate(64, Some(b'x')).unwrap();
        assert!(arena.release(at));
        let again = arena.allocate(60, None).unwrap();
        assert_eq!((again, left(&arena, 64)), (at, 4));
    }
}
