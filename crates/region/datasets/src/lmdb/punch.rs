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
/// What the table of readers begins with, and the bytes of one of them. A place among them has the
/// transaction, which is [`NOBODY`] between two of them, and the process.
const READERS: usize = 128;
const READER: usize = 64;
const NOBODY: u64 = u64::MAX;

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

/// The oldest state anybody reads. The own reader of a state that is known is looked for: where it
/// is not found the table is not as it is known to be, and nothing is said. The caller is the
/// writer and writes nothing meanwhile: who begins to read now reads the state committed last.
pub(super) fn oldest_reader(lock_file: &Path, own: u64) -> Option<u64> {
    let bytes = std::fs::read(lock_file).ok()?;
    let process = std::process::id();
    let mut oldest = u64::MAX;
    let mut known = false;
    for place in bytes.get(READERS..)?.chunks_exact(READER) {
        let transaction = u64::from_le_bytes(place.get(..8)?.try_into().ok()?);
        let reader = u32::from_le_bytes(place.get(8..12)?.try_into().ok()?);
        if reader == 0 || transaction == NOBODY {
            continue;
        }
        known |= reader == process && transaction == own;
        oldest = oldest.min(transaction);
    }
    known.then_some(oldest)
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
