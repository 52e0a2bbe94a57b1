//! Places of other processes that read the store.
//!
//! What: for workers, which begin and end a read all the time, 64 bytes each in memory, in them a
//! number that is odd while the worker reads; for utilities, which read from beginning to end, a
//! byte each of the file `readers`. Whose a place is says a lock of the kernel on its bytes. Before
//! the region gives the pages of an earlier checkpoint free it looks who began to read before the
//! new one and reads still. Why not LMDB's own table: its mutexes and the number of the last commit
//! lie beside it, and programs run in the processes that would map it. Here the region takes
//! nothing but whether somebody reads, waits for nobody, and follows no pointer. Why numbers in
//! memory: who stores to a page of a mapped file is ended where the file system has no room to copy
//! it. Not here: readers in the region's own process (LMDB's table).

use super::error::io;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Mutex, MutexGuard};
use transom_recovery::StoreError;
use transom_recovery::guard::lock;

/// The file for utilities. Nothing is in it.
pub(super) const READERS: &str = "readers";
/// Bytes of a place in memory: a line of the processor's cache, so that no reader is in the way of
/// another one.
const PLACE: usize = 64;
/// Utilities that can read at a time.
const UTILITIES_MAX: usize = 64;

/// The places as the region sees them.
pub(super) struct Places {
    memory: Arc<File>,
    bytes: usize,
    disk: File,
}

/// A read of another process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Of a worker: its place, and the number there.
    Worker(usize, u64),
    /// Of a utility: its place.
    Utility(usize),
}

impl Places {
    /// Makes the places: so many for workers, and the file of a folder.
    pub(super) fn make(folder: &Path, number: u32) -> Result<Self, StoreError> {
        let path = folder.join(READERS);
        let bytes = number as usize * PLACE;
        let memory = memfd_create(READERS, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING);
        let memory = memory.map(File::from);
        let memory = memory.map_err(|e| io("cannot make", Path::new(READERS), &e.into()))?;
        // All of it: a reader that takes a place must find memory for it.
        let written = memory.write_all_at(&vec![0; bytes], 0);
        written.map_err(|e| io("cannot make", Path::new(READERS), &e))?;
        // A program has the descriptor, and whoever made it shorter would end all who read.
        let sealed = fcntl_add_seals(
            &memory,
            SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL,
        );
        sealed.map_err(|e| io("cannot make", Path::new(READERS), &e.into()))?;
        let mut options = OpenOptions::new();
        // An earlier version kept numbers in it.
        let options = options.read(true).write(true).create(true).truncate(true);
        let disk = options.open(&path);
        Ok(Self {
            memory: Arc::new(memory),
            bytes,
            disk: disk.map_err(|e| io("cannot open", &path, &e))?,
        })
    }

    /// What workers are given.
    pub(super) fn memory(&self) -> Arc<File> {
        self.memory.clone()
    }

    /// Places of workers that were ever taken, and their numbers.
    fn used(&self) -> std::io::Result<Vec<(usize, u64)>> {
        let mut bytes = vec![0; self.bytes];
        self.memory.read_exact_at(&mut bytes, 0)?;
        let numbers = bytes.chunks_exact(PLACE).map(number).enumerate();
        Ok(numbers.filter(|(_, number)| *number > 0).collect())
    }

    /// Who reads now. Whoever begins after this was called sees what was committed before.
    pub(super) fn reading(&self) -> Result<Vec<Turn>, StoreError> {
        // Against the fence of a reader between its number and its look at the newest state.
        fence(Ordering::SeqCst);
        let used = self.used();
        let used = used.map_err(|e| StoreError::Io(format!("cannot read {READERS}: {e}")))?;
        let reads = |(place, number): &(usize, u64)| !number.is_multiple_of(2) && self.has(*place);
        let workers = used.into_iter().filter(reads);
        let workers = workers.map(|(place, number)| Turn::Worker(place, number));
        let utilities = (0..UTILITIES_MAX).filter(|place| is_locked(&self.disk, *place, 1));
        Ok(workers.chain(utilities.map(Turn::Utility)).collect())
    }

    /// Those of them that have not ended. What cannot be read counts as not ended.
    pub(super) fn still(&self, turns: &[Turn]) -> Vec<Turn> {
        let same = |turn: &&Turn| match turn {
            Turn::Worker(place, before) => {
                let mut word = [0; 8];
                let read = self.memory.read_exact_at(&mut word, (place * PLACE) as u64);
                (read.is_err() || number(&word) == *before) && self.has(*place)
            }
            Turn::Utility(place) => is_locked(&self.disk, *place, 1),
        };
        turns.iter().filter(same).copied().collect()
    }

    /// Places of workers that are taken, and the most that were at a time.
    pub(super) fn figures(&self) -> (u64, u64) {
        // The first free place is taken, so those that were ever used are as many.
        let used = self.used().unwrap_or_default();
        let taken = used.iter().filter(|(place, _)| self.has(*place));
        (taken.count() as u64, used.len() as u64)
    }

    /// Whether a worker that lives has a place. The kernel frees it with the process.
    fn has(&self, place: usize) -> bool {
        is_locked(&self.memory, place, PLACE)
    }
}

/// The place of this process.
pub(super) enum Place {
    /// Of a worker: it says when it reads.
    Worker(Turns),
    /// Of a utility, which reads as long as this lives; the file has the lock.
    Utility(#[expect(dead_code, reason = "its lock")] File),
}

/// The number of a worker.
pub(super) struct Turns {
    /// Has the lock on the place.
    _file: File,
    page: NonNull<u8>,
    page_bytes: usize,
    /// Of the number in the page.
    at: usize,
    /// The number as it should be. Held while somebody reads: a place has one read at a time.
    turn: Mutex<u64>,
}

// SAFETY: the page is mapped as long as this lives, and its number is only used as an atomic.
#[allow(unsafe_code)]
unsafe impl Send for Turns {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Turns {}

/// A read under way; it ends when this is dropped.
pub(super) struct Entered<'p>(Option<(&'p Turns, MutexGuard<'p, u64>)>);

impl Place {
    /// The place of a utility, in a folder that a region has made; none where none has.
    pub(super) fn of_utility(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = folder.join(READERS);
        let failed = |e: std::io::Error| io("cannot take a place in", &path, &e);
        let file = match OpenOptions::new().read(true).write(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        // A region of an earlier version has numbers there, and wants an odd one of who reads.
        let of_workers = file.metadata().map_err(failed)?.len() as usize / PLACE;
        if of_workers > 0 {
            let place = first_free(&file, of_workers, PLACE)?;
            let odd = 1_u64.to_ne_bytes();
            let written = file.write_all_at(&odd, (place * PLACE) as u64);
            written.map_err(failed)?;
        } else {
            first_free(&file, UTILITIES_MAX, 1)?;
        }
        Ok(Some(Self::Utility(file)))
    }

    /// Takes a place in the memory that the region has given a worker, at the path of a descriptor.
    #[allow(unsafe_code)]
    pub(super) fn of_worker(memory: &Path) -> Result<Self, StoreError> {
        let failed = |e: std::io::Error| io("cannot take a place in", memory, &e);
        // Opened again, since a lock belongs to who has opened the file.
        let file = OpenOptions::new().read(true).write(true).open(memory);
        let file = file.map_err(failed)?;
        let number = file.metadata().map_err(failed)?.len() as usize / PLACE;
        let place = first_free(&file, number, PLACE)?;
        // SAFETY: asks for a number.
        let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let (page, at) = (place * PLACE / page_bytes, place * PLACE % page_bytes);
        // SAFETY: a new mapping of a page of memory that is sealed against being made shorter; the
        // address is the kernel's choice.
        let mapped = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                page_bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                (page * page_bytes) as libc::off_t,
            )
        };
        if mapped == libc::MAP_FAILED {
            return Err(failed(std::io::Error::last_os_error()));
        }
        let turns = Turns {
            _file: file,
            page: NonNull::new(mapped.cast()).ok_or(StoreError::Closed)?,
            page_bytes,
            at,
            turn: Mutex::new(2),
        };
        // Its last owner may have ended while it read.
        turns.number().store(2, Ordering::Release);
        Ok(Self::Worker(turns))
    }

    /// Begins a read: a state that is looked for from now on keeps its pages until the end. A
    /// thread that reads already must not begin another one.
    pub(super) fn enter(&self) -> Entered<'_> {
        let Self::Worker(turns) = self else {
            return Entered(None);
        };
        let mut turn = lock(&turns.turn);
        *turn += 1;
        // Set, not added to: what a program stored there is gone with the next read.
        turns.number().store(*turn, Ordering::Relaxed);
        // Either the region sees the number, or this process the state the region has kept.
        fence(Ordering::SeqCst);
        Entered(Some((turns, turn)))
    }
}

impl Turns {
    #[allow(unsafe_code)]
    fn number(&self) -> &AtomicU64 {
        // SAFETY: inside the mapped page, which lives as long as this, at a multiple of 64 bytes;
        // all who use it do so as an atomic or through the file.
        unsafe { &*self.page.as_ptr().add(self.at).cast::<AtomicU64>() }
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if let Some((turns, turn)) = &mut self.0 {
            **turn += 1;
            turns.number().store(**turn, Ordering::Release);
        }
    }
}

impl Drop for Turns {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: mapped by `of_worker`, and nobody has a reference any more. A failure leaves a
        // page.
        unsafe { libc::munmap(self.page.as_ptr().cast(), self.page_bytes) };
    }
}

fn number(place: &[u8]) -> u64 {
    let word = place.first_chunk::<8>();
    word.map_or(0, |word| u64::from_ne_bytes(*word))
}

/// Locks the first of so many places that nobody has.
fn first_free(file: &File, number: usize, bytes: usize) -> Result<usize, StoreError> {
    let free = |place: &usize| lock_of(file, *place, bytes, libc::F_OFD_SETLK).is_ok();
    let found = (0..number).find(free);
    found.ok_or(StoreError::Limit("readers of the store"))
}

fn is_locked(file: &File, place: usize, bytes: usize) -> bool {
    lock_of(file, place, bytes, libc::F_OFD_GETLK)
        .is_ok_and(|found| i32::from(found.l_type) != libc::F_UNLCK)
}

/// Asks for, or after, the lock of a place. It belongs to who has opened the file, and ends with
/// the last descriptor of that.
#[allow(unsafe_code)]
fn lock_of(
    file: &File,
    place: usize,
    bytes: usize,
    command: libc::c_int,
) -> std::io::Result<libc::flock> {
    let mut asked = libc::flock {
        l_type: libc::F_WRLCK as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: (place * bytes) as libc::off_t,
        l_len: bytes as libc::off_t,
        l_pid: 0,
    };
    // SAFETY: the descriptor is open and the structure valid for the call.
    match unsafe { libc::fcntl(file.as_raw_fd(), command, &raw mut asked) } {
        -1 => Err(std::io::Error::last_os_error()),
        _ => Ok(asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(places: &Places) -> Result<Turns, StoreError> {
        let path = format!("/proc/self/fd/{}", places.memory.as_raw_fd());
        match Place::of_worker(path.as_ref())? {
            Place::Worker(turns) => Ok(turns),
            Place::Utility(_) => Err(StoreError::Closed),
        }
    }

    #[test]
    fn a_place_is_one_while_its_owner_lives() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::make(folder.path(), 2).unwrap();
        let (first, _second) = (worker(&places).unwrap(), worker(&places).unwrap());
        assert!(matches!(worker(&places), Err(StoreError::Limit(_))));
        assert_eq!(places.figures(), (2, 2));
        drop(first);
        assert_eq!(places.figures(), (1, 2));
        assert!(worker(&places).is_ok());
    }

    /// Who reads would be ended, and the region could not look.
    #[test]
    fn nobody_makes_the_memory_shorter() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::make(folder.path(), 3).unwrap();
        let turns = worker(&places).unwrap();
        let path = format!("/proc/self/fd/{}", places.memory.as_raw_fd());
        assert!(places.memory.set_len(0).is_err());
        assert!(
            OpenOptions::new()
                .write(true)
                .truncate(true)
                .open(path)
                .is_err()
        );
        turns.number().store(5, Ordering::Relaxed);
        assert_eq!(places.reading(), Ok(vec![Turn::Worker(0, 5)]));
    }

    #[test]
    fn a_read_is_seen_until_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::make(folder.path(), 3).unwrap();
        let _other = worker(&places).unwrap();
        let place = Place::Worker(worker(&places).unwrap());
        assert_eq!(places.reading(), Ok(vec![]));
        let entered = place.enter();
        let turns = places.reading().unwrap();
        assert_eq!(turns, [Turn::Worker(1, 3)]);
        assert_eq!(places.still(&turns), turns);
        drop(entered);
        assert_eq!(places.still(&turns), []);
        let _again = place.enter();
        assert_eq!(places.still(&turns), [], "another read is not that one");
        assert_eq!(places.reading(), Ok(vec![Turn::Worker(1, 5)]));
    }

    #[test]
    fn a_utility_reads_as_long_as_it_has_a_place() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Place::of_utility(folder.path()).unwrap().is_none());
        let places = Places::make(folder.path(), 3).unwrap();
        let first = Place::of_utility(folder.path()).unwrap().unwrap();
        let second = Place::of_utility(folder.path()).unwrap().unwrap();
        let turns = places.reading().unwrap();
        assert_eq!(turns, [Turn::Utility(0), Turn::Utility(1)]);
        drop(first);
        assert_eq!(places.still(&turns), [Turn::Utility(1)]);
        drop(second);
        assert_eq!(places.still(&turns), []);
    }

    #[test]
    fn a_region_of_an_earlier_version_sees_a_utility() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(READERS);
        std::fs::write(&path, [0; 2 * PLACE]).unwrap();
        let _place = Place::of_utility(folder.path()).unwrap().unwrap();
        let file = File::open(&path).unwrap();
        assert!(is_locked(&file, 0, PLACE));
        assert_eq!(number(&std::fs::read(&path).unwrap()), 1);
    }

    #[test]
    fn what_a_program_stored_there_is_gone_with_the_next_read_or_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::make(folder.path(), 3).unwrap();
        let turns = worker(&places).unwrap();
        turns.number().store(u64::MAX, Ordering::Relaxed);
        let stored = vec![Turn::Worker(0, u64::MAX)];
        assert_eq!(places.reading(), Ok(stored.clone()));
        let place = Place::Worker(turns);
        drop(place.enter());
        assert_eq!(places.reading(), Ok(vec![]));
        let Place::Worker(turns) = place else { return };
        turns.number().store(u64::MAX, Ordering::Relaxed);
        assert_eq!(places.reading(), Ok(stored));
        drop(turns);
        assert_eq!(places.reading(), Ok(vec![]));
    }
}
