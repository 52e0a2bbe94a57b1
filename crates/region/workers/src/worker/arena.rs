//! Task storage: what GETMAIN gives and task end takes back.
//!
//! What: one reserved address range per worker, cut from the start, with lists of freed blocks by
//! size. What it knows of blocks is kept outside the range, so a program that writes past its block
//! damages only its own data. Not here: shared storage.

use crate::config::MAX_TASK_STORAGE_BYTES;
use std::collections::HashMap;

const ALIGN: usize = 16;
/// Most memory that is kept for the next task, and cleared; what lies above goes back to the system
/// at task end. 64 KB are cleared in about a microsecond, twice a full COMMAREA.
const KEEP_BYTES: usize = 64 << 10;
const PAGE_BYTES: usize = 4096;

/// The storage of one worker's task.
#[derive(Debug)]
pub(crate) struct Arena {
    base: usize,
    /// First byte never used by this task.
    top: usize,
    /// Bytes that may have pages between two tasks; all of them are zeros then.
    kept: usize,
    blocks: HashMap<usize, usize>,
    free: HashMap<usize, Vec<usize>>,
}

impl Arena {
    pub(crate) fn new() -> Result<Self, std::io::Error> {
        // SAFETY: a fresh private reservation; pages appear as they are touched.
        let at = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                MAX_TASK_STORAGE_BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if at == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        Ok(Self {
            base: at as usize,
            top: 0,
            kept: 0,
            blocks: HashMap::new(),
            free: HashMap::new(),
        })
    }

    /// A block, 16-byte aligned, filled with `init` or zeros.
    pub(crate) fn allocate(&mut self, bytes: usize, init: u8) -> Option<usize> {
        let size = class(bytes)?;
        let at = match self.free.get_mut(&size).and_then(Vec::pop) {
            Some(at) => at,
            None => {
                let end = self.top.checked_add(size)?;
                if end > MAX_TASK_STORAGE_BYTES {
                    return None;
                }
                let at = self.base + self.top;
                self.top = end;
                at
            }
        };
        self.blocks.insert(at, size);
        // SAFETY: the block lies in our range and nobody else has it.
        unsafe { std::ptr::write_bytes(at as *mut u8, init, bytes) };
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
    pub(crate) fn clear(&mut self) {
        if self.top == 0 {
            return;
        }
        // Tasks of other sizes come back soon: what is kept shrinks a page a task.
        let kept = self.top.max(self.kept.saturating_sub(PAGE_BYTES));
        let kept = kept.next_multiple_of(PAGE_BYTES).min(KEEP_BYTES);
        let (above, bytes) = (self.base + kept, MAX_TASK_STORAGE_BYTES - kept);
        // SAFETY: all of it is inside our reservation, no task has a part of it any more, and the
        // pages above come back as zeros.
        unsafe {
            std::ptr::write_bytes(self.base as *mut u8, 0, kept);
            libc::madvise(above as *mut libc::c_void, bytes, libc::MADV_DONTNEED);
        }
        self.kept = kept;
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
    use super::*;

    #[test]
    fn reuses_what_was_freed_and_refuses_what_is_not_its_own() {
        let mut arena = Arena::new().unwrap();
        let a = arena.allocate(5000, b'x').unwrap();
        assert_eq!(a % 16, 0);
        assert!(!arena.release(a + 16));
        assert!(arena.release(a));
        assert!(!arena.release(a));
        assert_eq!(arena.allocate(5000, 0), Some(a));
        for _ in 0..10_000 {
            let b = arena.allocate(100_000, 0).unwrap();
            assert!(arena.release(b));
        }
        assert!(arena.allocate(MAX_TASK_STORAGE_BYTES + 1, 0).is_none());
        arena.clear();
        assert_eq!(arena.allocate(10, 0), Some(a));
    }

    /// Bytes of the arena that are not zero, up to `bytes`.
    fn left(arena: &Arena, bytes: usize) -> usize {
        // SAFETY: inside the reservation.
        let all = unsafe { std::slice::from_raw_parts(arena.base as *const u8, bytes) };
        all.iter().filter(|b| **b != 0).count()
    }

    #[test]
    fn the_next_task_finds_zeros_however_far_this_one_wrote() {
        let mut arena = Arena::new().unwrap();
        for (asked, written) in [
            (20_000, 20_000),
            (10, 3 << 20),
            (2 << 20, 4 << 20),
            (10, 10),
        ] {
            let at = arena.allocate(asked, b'x').unwrap();
            // SAFETY: inside the reservation; programs do the same.
            unsafe { std::ptr::write_bytes(at as *mut u8, b'x', written) };
            arena.clear();
            assert_eq!(left(&arena, 5 << 20), 0, "{asked} {written}");
        }
    }

    /// The program writes past its block into one that was given back.
    #[test]
    fn a_block_of_the_same_task_may_show_what_the_task_itself_had() {
        let mut arena = Arena::new().unwrap();
        let at = arena.allocate(64, b'x').unwrap();
        assert!(arena.release(at));
        let again = arena.allocate(60, 0).unwrap();
        assert_eq!((again, left(&arena, 64)), (at, 4));
    }
}
