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
use transom_language::in_place::take_front;
use transom_language::little::Number;
use transom_language::{append, language};
use transom_recovery::StoreError;

const MAGIC: [u8; 4] = *b"THKP";
/// Bytes of one of the two places.
const SLOT: usize = 4_096;
/// Bytes in use: a [`Front`], [`Marks`], CRC-32 over both.
const USED: usize = 32 + HEADER_BYTES + 16 + 4;
const VERSION: u32 = 2;
/// Had no marks: those of its logs are their generations.
const VERSION_1: u32 = 1;

language! {
    /// What begins a checkpoint.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Front {
        magic: [u8; 4],
        version: Number<u32>,
        /// Of the checkpoint.
        number: Number<u64>,
        generation: Number<u64>,
        /// First record that is not in the tree.
        next: Number<u64>,
        /// Header of the data file.
        header: [u8; HEADER_BYTES],
    }

    /// Behind it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Marks {
        /// Of the generation.
        own: Number<u64>,
        /// Of the one behind it.
        next: Number<u64>,
    }
}

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

    /// Of the checkpoint that counts.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Replaces the older one of the two.
    pub(super) fn write(&mut self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        let number = self.number + 1;
        let mut header = [0; HEADER_BYTES];
        let given = checkpoint.header.len().min(HEADER_BYTES);
        header[..given].copy_from_slice(&checkpoint.header[..given]);
        let front = Front {
            magic: MAGIC,
            version: Number(VERSION),
            number: Number(number),
            generation: Number(checkpoint.next.generation),
            next: Number(checkpoint.next.number),
            header,
        };
        let [own, next] = checkpoint.marks.map(Mark::number);
        let mut bytes = Vec::with_capacity(USED);
        append(&mut bytes, &front);
        append(&mut bytes, &Marks { own, next });
        let sum = Number(crc32fast::hash(&bytes));
        append(&mut bytes, &sum);
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
    let mut rest = &bytes[..];
    let front: Front = take_front(&mut rest)?;
    let Number(generation) = front.generation;
    let marks = match front.version.0 {
        VERSION_1 => [generation, generation.wrapping_add(1)].map(Mark::Generation),
        VERSION => {
            let marks: Marks = take_front(&mut rest)?;
            [marks.own.0, marks.next.0].map(Mark::Secret)
        }
        _ => return None,
    };
    let content = &bytes[..USED - rest.len()];
    let sum = take_front::<Number<u32>>(&mut rest)?;
    let checkpoint = Checkpoint {
        next: Place {
            generation,
            number: front.next.0,
        },
        header: front.header.to_vec(),
        marks,
    };
    let whole = front.magic == MAGIC && sum == Number(crc32fast::hash(content));
    whole.then_some((front.number.0, checkpoint))
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
        // As it lay before it was declared: magic, version, number, generation, record; behind the
        // header two marks.
        let mut place = [0; USED];
        file.file.read_exact_at(&mut place, SLOT as u64).unwrap();
        let front = b"THKP\x02\0\0\0\x05\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\x46\0\0\0\0\0\0\0\x05\x05";
        assert!(place.starts_with(front));
        assert_eq!(place[544..560], *b"\x08\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0");
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
