//! Definitions, where no program can store.
//!
//! What: a second segment with the items that say what is defined
//! ([`transom_wire::is_defined`]). The region has it mapped for reading and writing; a seal
//! refuses everybody else to map it for writing afterwards, so workers have it for reading alone.
//! Why: by them is decided which program, file and authority the next task gets. A reader takes no
//! lock, which would be a store: it copies what it looks for, and takes the copy if nothing under
//! the lock was changed meanwhile. Not here: how groups lie in a segment (`groups`), what is
//! counted beside a definition, which lies in the segment of all.

use super::layout::{Layout, STRIPES};
use super::{Access, Segment, map_at, memory, seal};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, fence};
use std::time::Duration;

/// Looks at a change under way before the reader lets others run.
const LOOKS: u32 = 200;
/// How long it then sleeps each time.
const PAUSE: Duration = Duration::from_micros(50);

/// The segment, as one side has it.
#[derive(Clone, Copy)]
pub(crate) struct Definitions<'a> {
    segment: &'a Segment,
}

/// Creates it, for a region: room for as many bytes.
pub(crate) fn create(bytes: usize) -> io::Result<Segment> {
    let layout = Layout {
        slots: 1,
        tasks: 1,
        heap_bytes: bytes,
        open_limit: 1,
    };
    let total = layout.total_bytes();
    let fd = memory(c"transom-definitions", total)?;
    let base = map_at(fd.as_fd(), 0, total, (0, 0), Access::Write)?;
    // The mapping above stays for writing; nobody gets another one.
    seal(&fd, libc::F_SEAL_FUTURE_WRITE | libc::F_SEAL_SEAL)?;
    Ok(Segment::first(fd, base, &layout, 0))
}

/// Opens for reading what [`create`] created.
pub(crate) fn open(fd: OwnedFd) -> io::Result<Segment> {
    // SAFETY: all zero is a value of the structure, which the call then fills.
    let mut facts: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: an owned descriptor, and a structure of this function.
    if unsafe { libc::fstat(fd.as_raw_fd(), &raw mut facts) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let bytes = usize::try_from(facts.st_size).unwrap_or(0);
    let base = map_at(fd.as_fd(), 0, bytes, (0, 0), Access::Read)?;
    let mut segment = Segment::opened(fd, base, bytes)?;
    segment.access = Access::Read;
    Ok(segment)
}

impl<'a> Definitions<'a> {
    /// Those beside a segment.
    pub(crate) fn beside(segment: &'a Segment) -> Option<Self> {
        let segment = segment.apart.as_deref()?;
        Some(Self { segment })
    }

    pub(super) fn segment(self) -> &'a Segment {
        self.segment
    }

    /// This process may change them.
    pub(super) fn writes(self) -> bool {
        self.segment.access == Access::Write
    }

    /// Says to readers that a change under a lock begins, until what is answered goes. The lock is
    /// held.
    pub(super) fn change(self, stripe: usize) -> Change<'a> {
        let version = self.version(stripe);
        // A change within a change is a part of it.
        let outer = version.load(Relaxed) & 1 == 0;
        if outer {
            version.fetch_add(1, Acquire);
            fence(Release);
        }
        Change { version, outer }
    }

    /// What is read without a change in between, and whether it was sound.
    pub(super) fn read<T>(self, stripe: usize, mut read: impl FnMut() -> T) -> (T, bool) {
        let version = self.version(stripe);
        let mut looks = 0;
        loop {
            let (before, found) = (version.load(Acquire), self.segment.found());
            if before & 1 == 0 {
                let value = read();
                fence(Acquire);
                if version.load(Relaxed) == before {
                    return (value, self.segment.found() == found);
                }
            }
            looks += 1;
            match looks < LOOKS {
                true => std::hint::spin_loop(),
                false => std::thread::sleep(PAUSE),
            }
        }
    }

    fn version(self, stripe: usize) -> &'a AtomicU64 {
        &self.segment.header().versions[stripe % STRIPES].0
    }
}

/// A change that readers do not look into.
pub(super) struct Change<'a> {
    version: &'a AtomicU64,
    outer: bool,
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        if self.outer {
            self.version.fetch_add(1, Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shm::groups::Groups;
    use std::sync::atomic::{AtomicBool, AtomicU32};
    use transom_wire::definitions::{DEFINITION, USE_COUNT};
    use transom_wire::{Shared, Space};

    /// A region's view, and that of a worker, in one process.
    fn both() -> (Segment, Segment) {
        let layout = Layout {
            slots: 1,
            tasks: 1,
            heap_bytes: 4 << 20,
            open_limit: 1,
        };
        let mut region = Segment::create(&layout).unwrap();
        let definitions = create(4 << 20).unwrap();
        let fd = region.fd().try_clone_to_owned().unwrap();
        let base = map_at(fd.as_fd(), 0, region.bytes(), (0, 0), Access::Write).unwrap();
        let mut worker = Segment::opened(fd, base, region.bytes()).unwrap();
        let fd = definitions.fd().try_clone_to_owned().unwrap();
        worker.apart = Some(Box::new(open(fd).unwrap()));
        region.apart = Some(Box::new(definitions));
        (region, worker)
    }

    fn get(segment: &Segment, name: &[u8], item: u32) -> Option<Vec<u8>> {
        let mut found = None;
        Groups(segment).with_group(Space::Program, name, &mut |group| {
            found = group.get(item).map(<[u8]>::to_vec);
        });
        found
    }

    fn put(segment: &Segment, name: &[u8], bytes: &[u8]) {
        Groups(segment).with_group(Space::Program, name, &mut |group| {
            assert!(group.put(DEFINITION, bytes));
        });
    }

    #[test]
    fn a_worker_reads_what_the_region_wrote_and_counts_beside_it() {
        let (region, worker) = both();
        let changes = Groups(&worker).changes(Space::Program);
        put(&region, b"ONE", b"path of one");
        assert_ne!(Groups(&worker).changes(Space::Program), changes);
        assert_eq!(get(&worker, b"ONE", DEFINITION).unwrap(), b"path of one");
        assert_eq!(get(&worker, b"TWO", DEFINITION), None);
        for (name, of) in [(&b"ONE"[..], &worker), (b"ONE", &region), (b"TWO", &worker)] {
            Groups(of).with_group(Space::Program, name, &mut |group| {
                group.count(USE_COUNT, 1, 0, 3);
            });
        }
        assert_eq!(get(&region, b"ONE", USE_COUNT).unwrap()[0], 6);
        assert_eq!(get(&region, b"TWO", USE_COUNT), None, "it is not defined");
        put(&region, b"ONE", b"another path");
        assert_eq!(get(&worker, b"ONE", DEFINITION).unwrap(), b"another path");
        assert_eq!(get(&worker, b"ONE", USE_COUNT).unwrap()[0], 6);
        assert_eq!(Groups(&worker).group_names(Space::Program), [b"ONE"]);
        Groups(&region).with_group(Space::Program, b"ONE", &mut |group| group.remove_all());
        assert_eq!(get(&worker, b"ONE", DEFINITION), None);
        assert_eq!(get(&worker, b"ONE", USE_COUNT), None);
        assert!(Groups(&worker).group_names(Space::Program).is_empty());
    }

    /// What tasks share lies where all can write.
    #[test]
    fn queues_are_every_workers() {
        let (region, worker) = both();
        Groups(&worker).with_group(Space::TsMain, b"QUEUE", &mut |group| {
            assert!(group.put(1, b"item"));
        });
        let mut items = Vec::new();
        Groups(&region).with_group(Space::TsMain, b"QUEUE", &mut |group| items = group.items());
        assert_eq!(items, [1]);
    }

    #[test]
    fn nobody_else_can_map_them_for_writing() {
        let (region, worker) = both();
        let of_worker = worker.apart.as_deref().unwrap();
        for definitions in [region.apart.as_deref().unwrap(), of_worker] {
            let (fd, bytes) = (definitions.fd(), definitions.bytes());
            assert!(map_at(fd, 0, bytes, (0, 0), Access::Write).is_err());
            // SAFETY: one byte of this function.
            let written = unsafe { libc::pwrite(fd.as_raw_fd(), b"x".as_ptr().cast(), 1, 0) };
            assert_eq!(written, -1);
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let at = of_worker.base() as *mut libc::c_void;
        // SAFETY: more access to a mapping of this test takes nothing away from it.
        assert_eq!(unsafe { libc::mprotect(at, 4096, access) }, -1);
    }

    /// Two values that must never be mixed, of different lengths, in blocks that are used again.
    #[test]
    fn a_reader_sees_one_state_or_another() {
        let (region, worker) = both();
        let (stop, reads) = (AtomicBool::new(false), AtomicU32::new(0));
        let value = |n: u8| vec![n; 40 + usize::from(n) * 3];
        put(&region, b"NAME", &value(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Relaxed) {
                    let read = get(&worker, b"NAME", DEFINITION).unwrap();
                    assert_eq!(read, value(read[0]));
                    reads.fetch_add(1, Relaxed);
                }
            });
            for n in 0..20_000_u32 {
                put(&region, b"NAME", &value(n as u8));
                put(&region, format!("N{}", n % 200).as_bytes(), &value(n as u8));
                if n % 7 == 0 {
                    let other = format!("N{}", n % 200);
                    Groups(&region).with_group(Space::Program, other.as_bytes(), &mut |group| {
                        group.remove_all();
                    });
                }
            }
            stop.store(true, Relaxed);
        });
        assert!(reads.load(Relaxed) > 0);
        assert_eq!(worker.found(), 0);
    }
}
