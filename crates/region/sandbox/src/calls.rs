//! System calls that the zygote and its workers may use, by seccomp.
//!
//! What: a list of what they need; any other call is not there (ENOSYS), so no program is
//! executed, no socket made, nobody traced. Workers do not fork either and send signals to
//! themselves alone. Why a list of what is allowed: kernels get new ways to do the same. Not here:
//! which files may be opened (`files`).

use std::io;

/// Of this machine; a call by the rules of another one is none of ours.
#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
/// From here on are calls of the x32 interface.
#[cfg(target_arch = "x86_64")]
const OTHER_INTERFACE: u32 = 0x4000_0000;

/// Places in the structure that a filter looks at.
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;
const SECOND_ARGUMENT: u32 = 24;

/// What programs, libcob, commands and the plumbing use. The frequent ones first; kernels since
/// 5.11 remember the answer anyway.
const USED: &[libc::c_long] = &[
    libc::SYS_futex,
    libc::SYS_write,
    libc::SYS_sendto,
    libc::SYS_rt_sigprocmask,
    libc::SYS_madvise,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_mincore,
    libc::SYS_membarrier,
    libc::SYS_brk,
    libc::SYS_read,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_openat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_mkdirat,
    libc::SYS_umask,
    libc::SYS_fcntl,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_fadvise64,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_memfd_create,
    libc::SYS_eventfd2,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_recvfrom,
    libc::SYS_sendmsg,
    libc::SYS_recvmsg,
    libc::SYS_getsockopt,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getcpu,
    libc::SYS_getrusage,
    libc::SYS_prlimit64,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_restart_syscall,
    libc::SYS_tgkill,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// The same by their older numbers, which other machines do not have.
#[cfg(target_arch = "x86_64")]
const OLDER: &[libc::c_long] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_mkdir,
    libc::SYS_dup2,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_wait,
    libc::SYS_getrlimit,
    libc::SYS_time,
    libc::SYS_alarm,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[libc::c_long] = &[];

/// What the zygote needs beside that and a worker does not.
const OF_ZYGOTE: &[libc::c_long] = &[
    libc::SYS_clone,
    libc::SYS_wait4,
    libc::SYS_kill,
    libc::SYS_prctl,
    libc::SYS_seccomp,
];

/// Ways of `fcntl` that change what others have open, or send signals: descriptors of a worker are
/// those of the zygote, of all workers and of the region.
const OF_OTHERS: &[libc::c_int] = &[libc::F_SETFL, libc::F_SETOWN, SETOWN_EX, SETSIG];
const SETSIG: libc::c_int = 10;
const SETOWN_EX: libc::c_int = 15;

/// A filter is as long as a jump reaches.
const _: () = assert!(USED.len() + OLDER.len() + OF_ZYGOTE.len() < 250);

/// What the zygote needs to fork workers, and what they need, is left.
pub(super) fn for_zygote() -> io::Result<()> {
    let mut filter = own_machine();
    let allowed = [USED, OLDER, OF_ZYGOTE].concat();
    for (at, call) in allowed.iter().enumerate() {
        // To the end but one.
        filter.push(jump_if(*call as u32, (allowed.len() - at) as u8, 0));
    }
    filter.push(answer(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32));
    filter.push(answer(libc::SECCOMP_RET_ALLOW));
    install(&mut filter)
}

/// Nothing of what is the zygote's alone; signals to this process only, limits of this process
/// only, and no change of what others have open.
pub(super) fn for_worker() -> io::Result<()> {
    let mut filter = own_machine();
    for call in OF_ZYGOTE {
        filter.push(jump_if(*call as u32, 0, 1));
        filter.push(answer(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32));
    }
    filter.push(jump_if(
        libc::SYS_fcntl as u32,
        0,
        2 + 2 * OF_OTHERS.len() as u8,
    ));
    filter.push(load(SECOND_ARGUMENT));
    for way in OF_OTHERS {
        filter.push(jump_if(*way as u32, 0, 1));
        filter.push(answer(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32));
    }
    filter.push(answer(libc::SECCOMP_RET_ALLOW));
    filter.push(jump_if(libc::SYS_prlimit64 as u32, 0, 5));
    filter.push(load(FIRST_ARGUMENT));
    filter.push(jump_if(0, 2, 0));
    filter.push(jump_if(std::process::id(), 1, 0));
    filter.push(answer(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32));
    filter.push(answer(libc::SECCOMP_RET_ALLOW));
    filter.push(jump_if(libc::SYS_tgkill as u32, 0, 3));
    filter.push(load(FIRST_ARGUMENT));
    filter.push(jump_if(std::process::id(), 1, 0));
    filter.push(answer(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32));
    filter.push(answer(libc::SECCOMP_RET_ALLOW));
    install(&mut filter)
}

/// The beginning of each filter; the number of the call is loaded behind it.
fn own_machine() -> Vec<libc::sock_filter> {
    let mut filter = vec![
        load(MACHINE),
        jump_if(ARCHITECTURE, 1, 0),
        answer(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
    ];
    #[cfg(target_arch = "x86_64")]
    filter.extend([
        instruction(
            libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K,
            OTHER_INTERFACE,
            0,
            1,
        ),
        answer(libc::SECCOMP_RET_KILL_PROCESS),
    ]);
    filter
}

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> libc::sock_filter {
    let code = code as u16;
    libc::sock_filter { code, jt, jf, k }
}

fn load(at: u32) -> libc::sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, at, 0, 0)
}

fn jump_if(value: u32, then: u8, otherwise: u8) -> libc::sock_filter {
    let code = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    instruction(code, value, then, otherwise)
}

fn answer(what: u32) -> libc::sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, what, 0, 0)
}

fn install(filter: &mut [libc::sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog {
        len: filter.len() as libc::c_ushort,
        filter: filter.as_mut_ptr(),
    };
    let (filters, none) = (libc::SECCOMP_SET_MODE_FILTER, 0);
    // SAFETY: a program of so many instructions, which the kernel copies.
    match unsafe { libc::syscall(libc::SYS_seccomp, filters, none, &raw const program) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
