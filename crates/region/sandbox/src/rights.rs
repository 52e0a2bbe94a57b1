//! User, capabilities and limits of the zygote, which workers inherit.

use std::io;

/// User and group of workers whose region is root: of none of the ranges that accounts, services
/// and containers use.
const WORKERS: libc::uid_t = 60_999;
/// Largest file a worker makes: a dump, records of a SORT.
const FILE_BYTES_MAX: libc::rlim_t = 1 << 30;
/// Descriptors of a worker.
const DESCRIPTORS_MAX: libc::rlim_t = 1_024;
/// Version of the structures of capset with two words for each set.
const CAPABILITY_VERSION: u32 = 0x2008_0522;
/// Reading and writing files whatever their mode: those of root, as far as the folders of the
/// region go.
const CAP_DAC_OVERRIDE: u32 = 1;

#[repr(C)]
struct Header {
    version: u32,
    pid: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Sets {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

pub(super) fn done(result: libc::c_int) -> io::Result<()> {
    match result {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Of a machine without memory: what is added to the points by which the kernel chooses whom it
/// ends, in thousandths of all memory.
const OUT_OF_MEMORY: i32 = 500;
const POINTS: &str = "/proc/self/oom_score_adj";

/// Where memory is short, because of a program or not, the kernel ends workers and not the region,
/// which has the store. A kernel that has no such file chooses by itself.
pub(super) fn go_first() {
    let now = std::fs::read_to_string(POINTS).unwrap_or_default();
    if now
        .trim()
        .parse::<i32>()
        .is_ok_and(|now| now < OUT_OF_MEMORY)
    {
        let _as_before = std::fs::write(POINTS, OUT_OF_MEMORY.to_string());
    }
}

/// No core files with customers' data, no endless files.
pub(super) fn limit() -> io::Result<()> {
    let at_most = |resource, most: libc::rlim_t| {
        // SAFETY: reads and writes one structure of this stack.
        unsafe {
            let mut now = std::mem::zeroed::<libc::rlimit>();
            done(libc::getrlimit(resource, &mut now))?;
            now.rlim_max = now.rlim_max.min(most);
            now.rlim_cur = now.rlim_cur.min(now.rlim_max);
            done(libc::setrlimit(resource, &now))
        }
    };
    at_most(libc::RLIMIT_CORE, 0)?;
    at_most(libc::RLIMIT_FSIZE, FILE_BYTES_MAX)?;
    at_most(libc::RLIMIT_NOFILE, DESCRIPTORS_MAX)?;
    // SAFETY: ignores a signal: a file that is too long is an error of the call.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    Ok(())
}

pub(super) fn is_root() -> bool {
    // SAFETY: answers a number.
    unsafe { libc::geteuid() == 0 }
}

/// Becomes the workers' user, who may open files of root and nothing else of root's. Files he may
/// not open are a matter of `files`.
pub(super) fn leave_root() -> io::Result<libc::uid_t> {
    // SAFETY: plain system calls of a process with one thread.
    unsafe {
        done(libc::prctl(libc::PR_SET_KEEPCAPS, 1, 0, 0, 0))?;
        done(libc::setgroups(0, std::ptr::null()))?;
        done(libc::setresgid(WORKERS, WORKERS, WORKERS))?;
        done(libc::setresuid(WORKERS, WORKERS, WORKERS))?;
    }
    keep(1 << CAP_DAC_OVERRIDE)?;
    Ok(WORKERS)
}

/// What a service manager gave the region (ports below 1024, for example) is not for programs.
pub(super) fn drop_capabilities() -> io::Result<()> {
    // SAFETY: a plain system call; kernels without ambient capabilities have none to drop.
    unsafe {
        libc::prctl(
            libc::PR_CAP_AMBIENT,
            libc::PR_CAP_AMBIENT_CLEAR_ALL,
            0,
            0,
            0,
        )
    };
    keep(0)
}

pub(super) fn keep(first: u32) -> io::Result<()> {
    let header = Header {
        version: CAPABILITY_VERSION,
        pid: 0,
    };
    let one = Sets {
        effective: first,
        permitted: first,
        inheritable: 0,
    };
    let sets = [one, Sets::default()];
    // SAFETY: header and two sets, as this version has them.
    match unsafe { libc::syscall(libc::SYS_capset, &raw const header, sets.as_ptr()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// No privileges by executables, no debugger, no image in `/proc`. Another user forgets the signal
/// at the end of the region, so it is asked for again.
pub(super) fn no_more() -> io::Result<()> {
    // SAFETY: plain system calls.
    unsafe {
        done(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
        done(libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0))?;
        done(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0))
    }
}
