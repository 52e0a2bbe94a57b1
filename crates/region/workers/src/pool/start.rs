//! Starts a zygote: sockets, descriptors, the child process, its configuration.

use super::inner::{Inner, lock};
use super::places;
use crate::config::PoolError;
use crate::control::{self, Message};
use crate::worker::link::{
    COMPLETION_FD, CONTROL_FD, DEFINITIONS_FD, FREE_FD, KICK_FD, LOG_FD, PLACES_FD, SEGMENT_FD,
    STORAGE_FD,
};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Descriptors are moved up here first, so that none stands where another must go.
const SAFE_FD: RawFd = 20;
/// Log lines on their way: as much as the system allows by default is little.
const LOG_BUFFER_BYTES: libc::c_int = 1 << 20;

/// A started zygote as the supervisor holds it.
#[derive(Debug)]
pub(super) struct Zygote {
    pub(super) child: Child,
    pub(super) control: OwnedFd,
    pub(super) log: OwnedFd,
    /// What the process or its workers write without COBOL's help (C libraries, aborts).
    pub(super) raw: OwnedFd,
}

/// A counter to wait on.
pub(super) fn event_fd() -> io::Result<OwnedFd> {
    // SAFETY: plain call; the result is checked and owned.
    let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
    // SAFETY: just created.
    if fd < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(unsafe { OwnedFd::from_raw_fd(fd) })
    }
}

/// Sets the counter back to zero.
pub(super) fn clear_event(fd: RawFd) {
    let mut value = 0_u64;
    let room = libc::iovec {
        iov_base: (&raw mut value).cast(),
        iov_len: 8,
    };
    // Workers have the descriptor, too, and where they are not confined one can make it wait: so
    // the call itself says that it does not.
    // SAFETY: eight valid bytes.
    let read = unsafe { libc::preadv2(fd, &raw const room, 1, -1, libc::RWF_NOWAIT) };
    let unknown = read < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EOPNOTSUPP);
    if unknown && wait_readable(fd, 0) {
        // SAFETY: as above.
        unsafe { libc::read(fd, room.iov_base, 8) };
    }
}

/// Waits until a descriptor can be read. `false`: the time passed.
pub(super) fn wait_readable(fd: RawFd, ms: i32) -> bool {
    let mut poll = libc::pollfd {
        fd,
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one valid entry.
    unsafe { libc::poll(&mut poll, 1, ms) == 1 && poll.revents != 0 }
}

fn socket_pair(kind: libc::c_int) -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    // SAFETY: writes two descriptors.
    let done = unsafe {
        libc::socketpair(
            libc::AF_UNIX,
            kind | libc::SOCK_CLOEXEC,
            0,
            fds.as_mut_ptr(),
        )
    };
    if done != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just created, owned by nobody else.
    Ok(unsafe { (OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1])) })
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    // SAFETY: writes two descriptors.
    if unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just created, owned by nobody else.
    Ok(unsafe { (OwnedFd::from_raw_fd(fds[0]), OwnedFd::from_raw_fd(fds[1])) })
}

/// Starts a zygote and waits for its answer. The calling thread must live as long as the zygote:
/// the kernel ends the zygote with it.
pub(super) fn zygote(inner: &Inner) -> Result<Zygote, PoolError> {
    let os = |doing| move |error| PoolError::Os { doing, error };
    let (control, theirs) = socket_pair(libc::SOCK_SEQPACKET).map_err(os("socket"))?;
    let (log, their_log) = socket_pair(libc::SOCK_SEQPACKET).map_err(os("socket"))?;
    let (raw, their_raw) = pipe().map_err(os("pipe"))?;
    widen(&log);
    widen(&their_log);
    let mut places = vec![
        (theirs.as_raw_fd(), CONTROL_FD),
        (inner.segment.fd().as_raw_fd(), SEGMENT_FD),
        (their_log.as_raw_fd(), LOG_FD),
        (inner.completion.as_raw_fd(), COMPLETION_FD),
        (inner.kick.as_raw_fd(), KICK_FD),
        (inner.storage.segment().fd().as_raw_fd(), STORAGE_FD),
    ];
    let readers = places::opened_again(inner).map_err(os("opening places of readers"))?;
    places.extend(for_reading(inner, readers.as_ref()));
    let mut command = Command::new(&inner.config.exe);
    command
        .args(&inner.config.zygote_args)
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| is_for_cobol(name)))
        .env("TMPDIR", absolute(&inner.config.dump_dir))
        .envs(inner.config.environment.iter().map(|(k, v)| (k, v)))
        .stdin(Stdio::null())
        // Ctrl-C at the terminal is for the region, which then ends its workers in order.
        .process_group(0)
        .stdout(their_raw.try_clone().map_err(os("pipe"))?)
        .stderr(their_raw);
    let all = transom_processors::all_processors();
    // SAFETY: only system calls that are allowed between fork and exec; the set outlives its call.
    unsafe {
        command.pre_exec(move || {
            // The thread that starts it may be kept on one processor, and workers would be with it.
            if let Some(all) = &all {
                libc::sched_setaffinity(0, size_of_val(all), all);
            }
            // A worker touches some hundred KB of its heap: huge pages would make 2 MB of them.
            libc::prctl(libc::PR_SET_THP_DISABLE, 1, 0, 0, 0);
            place(&places)
        })
    };
    let child = command.spawn().map_err(os("starting the zygote"))?;
    drop((theirs, their_log, command));
    let mut zygote = Zygote {
        child,
        control,
        log,
        raw,
    };
    *lock(&inner.lines) = Some(zygote.log.try_clone().map_err(os("socket"))?);
    match configure(inner, &zygote) {
        Ok(()) => Ok(zygote),
        Err(error) => {
            let _ = zygote.child.kill();
            let _ = zygote.child.wait();
            Err(error)
        }
    }
}

/// Definitions, and where workers say that they read the store.
fn for_reading(inner: &Inner, readers: Option<&File>) -> impl Iterator<Item = (RawFd, RawFd)> {
    let apart = inner.segment.apart.iter();
    let apart = apart.map(|apart| (apart.fd().as_raw_fd(), DEFINITIONS_FD));
    apart.chain(readers.map(|memory| (memory.as_raw_fd(), PLACES_FD)))
}

fn widen(log: &OwnedFd) {
    let bytes = LOG_BUFFER_BYTES;
    // SAFETY: the option value is an int.
    unsafe {
        let value = (&raw const bytes).cast();
        libc::setsockopt(log.as_raw_fd(), libc::SOL_SOCKET, libc::SO_SNDBUF, value, 4);
    }
}

/// Puts the descriptors where the zygote expects them.
fn place(places: &[(RawFd, RawFd)]) -> io::Result<()> {
    let mut safe = [0; FREE_FD as usize];
    for (safe, (from, _)) in safe.iter_mut().zip(places) {
        // SAFETY: duplicates a descriptor of this process.
        *safe = unsafe { libc::fcntl(*from, libc::F_DUPFD, SAFE_FD) };
        if *safe < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    for (safe, (_, to)) in safe.iter().zip(places) {
        // SAFETY: as above; what stood at `to` is the parent's, too, and nothing in this process
        // uses it before exec, but the pipe by which it would tell that exec failed: should that
        // lie there, the zygote is missed when it does not answer.
        if unsafe { libc::dup2(*safe, *to) } < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// What libcob and the C library look at: the clock, the language, their own files and settings. No
/// other variable of the region, which may be a password, is for programs.
fn is_for_cobol(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let known: [&[u8]; 3] = [b"TZ", b"LANG", b"LD_LIBRARY_PATH"];
    known.contains(&name) || name.starts_with(b"LC_") || name.starts_with(b"COB_")
}

fn absolute(path: &Path) -> String {
    let whole = std::path::absolute(path);
    let whole = whole.unwrap_or_else(|_| path.into());
    whole.to_string_lossy().into_owned()
}

fn configure(inner: &Inner, zygote: &Zygote) -> Result<(), PoolError> {
    let failed = PoolError::Zygote;
    let fd = zygote.control.as_raw_fd();
    let config = &inner.config;
    // Workers may make files in it, but not the folder; an error comes with the first dump.
    let _ = std::fs::create_dir_all(&config.dump_dir);
    let mut messages = vec![Message::Hello {
        base: inner.segment.base() as u64,
        bytes: inner.segment.bytes() as u64,
        dump_dir: absolute(&config.dump_dir),
    }];
    messages.extend(
        config
            .module_dirs
            .iter()
            .map(|dir| Message::Dir(absolute(dir))),
    );
    messages.extend(config.preload.iter().map(|m| Message::Preload {
        program: m.program.as_str().to_owned(),
        path: m.path.clone(),
    }));
    messages.extend(config.reads.iter().map(|at| Message::Reads(absolute(at))));
    messages.push(Message::Go);
    for message in &messages {
        control::send(fd, message).map_err(|e| failed(format!("it does not listen: {e}")))?;
    }
    match control::receive(fd) {
        Ok(Some(Message::Ready)) => Ok(()),
        Ok(Some(Message::Error(text))) => Err(failed(text)),
        Ok(Some(other)) => Err(failed(format!("it answered {other:?}"))),
        Ok(None) => Err(failed("it ended at once".into())),
        Err(error) => Err(failed(error.to_string())),
    }
}
