//! What is said when a damaged page ends the process.
//!
//! What: a handler of SIGSEGV and SIGBUS that looks whether the address lies in the map of the
//! store, writes a message for the operator if so, and leaves the rest to the handler before it.
//! Why: LMDB believes a page it reads; pages are looked at when a store is opened, one that is
//! damaged later can still end whoever reads it, and a bare signal tells nobody to restore a
//! backup. Not here: going on, since what else the process has read from the page is not known.

use std::fs;
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use transom_messages as messages;

/// Behind the map: as far as an item of a damaged page can point.
const OVERSHOOT: usize = 1 << 18;
const SIGNALS: [libc::c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// Below this nothing is mapped. LMDB follows a pointer it has not got when a flag of an item is
/// wrong.
const NULL_AREA: usize = 1 << 20;

/// Addresses of the map opened last; a process has one store open.
static LOW: AtomicUsize = AtomicUsize::new(0);
static HIGH: AtomicUsize = AtomicUsize::new(0);
/// End of the addresses at 0 that mean the store too: in a worker they are those of its programs.
static NULL_HIGH: AtomicUsize = AtomicUsize::new(0);
/// What is said, made before it is needed: a handler may not allocate.
static LINE: OnceLock<String> = OnceLock::new();
/// What was there before, in the order of [`SIGNALS`].
static BEFORE: OnceLock<[libc::sigaction; 2]> = OnceLock::new();

/// Explains faults in the map of this data file from now on; `programs` of users run in this
/// process, too.
#[allow(unsafe_code)]
pub(super) fn explain(data: &Path, programs: bool) {
    let Some((low, high)) = mapped(data) else {
        return;
    };
    LOW.store(low, SeqCst);
    NULL_HIGH.store(if programs { 0 } else { NULL_AREA }, SeqCst);
    HIGH.store(high.saturating_add(OVERSHOOT), SeqCst);
    LINE.get_or_init(|| format!("{}\n", messages::rm::page_damaged()));
    BEFORE.get_or_init(|| {
        SIGNALS.map(|signal| {
            let mut before = MaybeUninit::<libc::sigaction>::zeroed();
            // SAFETY: both structures are valid for the call, an all-zero one is a valid sigaction,
            // and the handler only does what is allowed in one: atomic loads, write, sigaction.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = on_fault as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
                libc::sigaction(signal, &action, before.as_mut_ptr());
                before.assume_init()
            }
        })
    });
}

/// Says what it is, then lets the instruction fail again under the handler that was there before.
#[allow(unsafe_code)]
extern "C" fn on_fault(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    _context: *mut libc::c_void,
) {
    // SAFETY: the kernel gives a handler with SA_SIGINFO a valid structure; write and sigaction may
    // be called in a handler, and what they get is valid as long as the process.
    unsafe {
        let at = (*info).si_addr() as usize;
        let in_map = at >= LOW.load(SeqCst) && at < HIGH.load(SeqCst);
        if (in_map || at < NULL_HIGH.load(SeqCst))
            && let Some(line) = LINE.get()
        {
            libc::write(2, line.as_ptr().cast(), line.len());
        }
        let place = usize::from(signal == libc::SIGBUS);
        match BEFORE.get().and_then(|before| before.get(place)) {
            Some(before) => libc::sigaction(signal, before, std::ptr::null_mut()),
            None => libc::sigaction(signal, &std::mem::zeroed(), std::ptr::null_mut()),
        };
    }
}

/// Where a file is mapped in this process.
fn mapped(data: &Path) -> Option<(usize, usize)> {
    let path = fs::canonicalize(data).ok()?;
    let path = path.to_str()?;
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let ranges = maps.lines().filter(|line| line.ends_with(path));
    let ranges = ranges.filter_map(|line| {
        let (low, high) = line.split(' ').next()?.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        Some((number(low)?, number(high)?))
    });
    ranges.reduce(|(low, high), (l, h)| (low.min(l), high.max(h)))
}
