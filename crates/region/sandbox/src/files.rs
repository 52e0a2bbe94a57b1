//! Files that the zygote and its workers may open, by Landlock.
//!
//! What: everything is refused but what the plan names and what libraries need. What is open
//! already stays so: shared memory, sockets to the region. Why Landlock: it needs neither root nor
//! a namespace. Not here: files of the region that a path of the plan leads to.

use super::plan::Plan;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Rights by their bits in the kernel's interface.
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const REMOVE_FILE: u64 = 1 << 5;
const MAKE_REG: u64 = 1 << 8;
const TRUNCATE: u64 = 1 << 14;
/// How many rights each version knows, from version 1 on: 13; REFER; TRUNCATE; the same; IOCTL_DEV.
const RIGHTS: [u32; 5] = [13, 14, 15, 15, 16];
/// Versions that can refuse TCP, and signals and sockets of others.
const WITH_NETWORK: usize = 4;
const WITH_SCOPES: usize = 6;
/// Bind and connect; abstract sockets and signals.
const BOTH: u64 = 3;

const VERSION_FLAG: u32 = 1;
const PATH_BENEATH: u32 = 1;

/// What libraries read while programs run. Public files all of them.
const SYSTEM: [&str; 12] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/usr/share/gnucobol",
    "/usr/share/locale",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/ld.so.cache",
    "/dev/urandom",
];

#[repr(C)]
struct Ruleset {
    files: u64,
    network: u64,
    scopes: u64,
}

#[repr(C, packed)]
struct Beneath {
    allowed: u64,
    parent: i32,
}

/// From now on nothing else is opened.
pub(super) fn restrict(plan: &Plan) -> io::Result<()> {
    let version = version()?;
    let known = RIGHTS[version.min(RIGHTS.len()) - 1];
    let handled = (1 << known) - 1;
    let ruleset = Ruleset {
        files: handled,
        network: if version >= WITH_NETWORK { BOTH } else { 0 },
        scopes: if version >= WITH_SCOPES { BOTH } else { 0 },
    };
    let bytes = match version {
        WITH_SCOPES.. => 24,
        WITH_NETWORK.. => 16,
        _ => 8_usize,
    };
    let none: u32 = 0;
    // SAFETY: a structure of at least so many bytes.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            &raw const ruleset,
            bytes,
            none,
        )
    };
    let fd = libc::c_int::try_from(fd).unwrap_or(-1);
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just created, owned by nobody else.
    let rules = unsafe { OwnedFd::from_raw_fd(fd) };
    let libraries = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let libraries = std::env::split_paths(&libraries).filter(|path| path.is_absolute());
    let system = SYSTEM.iter().map(PathBuf::from).chain(libraries);
    for path in system.chain(plan.reads.iter().cloned()) {
        allow(&rules, &path, (READ_FILE | READ_DIR) & handled)?;
    }
    let write = READ_FILE | READ_DIR | WRITE_FILE | MAKE_REG | REMOVE_FILE | TRUNCATE;
    for path in [PathBuf::from("/dev/null")].iter().chain(&plan.writes) {
        allow(&rules, path, write & handled)?;
    }
    // SAFETY: a ruleset that is ours.
    match unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), none) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn version() -> io::Result<usize> {
    let nothing: *const Ruleset = std::ptr::null();
    // SAFETY: asks for the version.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            nothing,
            0_usize,
            VERSION_FLAG,
        )
    };
    match usize::try_from(version) {
        Ok(version @ 1..) => Ok(version),
        _ => Err(io::Error::last_os_error()),
    }
}

/// What is not there needs no rule.
fn allow(rules: &OwnedFd, path: &Path, rights: u64) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true).custom_flags(libc::O_PATH);
    let parent = match options.open(path) {
        Ok(parent) => parent,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    // Of a file only its own rights count.
    let of_file = READ_FILE | WRITE_FILE | TRUNCATE;
    let is_folder = parent.metadata()?.is_dir();
    let rule = Beneath {
        allowed: if is_folder { rights } else { rights & of_file },
        parent: parent.as_raw_fd(),
    };
    let none: u32 = 0;
    // SAFETY: a rule as this kind has it; both descriptors are open.
    let added = unsafe {
        libc::syscall(
            libc::SYS_landlock_add_rule,
            rules.as_raw_fd(),
            PATH_BENEATH,
            &raw const rule,
            none,
        )
    };
    match added {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
