//! The shared heap: blocks of shared memory, by offset.
//!
//! What: chunks of 64 KB, each cut into blocks of one size with a bit per block, or runs of whole
//! chunks for large blocks. Why: every allocation and every free becomes visible by one store (a
//! bit, or the kind of a chunk), so a death in between leaves the heap whole; counts are hints and
//! are made again after such a death. A block that a worker had taken and not yet published when it
//! was killed stays taken.

use super::Segment;
use super::layout::{CHUNK_BYTES, CLASSES, ChunkMeta, Header, NO_CHUNK, ROOM_MAPS};
use super::lock::Held;
use super::room::{FREE_CHUNKS, Room};
use std::sync::atomic::Ordering::Relaxed;

/// Block sizes of small blocks.
const SIZES: [usize; CLASSES] = [
    32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 13104,
    16384, 21840, 32768,
];

/// Kinds of chunk: free, small block size + 1, or the first of a run.
const FREE: u32 = 0;
const RUN: u32 = 1000;

/// The heap of a segment.
#[derive(Clone, Copy)]
pub(crate) struct Heap<'a> {
    segment: &'a Segment,
}

impl Segment {
    /// Its heap.
    pub(crate) fn heap(&self) -> Heap<'_> {
        Heap::new(self)
    }
}

impl<'a> Heap<'a> {
    fn new(segment: &'a Segment) -> Self {
        Self { segment }
    }

    /// A block of at least `bytes`, not cleared. `None`: full, or `bytes` is 0 or too large.
    pub(crate) fn allocate(&self, bytes: usize) -> Option<u64> {
        if bytes == 0 || bytes > self.chunks() * CHUNK_BYTES {
            return None;
        }
        let _held = self.lock();
        let offset = match SIZES.iter().position(|size| *size >= bytes) {
            Some(class) => self.allocate_small(class),
            None => self.allocate_run(bytes.div_ceil(CHUNK_BYTES)),
        };
        if let Some(offset) = offset {
            let used = self.size_of_block(offset).unwrap_or(0) as u64;
            self.header().heap_used.fetch_add(used, Relaxed);
        }
        offset
    }

    /// Gives a block back; `false`: that offset is no block in use.
    pub(crate) fn free(&self, offset: u64) -> bool {
        let _held = self.lock();
        let Some(size) = self.size_of_block(offset) else {
            return false;
        };
        let Some((chunk, at)) = self.place(offset) else {
            return false;
        };
        let meta = self.meta(chunk);
        match meta.kind.load(Relaxed) {
            RUN => {
                let run = size / CHUNK_BYTES;
                meta.kind.store(FREE, Relaxed);
                (chunk..chunk + run).for_each(|chunk| self.room(FREE_CHUNKS).set(chunk));
            }
            kind => self.free_small(chunk, (kind as usize).wrapping_sub(1), at / size),
        }
        let used = self
            .header()
            .heap_used
            .load(Relaxed)
            .saturating_sub(size as u64);
        self.header().heap_used.store(used, Relaxed);
        true
    }

    /// Usable bytes of the block that starts at `offset`; `None` when no block in use starts there.
    pub(crate) fn size_of_block(&self, offset: u64) -> Option<usize> {
        let (chunk, at) = self.place(offset)?;
        let meta = self.meta(chunk);
        match meta.kind.load(Relaxed) {
            FREE => None,
            RUN => {
                // Not beyond the heap, whatever stands there.
                let run = (meta.count.load(Relaxed) as usize).min(self.chunks() - chunk);
                (at == 0).then_some(run * CHUNK_BYTES)
            }
            kind => {
                let size = *SIZES.get(kind as usize - 1)?;
                let bit = at / size;
                let set = meta.bits[bit / 64].load(Relaxed) >> (bit % 64) & 1 == 1;
                (at % size == 0 && set).then_some(size)
            }
        }
    }

    pub(crate) fn used_bytes(&self) -> usize {
        self.header().heap_used.load(Relaxed) as usize
    }

    pub(crate) fn total_bytes(&self) -> usize {
        self.chunks() * CHUNK_BYTES
    }

    fn header(&self) -> &'a Header {
        self.segment.header()
    }

    fn chunks(&self) -> usize {
        self.segment.places().chunks as usize
    }

    fn meta(&self, chunk: usize) -> &'a ChunkMeta {
        // A number read from damaged memory must not lead outside.
        let chunk = chunk.min(self.chunks() - 1);
        let at = self.segment.places().meta_at as usize + chunk * size_of::<ChunkMeta>();
        // SAFETY: in bounds by the line above; the layout reserved the table; all atomics.
        unsafe { &*((self.segment.base() + at) as *const ChunkMeta) }
    }

    fn place(&self, offset: u64) -> Option<(usize, usize)> {
        let at = usize::try_from(offset.checked_sub(self.segment.places().heap_at)?).ok()?;
        let chunk = at / CHUNK_BYTES;
        (chunk < self.chunks()).then_some((chunk, at % CHUNK_BYTES))
    }

    fn offset(&self, chunk: usize, at: usize) -> u64 {
        self.segment.places().heap_at + (chunk * CHUNK_BYTES + at) as u64
    }

    fn lock(&self) -> Held<'a> {
        let held = self.header().heap_lock.lock();
        if held.holder_died {
            self.repair();
        }
        held
    }

    /// A new heap: all chunks are free.
    pub(super) fn begin(&self) {
        (0..ROOM_MAPS).for_each(|map| self.room(map).empty());
        (0..self.chunks()).for_each(|chunk| self.room(FREE_CHUNKS).set(chunk));
    }

    fn room(&self, map: usize) -> Room<'a> {
        Room::of(self.segment, map)
    }

    /// Makes all hints again from bits and kinds.
    fn repair(&self) {
        (0..ROOM_MAPS).for_each(|map| self.room(map).empty());
        let mut chunk = 0;
        let mut used = 0;
        while chunk < self.chunks() {
            let meta = self.meta(chunk);
            match meta.kind.load(Relaxed) {
                FREE => {
                    self.room(FREE_CHUNKS).set(chunk);
                    chunk += 1;
                }
                RUN => {
                    let run = meta.count.load(Relaxed).max(1) as usize;
                    used += run * CHUNK_BYTES;
                    chunk += run;
                }
                kind => {
                    let class = (kind as usize).wrapping_sub(1);
                    let size = SIZES.get(class).copied().unwrap_or(CHUNK_BYTES);
                    let count: u32 = meta.bits.iter().map(|w| w.load(Relaxed).count_ones()).sum();
                    meta.count.store(count, Relaxed);
                    if class < CLASSES && (count as usize) < CHUNK_BYTES / size {
                        self.room(class).set(chunk);
                    }
                    used += count as usize * size;
                    chunk += 1;
                }
            }
        }
        self.header().heap_used.store(used as u64, Relaxed);
        for current in &self.header().heap_current {
            current.store(NO_CHUNK, Relaxed);
        }
    }

    /// The chunk that blocks of a size are taken from stays theirs when it is empty: a block that
    /// comes and goes, as that of a question to the region does, costs no more than its bit.
    fn free_small(&self, chunk: usize, class: usize, bit: usize) {
        let meta = self.meta(chunk);
        meta.bits[bit / 64].fetch_and(!(1 << (bit % 64)), Relaxed);
        let left = meta.count.load(Relaxed).saturating_sub(1);
        meta.count.store(left, Relaxed);
        if left == 0 && self.current(class) != Some(chunk) && self.is_empty(chunk) {
            self.give_back(chunk, class);
        } else {
            self.room(class).set(chunk);
        }
    }

    fn is_empty(&self, chunk: usize) -> bool {
        self.meta(chunk).bits.iter().all(|w| w.load(Relaxed) == 0)
    }

    fn give_back(&self, chunk: usize, class: usize) {
        self.meta(chunk).kind.store(FREE, Relaxed);
        self.room(class).clear(chunk);
        self.room(FREE_CHUNKS).set(chunk);
    }

    /// The chunk that blocks of a size are taken from.
    fn current(&self, class: usize) -> Option<usize> {
        let current = self.header().heap_current.get(class)?.load(Relaxed);
        (current != NO_CHUNK).then_some(current as usize)
    }

    fn allocate_small(&self, class: usize) -> Option<u64> {
        if let Some(offset) = self.current(class).and_then(|c| self.take_bit(c, class)) {
            return Some(offset);
        }
        let room = self.room(class);
        while let Some(chunk) = room.first() {
            if let Some(offset) = self.take_bit(chunk, class) {
                self.header().heap_current[class].store(chunk as u32, Relaxed);
                return Some(offset);
            }
            room.clear(chunk);
        }
        let chunk = self.new_chunk(class)?;
        self.header().heap_current[class].store(chunk as u32, Relaxed);
        self.take_bit(chunk, class)
    }

    fn take_bit(&self, chunk: usize, class: usize) -> Option<u64> {
        let meta = self.meta(chunk);
        let blocks = CHUNK_BYTES / SIZES[class];
        let count = meta.count.load(Relaxed);
        if meta.kind.load(Relaxed) != class as u32 + 1 || count as usize >= blocks {
            return None;
        }
        for word in 0..blocks.div_ceil(64) {
            let bits = meta.bits[word].load(Relaxed);
            let bit = word * 64 + bits.trailing_ones() as usize;
            if bits != u64::MAX && bit < blocks {
                meta.bits[word].fetch_or(1 << (bit % 64), Relaxed);
                meta.count.store(count + 1, Relaxed);
                if count as usize + 1 == blocks {
                    self.room(class).clear(chunk);
                }
                return Some(self.offset(chunk, bit * SIZES[class]));
            }
        }
        None
    }

    fn new_chunk(&self, class: usize) -> Option<usize> {
        let chunk = self.free_chunks(1)?;
        let meta = self.meta(chunk);
        meta.count.store(0, Relaxed);
        meta.bits.iter().for_each(|w| w.store(0, Relaxed));
        meta.kind.store(class as u32 + 1, Relaxed);
        self.room(class).set(chunk);
        Some(chunk)
    }

    fn allocate_run(&self, chunks: usize) -> Option<u64> {
        let chunk = self.free_chunks(chunks)?;
        let meta = self.meta(chunk);
        meta.count.store(chunks as u32, Relaxed);
        meta.kind.store(RUN, Relaxed);
        Some(self.offset(chunk, 0))
    }

    /// The first run of `wanted` free chunks, which are free no more.
    fn free_chunks(&self, wanted: usize) -> Option<usize> {
        let start = match self.find_free(wanted) {
            Some(start) => start,
            None if self.give_back_empty() => self.find_free(wanted)?,
            None => return None,
        };
        (start..start + wanted).for_each(|chunk| self.room(FREE_CHUNKS).clear(chunk));
        Some(start)
    }

    fn find_free(&self, wanted: usize) -> Option<usize> {
        let free = self.room(FREE_CHUNKS);
        loop {
            let start = match wanted {
                1 => free.first()?,
                _ => free.first_run(wanted)?,
            };
            let used = |chunk: &usize| self.meta(*chunk).kind.load(Relaxed) != FREE;
            match (start..start + wanted).find(used) {
                None => return Some(start),
                Some(chunk) => free.clear(chunk),
            }
        }
    }

    /// Empty chunks that were kept for a size; `true`: there was one.
    fn give_back_empty(&self) -> bool {
        let mut any = false;
        for class in 0..CLASSES {
            let kept = self.current(class).filter(|chunk| {
                self.meta(*chunk).kind.load(Relaxed) == class as u32 + 1 && self.is_empty(*chunk)
            });
            if let Some(chunk) = kept {
                self.header().heap_current[class].store(NO_CHUNK, Relaxed);
                self.give_back(chunk, class);
                any = true;
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::Layout;
    use super::*;

    fn segment() -> Segment {
        let layout = Layout {
            slots: 1,
            tasks: 1,
            heap_bytes: 4 << 20,
            open_limit: 1,
        };
        Segment::create(&layout).unwrap()
    }

    #[test]
    fn blocks_do_not_overlap_and_come_back() {
        let segment = segment();
        let heap = segment.heap();
        let mut blocks = Vec::new();
        for round in 0..2000 {
            let bytes = 1 + (round * 37) % 5000;
            let at = heap.allocate(bytes).unwrap();
            assert_eq!(at % 16, 0);
            blocks.push((at, at + bytes as u64));
            if round % 3 == 0 {
                let (at, _) = blocks.swap_remove(round % blocks.len());
                assert!(heap.free(at));
                assert!(!heap.free(at), "a second free is noticed");
            }
            if heap.used_bytes() > 3 << 20 {
                blocks.drain(..).for_each(|(at, _)| assert!(heap.free(at)));
            }
        }
        blocks.sort_unstable();
        assert!(blocks.windows(2).all(|w| w[0].1 <= w[1].0));
        blocks.iter().for_each(|(at, _)| assert!(heap.free(*at)));
        assert_eq!(heap.used_bytes(), 0);
    }

    #[test]
    fn large_blocks_use_the_space_small_ones_left() {
        let segment = segment();
        let heap = segment.heap();
        let small: Vec<u64> = (0..60).map(|_| heap.allocate(30_000).unwrap()).collect();
        assert!(heap.allocate(3 << 20).is_none());
        small.iter().for_each(|at| assert!(heap.free(*at)));
        let all = heap.allocate(4 << 20).unwrap();
        assert!(heap.allocate(1).is_none());
        assert!(heap.free(all));
        assert!(!heap.free(all + 16));
    }

    #[test]
    fn a_full_heap_is_used_to_the_last_block_and_comes_back_whole() {
        let segment = segment();
        let heap = segment.heap();
        for round in 0..3 {
            let mut blocks: Vec<u64> = std::iter::from_fn(|| heap.allocate(3_000)).collect();
            let each = CHUNK_BYTES / 3_072;
            assert_eq!(blocks.len(), heap.total_bytes() / CHUNK_BYTES * each);
            // Every third one is free and found again, whatever was free when.
            for at in blocks.iter().skip(round).step_by(3) {
                assert!(heap.free(*at));
            }
            let again = std::iter::from_fn(|| heap.allocate(2_500));
            blocks = [blocks, again.collect()].concat();
            blocks.sort_unstable();
            blocks.dedup();
            assert_eq!(blocks.len(), heap.total_bytes() / CHUNK_BYTES * each);
            if round == 1 {
                heap.repair();
            }
            blocks.iter().for_each(|at| assert!(heap.free(*at)));
            let all = heap
                .allocate(heap.total_bytes())
                .expect("chunks kept for a size go first");
            assert!(heap.allocate(1).is_none());
            assert!(heap.free(all));
        }
        assert_eq!(heap.used_bytes(), 0);
    }

    #[test]
    fn hints_that_are_wrong_lead_to_nothing_in_use() {
        let segment = segment();
        let heap = segment.heap();
        let kept: Vec<u64> = (0..50).map(|_| heap.allocate(30_000).unwrap()).collect();
        (0..ROOM_MAPS).for_each(|map| (0..heap.chunks()).for_each(|c| heap.room(map).set(c)));
        let more: Vec<u64> = std::iter::from_fn(|| heap.allocate(20_000)).collect();
        assert!(!more.is_empty() && more.iter().all(|at| !kept.contains(at)));
        let runs = std::iter::from_fn(|| heap.allocate(100_000));
        assert_eq!(runs.count(), 0);
        kept.iter()
            .chain(&more)
            .for_each(|at| assert!(heap.free(*at)));
        assert_eq!(heap.used_bytes(), 0);
    }

    #[test]
    fn repair_makes_the_same_counts() {
        let segment = segment();
        let heap = segment.heap();
        let kept: Vec<u64> = [10, 100, 1000, 100_000]
            .map(|n| heap.allocate(n).unwrap())
            .into();
        let used = heap.used_bytes();
        heap.repair();
        assert_eq!(heap.used_bytes(), used);
        kept.iter().for_each(|at| assert!(heap.free(*at)));
        assert_eq!(heap.used_bytes(), 0);
    }
}
