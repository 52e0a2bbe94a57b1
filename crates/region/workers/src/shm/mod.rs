//! The shared memory segment of a region: layout, mapping, locks.
//!
//! What: one memfd mapped at one address in the region, the zygote and all workers, with a header,
//! worker slots, task blocks and the shared heap. Why: commands work on it directly, without round
//! trips. Not here: who runs when ([`crate::dispatch`]), what the heap holds ([`groups`]).
//!
//! A worker may die at any instruction, and a program may store anywhere. So locks outlive their
//! holders, every change becomes visible by one store, every offset read from the segment is
//! checked before use, and what belongs to a task or an item carries a checksum. References into
//! the segment are to atomics, or to bytes whose value decides nothing before they were checked.

pub(crate) mod definitions;
mod futex;
pub(crate) mod groups;
pub(crate) mod heap;
pub(crate) mod layout;
pub(crate) mod lock;
mod owned;
pub(crate) mod payload;
mod room;
mod seal;
mod show;
pub(crate) mod storage;
mod table;
pub(crate) mod trace;

pub(crate) use futex::{futex_wait, futex_wake};

use layout::{Header, Layout, MAGIC, Places, Slot, TaskBlock};
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// First address tried; far from where the kernel places stacks, heaps and libraries.
const FIRST_BASE: usize = 0x2000_0000_0000;
/// Distance of the addresses tried: 64 GB.
const BASE_STEP: usize = 0x10_0000_0000;
/// Addresses tried; more pools than this in one process are refused. The range of a pool stays
/// taken to the end of its process. The last of these lies well below programs and libraries.
const BASE_TRIES: usize = 512;
/// Largest segment: must stay below [`BASE_STEP`].
const MAX_SEGMENT_BYTES: usize = BASE_STEP / 2;

/// The mapped segment.
pub(crate) struct Segment {
    base: *mut u8,
    bytes: usize,
    fd: OwnedFd,
    /// Copied from the header when it was sound: programs can store there.
    places: Places,
    /// Where the rings of trace entries begin, so that no entry computes it.
    rings_at: usize,
    found: Found,
    /// Where what is defined lies (`definitions`); `None`: here, too.
    pub(crate) apart: Option<Box<Segment>>,
    /// This process may store there.
    access: Access,
}

/// What was found in a segment that its checksum, mark or place does not fit. In memory of this
/// process.
#[derive(Default)]
struct Found {
    times: AtomicU32,
    /// Who is told.
    hook: OnceLock<Hook>,
}

type Hook = Box<dyn Fn(&Segment, Kind) + Send + Sync>;

/// Kinds of finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What belongs to one task or queue.
    Item,
    /// What all tasks rely on.
    Definition,
}

// SAFETY: all access goes through atomics, under locks that lie in the segment itself, or is that
// of the one owner of a block; definitions are read without a lock, and what was read while the
// region wrote does not count. A program that stores there all the same changes bytes, which are
// copied and compared with a checksum before they count.
unsafe impl Send for Segment {}
// SAFETY: as above.
unsafe impl Sync for Segment {}

impl Segment {
    /// Creates a segment with this layout and initialises header and locks.
    pub(crate) fn create(layout: &Layout) -> io::Result<Self> {
        let total = layout.total_bytes();
        if total > MAX_SEGMENT_BYTES {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "shared storage is too large",
            ));
        }
        let fd = memory(c"transom-region", total)?;
        seal(&fd, libc::F_SEAL_SEAL)?;
        let base = (0..BASE_TRIES)
            .map(|i| FIRST_BASE + i * BASE_STEP)
            .find_map(|base| map(fd.as_fd(), base, total, 0).ok())
            .ok_or_else(|| io::Error::new(io::ErrorKind::AddrInUse, "no free address range"))?;
        Ok(Self::first(fd, base, layout, base as usize))
    }

    /// `base`: the zeroed mapping; `place`: its address in workers.
    fn first(fd: OwnedFd, base: *mut u8, layout: &Layout, place: usize) -> Self {
        let segment = Self {
            base,
            bytes: layout.total_bytes(),
            fd,
            places: layout.places(),
            rings_at: layout.trace_at(),
            found: Found::default(),
            apart: None,
            access: Access::Write,
        };
        // SAFETY: the mapping is zeroed, large enough for the header, and nobody else sees it yet.
        unsafe { Header::initialise(segment.base.cast(), layout, place) };
        segment.heap().begin();
        segment.begin_tables();
        segment
    }

    /// Maps a segment somebody else created, at the address it has there.
    pub(crate) fn open(fd: OwnedFd, base: usize, bytes: usize) -> io::Result<Self> {
        let base = map(fd.as_fd(), base, bytes, 0)?;
        Self::opened(fd, base, bytes)
    }

    /// What was mapped just now.
    fn opened(fd: OwnedFd, base: *mut u8, bytes: usize) -> io::Result<Self> {
        // SAFETY: a segment is never smaller than its header, and the region made it whole.
        let places = unsafe { (*base.cast::<Header>()).places };
        let segment = Self {
            base,
            bytes,
            fd,
            places,
            rings_at: Layout::of(&places).trace_at(),
            found: Found::default(),
            apart: None,
            access: Access::Write,
        };
        let header = segment.header();
        if header.magic != MAGIC || Layout::of(&places).total_bytes() != bytes {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "not a region segment",
            ));
        }
        Ok(segment)
    }

    pub(crate) fn base(&self) -> usize {
        self.base as usize
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    pub(crate) fn header(&self) -> &Header {
        // SAFETY: the segment starts with an initialised header for its whole life; all fields
        // that change are atomics or locks. Where it is mapped for reading, they are only loaded.
        unsafe { &*self.base.cast::<Header>() }
    }

    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// Worker slot `i`. A number from damaged memory gives some slot, never anything outside.
    pub(crate) fn slot(&self, i: usize) -> &Slot {
        let i = i.min(self.places.slots as usize - 1);
        // SAFETY: in bounds by the line above; slots are zero-initialised atomics.
        unsafe {
            let first = self.base.add(self.places.slots_at as usize);
            &*first.cast::<Slot>().add(i)
        }
    }

    /// Task block `i`, with the same care.
    pub(crate) fn task(&self, i: usize) -> &TaskBlock {
        let i = i.min(self.places.tasks as usize - 1);
        // SAFETY: in bounds by the line above; blocks are zero-initialised atomics and bytes.
        unsafe {
            let first = self.base.add(self.places.tasks_at as usize);
            &*first.cast::<TaskBlock>().add(i)
        }
    }

    pub(crate) fn slots(&self) -> usize {
        self.places.slots as usize
    }

    pub(crate) fn tasks(&self) -> usize {
        self.places.tasks as usize
    }

    /// The number of a task block.
    pub(crate) fn index_of(&self, block: &TaskBlock) -> u64 {
        let at = std::ptr::from_ref(block) as usize - self.base as usize;
        (at.saturating_sub(self.places.tasks_at as usize) / size_of::<TaskBlock>()) as u64
    }

    /// The worker of a slot is gone: whoever comes next to a lock it had is told.
    pub(crate) fn holder_died(&self, slot: usize) {
        let owner = slot as u32 + 1;
        self.header()
            .locks()
            .for_each(|lock| lock.take_away_from(owner));
        // It may have changed a definition and not come to saying so.
        for changes in &self.header().changes {
            changes.0.fetch_add(1, Ordering::Release);
        }
    }

    /// Something was found that its checksum or mark does not fit. It does not come back where
    /// what was found decides more than a task can lose.
    pub(crate) fn note_damage(&self, kind: Kind) {
        self.found.times.fetch_add(1, Ordering::Relaxed);
        if let Some(hook) = self.found.hook.get() {
            hook(self, kind);
        }
    }

    /// How often something was found so far.
    pub(crate) fn found(&self) -> u32 {
        self.found.times.load(Ordering::Relaxed)
    }

    /// From now on finds go there, too.
    pub(crate) fn tell_finds(&self, to: Hook) {
        let _first = self.found.hook.set(to);
    }

    /// Something of type `T` at an offset; `None` when it does not lie in the segment. `T` must be
    /// made of atomics and plain integers only.
    pub(crate) fn at<T>(&self, offset: u64) -> Option<&T> {
        let at = self.checked(offset, size_of::<T>())?;
        if !(at as usize).is_multiple_of(align_of::<T>()) {
            return None;
        }
        // SAFETY: in bounds, aligned, and any bit pattern is a value of such a `T`.
        Some(unsafe { &*at.cast::<T>() })
    }

    /// The bytes at an offset.
    pub(crate) fn slice(&self, offset: u64, bytes: usize) -> Option<&[u8]> {
        let at = self.checked(offset, bytes)?;
        // SAFETY: in bounds. The owner of the block (a lock holder or a task) keeps everybody from
        // writing but a program that stores where it should not; of definitions a worker reads what
        // the region may be writing. Those are races no code here can prevent; their effect is that
        // bytes change between two looks. Callers that decide by them copy them first or compare
        // them with a checksum, and who reads definitions throws away what it read while a change
        // was under way (`definitions`).
        Some(unsafe { std::slice::from_raw_parts(at, bytes) })
    }

    /// Copies bytes into the segment; `false` when they do not fit there.
    pub(crate) fn write(&self, offset: u64, from: &[u8]) -> bool {
        let Some(at) = self.checked(offset, from.len()) else {
            return false;
        };
        // SAFETY: in bounds; the caller owns the block it writes to.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), at, from.len()) };
        true
    }

    fn checked(&self, offset: u64, bytes: usize) -> Option<*mut u8> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(bytes)?;
        // SAFETY: within the mapping.
        (end <= self.bytes).then(|| unsafe { self.base.add(start) })
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: mapped by us with this size; nobody holds references into it any more.
        unsafe { libc::munmap(self.base.cast(), self.bytes) };
    }
}

/// Shared memory of this size, zeros.
fn memory(name: &CStr, bytes: usize) -> io::Result<OwnedFd> {
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // SAFETY: the name is a C string; the result is checked.
    let fd = unsafe { libc::memfd_create(name.as_ptr(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: fd was just created and is owned by nobody else.
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
    // SAFETY: plain call on an owned descriptor.
    if unsafe { libc::ftruncate(fd.as_raw_fd(), bytes as libc::off_t) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // Whoever has the descriptor can make it neither shorter, which would end all that look, nor
    // longer.
    seal(&fd, libc::F_SEAL_SHRINK | libc::F_SEAL_GROW)?;
    Ok(fd)
}

/// Takes something away from all who have the descriptor.
fn seal(fd: &OwnedFd, seals: libc::c_int) -> io::Result<()> {
    // SAFETY: plain call on an owned descriptor.
    match unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_ADD_SEALS, seals) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// What a mapping is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

fn map(fd: BorrowedFd<'_>, base: usize, bytes: usize, offset: usize) -> io::Result<*mut u8> {
    let fixed = (libc::MAP_FIXED_NOREPLACE, offset);
    let at = map_at(fd, base, bytes, fixed, Access::Write)?;
    if at as usize != base {
        // SAFETY: an old kernel took the address as a hint; give back what it chose.
        unsafe { libc::munmap(at.cast(), bytes) };
        return Err(io::Error::from(io::ErrorKind::AddrInUse));
    }
    Ok(at)
}

/// Maps from an offset of the memory on, at an address or where the kernel wants (0).
fn map_at(
    fd: BorrowedFd<'_>,
    base: usize,
    bytes: usize,
    (fixed, offset): (libc::c_int, usize),
    access: Access,
) -> io::Result<*mut u8> {
    let access = match access {
        Access::Read => libc::PROT_READ,
        Access::Write => libc::PROT_READ | libc::PROT_WRITE,
    };
    // SAFETY: MAP_FIXED_NOREPLACE, and 0, never replace an existing mapping.
    let at = unsafe {
        libc::mmap(
            base as *mut libc::c_void,
            bytes,
            access,
            libc::MAP_SHARED | libc::MAP_NORESERVE | fixed,
            fd.as_raw_fd(),
            offset as libc::off_t,
        )
    };
    if at == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(at.cast())
}

/// Lets the worker of a slot look again, whatever its words say.
pub(crate) fn wake_anyhow(slot: &Slot) {
    slot.word.fetch_add(1, Ordering::SeqCst);
    futex_wake(&slot.word);
}

/// Tells the worker of a slot that something changed; a system call only if it sleeps.
pub(crate) fn nudge(slot: &Slot) {
    slot.word.fetch_add(1, Ordering::SeqCst);
    if slot.sleeping.load(Ordering::SeqCst) != 0 {
        futex_wake(&slot.word);
    }
}
