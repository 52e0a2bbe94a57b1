//! Sorting of more than memory holds.
//!
//! What: pairs of bytes in any order in, in the order of their keys out: as many as memory is
//! given for are sorted there, written to a file without a name and merged in the end. Why: a tree
//! that is filled in the order of its keys writes each page once, one that is filled in another
//! order writes a page for nearly every record. Not here: what the pairs are.

use std::cmp::Ordering;
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
        if self.arena.capacity() == 0 {
            // Once: pages that are not used take no memory, and growing would copy all of it.
            self.arena.reserve_exact(self.memory);
        }
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
        let run = |run: &Range<u64>| Run {
            left: run.clone(),
            chunk,
            bytes: Vec::new(),
            head: Head::default(),
            end: 0,
        };
        let runs = file.iter().flat_map(|_| runs);
        let mut pass = Pass {
            sorter: &self.0,
            next: 0,
            runs: runs.map(run).collect(),
            heap: Vec::new(),
            has_lent: false,
        };
        for number in 0..pass.runs.len() {
            if pass.refill(number)? {
                pass.heap.push(number);
                pass.rise(pass.heap.len() - 1);
            }
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
    /// Runs that have a pair, a heap: the one with the least key first.
    heap: Vec<usize>,
    /// The first pair has been seen.
    has_lent: bool,
}

/// What is left of a run.
struct Run {
    left: Range<u64>,
    chunk: usize,
    bytes: Vec<u8>,
    head: Head,
    /// What of the bytes has been gone through, the head included.
    end: usize,
}

/// Where the next pair of a run lies in its bytes.
#[derive(Default)]
struct Head {
    front: u64,
    key: Range<usize>,
    value: Range<usize>,
}

impl Iterator for Pass<'_> {
    type Item = io::Result<Pair>;

    fn next(&mut self) -> Option<io::Result<Pair>> {
        let pair = self
            .step()
            .map(|pair| pair.map(|(key, value)| (key.to_vec(), value.to_vec())));
        pair.transpose()
    }
}

impl Pass<'_> {
    /// The next key and its value where they lie; `None`: there are no more.
    ///
    /// # Errors
    /// What the file answers.
    pub fn step(&mut self) -> io::Result<Option<(&[u8], &[u8])>> {
        if self.sorter.file.is_none() {
            let Some(item) = self.sorter.items.get(self.next) else {
                return Ok(None);
            };
            self.next += 1;
            let pair = &self.sorter.arena[item.at..][..(item.key + item.value) as usize];
            return Ok(Some(pair.split_at(item.key as usize)));
        }
        if std::mem::replace(&mut self.has_lent, true) {
            self.leave_first()?;
        }
        let run = self.heap.first().and_then(|run| self.runs.get(*run));
        Ok(run.map(|run| (run.key(), &run.bytes[run.head.value.clone()])))
    }

    /// The run with the least key goes on.
    fn leave_first(&mut self) -> io::Result<()> {
        let Some(number) = self.heap.first().copied() else {
            return Ok(());
        };
        if !self.refill(number)? {
            self.heap.swap_remove(0);
        }
        self.sink();
        Ok(())
    }

    /// Goes on to the next pair of a run; `false`: there is none.
    fn refill(&mut self, number: usize) -> io::Result<bool> {
        match (self.runs.get_mut(number), &self.sorter.file) {
            (Some(run), Some(file)) => run.go_on(file),
            _ => Ok(false),
        }
    }

    /// Whether the run at a place of the heap comes before that at another.
    fn before(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|place| &self.runs[self.heap[place]]);
        let fronts = one.head.front.cmp(&other.head.front);
        fronts.then_with(|| one.key().cmp(other.key())) == Ordering::Less
    }

    /// Moves what is at a place of the heap up to where it belongs.
    fn rise(&mut self, mut place: usize) {
        while place > 0 && self.before(place, (place - 1) / 2) {
            self.heap.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
    }

    /// Moves what is first in the heap down to where it belongs.
    fn sink(&mut self) {
        let mut place = 0;
        loop {
            let children = [2 * place + 1, 2 * place + 2].into_iter();
            let there = children.filter(|child| *child < self.heap.len());
            let least = there.reduce(|a, b| if self.before(b, a) { b } else { a });
            match least.filter(|least| self.before(*least, place)) {
                Some(least) => self.heap.swap(place, least),
                None => return,
            }
            place = least.unwrap_or(place);
        }
    }
}

impl Run {
    fn key(&self) -> &[u8] {
        &self.bytes[self.head.key.clone()]
    }

    /// Goes on to the next pair; `false`: there is none.
    fn go_on(&mut self, file: &File) -> io::Result<bool> {
        if !self.has(file, LENGTHS)? {
            return Ok(false);
        }
        let number = |at: usize| {
            let mut length = [0; 4];
            length.copy_from_slice(&self.bytes[at..at + 4]);
            u32::from_le_bytes(length) as usize
        };
        let (key, value) = (number(self.end), number(self.end + 4));
        self.end += LENGTHS;
        if !self.has(file, key + value)? {
            return Err(io::Error::other("a run of a sort is cut"));
        }
        let at = self.end;
        self.end += key + value;
        self.head = Head {
            front: front(&self.bytes[at..at + key]),
            key: at..at + key,
            value: at + key..self.end,
        };
        Ok(true)
    }

    /// Whether so many bytes follow, which are then in memory.
    fn has(&mut self, file: &File, length: usize) -> io::Result<bool> {
        if self.bytes.len() - self.end < length {
            self.bytes.drain(..self.end);
            self.end = 0;
            let have = self.bytes.len();
            let left = usize::try_from(self.left.end - self.left.start).unwrap_or(usize::MAX);
            let more = self.chunk.max(length - have).min(left);
            self.bytes.resize(have + more, 0);
            file.read_exact_at(&mut self.bytes[have..], self.left.start)?;
            self.left.start += more as u64;
        }
        Ok(self.bytes.len() - self.end >= length)
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
