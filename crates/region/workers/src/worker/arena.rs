//! Task storage: what GETMAIN gives and task end takes back.
//!
//! What: one reserved address range per worker, cut from the start, with lists of freed blocks by
//! size. What it knows of blocks is kept outside the range, so a program that writes past its block
//! damages only its own data. Not here: shared storage.

use crate::config::MAX_TASK_STORAGE_BYTES;
use std::collections::HashMap;

const ALIGN: usize = 16;
/// Memory above this is given back to the system at task end.
const KEEP_BYTES: usize = 1 << 20;

/// The storage of one worker's task.
#[derive(Debug)]
pub(crate) struct Arena {
    base: usize,
    /// First byte never used by this task.
    top: usize,
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

    /// End of task.
    pub(crate) fn clear(&mut self) {
        if self.top == 0 {
            return;
        }
        if self.top > KEEP_BYTES {
            let (at, bytes) = (self.base + KEEP_BYTES, self.top - KEEP_BYTES);
            let at = at.next_multiple_of(4096);
            // SAFETY: inside our reservation; the pages come back as zeros.
            unsafe { libc::madvise(at as *mut libc::c_void, bytes, libc::MADV_DONTNEED) };
        }
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
}
