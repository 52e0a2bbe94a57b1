//! The first bytes of a file that another process changes, without a system call for each look.
//!
//! Why: who reads a database that others write looks at the header of the log's index before each
//! statement, which takes longer than SQLite takes for a row found by its key. Not here: what the
//! bytes mean (`region/sql`).

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Bytes that are mapped: a page, which every file that is not empty has.
const MAPPED: usize = 4_096;

/// The beginning of a file, as it is at each look. The file must not become shorter than that: who
/// has the database keeps it, and SQLite itself has it mapped in the same way.
pub struct Beginning {
    at: NonNull<AtomicU64>,
    /// Closing it ends locks that this process has on the file.
    _open: File,
}

// SAFETY: memory that is only read, word by word and atomically, and given back once.
unsafe impl Send for Beginning {}

impl Beginning {
    /// Of a file of at least a page.
    ///
    /// # Errors
    /// It is shorter, or cannot be mapped.
    pub fn of(file: File) -> io::Result<Self> {
        if file.metadata()?.len() < MAPPED as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: a new mapping at a place the kernel chooses, for reading alone.
        let at = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                MAPPED,
                libc::PROT_READ,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let at = NonNull::new(at.cast::<AtomicU64>());
        let at = at.ok_or(io::ErrorKind::AddrNotAvailable)?;
        Ok(Self { at, _open: file })
    }

    /// The first words as they are now; each by itself, while others may be changed.
    pub fn words<const N: usize>(&self) -> [u64; N] {
        const { assert!(N * size_of::<u64>() <= MAPPED) };
        let words = std::array::from_fn(|n| {
            // SAFETY: within the mapping, which begins at a page. Relaxed loads of a word may be of
            // memory that is only read; others store words there, too.
            unsafe { self.at.add(n).as_ref() }.load(Ordering::Relaxed)
        });
        // What is read of the file behind this is no older.
        fence(Ordering::Acquire);
        words
    }
}

impl Drop for Beginning {
    fn drop(&mut self) {
        // SAFETY: the mapping of `of`, which nothing refers to any more.
        unsafe { libc::munmap(self.at.as_ptr().cast(), MAPPED) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    #[test]
    fn what_is_written_is_seen_without_asking() {
        let file = tempfile::tempfile().unwrap();
        let again = || file.try_clone().unwrap();
        assert!(Beginning::of(again()).is_err(), "it is empty");
        file.set_len(MAPPED as u64).unwrap();
        let seen = Beginning::of(again()).unwrap();
        assert_eq!(seen.words::<2>(), [0, 0]);
        file.write_all_at(&7_u64.to_ne_bytes(), 8).unwrap();
        assert_eq!(seen.words::<2>(), [0, 7]);
    }
}
