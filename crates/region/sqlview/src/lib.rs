//! A database that others write, as one sees it who cannot.
//!
//! What: with [`for_reading`] SQLite opens nothing for writing, not even the log, for which it has
//! no option. SQLite lets go of the mapping of a file whenever somebody else has committed, and
//! maps it again page by page; for a reader that costs more than its statements. [`keep_mapping`]
//! has it stay while the file has the size it had. [`Beginning`] has the first bytes of a file in
//! memory. Why a room: these are the things that rusqlite
//! has no safe words for. Not here: what is read (`region/sql`).

#![allow(unsafe_code)]

mod beginning;

pub use beginning::Beginning;

use rusqlite::Connection;
use rusqlite::ffi::{self, sqlite3_file, sqlite3_int64, sqlite3_io_methods};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

/// The methods of a file as SQLite has them, and with a mapping that stays.
struct Methods {
    own: sqlite3_io_methods,
    kept: sqlite3_io_methods,
}

// SAFETY: numbers and addresses of functions, which nobody changes.
unsafe impl Send for Methods {}
// SAFETY: as above.
unsafe impl Sync for Methods {}

static METHODS: OnceLock<Methods> = OnceLock::new();
/// Bytes of the file when it was mapped last; a process maps one.
static MAPPED: AtomicI64 = AtomicI64::new(-1);

/// As SQLite opens a file.
type Open = unsafe extern "C" fn(*const c_char, c_int, c_int) -> c_int;

/// SQLite's own; `None`: it could not be replaced.
static OPEN: OnceLock<Option<Open>> = OnceLock::new();

thread_local! {
    /// This thread opens nothing for writing.
    static READS: Cell<bool> = const { Cell::new(false) };
}

/// Runs this; what SQLite opens meanwhile on this thread is opened for reading or not at all.
/// `None`: SQLite does not let that be said.
pub fn for_reading<T>(work: impl FnOnce() -> T) -> Option<T> {
    (*OPEN.get_or_init(replaced))?;
    let before = READS.replace(true);
    let done = work();
    READS.set(before);
    Some(done)
}

/// Puts [`open`] in the place of SQLite's own.
fn replaced() -> Option<Open> {
    // SAFETY: answers the default file system of SQLite, which is there as long as the process.
    let vfs = unsafe { ffi::sqlite3_vfs_find(std::ptr::null()) };
    if vfs.is_null() {
        return None;
    }
    // SAFETY: as above. Nobody changes these two; other threads may use the rest, so there is no
    // reference to it.
    let (get, set) = unsafe { ((*vfs).xGetSystemCall?, (*vfs).xSetSystemCall?) };
    // SAFETY: a name that SQLite documents; its call has this form. SQLite stores one word, which
    // another thread that opens a file meanwhile reads old or new; a worker has no other one.
    unsafe {
        let own = get(vfs, c"open".as_ptr())?;
        let ours: unsafe extern "C" fn() = std::mem::transmute(open as Open);
        match set(vfs, c"open".as_ptr(), Some(ours)) {
            ffi::SQLITE_OK => Some(std::mem::transmute::<unsafe extern "C" fn(), Open>(own)),
            _ => None,
        }
    }
}

/// SQLite then tries again for reading, where that is enough.
unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    if READS.get() && flags & libc::O_ACCMODE != libc::O_RDONLY {
        // SAFETY: of this thread.
        unsafe { *libc::__errno_location() = libc::EACCES };
        return -1;
    }
    match OPEN.get() {
        // SAFETY: as SQLite asked.
        Some(Some(own)) => unsafe { own(path, flags, mode) },
        // Another thread puts it in place at this moment.
        // SAFETY: as SQLite asked.
        _ => unsafe { libc::open(path, flags | libc::O_CLOEXEC, mode) },
    }
}

/// From now on the mapping of the main database of this connection stays. For one connection of a
/// process, which only reads, before anything was read. `false`: it goes on as SQLite does it.
///
/// Pages behind a view are not changed: a reader's lock keeps the log from being taken over into
/// them, and the file has the pages of each view that somebody has.
pub fn keep_mapping(connection: &Connection) -> bool {
    let mut file: *mut sqlite3_file = std::ptr::null_mut();
    // SAFETY: the handle lives as long as its connection; the answer is the file of the pager.
    let found = unsafe {
        ffi::sqlite3_file_control(
            connection.handle(),
            c"main".as_ptr(),
            ffi::SQLITE_FCNTL_FILE_POINTER,
            (&raw mut file).cast::<c_void>(),
        )
    };
    if found != ffi::SQLITE_OK || file.is_null() {
        return false;
    }
    // SAFETY: an open file has methods, or none if it could not be opened.
    let Some(own) = (unsafe { (*file).pMethods.as_ref() }) else {
        return false;
    };
    if own.iVersion < 3 || own.xFetch.is_none() || own.xUnfetch.is_none() {
        return false;
    }
    let methods = METHODS.get_or_init(|| Methods {
        own: *own,
        kept: sqlite3_io_methods {
            xUnfetch: Some(unfetch),
            ..*own
        },
    });
    let unfetch_of = |methods: &sqlite3_io_methods| methods.xUnfetch.map(|f| f as usize);
    if unfetch_of(own) != unfetch_of(&methods.own) {
        return false;
    }
    // SAFETY: the same methods but for one, and they live as long as the process.
    unsafe { (*file).pMethods = &raw const methods.kept };
    true
}

/// Gives a page back; without a page all of the mapping.
unsafe extern "C" fn unfetch(
    file: *mut sqlite3_file,
    offset: sqlite3_int64,
    page: *mut c_void,
) -> c_int {
    let Some(own) = METHODS.get().map(|methods| &methods.own) else {
        return ffi::SQLITE_MISUSE;
    };
    if page.is_null()
        && let Some(size_of) = own.xFileSize
    {
        let mut now = -1;
        // SAFETY: the file SQLite asks about.
        let asked = unsafe { size_of(file, &raw mut now) };
        if asked == ffi::SQLITE_OK && MAPPED.swap(now, Ordering::Relaxed) == now {
            return ffi::SQLITE_OK;
        }
    }
    match own.xUnfetch {
        // SAFETY: as SQLite asked.
        Some(unfetch) => unsafe { unfetch(file, offset, page) },
        None => ffi::SQLITE_MISUSE,
    }
}
