//! Places of other processes that read the store.
//!
//! What: the file `readers`, a place of 64 bytes for each process, in it a number that is odd while
//! the process reads; whose a place is says a lock of the kernel on its bytes. Before the region
//! gives the pages of an earlier checkpoint free it looks who began to read before the new one and
//! reads still. Why not LMDB's own table: its mutexes and the number of the last commit lie beside
//! it, and programs run in the processes that would map it. Here the region takes nothing from the
//! file but whether somebody reads, waits for nobody, and follows no pointer. Not here: readers in
//! the region's own process and copies (LMDB's table, which workers do not open).

use super::error::io;
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Mutex, MutexGuard};
use transom_recovery::StoreError;
use transom_recovery::guard::lock;

/// The name of the file.
pub(super) const READERS: &str = "readers";
/// Bytes of a place: a line of the processor's cache, so that readers are in nobody's way.
const PLACE: usize = 64;

/// The places as the region sees them.
pub(super) struct Places {
    file: File,
    bytes: usize,
}

/// A read of another process: its place, and the number there.
pub(super) type Turn = (usize, u64);

impl Places {
    /// Makes the file of a folder, with room on the disk for all of its places: a reader that takes
    /// one must not find the disk full.
    pub(super) fn make(folder: &Path, number: u32) -> Result<Self, StoreError> {
        let path = folder.join(READERS);
        let bytes = number as usize * PLACE;
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options
            .open(&path)
            .map_err(|e| io("cannot open", &path, &e))?;
        let found = file.metadata().map_err(|e| io("cannot read", &path, &e))?;
        let whole = found.len() >= bytes as u64 && found.blocks() * 512 >= bytes as u64;
        let places = Self { file, bytes };
        let cleared = match whole {
            true => places.clear(),
            false => places.file.write_all_at(&vec![0; bytes], 0),
        };
        cleared.map_err(|e| io("cannot write", &path, &e))?;
        Ok(places)
    }

    /// Places that nobody has become those nobody had.
    fn clear(&self) -> std::io::Result<()> {
        for (place, _) in self.used()? {
            if !self.is_taken(place) {
                self.file.write_all_at(&[0; 8], (place * PLACE) as u64)?;
            }
        }
        Ok(())
    }

    /// Places that were taken since they were cleared, and their numbers.
    fn used(&self) -> std::io::Result<Vec<Turn>> {
        let mut bytes = vec![0; self.bytes];
        self.file.read_exact_at(&mut bytes, 0)?;
        let numbers = bytes.chunks_exact(PLACE).map(number).enumerate();
        Ok(numbers.filter(|(_, number)| *number > 0).collect())
    }

    /// Who reads now. Whoever begins after this was called sees what was committed before.
    pub(super) fn reading(&self) -> Result<Vec<Turn>, StoreError> {
        // Against the fence of a reader between its number and its look at the newest state.
        fence(Ordering::SeqCst);
        let used = self.used();
        let used = used.map_err(|e| StoreError::Io(format!("cannot read {READERS}: {e}")))?;
        let reads = |turn: &Turn| !turn.1.is_multiple_of(2) && self.is_taken(turn.0);
        Ok(used.into_iter().filter(reads).collect())
    }

    /// Those of them that have not ended. What cannot be read counts as not ended.
    pub(super) fn still(&self, turns: &[Turn]) -> Vec<Turn> {
        let same = |turn: &&Turn| {
            let mut word = [0; 8];
            let read = self.file.read_exact_at(&mut word, (turn.0 * PLACE) as u64);
            (read.is_err() || number(&word) == turn.1) && self.is_taken(turn.0)
        };
        turns.iter().filter(same).copied().collect()
    }

    /// Places that are taken, and the most that were at a time.
    pub(super) fn figures(&self) -> (u64, u64) {
        // The first free place is taken, so those that were ever used are as many.
        let used = self.used().unwrap_or_default();
        let taken = used.iter().filter(|(place, _)| self.is_taken(*place));
        (taken.count() as u64, used.len() as u64)
    }

    /// Whether a process that lives has a place. The kernel frees it with the process.
    fn is_taken(&self, place: usize) -> bool {
        lock_of(&self.file, place, libc::F_OFD_GETLK)
            .is_ok_and(|found| i32::from(found.l_type) != libc::F_UNLCK)
    }
}

/// The place of this process.
pub(super) struct Place {
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
unsafe impl Send for Place {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Place {}

/// A read under way; it ends when this is dropped.
pub(super) struct Entered<'p> {
    place: &'p Place,
    turn: MutexGuard<'p, u64>,
}

impl Place {
    /// Takes a place in the file of a folder; none where no region has made the file.
    #[allow(unsafe_code)]
    pub(super) fn take(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = folder.join(READERS);
        let failed = |e: std::io::Error| io("cannot take a place in", &path, &e);
        let file = match OpenOptions::new().read(true).write(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let number = file.metadata().map_err(failed)?.len() as usize / PLACE;
        let free = |place: &usize| lock_of(&file, *place, libc::F_OFD_SETLK).is_ok();
        let Some(place) = (0..number).find(free) else {
            return Err(StoreError::Limit("readers of the store"));
        };
        // SAFETY: asks for a number.
        let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let (page, at) = (place * PLACE / page_bytes, place * PLACE % page_bytes);
        // SAFETY: a new mapping of a page of a file that is not made shorter while it is used; the
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
        let page = NonNull::new(mapped.cast()).ok_or(StoreError::Closed)?;
        let place = Self {
            _file: file,
            page,
            page_bytes,
            at,
            turn: Mutex::new(2),
        };
        // Its last owner may have ended while it read.
        place.number().store(2, Ordering::Release);
        Ok(Some(place))
    }

    /// Begins a read: a state that is looked for from now on keeps its pages until the end. A
    /// thread that reads already must not begin another one.
    pub(super) fn enter(&self) -> Entered<'_> {
        let mut turn = lock(&self.turn);
        *turn += 1;
        // Set, not added to: what a program stored there is gone with the next read.
        self.number().store(*turn, Ordering::Relaxed);
        // Either the region sees the number, or this process the state the region has kept.
        fence(Ordering::SeqCst);
        Entered { place: self, turn }
    }

    #[allow(unsafe_code)]
    fn number(&self) -> &AtomicU64 {
        // SAFETY: inside the mapped page, which lives as long as this, at a multiple of 64 bytes;
        // all who use it do so as an atomic or through the file.
        unsafe { &*self.page.as_ptr().add(self.at).cast::<AtomicU64>() }
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        *self.turn += 1;
        self.place.number().store(*self.turn, Ordering::Release);
    }
}

impl Drop for Place {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: mapped by `take`, and nobody has a reference any more. A failure leaves a page.
        unsafe { libc::munmap(self.page.as_ptr().cast(), self.page_bytes) };
    }
}

fn number(place: &[u8]) -> u64 {
    let word = place.first_chunk::<8>();
    word.map_or(0, |word| u64::from_ne_bytes(*word))
}

/// Asks for, or after, the lock of a place. It belongs to who has opened the file, and ends with
/// the last descriptor of that.
#[allow(unsafe_code)]
fn lock_of(file: &File, place: usize, command: libc::c_int) -> std::io::Result<libc::flock> {
    let mut asked = libc::flock {
        l_type: libc::F_WRLCK as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: (place * PLACE) as libc::off_t,
        l_len: PLACE as libc::off_t,
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

    #[test]
    fn a_place_is_one_while_its_owner_lives() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Place::take(folder.path()).unwrap().is_none());
        let places = Places::make(folder.path(), 2).unwrap();
        let (first, second) = (Place::take(folder.path()), Place::take(folder.path()));
        let (first, _second) = (first.unwrap().unwrap(), second.unwrap().unwrap());
        let third = Place::take(folder.path());
        assert!(matches!(third, Err(StoreError::Limit(_))));
        assert_eq!(places.figures(), (2, 2));
        drop(first);
        assert_eq!(places.figures(), (1, 2));
        assert!(Place::take(folder.path()).unwrap().is_some());
    }

    #[test]
    fn a_read_is_seen_until_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::make(folder.path(), 3).unwrap();
        let _other = Place::take(folder.path()).unwrap();
        let place = Place::take(folder.path()).unwrap().unwrap();
        assert_eq!(places.reading(), Ok(vec![]));
        let entered = place.enter();
        let turns = places.reading().unwrap();
        assert_eq!(turns, [(1, 3)]);
        assert_eq!(places.still(&turns), turns);
        drop(entered);
        assert_eq!(places.still(&turns), []);
        let _again = place.enter();
        assert_eq!(places.still(&turns), [], "another read is not that one");
        assert_eq!(places.reading(), Ok(vec![(1, 5)]));
    }

    #[test]
    fn what_a_program_stored_there_is_gone_with_the_next_read_or_the_process() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::make(folder.path(), 3).unwrap();
        let place = Place::take(folder.path()).unwrap().unwrap();
        place.number().store(u64::MAX, Ordering::Relaxed);
        assert_eq!(places.reading(), Ok(vec![(0, u64::MAX)]));
        drop(place.enter());
        assert_eq!(places.reading(), Ok(vec![]));
        place.number().store(u64::MAX, Ordering::Relaxed);
        drop(place);
        assert_eq!(places.reading(), Ok(vec![]));
    }
}
