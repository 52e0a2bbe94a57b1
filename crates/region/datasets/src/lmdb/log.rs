//! The log in front of the tree: groups of changes, written and flushed before the tree shows them.
//!
//! What: a file of records in order, its room written beforehand so that a flush writes nothing but
//! the record; reading it back after a crash. Why: LMDB flushes each page a group touches, dozens
//! for a full group; the log flushes the changes alone. Not here: when a log may be forgotten
//! (`durable`).
//!
//! A record is a [`Head`] and as many [`Change`]s as it says, filled up to 8 bytes. Numbers go on
//! from log to log without a gap.
//!
//! A log is used again and again without being erased, so what users wrote long ago lies behind its
//! last record. The mark is a secret of the generation: nobody can put bytes into his data that
//! look like a record. In the first format it was the generation itself, which can be guessed; such
//! a log is read once, by the start that makes a checkpoint of the second format.

use super::error::io;
use super::header;
use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_language::little::{Bytes, Number, Text};
use transom_language::{all, append, language};
use transom_recovery::{Action, Batch, EngineWrite, StoreError};

/// "TXM2".
const MAGIC: u32 = 0x324D_5854;
/// "TXML".
const MAGIC_OF_FORMAT_1: u32 = 0x4C4D_5854;
/// Bytes of a [`Head`].
const HEAD: usize = 32;
/// What of a head the checksum is over: all between magic and checksum.
const SUMMED: std::ops::Range<usize> = 4..24;
/// Bytes of room written beforehand at a time.
const STEP: usize = 1 << 20;
/// Bytes of room a new log has.
const FIRST: usize = 1 << 16;

language! {
    /// In front of a record.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Head {
        magic: [u8; 4],
        /// Bytes of the changes.
        length: Number<u32>,
        /// Of the log.
        mark: Number<u64>,
        number: Number<u64>,
        /// CRC-32 over what stands between magic and here, and over the changes.
        checksum: Number<u32>,
        /// Number of the store.
        store: Number<u32>,
    }

    /// What became of a record of the store.
    #[derive(Debug, Clone, PartialEq, Eq)]
    enum Change<'a> {
        0 = Erased { table: Text<'a>, key: Bytes<'a> },
        1 = Written { table: Text<'a>, key: Bytes<'a>, record: Bytes<'a> },
    }
}

/// Place of a record in the order of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub generation: u64,
    pub number: u64,
}

/// What the records of one generation of a log have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Of the first format. Records of a store that had no number yet have 0 in its place.
    Generation(u64),
    /// Made by [`Mark::fresh`].
    Secret(u64),
}

impl Mark {
    /// One that nobody outside of this process can know: the hash has keys of the operating system.
    pub(super) fn fresh() -> Self {
        Self::Secret(RandomState::new().build_hasher().finish())
    }

    fn magic(self) -> [u8; 4] {
        match self {
            Self::Generation(_) => MAGIC_OF_FORMAT_1.to_le_bytes(),
            Self::Secret(_) => MAGIC.to_le_bytes(),
        }
    }

    pub(super) fn number(self) -> Number<u64> {
        let (Self::Generation(mark) | Self::Secret(mark)) = self;
        Number(mark)
    }
}

/// One of the two log files.
pub(super) struct LogFile {
    file: File,
    path: PathBuf,
    /// Bytes that are written beforehand.
    room: usize,
    /// Where the next record goes.
    end: usize,
}

impl LogFile {
    /// Opens a log and makes it if it is not there; a new one gets its name when its first room is
    /// safe.
    pub(super) fn open_or_make(path: &Path, store: u32) -> Result<Self, StoreError> {
        if !path.exists() {
            let new = named(path, "new");
            let made = File::create(&new)
                .and_then(|f| f.write_all_at(&[0; FIRST], 0).map(|()| f))
                .and_then(|f| f.sync_all())
                .and_then(|()| std::fs::rename(&new, path));
            made.map_err(|e| io("cannot make", path, &e))?;
        }
        Self::open(path, store)
    }

    /// Opens a log that must be there. Refused when its first record is of a store of another
    /// number than `store`; 0 is any.
    pub(super) fn open(path: &Path, store: u32) -> Result<Self, StoreError> {
        let file = File::options().read(true).write(true).open(path);
        let file = file.map_err(|e| io("cannot open", path, &e))?;
        let length = file.metadata().map_err(|e| io("cannot read", path, &e))?;
        let log = Self {
            file,
            path: path.to_owned(),
            room: usize::try_from(length.len()).unwrap_or(0),
            end: 0,
        };
        match log.first_store().filter(|found| *found != 0) {
            Some(found) if store != 0 && found != store => Err(header::other_store(path)),
            _ => Ok(log),
        }
    }

    /// Begins again at its start; old records are told by their mark.
    pub(super) fn rewind(&mut self) {
        self.end = 0;
    }

    /// Bytes of the records since `rewind`.
    pub(super) fn used(&self) -> usize {
        self.end
    }

    /// Writes a record made by [`fill`] and flushes it. After an error nothing of it counts,
    /// unless that was a flush.
    pub(super) fn append(&mut self, record: &[u8]) -> Result<(), StoreError> {
        let end = self.end + record.len();
        let failed = |e: std::io::Error| io("cannot write", &self.path, &e);
        while self.room < end {
            let zeros = vec![0; STEP];
            self.file
                .write_all_at(&zeros, self.room as u64)
                .map_err(failed)?;
            self.room += STEP;
        }
        self.file
            .write_all_at(record, self.end as u64)
            .map_err(failed)?;
        // Whatever the reason: what a failed flush has written is unknown.
        let flushed = self.file.sync_data();
        flushed.map_err(|e| StoreError::Io(format!("flush of {}: {e}", self.path.display())))?;
        self.end = end;
        Ok(())
    }

    /// Makes the last record undone: the tree could not take it.
    pub(super) fn take_back(&mut self, length: usize) -> Result<(), StoreError> {
        let begin = self.end.saturating_sub(length);
        self.file
            .write_all_at(&[0; HEAD], begin as u64)
            .and_then(|()| self.file.sync_data())
            .map_err(|e| StoreError::Io(format!("{}: {e}", self.path.display())))?;
        self.end = begin;
        Ok(())
    }

    /// Whether any record of any generation begins the file.
    pub(super) fn was_used(&self) -> bool {
        self.first_store().is_some()
    }

    /// The store the first record is of, if there is one.
    fn first_store(&self) -> Option<u32> {
        let mut head = [0; HEAD];
        self.file.read_exact_at(&mut head, 0).ok()?;
        let head = Head::decode(&head)?;
        let magics = [MAGIC, MAGIC_OF_FORMAT_1].map(u32::to_le_bytes);
        magics.contains(&head.magic).then_some(head.store.0)
    }

    /// Hands the payloads of records with a mark to `take`, from the number `next` on; the number
    /// behind the last one. A record that is not whole ends the log, unless another one follows it:
    /// then something written was lost.
    pub(super) fn replay(
        &self,
        mark: Mark,
        store: u32,
        mut next: u64,
        take: &mut dyn FnMut(Vec<EngineWrite>) -> Result<(), StoreError>,
    ) -> Result<u64, StoreError> {
        let mut bytes = vec![0; self.room];
        let read = self.file.read_exact_at(&mut bytes, 0);
        read.map_err(|e| io("cannot read", &self.path, &e))?;
        let mut at = 0;
        while let Some((number, payload, end)) = record(&bytes, at, mark, store) {
            if number != next {
                break;
            }
            take(writes(payload).ok_or_else(|| self.damaged(at))?)?;
            next += 1;
            at = end;
        }
        // As many as the rest of the file has room for can follow the one that is missing.
        let most = next + (bytes.len().saturating_sub(at) / HEAD) as u64;
        let follows = |at: usize| {
            record(&bytes, at, mark, store)
                .is_some_and(|(number, ..)| number > next && number < most)
        };
        let mut later = (at..bytes.len().saturating_sub(HEAD)).step_by(8);
        match later.any(follows) {
            true => Err(self.damaged(at)),
            false => Ok(next),
        }
    }

    fn damaged(&self, at: usize) -> StoreError {
        let path = self.path.display();
        StoreError::Io(format!(
            "{path} is damaged at byte {at}; transom verify shows the damage, a backup mends it"
        ))
    }
}

/// A path with something added to its name.
pub(super) fn named(path: &Path, added: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(added);
    name.into()
}

/// A record with the changes of batches, in a buffer that can be used again; false when it would be
/// longer than `limit`.
pub(super) fn fill<'b>(
    store: u32,
    mark: Mark,
    number: u64,
    batches: impl Iterator<Item = &'b Batch>,
    limit: usize,
    out: &mut Vec<u8>,
) -> Result<bool, StoreError> {
    out.clear();
    out.resize(HEAD, 0);
    for write in batches.flat_map(|batch| &batch.writes) {
        let (table, key) = (Text::from(&*write.table), Bytes::from(&write.key[..]));
        let change = match &write.action {
            Action::Put(record) | Action::Insert(record) => Change::Written {
                table,
                key,
                record: record[..].into(),
            },
            Action::Delete | Action::Erase => Change::Erased { table, key },
        };
        append(out, &change);
        if out.len() > limit {
            return Ok(false);
        }
    }
    let length = u32::try_from(out.len() - HEAD).map_err(|_| StoreError::Limit("log record"))?;
    let mut head = Head {
        magic: mark.magic(),
        length: Number(length),
        mark: mark.number(),
        number: Number(number),
        checksum: Number(0),
        store: Number(store),
    };
    head.checksum = checksum(&head, &out[HEAD..]);
    out[..HEAD].copy_from_slice(&head.encode());
    out.resize(out.len().next_multiple_of(8), 0);
    Ok(true)
}

fn checksum(head: &Head, payload: &[u8]) -> Number<u32> {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&head.encode()[SUMMED]);
    crc.update(payload);
    Number(crc.finalize())
}

/// The record at a place, if it is whole and of this log: its number, its payload, its end.
fn record(bytes: &[u8], at: usize, mark: Mark, store: u32) -> Option<(u64, &[u8], usize)> {
    let head = Head::decode(bytes.get(at..at.checked_add(HEAD)?)?)?;
    if (head.magic, head.mark) != (mark.magic(), mark.number()) {
        return None;
    }
    let Number(found) = head.store;
    let unnumbered = found == 0 && matches!(mark, Mark::Generation(_));
    if found != store && !unnumbered {
        return None;
    }
    let length = head.length.0 as usize;
    let payload = bytes.get(at + HEAD..(at + HEAD).checked_add(length)?)?;
    let whole = head.checksum == checksum(&head, payload);
    let end = (at + HEAD + length).next_multiple_of(8);
    whole.then_some((head.number.0, payload, end))
}

/// What the changes of a record do to a store.
fn writes(payload: &[u8]) -> Option<Vec<EngineWrite>> {
    let write = |change| {
        let (table, key, action) = match change {
            Change::Erased { table, key } => (table, key, Action::Erase),
            Change::Written { table, key, record } => {
                (table, key, Action::Put(record.0.into_owned()))
            }
        };
        EngineWrite {
            table: Arc::from(&*table.0),
            key: key.0.into_owned(),
            action,
        }
    };
    Some(all(payload)?.into_iter().map(write).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(key: u8) -> Batch {
        let write = |action| EngineWrite {
            table: "file/A".into(),
            key: vec![key],
            action,
        };
        Batch {
            writes: vec![write(Action::Put(vec![key; 5])), write(Action::Erase)],
        }
    }

    const MARK: Mark = Mark::Secret(0x1234_5678_9ABC_DEF0);

    fn written(mark: Mark, store: u32, number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let key = (number - 100) as u8;
        let whole = fill(store, mark, number, [group(key)].iter(), 1_000, &mut bytes);
        assert_eq!(whole, Ok(true));
        bytes
    }

    fn log(folder: &Path, mark: Mark, records: u64) -> LogFile {
        let mut log = LogFile::open_or_make(&folder.join("log.0"), 7).unwrap();
        for number in 100..100 + records {
            log.append(&written(mark, 7, number)).unwrap();
        }
        log
    }

    fn keys(log: &LogFile, mark: Mark, number: u64) -> Result<(Vec<u8>, u64), StoreError> {
        let mut keys = Vec::new();
        let next = log.replay(mark, 7, number, &mut |writes| {
            assert_eq!(writes, group(writes[0].key[0]).writes);
            keys.push(writes[0].key[0]);
            Ok(())
        })?;
        Ok((keys, next))
    }

    #[test]
    fn a_record_lies_as_it_did_before_it_was_declared() {
        let recorded = b"TXM2)\0\0\0\xf0\xde\xbc\x9axV4\x12d\0\0\0\0\0\0\0Y\xf2=\x04\x07\0\0\0\
            \x01\x06\0\0\0file/A\x01\0\0\0\0\x05\0\0\0\0\0\0\0\0\
            \0\x06\0\0\0file/A\x01\0\0\0\0\0\0\0\0\0\0\0";
        assert_eq!(written(MARK, 7, 100), recorded);
    }

    #[test]
    fn records_come_back_and_an_unfinished_one_ends_the_log() {
        for mark in [MARK, Mark::Generation(4)] {
            let folder = tempfile::tempdir().unwrap();
            let mut log = log(folder.path(), mark, 3);
            assert!(log.was_used());
            assert_eq!(keys(&log, mark, 100), Ok((vec![0, 1, 2], 103)));
            assert_eq!(keys(&log, mark, 200), Ok((vec![], 200)));
            assert_eq!(keys(&log, Mark::fresh(), 100), Ok((vec![], 100)));
            log.file.write_all_at(&[9], log.end as u64 - 9).unwrap();
            assert_eq!(keys(&log, mark, 100), Ok((vec![0, 1], 102)));
            log.take_back(log.end / 3).unwrap();
            assert_eq!(keys(&log, mark, 100), Ok((vec![0, 1], 102)));
        }
    }

    #[test]
    fn a_gap_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let log = log(folder.path(), MARK, 3);
        log.file
            .write_all_at(&[9], log.end as u64 / 3 + 40)
            .unwrap();
        let text = keys(&log, MARK, 100).unwrap_err().to_string();
        assert!(text.contains("log.0 is damaged at byte"), "{text}");
    }

    #[test]
    fn what_looks_like_a_record_of_another_log_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = log(folder.path(), MARK, 2);
        // Bytes of users behind the last record: other marks, another store, a number too high.
        let forged = [
            written(Mark::Generation(4), 7, 103),
            written(Mark::Secret(5), 7, 103),
            written(MARK, 8, 103),
            written(MARK, 7, 1_000_000),
        ];
        let end = log.end;
        forged.iter().for_each(|bytes| log.append(bytes).unwrap());
        log.end = end;
        assert_eq!(keys(&log, MARK, 100), Ok((vec![0, 1], 102)));
        log.append(&written(MARK, 7, 103)).unwrap();
        assert!(keys(&log, MARK, 100).is_err());
    }
}
