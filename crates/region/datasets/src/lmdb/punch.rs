//! Room of free pages given back to the file system.
//!
//! What: pages that no state of the tree has which anybody can see become holes in the data file.
//! Why: the file never gets shorter; with holes it needs the room of its data. LMDB may write over
//! such pages at any time and reads none of them, so a hole there is as good as what it would
//! write. Not here: when (`upkeep`).

use super::error::io;
use rustix::fs::FallocateFlags;
use rustix::io::Errno;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use transom_recovery::StoreError;

/// Pages next to each other that are worth a hole.
const RUN_MIN: u64 = 4;

/// Bytes a file takes on its disk.
pub(super) fn on_disk(file: &File) -> u64 {
    file.metadata().map_or(0, |found| found.blocks() * 512)
}

/// Runs of pages, the ones at the end of the file first.
pub(super) fn runs(pages: &[u64]) -> Vec<Range<u64>> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for page in pages {
        match runs.last_mut() {
            Some(last) if last.end == *page => last.end += 1,
            _ => runs.push(*page..page + 1),
        }
    }
    runs.retain(|run| run.end - run.start >= RUN_MIN);
    runs.reverse();
    runs
}

/// Makes a run of pages a hole; false where the file system knows none.
pub(super) fn punch(
    file: &File,
    path: &Path,
    pages: &Range<u64>,
    page_bytes: u64,
) -> Result<bool, StoreError> {
    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    let (at, length) = (
        pages.start * page_bytes,
        (pages.end - pages.start) * page_bytes,
    );
    match rustix::fs::fallocate(file, flags, at, length) {
        Ok(()) => Ok(true),
        Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INTR) => Ok(false),
        Err(error) => Err(io("cannot give room back of", path, &error.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_run_and_few_of_them_none() {
        let pages = [2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 20];
        assert_eq!(runs(&pages), [9..14, 2..6]);
        assert_eq!(runs(&[]), []);
    }
}
