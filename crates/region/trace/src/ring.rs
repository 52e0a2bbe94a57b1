//! The ring of a worker: its last trace entries.
//!
//! What: its owner alone writes, without a lock; anybody reads. An entry is whole when its first
//! word is its number before and after the others were read. What a program stores over it is no
//! entry, or a wrong one, and nothing depends on it. Not here: the memory it lies in
//! (`region/workers`).

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, fence};
use transom_trace::{ENTRY_WORDS, Entry, Made};

/// Entries of a ring.
pub const ENTRIES: usize = 512;
/// Entries that the auxiliary trace has not taken yet, before a worker waits for it.
const AHEAD_MAX: u64 = ENTRIES as u64 - 8;
/// Looks for room before a worker goes on without.
const LOOKS: u32 = 200;

/// All zero: no entries.
#[repr(C, align(64))]
pub struct Ring {
    /// Number of the newest; it lies at its number modulo the length.
    newest: AtomicU64,
    /// Number of the newest that the auxiliary trace has taken.
    taken: AtomicU64,
    entries: [Place; ENTRIES],
}

/// Place of an entry, a line of the cache.
#[repr(C, align(64))]
struct Place([AtomicU64; ENTRY_WORDS]);

impl Ring {
    /// Stores an entry of the worker whose ring it is. `look`: the auxiliary trace
    /// takes entries; it is called while there is no room for one more, and waits a little. It is
    /// not waited for for ever: what the auxiliary trace does not take is lost, and it says how
    /// much.
    #[inline]
    pub fn put(&self, entry: &Entry, made: &Made, look: Option<&dyn Fn()>) {
        let number = self.newest.load(Relaxed) + 1;
        if let Some(look) = look {
            self.wait_for_room(number, look);
        }
        let Place([first, rest @ ..]) = &self.entries[(number % ENTRIES as u64) as usize];
        let [_, words @ ..] = entry.words_of(number, made);
        first.store(0, Relaxed);
        // Nobody takes the words below for those of the entry that was here.
        fence(Release);
        for (to, word) in rest.iter().zip(words) {
            to.store(word, Relaxed);
        }
        first.store(number, Release);
        self.newest.store(number, Release);
    }

    #[cold]
    fn wait_for_room(&self, number: u64, look: &dyn Fn()) {
        for _ in 0..LOOKS {
            if number.saturating_sub(self.taken.load(Acquire)) <= AHEAD_MAX {
                return;
            }
            look();
        }
        self.taken.store(number, Release);
    }

    /// Number of the newest entry; 0: there is none.
    pub fn newest(&self) -> u64 {
        self.newest.load(Acquire)
    }

    /// Entries up to this one were taken.
    pub fn taken(&self, number: u64) {
        self.taken.store(number, Release);
    }

    /// An entry, if it is there and whole.
    pub fn entry(&self, number: u64) -> Option<Entry> {
        let Place(place) = &self.entries[(number % ENTRIES as u64) as usize];
        if number == 0 || place[0].load(Acquire) != number {
            return None;
        }
        let mut words = [0; ENTRY_WORDS];
        for (word, from) in words.iter_mut().zip(place) {
            *word = from.load(Relaxed);
        }
        fence(Acquire);
        let whole = place[0].load(Relaxed) == number && words[0] == number;
        whole.then(|| Entry::of(words)).flatten()
    }

    /// Those of a task, oldest first.
    pub fn of_task(&self, task: u32) -> Vec<Entry> {
        let newest = self.newest();
        let oldest = newest.saturating_sub(ENTRIES as u64 - 1).max(1);
        let entries = (oldest..=newest).filter_map(|number| self.entry(number));
        entries.filter(|entry| entry.task == task).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use transom_trace::{Component, Point};

    fn ring() -> Box<Ring> {
        Box::new(Ring {
            newest: AtomicU64::new(0),
            taken: AtomicU64::new(0),
            entries: std::array::from_fn(|_| Place(std::array::from_fn(|_| AtomicU64::new(0)))),
        })
    }

    fn entry(line: u32) -> Entry {
        Entry {
            line,
            ..Entry::new(Component::EI, Point::CommandEntry)
        }
    }

    fn made(line: u32) -> Made {
        Made {
            time_ns: line.into(),
            task: line % 2,
            transid: *b"PAY1",
        }
    }

    #[test]
    fn the_newest_entries_are_kept() {
        let ring = ring();
        for line in 1..=ENTRIES as u32 + 3 {
            ring.put(&entry(line), &made(line), None);
        }
        let newest = ring.newest();
        assert_eq!(newest, ENTRIES as u64 + 3);
        assert_eq!(ring.entry(newest).unwrap().line, ENTRIES as u32 + 3);
        assert_eq!(ring.entry(4).unwrap().time_ns, 4);
        assert_eq!((ring.entry(3), ring.entry(0)), (None, None));
        let odd = ring.of_task(1);
        assert_eq!((odd.len(), odd[0].line), (ENTRIES / 2, 5));
    }

    #[test]
    fn a_worker_waits_for_the_auxiliary_trace_and_not_for_ever() {
        let ring = ring();
        let looks = Cell::new(0);
        let look = || looks.set(looks.get() + 1);
        for line in 0..ENTRIES as u32 {
            ring.put(&entry(line), &made(line), Some(&look));
        }
        // It gave up once, and had room again.
        assert_eq!(looks.get(), LOOKS);
        ring.taken(ring.newest());
        ring.put(&entry(1), &made(1), Some(&look));
        assert_eq!(looks.get(), LOOKS);
    }

    #[test]
    fn what_a_program_stored_over_is_no_entry() {
        let ring = ring();
        ring.put(&entry(1), &made(1), None);
        ring.entries[1].0[2].store(u64::MAX, Relaxed);
        assert_eq!(ring.entry(1), None);
    }
}
