//! What lies where in the segment.
//!
//! What: header, worker slots, task blocks and the table of chunks, as all processes see them. Why:
//! whatever maps the segment or works on a part of it needs the places alone. Not here: mapping
//! (`super`), what is done with a part.

use super::lock::SharedLock;
use super::seal::Sealed;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicU64};

pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"TXMSEG01");
/// Payload kept in the task block itself; larger ones go to the shared heap.
pub(crate) const INLINE_BYTES: usize = 36 * 1024;
/// Locks over the groups of the shared heap.
pub(crate) const STRIPES: usize = 64;
/// Hash tables of groups: one for each kind of data under each lock.
pub(super) const TABLES: usize = transom_wire::SPACES * STRIPES;
/// Buckets a table begins with.
pub(super) const FIRST_BUCKETS: usize = 8;
/// Bytes kept of an abend text.
pub(crate) const TEXT_BYTES: usize = 480;
/// Bytes of a chunk.
pub(crate) const CHUNK_BYTES: usize = 64 * 1024;
/// Sizes of small blocks in the heap.
pub(crate) const CLASSES: usize = 21;
/// Words with a bit for each of the smallest blocks of a chunk.
const WORDS: usize = CHUNK_BYTES / 32 / 64;
/// Maps of room in a heap: one for each size of blocks, then that of the free chunks.
pub(super) const ROOM_MAPS: usize = CLASSES + 1;
/// No chunk is in use for a size.
pub(super) const NO_CHUNK: u32 = u32::MAX;
const PAGE: usize = 4096;

/// Task states. READY and RESUME are in a queue; the others are not.
pub(crate) mod state {
    pub(crate) const FREE: u32 = 0;
    /// Attached, waits for a worker.
    pub(crate) const READY: u32 = 1;
    /// Has a worker that runs it.
    pub(crate) const RUNNING: u32 = 2;
    /// Has a worker, waits for the QR token.
    pub(crate) const RESUME: u32 = 3;
    /// Has a worker, waits for an event.
    pub(crate) const WAITING: u32 = 4;
    /// Over; the reply is in the block.
    pub(crate) const DONE: u32 = 5;
    /// Its worker is gone; the region tells its end or attaches it again.
    pub(crate) const LOST: u32 = 6;
}

/// Worker states.
pub(crate) mod worker {
    pub(crate) const FREE: u32 = 0;
    /// Asked of the zygote.
    pub(crate) const STARTING: u32 = 1;
    /// In the idle list.
    pub(crate) const IDLE: u32 = 2;
    pub(crate) const BUSY: u32 = 3;
    /// Leaves by itself after its task.
    pub(crate) const LEAVING: u32 = 4;
}

/// Words of all maps of room of a heap. The first of each map says before which word no bit is set.
pub(super) const fn room_words(chunks: usize) -> usize {
    ROOM_MAPS * (1 + chunks.div_ceil(64))
}

/// Sizes a region chose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) slots: usize,
    pub(crate) tasks: usize,
    pub(crate) heap_bytes: usize,
    /// THREADSAFE tasks that run at a time.
    pub(crate) open_limit: u32,
}

impl Layout {
    fn slots_at(&self) -> usize {
        size_of::<Header>().next_multiple_of(PAGE)
    }
    fn tasks_at(&self) -> usize {
        (self.slots_at() + self.slots * size_of::<Slot>()).next_multiple_of(PAGE)
    }
    fn meta_at(&self) -> usize {
        (self.tasks_at() + self.tasks * size_of::<TaskBlock>()).next_multiple_of(PAGE)
    }
    fn chunks(&self) -> usize {
        self.heap_bytes.div_ceil(CHUNK_BYTES).max(16)
    }
    fn room_at(&self) -> usize {
        (self.meta_at() + self.chunks() * size_of::<ChunkMeta>()).next_multiple_of(PAGE)
    }
    fn heap_at(&self) -> usize {
        let room = room_words(self.chunks()) * size_of::<AtomicU64>();
        (self.room_at() + room).next_multiple_of(CHUNK_BYTES)
    }
    /// The layout that gave these places.
    pub(crate) fn of(places: &Places) -> Self {
        Self {
            slots: places.slots as usize,
            tasks: places.tasks as usize,
            heap_bytes: places.chunks as usize * CHUNK_BYTES,
            open_limit: places.open_limit,
        }
    }
    pub(crate) fn places(&self) -> Places {
        Places {
            slots: self.slots as u32,
            tasks: self.tasks as u32,
            slots_at: self.slots_at() as u64,
            tasks_at: self.tasks_at() as u64,
            meta_at: self.meta_at() as u64,
            room_at: self.room_at() as u64,
            heap_at: self.heap_at() as u64,
            chunks: self.chunks() as u32,
            open_limit: self.open_limit,
        }
    }
    /// Behind the heap, so that nothing else depends on it.
    pub(crate) fn trace_at(&self) -> usize {
        self.heap_at() + self.chunks() * CHUNK_BYTES
    }
    pub(crate) fn total_bytes(&self) -> usize {
        let rings = self.slots * size_of::<transom_region_trace::Ring>();
        self.trace_at() + rings.next_multiple_of(PAGE)
    }
}

/// How many of each there are and where they start.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    pub(crate) slots: u32,
    pub(crate) tasks: u32,
    pub(crate) slots_at: u64,
    pub(crate) tasks_at: u64,
    pub(crate) meta_at: u64,
    pub(crate) room_at: u64,
    pub(crate) heap_at: u64,
    pub(crate) chunks: u32,
    /// THREADSAFE tasks that run at a time.
    pub(crate) open_limit: u32,
}

/// Start of the segment. Plain fields never change after [`Header::initialise`].
#[repr(C)]
pub(crate) struct Header {
    pub(crate) magic: u64,
    pub(crate) base: u64,
    pub(crate) total_bytes: u64,
    pub(crate) places: Places,
    /// Protects the queues below.
    pub(crate) dispatch: SharedLock,
    pub(crate) queues: Queues,
    /// Ended tasks and asking ones, newest first; the block number + 1.
    pub(crate) done_head: Line<AtomicU32>,
    /// The region waits on the completion descriptor.
    pub(crate) region_sleeps: Line<AtomicU32>,
    /// All workers the region may have are there: asking for more is idle.
    pub(crate) no_room: Line<AtomicU32>,
    /// Protects the heap.
    pub(crate) heap_lock: SharedLock,
    pub(crate) heap_used: AtomicU64,
    pub(crate) heap_current: [AtomicU32; CLASSES],
    pub(crate) stripes: [SharedLock; STRIPES],
    /// How often definitions of each kind changed. A program that stores there makes workers read
    /// them again.
    pub(super) changes: [Line<AtomicU64>; transom_wire::SPACES],
    /// Where the buckets of each table are (`table`).
    pub(super) tables: [Sealed; TABLES],
    /// Groups in each, about.
    pub(super) groups: [AtomicU32; TABLES],
    /// The first buckets of each.
    pub(super) buckets: [Sealed; TABLES * FIRST_BUCKETS],
    /// What is traced.
    pub(super) trace_flags: Line<AtomicU64>,
    /// Odd while a group under the lock is changed, where some read without it (`definitions`).
    pub(super) versions: [Line<AtomicU64>; STRIPES],
}

/// A value on a cache line of its own.
#[repr(C, align(64))]
pub(crate) struct Line<T>(pub(crate) T);

/// Everything under the dispatch lock. Numbers are index + 1, 0 = none.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Queues {
    /// Worker that may run QUASIRENT code.
    pub(crate) qr_holder: AtomicU32,
    /// QUASIRENT tasks without a worker.
    pub(crate) qr_head: AtomicU32,
    pub(crate) qr_tail: AtomicU32,
    /// Tasks whose workers wait for the token.
    pub(crate) resume_head: AtomicU32,
    pub(crate) resume_tail: AtomicU32,
    /// The token went to a task that was not the first because the first has no worker.
    pub(crate) qr_short: AtomicU32,
    pub(crate) open_head: AtomicU32,
    pub(crate) open_tail: AtomicU32,
    pub(crate) open_running: AtomicU32,
    pub(crate) idle_head: AtomicU32,
    pub(crate) idle_count: AtomicU32,
    /// Asked of the zygote and not yet seen.
    pub(crate) starting: AtomicU32,
    pub(crate) arrivals: AtomicU64,
}

/// A worker. All zero = free.
#[repr(C, align(64))]
pub(crate) struct Slot {
    pub(crate) state: AtomicU32,
    /// Futex: changes with every nudge.
    pub(crate) word: AtomicU32,
    pub(crate) sleeping: AtomicU32,
    /// Its task: block + 1.
    pub(crate) task: AtomicU32,
    pub(crate) idle_next: AtomicU32,
    /// A post that came and was not yet taken.
    pub(crate) posted: AtomicU32,
    /// Counts waits and tasks: a slice of CPU time begins with each.
    pub(crate) slice: AtomicU32,
    /// A signal the region wants sent, 0 = none.
    pub(crate) signal_wanted: AtomicU32,
    /// Abend code that goes with `view.async_task`.
    pub(crate) async_code: AtomicU32,
    /// Seen by the signal handlers of the C edge.
    pub(crate) view: SlotView,
}

/// As `struct txm_slot_view` in `edge.h`.
#[repr(C)]
pub(crate) struct SlotView {
    pub(crate) current_task: AtomicU32,
    pub(crate) async_task: AtomicU32,
    pub(crate) fault_task: AtomicU32,
    pub(crate) fault_code: AtomicU32,
    pub(crate) fault_text: UnsafeCell<[u8; TEXT_BYTES]>,
}

/// A task from attach to drain.
#[repr(C, align(64))]
pub(crate) struct TaskBlock {
    pub(crate) state: AtomicU32,
    pub(crate) next: AtomicU32,
    pub(crate) done_next: AtomicU32,
    /// Worker + 1.
    pub(crate) worker: AtomicU32,
    pub(crate) task_number: AtomicU32,
    pub(crate) priority: AtomicU32,
    pub(crate) quasirent: AtomicU32,
    /// In `open_running`.
    pub(crate) counted: AtomicU32,
    pub(crate) arrival: AtomicU64,
    pub(crate) runaway_ms: AtomicU32,
    /// Abend code, 0 = normal end.
    pub(crate) end_code: AtomicU32,
    /// Times its worker died before it began.
    pub(crate) restarts: AtomicU32,
    /// 1 = asks the region, 2 = answered.
    pub(crate) asking: AtomicU32,
    pub(crate) transid: AtomicU32,
    pub(crate) program: AtomicU64,
    pub(crate) userid: AtomicU64,
    /// Heap offset of the payload, 0 = inline.
    pub(crate) payload_at: AtomicU64,
    pub(crate) payload_bytes: AtomicU32,
    /// Of what the block says of the task, and of the payload.
    pub(crate) payload_seal: AtomicU32,
    /// Request and answer of an ask; always in the heap.
    pub(crate) ask_bytes: AtomicU32,
    pub(crate) ask_seal: AtomicU32,
    pub(crate) ask_at: AtomicU64,
    pub(crate) text: UnsafeCell<[u8; TEXT_BYTES]>,
    pub(crate) inline: UnsafeCell<[u8; INLINE_BYTES]>,
}

/// What is known of one chunk of the heap.
#[repr(C)]
pub(crate) struct ChunkMeta {
    pub(super) kind: AtomicU32,
    /// Chunks of a run, or blocks in use (a hint).
    pub(super) count: AtomicU32,
    pub(super) bits: [AtomicU64; WORDS],
}

// SAFETY: the cells are written only by the owner of the block or slot at that time: the region
// before attach and after the end, the worker in between. What a program stores there all the same
// is compared with a checksum.
unsafe impl Sync for TaskBlock {}
// SAFETY: `fault_text` is written by its worker, or by the region before it ends that worker, and
// read by the region after the worker's death. It is text for people; nothing is decided by it.
unsafe impl Sync for SlotView {}

impl Header {
    /// All locks of a segment.
    pub(crate) fn locks(&self) -> impl Iterator<Item = &SharedLock> {
        [&self.dispatch, &self.heap_lock]
            .into_iter()
            .chain(&self.stripes)
    }

    /// # Safety
    /// `at` must be the zeroed start of a mapping of `layout.total_bytes()` that nobody else uses.
    pub(crate) unsafe fn initialise(at: *mut Header, layout: &Layout, base: usize) {
        // SAFETY: by the caller.
        unsafe {
            (*at).magic = MAGIC;
            (*at).base = base as u64;
            (*at).total_bytes = layout.total_bytes() as u64;
            (*at).places = layout.places();
            for i in 0..CLASSES {
                (*at).heap_current[i] = AtomicU32::new(NO_CHUNK);
            }
            (*at).trace_flags = Line(AtomicU64::new(transom_trace::Flags::default().0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    /// A test of the executable forges requests by these numbers.
    #[test]
    fn things_lie_where_the_forging_program_thinks() {
        let source = include_str!("../../../../tools/transom/tests/data/FORGE.c");
        let lines = source.lines().filter_map(|l| l.strip_prefix("#define "));
        let known: Vec<(&str, usize)> = lines
            .filter_map(|line| {
                let (name, number) = line.split_once(' ')?;
                Some((name, number.parse().ok()?))
            })
            .collect();
        let places = offset_of!(Header, places);
        for (name, is) in [
            ("PLACES", places),
            ("TASKS", offset_of!(Places, tasks)),
            ("TASKS_AT", offset_of!(Places, tasks_at)),
            ("META_AT", offset_of!(Places, meta_at)),
            ("HEAP_AT", offset_of!(Places, heap_at)),
            ("CHUNKS", offset_of!(Places, chunks)),
            ("DONE_HEAD", offset_of!(Header, done_head)),
            ("REGION_SLEEPS", offset_of!(Header, region_sleeps)),
            ("META_BYTES", size_of::<ChunkMeta>()),
            ("CHUNK_BYTES", CHUNK_BYTES),
            ("TASK_BYTES", size_of::<TaskBlock>()),
            ("TASK_STATE", offset_of!(TaskBlock, state)),
            ("TASK_DONE_NEXT", offset_of!(TaskBlock, done_next)),
            ("TASK_NUMBER", offset_of!(TaskBlock, task_number)),
            ("TASK_ASKING", offset_of!(TaskBlock, asking)),
            ("TASK_ASK_BYTES", offset_of!(TaskBlock, ask_bytes)),
            ("TASK_ASK_SEAL", offset_of!(TaskBlock, ask_seal)),
            ("TASK_ASK_AT", offset_of!(TaskBlock, ask_at)),
        ] {
            assert!(known.contains(&(name, is)), "{name} is {is}");
        }
    }
}
