//! The C edge as Rust sees it: declarations as in `edge/edge.h` and thin wrappers.

use crate::shm::layout::{SlotView, TEXT_BYTES};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fmt;

pub(crate) const JUMPED: c_int = 2;
pub(crate) const CHECKED: c_int = 4;
pub(crate) const PRIMED: c_int = 5;
pub(crate) const UNPRIMED: c_int = 6;

pub(crate) const CHECK_SIGNAL: c_int = 1;
pub(crate) const CHECK_ZERO_DIVIDE: c_int = 3;
pub(crate) const CHECK_MISSING_CALL: c_int = 4;
pub(crate) const CHECK_ASYNC: c_int = 5;
pub(crate) const CHECK_ABEND: c_int = 7;
pub(crate) const CHECK_DATA: c_int = 8;

pub(crate) const DO_UNWIND: c_int = -2;
pub(crate) const DO_GOBACK: c_int = -1;

/// `struct txm_check`.
#[repr(C)]
pub(crate) struct Check {
    pub(crate) kind: c_int,
    pub(crate) signal: c_int,
    pub(crate) pc: usize,
    pub(crate) address: usize,
    pub(crate) place: usize,
    pub(crate) line: c_uint,
    module: [c_char; 32],
    text: [c_char; TEXT_BYTES],
}

impl Check {
    /// Name of the program that was running, empty when unknown.
    pub(crate) fn module(&self) -> String {
        text(&self.module)
    }

    /// What went wrong.
    pub(crate) fn text(&self) -> String {
        text(&self.text)
    }
}

fn text(bytes: &[c_char]) -> String {
    let bytes: Vec<u8> = bytes
        .iter()
        .take_while(|c| **c != 0)
        .map(|c| *c as u8)
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `struct txm_argument`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Argument {
    pub(crate) data: *mut u8,
    pub(crate) size: usize,
    pub(crate) kind: c_int,
    pub(crate) digits: c_int,
    pub(crate) scale: c_int,
    pub(crate) flags: c_uint,
    pub(crate) field: *const c_void,
}

unsafe extern "C" {
    fn txm_start(libcob: *mut c_void) -> *const c_char;
    fn txm_data_rules(compare_characters: c_int, numeric_check: c_int);
    fn txm_routines(libcob: *mut c_void, all: c_int);
    fn txm_redirect_output();
    fn txm_signals(slot: *const SlotView);
    fn txm_run_level(
        entry: *mut c_void,
        eib: *mut c_void,
        area: *mut c_void,
        prime: c_int,
    ) -> c_int;
    fn txm_resume_at(label: c_int);
    fn txm_last_check() -> *const Check;
    fn txm_reach(address: *const c_void, bytes: usize, write: c_int) -> usize;
    fn txm_get_number(field: *const c_void, value: *mut i64) -> c_int;
    fn txm_set_number(field: *const c_void, value: i64) -> c_int;
    fn txm_add_text_range(low: usize, high: usize) -> c_int;
    fn txm_cancel_module(module: *mut c_void);
    fn txm_current_entry() -> *mut c_void;
    fn txm_place() -> usize;
    static txm_return_code: c_int;
    fn txm_constants(addresses: *mut *const *mut c_void, bytes: *mut usize) -> usize;
    // Named here so that the linker keeps them for the modules.
    fn TXMEXEC(descriptor: *mut u8, ...) -> c_int;
    fn TXMENTRY(name: *mut c_void, ...) -> c_int;
    fn txm_table(address: *mut usize, bytes: *mut usize) -> c_int;
    fn txm_local(low: usize, length: usize, address: *mut usize, bytes: *mut usize) -> c_int;
    fn TXMHIGH() -> c_int;
    fn TXMTABLE(record: *mut c_void, ...) -> c_int;
    fn cob_cancel(name: *const c_char);
}

/// Why COBOL cannot run here.
#[derive(Debug)]
pub(crate) enum StartError {
    /// What the loader says.
    NoLibrary(String),
    /// The library is another one: it lacks this function.
    NoFunction(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLibrary(why) => write!(f, "{why} (is GnuCOBOL 3 installed?)"),
            Self::NoFunction(name) => write!(f, "libcob.so.4 has no function {name}"),
        }
    }
}

/// Opens libcob with its symbols visible to modules and initialises it. Once per process. With
/// `all_routines` programs may CALL whatever it and the C library have.
pub(crate) fn start(all_routines: bool) -> Result<(), StartError> {
    let keep: [*const c_void; 5] = [
        TXMEXEC as *const c_void,
        TXMENTRY as *const c_void,
        TXMHIGH as *const c_void,
        TXMTABLE as *const c_void,
        cob_cancel as *const c_void,
    ];
    std::hint::black_box(keep);
    // SAFETY: plain dlopen/dlsym; libcob's constructors are those of a normal library.
    unsafe {
        let handle = libc::dlopen(c"libcob.so.4".as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL);
        if handle.is_null() {
            return Err(StartError::NoLibrary(dl_error()));
        }
        txm_routines(handle, all_routines.into());
        let missing = txm_start(handle);
        if !missing.is_null() {
            let name = CStr::from_ptr(missing).to_string_lossy();
            return Err(StartError::NoFunction(name.into_owned()));
        }
    }
    Ok(())
}

/// How programs take zoned items that hold other bytes than digits: whether comparisons may be made
/// on characters (ZONEDATA(PFD)), and whether such items raise a check (NUMCHECK).
pub(crate) fn data_rules(compare_characters: bool, numeric_check: bool) {
    // SAFETY: sets two switches of the edge, before any program runs.
    unsafe { txm_data_rules(compare_characters.into(), numeric_check.into()) }
}

/// The text of the last dl error.
pub(crate) fn dl_error() -> String {
    // SAFETY: dlerror answers a C string or null.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() {
            "unknown error".into()
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    }
}

/// DISPLAY goes to [`super::output`].
pub(crate) fn redirect_output() {
    // SAFETY: replaces the standard streams of this single-threaded process.
    unsafe { txm_redirect_output() }
}

/// Installs the signal handlers; `slot` must stay mapped. `None`: no task can be named yet.
pub(crate) fn signals(slot: Option<&'static SlotView>) {
    // SAFETY: the view lives as long as the process and consists of atomics.
    unsafe { txm_signals(slot.map_or(std::ptr::null(), std::ptr::from_ref)) }
}

/// Runs a program in a new level; answers how it ended.
///
/// # Safety
/// `entry` must be the entry of a COBOL program that is not active; `eib` must point to 85 bytes
/// and `area` to the COMMAREA or be null. No Rust frame may lie between this call and any
/// [`super::run::txm_dispatch`] it leads to, except those of nested levels, which end first.
pub(crate) unsafe fn run_level(
    entry: *mut c_void,
    eib: *mut u8,
    area: *mut u8,
    prime: bool,
) -> c_int {
    // SAFETY: by the caller.
    unsafe { txm_run_level(entry, eib.cast(), area.cast(), c_int::from(prime)) }
}

/// The next TXMENTRY answers this label.
pub(crate) fn resume_at(label: u16) {
    // SAFETY: stores an integer.
    unsafe { txm_resume_at(c_int::from(label)) }
}

/// The last program check; valid until the next level starts.
pub(crate) fn last_check() -> &'static Check {
    // SAFETY: a static of the C edge; written where a program check is raised, which then jumps to
    // the level's end: never between a look at it and the start of the next level.
    unsafe { &*txm_last_check() }
}

/// Where the program that is running goes on, behind its CALL of what runs now; 0: not known.
pub(crate) fn place() -> usize {
    // SAFETY: reads the stack below this frame; what a program wrote over it is caught.
    unsafe { txm_place() }
}

/// RETURN-CODE of the program that came back last.
pub(crate) fn return_code() -> i32 {
    // SAFETY: an integer of the C edge, written only while COBOL runs, which it does not.
    unsafe { txm_return_code }
}

/// The whole range can be read (or written).
pub(crate) fn probe(address: usize, bytes: usize, write: bool) -> bool {
    reach(address, bytes, write) == bytes
}

/// How many bytes from the start of the range can be read (or written).
pub(crate) fn reach(address: usize, bytes: usize, write: bool) -> usize {
    // SAFETY: faults inside are caught between C frames. A write probe stores back what is there.
    unsafe { txm_reach(address as *const c_void, bytes, c_int::from(write)) }
}

/// Value of a field of any numeric type. `None`: its storage cannot be read.
///
/// # Safety
/// `field` must be a `cob_field` that libcob gave us in this call.
pub(crate) unsafe fn get_number(field: *const c_void) -> Option<i64> {
    let mut value = 0;
    // SAFETY: by the caller; faults are caught inside.
    (unsafe { txm_get_number(field, &mut value) } == 0).then_some(value)
}

/// Stores into a field of any type as MOVE does. `false`: its storage cannot be written.
///
/// # Safety
/// As [`get_number`].
pub(crate) unsafe fn set_number(field: *const c_void, value: i64) -> bool {
    // SAFETY: by the caller; faults are caught inside.
    unsafe { txm_set_number(field, value) == 0 }
}

/// Signals that find the program counter here may unwind.
pub(crate) fn add_text_range(low: usize, high: usize) -> bool {
    // SAFETY: stores two integers in a bounded table.
    unsafe { txm_add_text_range(low, high) != 0 }
}

/// Runs a program's own CANCEL code.
///
/// # Safety
/// `module` must be a live `cob_module`.
pub(crate) unsafe fn cancel_module(module: *mut c_void) {
    // SAFETY: by the caller.
    unsafe { txm_cancel_module(module) }
}

/// Entry of the program that runs.
pub(crate) fn current_entry() -> *mut c_void {
    // SAFETY: reads libcob's current module.
    unsafe { txm_current_entry() }
}

/// The newest LOCAL-STORAGE, as (address, bytes), that a module of so many bytes asked for.
pub(crate) fn local_storage(low: usize, length: usize) -> Option<(usize, usize)> {
    let (mut address, mut bytes) = (0, 0);
    // SAFETY: looks at a table of C; two pointers to live variables.
    let found = unsafe { txm_local(low, length, &mut address, &mut bytes) } != 0;
    found.then_some((address, bytes))
}

/// Storage of the numeric literals that modules made since the last call, as (address, bytes).
pub(crate) fn constants() -> Vec<(usize, usize)> {
    let (mut addresses, mut bytes) = (std::ptr::null(), 0);
    // SAFETY: two pointers to live variables; what comes back is a table of that many addresses,
    // valid until the next level starts.
    unsafe {
        let count = txm_constants(&mut addresses, &mut bytes);
        (0..count)
            .map(|i| (*addresses.add(i) as usize, bytes))
            .collect()
    }
}

/// Address and bytes of the table that the module which was primed last is.
pub(crate) fn table() -> Option<(usize, usize)> {
    let (mut address, mut bytes) = (0, 0);
    // SAFETY: two pointers to live variables.
    let told = unsafe { txm_table(&mut address, &mut bytes) } != 0;
    told.then_some((address, bytes))
}

/// Bytes this process has from malloc.
pub(crate) fn heap_bytes() -> usize {
    // SAFETY: answers counters of the allocator.
    unsafe { libc::mallinfo2() }.uordblks
}
