//! The file `checkpoint`: the last state of the tree that is wholly on the disk, and where the log
//! goes on from there.
//!
//! What: two places written in turn, each with a checksum; the newer whole one counts. Why: between
//! two checkpoints LMDB writes without flushing, so after a loss of power its own headers may point
//! at pages that were never written; the header kept here does not. Not here: making a checkpoint
//! (`durable`).

use super::error::io;
use super::header::HEADER_BYTES;
use super::log::{Mark, Place, named};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use transom_recovery::StoreError;

const MAGIC: u32 = 0x504B_4854;
/// Bytes of one of the two places.
const SLOT: usize = 4_096;
/// Where the marks begin: behind magic, version, number, generation, number of the record, header.
const MARKS: usize = 8 + 24 + HEADER_BYTES;
/// Bytes in use: all that, two marks, CRC-32.
const USED: usize = MARKS + 16 + 4;
const VERSION: u32 = 2;
/// Had no marks: those of its logs are their generations.
const VERSION_1: u32 = 1;

/// What a checkpoint says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checkpoint {
    /// Header of the data file.
    pub header: Vec<u8>,
    /// First record that is not in the tree.
    pub next: Place,
    /// Of the generation in `next` and of the one behind it, which may begin before there is
    /// another checkpoint.
    pub marks: [Mark; 2],
}

impl Checkpoint {
    /// Whether its logs have records of the first format.
    pub(super) fn is_of_version_1(&self) -> bool {
        matches!(self.marks, [Mark::Generation(_), _])
    }
}

/// The file.
pub(super) struct CheckpointFile {
    file: File,
    path: PathBuf,
    number: u64,
}

impl CheckpointFile {
    /// Reads the file of a folder; `None` if there is none.
    pub(super) fn open(folder: &Path) -> Result<Option<(Self, Checkpoint)>, StoreError> {
        let path = folder.join("checkpoint");
        let file = match File::options().read(true).write(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io("cannot open", &path, &error)),
        };
        let slots = [0, SLOT as u64].map(|at| slot(&file, at));
        let newest = slots
            .into_iter()
            .flatten()
            .max_by_key(|(number, _)| *number);
        let Some((number, checkpoint)) = newest else {
            let text = format!("{} is damaged, restore a backup", path.display());
            return Err(StoreError::Io(text));
        };
        Ok(Some((Self { file, path, number }, checkpoint)))
    }

    /// Makes the file; it gets its name when it is whole.
    pub(super) fn create(folder: &Path, checkpoint: &Checkpoint) -> Result<Self, StoreError> {
        let path = folder.join("checkpoint");
        let new = named(&path, "new");
        let failed = |e: std::io::Error| io("cannot make", &path, &e);
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&new)
            .map_err(failed)?;
        file.write_all_at(&[0; 2 * SLOT], 0).map_err(failed)?;
        let mut made = Self {
            file,
            path: path.clone(),
            number: 0,
        };
        made.write(checkpoint)?;
        made.file
            .sync_all()
            .and_then(|()| std::fs::rename(&new, &path))
            .and_then(|()| File::open(folder)?.sync_all())
            .map_err(failed)?;
        Ok(made)
    }

    /// Replaces the older one of the two.
    pub(super) fn write(&mut self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        let number = self.number + 1;
        let mut bytes = Vec::with_capacity(USED);
        bytes.extend_from_slice(&MAGIC.to_le_bytes());
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&number.to_le_bytes());
        bytes.extend_from_slice(&checkpoint.next.generation.to_le_bytes());
        bytes.extend_from_slice(&checkpoint.next.number.to_le_bytes());
        bytes.extend_from_slice(&checkpoint.header);
        bytes.resize(MARKS, 0);
        for mark in checkpoint.marks {
            bytes.extend_from_slice(&mark.bytes());
        }
        let crc = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&crc.to_le_bytes());
        let at = (number % 2) * SLOT as u64;
        self.file
            .write_all_at(&bytes, at)
            .and_then(|()| self.file.sync_data())
            .map_err(|e| StoreError::Io(format!("cannot write {}: {e}", self.path.display())))?;
        self.number = number;
        Ok(())
    }
}

/// One of the two places, if it is whole.
fn slot(file: &File, at: u64) -> Option<(u64, Checkpoint)> {
    let mut bytes = [0; USED];
    file.read_exact_at(&mut bytes, at).ok()?;
    let known = bytes.starts_with(&MAGIC.to_le_bytes());
    let version = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?);
    let end = match version {
        VERSION => USED - 4,
        VERSION_1 => MARKS,
        _ => return None,
    };
    let (content, rest) = bytes.split_at(end);
    let number = |from: usize| {
        let bytes = content.get(from..from + 8)?;
        bytes.try_into().ok().map(u64::from_le_bytes)
    };
    let generation = number(16)?;
    let marks = match version {
        VERSION_1 => [generation, generation + 1].map(Mark::Generation),
        _ => [number(MARKS)?, number(MARKS + 8)?].map(Mark::Secret),
    };
    let checkpoint = Checkpoint {
        next: Place {
            generation,
            number: number(24)?,
        },
        header: content.get(32..MARKS)?.to_vec(),
        marks,
    };
    let whole = known && rest.starts_with(&crc32fast::hash(content).to_le_bytes());
    whole.then_some((number(8)?, checkpoint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newer_whole_one_counts() {
        let folder = tempfile::tempdir().unwrap();
        assert!(CheckpointFile::open(folder.path()).unwrap().is_none());
        let state = |number| Checkpoint {
            header: vec![number; HEADER_BYTES],
            next: Place {
                generation: u64::from(number),
                number: 70,
            },
            marks: [3, 4].map(|mark| Mark::Secret(mark + u64::from(number))),
        };
        let mut file = CheckpointFile::create(folder.path(), &state(1)).unwrap();
        for number in 2..6 {
            file.write(&state(number)).unwrap();
            let (read, found) = CheckpointFile::open(folder.path()).unwrap().unwrap();
            assert_eq!((found, read.number), (state(number), u64::from(number)));
        }
        // The fifth lies in the second place; without it the fourth counts.
        file.file.write_all_at(&[0; 8], SLOT as u64 + 100).unwrap();
        let (_, found) = CheckpointFile::open(folder.path()).unwrap().unwrap();
        assert_eq!(found, state(4));
        file.file.write_all_at(&[0; 8], 100).unwrap();
        let text = CheckpointFile::open(folder.path())
            .err()
            .unwrap()
            .to_string();
        assert!(text.contains("checkpoint is damaged"), "{text}");
    }
}
