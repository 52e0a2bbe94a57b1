//! Which chunks have room: a bit per chunk for each size of blocks, and one for free chunks.
//!
//! What: [`Room`] finds the first chunk with room, or the first run of chunks. Why: looking at the
//! chunks themselves costs a cache line for each 64 KB the heap may have. The bits are hints, as
//! counts are: whoever follows one looks at the chunk, and they are made again from the chunks
//! after a death. Not here: what a chunk is (`heap`).

use super::Segment;
use super::layout::{CLASSES, ROOM_MAPS, room_words};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// The map of free chunks.
pub(super) const FREE_CHUNKS: usize = CLASSES;

/// One map. Used under the lock of the heap.
pub(super) struct Room<'a> {
    from: &'a AtomicU64,
    bits: &'a [AtomicU64],
    chunks: usize,
}

impl<'a> Room<'a> {
    /// Map `map` of a segment.
    pub(super) fn of(segment: &'a Segment, map: usize) -> Self {
        let places = segment.places();
        let chunks = places.chunks as usize;
        let each = room_words(chunks) / ROOM_MAPS;
        let at = places.room_at as usize + map.min(ROOM_MAPS - 1) * each * size_of::<AtomicU64>();
        // SAFETY: the layout has so many words for so many maps, on a boundary of pages; atomics.
        let words =
            unsafe { std::slice::from_raw_parts((segment.base() + at) as *const AtomicU64, each) };
        Self {
            from: &words[0],
            bits: &words[1..],
            chunks,
        }
    }

    pub(super) fn set(&self, chunk: usize) {
        if let Some(word) = self.bits.get(chunk / 64) {
            word.fetch_or(1 << (chunk % 64), Relaxed);
            let from = self.from.load(Relaxed).min((chunk / 64) as u64);
            self.from.store(from, Relaxed);
        }
    }

    pub(super) fn clear(&self, chunk: usize) {
        if let Some(word) = self.bits.get(chunk / 64) {
            word.fetch_and(!(1 << (chunk % 64)), Relaxed);
        }
    }

    /// Nothing has room.
    pub(super) fn empty(&self) {
        self.bits.iter().for_each(|word| word.store(0, Relaxed));
        self.from.store(self.bits.len() as u64, Relaxed);
    }

    /// The first chunk.
    pub(super) fn first(&self) -> Option<usize> {
        let word = self.first_word()?;
        let bits = self.bits[word].load(Relaxed);
        let chunk = word * 64 + bits.trailing_zeros() as usize;
        (chunk < self.chunks).then_some(chunk)
    }

    /// The first of `wanted` chunks that follow each other.
    pub(super) fn first_run(&self, wanted: usize) -> Option<usize> {
        let mut found = 0;
        for word in self.first_word()?..self.bits.len() {
            let bits = self.bits[word].load(Relaxed);
            if bits == 0 {
                found = 0;
                continue;
            }
            for bit in 0..64 {
                found = if bits >> bit & 1 == 1 { found + 1 } else { 0 };
                let end = word * 64 + bit + 1;
                if found == wanted && end <= self.chunks {
                    return Some(end - wanted);
                }
            }
        }
        None
    }

    /// The first word with a bit, which is remembered.
    fn first_word(&self) -> Option<usize> {
        let from = usize::try_from(self.from.load(Relaxed)).unwrap_or(usize::MAX);
        let from = from.min(self.bits.len());
        let rest = self.bits[from..].iter();
        let skipped = rest.take_while(|word| word.load(Relaxed) == 0).count();
        self.from.store((from + skipped) as u64, Relaxed);
        (from + skipped < self.bits.len()).then_some(from + skipped)
    }
}
