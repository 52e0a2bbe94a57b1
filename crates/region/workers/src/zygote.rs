//! The zygote: a process with libcob and the hot modules ready, that forks workers.
//!
//! What: start-up, a loop over the control channel, forks, reports of deaths. Why a process of its
//! own: it has one thread, so a fork is safe, and a worker is there in a quarter of a millisecond.
//! It ends with the region: the control channel closes and the kernel sends it a signal.

use crate::address_map;
use crate::control::{self, Message};
use crate::seam::{Commands, READER_PLACES};
use crate::shm::definitions;
use crate::shm::storage::Storage;
use crate::shm::{Segment, lock};
use crate::worker::link::{CONTROL_FD, DEFINITIONS_FD, FREE_FD, PLACES_FD, SEGMENT_FD, STORAGE_FD};
use crate::worker::modules::Modules;
use crate::worker::run::PRIMING;
use crate::worker::{self, edge};
use std::ffi::OsString;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::{fmt, io};
use transom_messages as messages;
use transom_sandbox::{self as sandbox, Plan};
use transom_types::ProgramName;
use transom_wire::Module;

/// The zygote's main: the executable calls it when it finds the hidden subcommand, before it starts
/// any thread. `args` are the arguments after that subcommand: `zonedata=PFD` and `numcheck=ABD`,
/// how programs take data that are no numbers; `system_calls=YES`, they may do what the system lets
/// them; `cwakey=CICS`, those without EXECKEY(CICS) may not store in the CWA. Answers the exit
/// code.
pub fn zygote_main(args: &[OsString], make_commands: fn() -> Box<dyn Commands>) -> i32 {
    let (characters, checked) = (has(args, "zonedata=PFD"), has(args, "numcheck=ABD"));
    let (open, locked) = (has(args, "system_calls=YES"), has(args, "cwakey=CICS"));
    let known = [characters, checked, open, locked]
        .map(usize::from)
        .iter()
        .sum();
    if args.len() != known || !started_by_region() {
        eprintln!("{}", messages::wk::not_by_hand());
        return 2;
    }
    let mut zygote = match Zygote::set_up(open, locked) {
        Ok(zygote) => zygote,
        Err(why) => {
            let _ = control::send(CONTROL_FD, &Message::error(&why.to_string()));
            return 1;
        }
    };
    edge::data_rules(characters, checked);
    if control::send(CONTROL_FD, &Message::Ready).is_err() {
        return 1;
    }
    zygote.serve(make_commands)
}

fn has(args: &[OsString], word: &str) -> bool {
    args.iter().any(|arg| arg == word)
}

struct Zygote {
    segment: &'static Segment,
    storage: &'static Storage,
    dump_dir: PathBuf,
    plan: Plan,
    modules: Option<Modules>,
    children: Vec<(libc::pid_t, u32)>,
    deaths: RawFd,
}

fn started_by_region() -> bool {
    let mut kind: libc::c_int = 0;
    let mut bytes = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: the option value is an int of the size given.
    let got = unsafe {
        let value = (&raw mut kind).cast();
        libc::getsockopt(
            CONTROL_FD,
            libc::SOL_SOCKET,
            libc::SO_TYPE,
            value,
            &mut bytes,
        )
    };
    got == 0 && kind == libc::SOCK_SEQPACKET
}

/// Why workers cannot be forked.
#[derive(Debug)]
enum NotReady {
    Control(io::Error),
    /// The region ended.
    Alone,
    Unexpected(Message),
    NoHello,
    Segment(io::Error),
    /// The addresses that programs' storage needs.
    Addresses(io::Error),
    Cobol(edge::StartError),
    Signals(io::Error),
    /// Rights that could not be given up.
    Rights(io::Error),
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Control(error) => error.fmt(f),
            Self::Alone => f.write_str("the region is gone"),
            Self::Unexpected(other) => write!(f, "unexpected control message {other:?}"),
            Self::NoHello => f.write_str("no hello from the region"),
            Self::Segment(error) => write!(f, "shared memory: {error}"),
            Self::Addresses(error) => write!(
                f,
                "the addresses below 2 GiB that programs need for POINTERs of four bytes are not \
                 free: {error} (is vm.mmap_min_addr above 16777216, or the address space limited?)"
            ),
            Self::Cobol(error) => error.fmt(f),
            Self::Signals(error) => write!(f, "signals: {error}"),
            Self::Rights(error) => write!(f, "giving up rights: {error}"),
        }
    }
}

/// Ends with the region, holds nothing of it but what it was given, and has its name.
fn be_alone() {
    // SAFETY: plain system calls; the range holds descriptors of nobody in this process, and the
    // name ends with a zero.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // Else it would be called by the end of the path it was started by, `exe`.
        libc::prctl(libc::PR_SET_NAME, c"transom".as_ptr());
        libc::close_range(FREE_FD as libc::c_uint, libc::c_uint::MAX, 0);
    }
}

impl Zygote {
    fn set_up(open: bool, cwa_locked: bool) -> Result<Self, NotReady> {
        be_alone();
        let (mut hello, mut dirs, mut preload) = (None, Vec::new(), Vec::new());
        let mut plan = Plan {
            open,
            ..Plan::default()
        };
        loop {
            match control::receive(CONTROL_FD).map_err(NotReady::Control)? {
                None => return Err(NotReady::Alone),
                Some(Message::Hello {
                    base,
                    bytes,
                    dump_dir,
                }) => {
                    hello = Some((base, bytes, dump_dir));
                }
                Some(Message::Dir(dir)) => dirs.push(PathBuf::from(dir)),
                Some(Message::Preload { program, path }) => preload.push((program, path)),
                Some(Message::Reads(path)) => plan.reads.push(path.into()),
                Some(Message::Go) => break,
                Some(other) => return Err(NotReady::Unexpected(other)),
            }
        }
        let (base, bytes, dump_dir) = hello.ok_or(NotReady::NoHello)?;
        // SAFETY: the region passed the segment under this number and nothing else owns it.
        let fd = unsafe { OwnedFd::from_raw_fd(SEGMENT_FD) };
        let mut segment =
            Segment::open(fd, base as usize, bytes as usize).map_err(NotReady::Segment)?;
        // SAFETY: as above.
        let fd = unsafe { OwnedFd::from_raw_fd(DEFINITIONS_FD) };
        let apart = definitions::open(fd).map_err(NotReady::Segment)?;
        segment.apart = Some(Box::new(apart));
        address_map::check().map_err(NotReady::Addresses)?;
        // SAFETY: as above.
        let fd = unsafe { OwnedFd::from_raw_fd(STORAGE_FD) };
        let storage = Storage::open(fd, cwa_locked).map_err(NotReady::Segment)?;
        edge::start(open).map_err(NotReady::Cobol)?;
        edge::signals(None);
        edge::redirect_output();
        let mut zygote = Self {
            segment: Box::leak(Box::new(segment)),
            storage: Box::leak(Box::new(storage)),
            dump_dir: PathBuf::from(dump_dir),
            plan,
            modules: Some(Modules::new(dirs)),
            children: Vec::new(),
            deaths: block_deaths().map_err(NotReady::Signals)?,
        };
        // Programs may run from here on: some begin with their initialisation.
        zygote.confine(&preload)?;
        zygote.preload(&preload);
        Ok(zygote)
    }

    fn confine(&mut self, preload: &[(String, String)]) -> Result<(), NotReady> {
        let modules = self.modules.as_ref().map_or(&[][..], Modules::dirs);
        let preloaded = preload
            .iter()
            .filter_map(|(_, path)| Path::new(path).parent());
        let reads = modules.iter().map(PathBuf::as_path).chain(preloaded);
        self.plan.reads.extend(reads.map(Path::to_owned));
        self.plan.writes.push(self.dump_dir.clone());
        for notice in sandbox::enter_zygote(&self.plan).map_err(NotReady::Rights)? {
            worker::link::log(
                worker::link::LOG_WORKERS,
                (0, worker::link::NOBODY),
                notice.line(),
            );
        }
        Ok(())
    }

    fn preload(&mut self, preload: &[(String, String)]) {
        PRIMING.store(true, Ordering::Relaxed);
        for (program, path) in preload {
            let module = Module {
                program: ProgramName::from_field(program.as_bytes()),
                path: path.clone(),
                quasirent: true,
                cics_key: false,
            };
            if let Some(modules) = &mut self.modules
                && let Err(text) = modules.load(&module)
            {
                worker::link::log(
                    worker::link::LOG_WORKERS,
                    (0, worker::link::NOBODY),
                    messages::wk::not_preloaded(program, &text).line(),
                );
            }
        }
        PRIMING.store(false, Ordering::Relaxed);
    }

    fn serve(&mut self, make_commands: fn() -> Box<dyn Commands>) -> i32 {
        loop {
            let mut polls = [
                libc::pollfd {
                    fd: CONTROL_FD,
                    events: libc::POLLIN,
                    revents: 0,
                },
                libc::pollfd {
                    fd: self.deaths,
                    events: libc::POLLIN,
                    revents: 0,
                },
            ];
            // SAFETY: two valid entries.
            unsafe { libc::poll(polls.as_mut_ptr(), 2, -1) };
            if polls[1].revents != 0 {
                self.reap();
            }
            if polls[0].revents == 0 {
                continue;
            }
            match control::receive(CONTROL_FD) {
                Ok(Some(Message::Spawn(slot))) => {
                    if let Some(code) = self.fork(slot, make_commands) {
                        return code;
                    }
                }
                Ok(Some(Message::Signal { slot, pid, signal })) => {
                    if self.children.contains(&(pid as libc::pid_t, slot)) {
                        // SAFETY: our own child, not yet reaped, so the number is still its.
                        unsafe { libc::kill(pid as libc::pid_t, signal as libc::c_int) };
                    }
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return 0,
            }
        }
    }

    /// Forks a worker. `Some`: this is the worker, and it is over.
    fn fork(&mut self, slot: u32, make_commands: fn() -> Box<dyn Commands>) -> Option<i32> {
        if slot as usize >= self.segment.slots() {
            return None;
        }
        let zygote = std::process::id();
        // SAFETY: this process has one thread of ours, so the child may do anything. A routine that
        // was loaded in advance may have started others: they are not in the child, and what they
        // held at this moment is as broken there as what a program breaks by itself.
        match unsafe { libc::fork() } {
            0 => {
                let code = self.child(slot as usize, zygote, make_commands);
                // SAFETY: ends without the parent's exit handlers.
                unsafe { libc::_exit(code) }
            }
            -1 => {
                let error = std::io::Error::last_os_error();
                let text = messages::wk::not_forked(&error);
                worker::link::log(
                    worker::link::LOG_WORKERS,
                    (0, worker::link::NOBODY),
                    text.line(),
                );
                let _ = control::send(
                    CONTROL_FD,
                    &Message::Died {
                        slot,
                        pid: 0,
                        status: 1,
                    },
                );
                None
            }
            pid => {
                self.children.push((pid, slot));
                let _ = control::send(
                    CONTROL_FD,
                    &Message::Spawned {
                        slot,
                        pid: pid as u32,
                    },
                );
                None
            }
        }
    }

    fn child(&mut self, slot: usize, zygote: u32, make_commands: fn() -> Box<dyn Commands>) -> i32 {
        // SAFETY: plain system calls in a process with one thread.
        unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() as u32 != zygote {
                return 0;
            }
            let mut set = std::mem::zeroed::<libc::sigset_t>();
            libc::sigemptyset(&mut set);
            libc::sigprocmask(libc::SIG_SETMASK, &set, std::ptr::null_mut());
            libc::close(CONTROL_FD);
            libc::close(self.deaths);
        }
        lock::become_worker(slot);
        sandbox::enter_worker(&self.plan);
        let Some(modules) = self.modules.take() else {
            return 1;
        };
        worker::main(
            (self.segment, self.storage),
            slot,
            modules,
            self.dump_dir.clone(),
            make_commands,
        )
    }

    fn reap(&mut self) {
        let mut drop = [0_u8; 1024];
        // SAFETY: a valid buffer; what is read does not matter, waitpid tells all.
        unsafe { libc::read(self.deaths, drop.as_mut_ptr().cast(), drop.len()) };
        loop {
            let mut status = 0;
            // SAFETY: writes one int.
            let pid = unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG) };
            if pid <= 0 {
                return;
            }
            if let Some(i) = self.children.iter().position(|(p, _)| *p == pid) {
                let (_, slot) = self.children.swap_remove(i);
                let (pid, status) = (pid as u32, status as u32);
                let _ = control::send(CONTROL_FD, &Message::Died { slot, pid, status });
            }
        }
    }
}

/// A descriptor that becomes readable when a child ends.
fn block_deaths() -> std::io::Result<RawFd> {
    // SAFETY: the set lives on this stack.
    let fd = unsafe {
        let mut set = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGCHLD);
        libc::sigprocmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
        libc::signalfd(-1, &set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
    };
    if fd < 0 {
        Err(std::io::Error::last_os_error())
    } else {
        Ok(fd)
    }
}

const _: () = assert!(PLACES_FD < FREE_FD && DEFINITIONS_FD < FREE_FD);
const _: () = assert!(READER_PLACES.as_bytes()[READER_PLACES.len() - 1] == b'0' + PLACES_FD as u8);
