//! Sorting of more than memory holds.
//!
//! What: pairs of bytes in any order in, in the order of their keys out: as many as memory is
//! given for are sorted there, written to a file without a name and merged in the end. Why: a tree
//! that is filled in the order of its keys writes each page once, one that is filled in another
//! order writes a page for nearly every record. Not here: what the pairs are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Bytes of pairs that are sorted in memory.
const MEMORY: usize = 64 << 20;
/// Bytes of a run read at a time, at least and at most.
const CHUNK: (usize, usize) = (16 << 10, 1 << 20);
/// Bytes before a pair in a file: the lengths of its key and its value.
const LENGTHS: usize = 8;

/// Takes pairs. Keys are different from each other; who has equal ones adds a number to them.
#[derive(Debug)]
pub struct Sorter {
    /// Where the file lies.
    folder: PathBuf,
    memory: usize,
    /// Keys and values, one behind the other.
    arena: Vec<u8>,
    items: Vec<Item>,
    runs: Vec<Range<u64>>,
    file: Option<File>,
}

/// A pair in the arena.
#[derive(Debug, Clone, Copy)]
struct Item {
    /// Beginning of the key, so that most comparisons need nothing else.
    front: u64,
    at: usize,
    key: u32,
    value: u32,
}

/// A key and its value.
pub type Pair = (Vec<u8>, Vec<u8>);

impl Sorter {
    /// One whose file lies in a folder; it goes with the process, however that ends.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self::with_memory(folder, MEMORY)
    }

    fn with_memory(folder: &Path, memory: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            memory,
            arena: Vec::new(),
            items: Vec::new(),
            runs: Vec::new(),
            file: None,
        }
    }

    /// Takes a pair.
    ///
    /// # Errors
    /// What the file answers.
    pub fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let long = |_| io::Error::other("more than 4 GiB in one record");
        let item = Item {
            front: front(key),
            at: self.arena.len(),
            key: u32::try_from(key.len()).map_err(long)?,
            value: u32::try_from(value.len()).map_err(long)?,
        };
        self.arena.extend_from_slice(key);
        self.arena.extend_from_slice(value);
        self.items.push(item);
        let used = self.arena.len() + self.items.len() * size_of::<Item>();
        match used >= self.memory {
            true => self.spill(),
            false => Ok(()),
        }
    }

    /// The end of the pairs.
    ///
    /// # Errors
    /// What the file answers.
    pub fn finish(mut self) -> io::Result<Sorted> {
        match self.file {
            Some(_) => self.spill()?,
            None => self.sort(),
        }
        Ok(Sorted(self))
    }

    fn sort(&mut self) {
        let arena = &self.arena;
        let key = |item: &Item| &arena[item.at..item.at + item.key as usize];
        self.items.sort_unstable_by(|one, other| {
            let fronts = one.front.cmp(&other.front);
            fronts.then_with(|| key(one).cmp(key(other)))
        });
    }

    /// Writes what is in memory as a run.
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let begin = self.runs.last().map_or(0, |run| run.end);
        let file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile_in(&self.folder)?,
        };
        let mut end = begin;
        let mut out = Vec::with_capacity(CHUNK.1 + LENGTHS);
        for item in &self.items {
            out.extend_from_slice(&item.key.to_le_bytes());
            out.extend_from_slice(&item.value.to_le_bytes());
            let length = (item.key + item.value) as usize;
            out.extend_from_slice(&self.arena[item.at..item.at + length]);
            if out.len() >= CHUNK.1 {
                file.write_all_at(&out, end)?;
                end += out.len() as u64;
                out.clear();
            }
        }
        file.write_all_at(&out, end)?;
        end += out.len() as u64;
        self.runs.push(begin..end);
        self.file = Some(file);
        self.arena.clear();
        self.items.clear();
        Ok(())
    }
}

/// The first bytes of a key as a number of the same order.
fn front(key: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = key.len().min(8);
    bytes[..length].copy_from_slice(&key[..length]);
    u64::from_be_bytes(bytes)
}

/// All pairs; they can be gone through more than once.
#[derive(Debug)]
pub struct Sorted(Sorter);

impl Sorted {
    /// From the first pair on.
    ///
    /// # Errors
    /// What the file answers.
    pub fn pass(&self) -> io::Result<Pass<'_>> {
        let Sorter { runs, file, .. } = &self.0;
        let chunk = (self.0.memory / runs.len().max(1)).clamp(CHUNK.0, CHUNK.1);
        let mut pass = Pass {
            sorter: &self.0,
            next: 0,
            runs: Vec::with_capacity(runs.len()),
            heads: BinaryHeap::with_capacity(runs.len()),
        };
        for (number, run) in file.iter().flat_map(|_| runs).enumerate() {
            pass.runs.push(Run {
                left: run.clone(),
                chunk,
                bytes: Vec::new(),
                at: 0,
            });
            pass.refill(number)?;
        }
        Ok(pass)
    }
}

/// One way through the pairs.
pub struct Pass<'s> {
    sorter: &'s Sorter,
    /// In memory.
    next: usize,
    runs: Vec<Run>,
    /// The next pair of each run.
    heads: BinaryHeap<Reverse<(Pair, usize)>>,
}

/// What is left of a run.
struct Run {
    left: Range<u64>,
    chunk: usize,
    bytes: Vec<u8>,
    at: usize,
}

impl Iterator for Pass<'_> {
    type Item = io::Result<Pair>;

    fn next(&mut self) -> Option<io::Result<Pair>> {
        if self.sorter.file.is_none() {
            let item = self.sorter.items.get(self.next)?;
            self.next += 1;
            let value = item.at + item.key as usize;
            let end = value + item.value as usize;
            let arena = &self.sorter.arena;
            return Some(Ok((
                arena[item.at..value].to_vec(),
                arena[value..end].to_vec(),
            )));
        }
        let Reverse((pair, run)) = self.heads.pop()?;
        Some(self.refill(run).map(|()| pair))
    }
}

impl Pass<'_> {
    /// Puts the next pair of a run among the heads.
    fn refill(&mut self, number: usize) -> io::Result<()> {
        let (Some(run), Some(file)) = (self.runs.get_mut(number), &self.sorter.file) else {
            return Ok(());
        };
        let mut length = [0; 4];
        let Some(lengths) = run.bytes(file, LENGTHS)? else {
            return Ok(());
        };
        length.copy_from_slice(&lengths[..4]);
        let key = u32::from_le_bytes(length) as usize;
        length.copy_from_slice(&lengths[4..]);
        let value = u32::from_le_bytes(length) as usize;
        let pair = run.bytes(file, key + value)?;
        let pair = pair.ok_or_else(|| io::Error::other("a run of a sort is cut"))?;
        let (key, value) = pair.split_at(key);
        let head = (key.to_vec(), value.to_vec());
        self.heads.push(Reverse((head, number)));
        Ok(())
    }
}

impl Run {
    /// The next bytes; none at the end.
    fn bytes(&mut self, file: &File, length: usize) -> io::Result<Option<&[u8]>> {
        if self.bytes.len() - self.at < length {
            self.bytes.drain(..self.at);
            self.at = 0;
            let have = self.bytes.len();
            let left = usize::try_from(self.left.end - self.left.start).unwrap_or(usize::MAX);
            let more = self.chunk.max(length - have).min(left);
            self.bytes.resize(have + more, 0);
            file.read_exact_at(&mut self.bytes[have..], self.left.start)?;
            self.left.start += more as u64;
        }
        let at = self.at;
        if self.bytes.len() - at < length {
            return Ok(None);
        }
        self.at += length;
        Ok(Some(&self.bytes[at..at + length]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(sorted: &Sorted) -> Vec<Pair> {
        sorted.pass().unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn pairs_come_in_order_from_memory_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let pair = |n: u32| {
            let mixed = n.wrapping_mul(2_654_435_761);
            // Keys of several lengths with the same beginning; some values are longer than a chunk.
            let key = format!("ACCOUNT{}{mixed:010}", "X".repeat(n as usize % 3));
            let long = if n == 77 { 40_000 } else { n as usize % 50 };
            (key.into_bytes(), vec![n as u8; long])
        };
        let mut expected: Vec<Pair> = (0..5_000).map(pair).collect();
        expected.sort();
        for (memory, runs) in [(MEMORY, 0), (20_000, 10)] {
            let mut sorter = Sorter::with_memory(folder.path(), memory);
            for (key, value) in (0..5_000).map(pair) {
                sorter.push(&key, &value).unwrap();
            }
            let sorted = sorter.finish().unwrap();
            assert!(sorted.0.runs.len() >= runs && (runs > 0) == sorted.0.file.is_some());
            assert!(through(&sorted) == expected && through(&sorted) == expected);
        }
        let none = Sorter::new(folder.path()).finish().unwrap();
        assert_eq!(through(&none), []);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
