//! What a worker offers to commands.

use super::arena::Arena;
use super::call::Bad;
use super::edge;
use super::later::Later;
use super::link::{self, KICK_FD};
use super::modules::{InstanceId, Modules};
use crate::address_map;
use crate::dispatch::{Dispatch, Effects};
use crate::seam::{Address, DumpError, Host, LoadError, Loaded, Place, Times, Waited};
use crate::shm::Segment;
use crate::shm::groups::Groups;
use crate::shm::layout::Slot;
use crate::shm::storage::Storage;
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};
use transom_language_environment::Enclave;
use transom_monitoring::{FieldId, field};
use transom_region_monitoring::StopWatch;
use transom_trace::{Entry, Flags};
use transom_types::ProgramName;
use transom_wire::{Module, Shared};

/// Bytes of the EXEC interface block.
pub(crate) const EIB_BYTES: usize = 85;
/// The worker as commands see it.
pub(crate) struct WorkerHost {
    pub(crate) segment: &'static Segment,
    /// Storage that programs share.
    storage: &'static Storage,
    groups: Groups<'static>,
    pub(crate) me: usize,
    /// Task block in work.
    pub(crate) task: usize,
    pub(crate) task_number: u32,
    /// The program that runs now is QUASIRENT.
    pub(crate) quasirent: bool,
    /// It may store in the CWA; `None`: nobody ran yet.
    cwa_open: Option<bool>,
    pub(crate) arena: Arena,
    /// Task storage below 16 MB, from its first use on.
    pub(crate) below: Option<Arena>,
    pub(crate) modules: Modules,
    /// The program that is about to begin.
    pub(super) begins: Option<InstanceId>,
    /// Of callable services.
    pub(crate) enclave: Enclave,
    pub(crate) eib: &'static mut [u8; EIB_BYTES],
    pub(crate) dump_dir: PathBuf,
    pub(crate) dumps: u32,
    /// A command used an address that is not mapped: how, and text of the abend.
    pub(crate) fault: RefCell<Option<(Bad, String)>>,
    /// Stand-ins for memory that is not there, until the end of the command.
    stand_ins: RefCell<Vec<(usize, usize)>>,
    /// Where the program check happened that is about to be told.
    pub(super) check: Option<Place>,
    /// Of tasks that are measured.
    pub(super) watch: StopWatch,
    pub(super) later: Later,
    /// Questions so far.
    pub(super) asked: u64,
    /// SINGLESTATUS.
    pub(super) trace_task: bool,
    /// What the task waits for, as the trace names it.
    pub(super) reason: [u8; 8],
    pub(super) ticks: transom_time::Ticks,
}

impl WorkerHost {
    /// Number of the task and whose it is.
    pub(crate) fn of_task(&self) -> link::OfTask {
        let number = self.task_number;
        (number, link::who(&self.groups, number))
    }

    pub(crate) fn new(
        (segment, storage): (&'static Segment, &'static Storage),
        me: usize,
        modules: Modules,
        dump_dir: PathBuf,
    ) -> std::io::Result<Self> {
        Ok(Self {
            segment,
            storage,
            groups: Groups(segment),
            me,
            task: 0,
            task_number: 0,
            quasirent: true,
            cwa_open: None,
            arena: Arena::new()?,
            below: None,
            modules,
            begins: None,
            enclave: Enclave::default(),
            eib: address_map::eib()?,
            dump_dir,
            dumps: 0,
            fault: RefCell::new(None),
            stand_ins: RefCell::new(Vec::new()),
            check: None,
            watch: StopWatch::new(transom_time::cpu_ns),
            later: Later::default(),
            asked: 0,
            trace_task: true,
            reason: [b' '; 8],
            ticks: transom_time::Ticks::new(),
        })
    }

    pub(crate) fn slot(&self) -> &'static Slot {
        self.segment.slot(self.me)
    }

    pub(crate) fn dispatch(&self) -> Dispatch<'static> {
        Dispatch::new(self.segment)
    }

    /// Wakes who was given something, and the supervisor if somebody lacks a worker.
    pub(crate) fn apply(&self, effects: &Effects) {
        effects.wake(self.segment);
        if effects.want_worker {
            link::kick(self.segment, KICK_FD);
        }
    }

    /// Runs on under the other kind of TCB.
    pub(crate) fn set_mode(&mut self, quasirent: bool) {
        if self.quasirent == quasirent {
            return;
        }
        self.watch.mode_changes(self.quasirent);
        self.quasirent = quasirent;
        let (runs, effects) = self.dispatch().change_mode(self.me, self.task, quasirent);
        self.apply(&effects);
        if !runs {
            self.await_turn(None);
        }
    }

    /// A program with this key runs from now on.
    pub(crate) fn set_key(&mut self, cics_key: bool) {
        if self.storage.cwa_locked() && self.cwa_open != Some(cics_key) {
            self.cwa_open = Some(cics_key);
            if self.storage.open_cwa(cics_key).is_err() {
                link::die(&self.slot().view, "the CWA cannot be protected");
            }
        }
    }

    /// Memory for a range that is not mapped: the command goes on with it and the task then ends.
    fn stand_in(&self, address: Address, bytes: usize, bad: Bad) -> Option<Address> {
        let text = format!("S0C4 protection exception: {bytes} bytes at address {address:#x}");
        self.fault.borrow_mut().get_or_insert((bad, text));
        // SAFETY: fresh anonymous memory that takes room only where it is touched.
        let at = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if at == libc::MAP_FAILED {
            return None;
        }
        self.stand_ins.borrow_mut().push((at as usize, bytes));
        Some(at as usize)
    }

    /// After each command.
    pub(crate) fn drop_stand_ins(&self) {
        for (at, bytes) in self.stand_ins.borrow_mut().drain(..) {
            // SAFETY: mapped by `stand_in`; the command that used it is over.
            unsafe { libc::munmap(at as *mut libc::c_void, bytes) };
        }
    }
}

impl Host for WorkerHost {
    fn abstime_ms(&self) -> i64 {
        transom_time::abstime_ms()
    }

    fn utc_offset_s(&self) -> i32 {
        transom_time::utc_offset_s()
    }

    fn getmain(&mut self, bytes: usize, init: Option<u8>) -> Option<Address> {
        self.arena.allocate(bytes, init)
    }

    fn freemain(&mut self, address: Address) -> bool {
        self.arena.release(address) || self.below.as_mut().is_some_and(|b| b.release(address))
    }

    fn getmain_below(&mut self, bytes: usize) -> Option<Address> {
        if self.below.is_none() {
            self.below = Arena::below().ok();
        }
        self.below.as_mut()?.allocate(bytes, None)
    }

    fn getmain_shared(&mut self, bytes: usize, init: Option<u8>) -> Option<Address> {
        let address = self.storage.allocate(bytes)?;
        // SAFETY: a block of this many bytes that nobody else has yet.
        unsafe { std::ptr::write_bytes(address as *mut u8, init.unwrap_or(0), bytes) };
        Some(address)
    }

    fn freemain_shared(&mut self, address: Address) -> bool {
        self.storage.release(address)
    }

    fn is_shared(&self, address: Address) -> bool {
        self.storage.holds(address)
    }

    fn cwa(&mut self, bytes: usize) -> Option<Address> {
        self.storage.cwa(bytes)
    }

    fn memory(&self, address: Address, bytes: usize) -> &[u8] {
        if bytes == 0 {
            return &[];
        }
        let good = edge::probe(address, bytes, false);
        let at = if good {
            Some(address)
        } else {
            self.stand_in(address, bytes, Bad::Input)
        };
        // SAFETY: touched by the probe or mapped just now, and the program is stopped. The address
        // is the program's: usually storage of its own, which nothing in Rust refers to; in storage
        // that programs share another one may store, and in the worker's own heap Rust may, as the
        // program itself could: bytes change then between two looks. They are data of the program,
        // never lengths or addresses that Rust relies on.
        at.map_or(&[], |at| unsafe {
            std::slice::from_raw_parts(at as *const u8, bytes)
        })
    }

    fn memory_mut(&mut self, address: Address, bytes: usize) -> &mut [u8] {
        if bytes == 0 {
            return &mut [];
        }
        let good = edge::probe(address, bytes, true);
        let at = if good {
            Some(address)
        } else {
            self.stand_in(address, bytes, Bad::Output)
        };
        match at {
            // SAFETY: as in `memory`, and writable. Where a program names the worker's own heap,
            // this is the program's store there: it may break this process, which the region
            // expects of every worker.
            Some(at) => unsafe { std::slice::from_raw_parts_mut(at as *mut u8, bytes) },
            None => &mut [],
        }
    }

    fn reach(&self, address: Address, bytes: usize, write: bool) -> usize {
        edge::reach(address, bytes, write)
    }

    fn storage_of(&mut self, ended: Option<ProgramName>) -> crate::seam::ProgramStorage {
        let begins = self.begins.map(|id| self.modules.entry(id));
        (self.modules).storage(ended, begins.unwrap_or_else(edge::current_entry))
    }

    fn eib_mut(&mut self) -> &mut [u8] {
        &mut self.eib[..]
    }

    fn wait(&mut self, timeout_ms: Option<u64>) -> Waited {
        let end = timeout_ms.and_then(|ms| Instant::now().checked_add(Duration::from_millis(ms)));
        self.begin_wait();
        let how = loop {
            if let Some(how) = self.wait_over(end) {
                break how;
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            let slot = self.slot();
            self.sleep(left, &|| {
                slot.posted.load(SeqCst) != 0 || self.purged().is_some()
            });
        };
        self.end_wait();
        how
    }

    fn post(&self, task_number: u32) {
        link::post(self.segment, task_number);
    }

    fn yield_turn(&mut self) {
        self.slot().slice.fetch_add(1, SeqCst);
        if !self.quasirent {
            std::thread::yield_now();
            return;
        }
        let (runs, effects) = self.dispatch().give_turn(self.me, self.task);
        self.apply(&effects);
        if !runs {
            self.await_turn(Some(field::GVUPWAIT));
        }
    }

    fn measure(&mut self, on: bool) {
        self.watch.begin(on);
    }

    fn waits_for(&mut self, clock: Option<FieldId>) {
        self.reason_is(clock);
        self.watch.waits_for(clock);
    }

    fn times(&mut self) -> Option<Times> {
        self.watch.times(self.quasirent)
    }

    fn trace(&mut self, entry: &Entry) {
        self.make_entry(entry);
    }

    fn trace_task(&mut self, on: bool) {
        self.trace_task = on;
    }

    fn trace_flags(&self) -> Flags {
        self.segment.trace_flags()
    }

    fn traces_task(&self) -> bool {
        self.trace_task
    }

    fn traced(&self) -> Vec<Entry> {
        self.entries_of_task()
    }

    fn shared(&self) -> &dyn Shared {
        &self.groups
    }

    fn ask_region(&mut self, request: &[u8]) -> Vec<u8> {
        self.ask_with_later(request)
    }

    fn ask_later(&mut self, request: Vec<u8>) {
        self.later.put(request);
    }

    fn has_later(&self) -> bool {
        self.later.is_some()
    }

    fn forget_later(&mut self) {
        self.later.forget();
    }

    fn asked(&self) -> u64 {
        self.asked
    }

    fn log(&self, line: &str) {
        link::log(link::LOG_COMMAND, self.of_task(), line);
    }

    fn write_dump(&mut self, name_hint: &str, text: &str) -> Result<String, DumpError> {
        self.dumps += 1;
        let keep = |c: &char| c.is_ascii_alphanumeric() || *c == '_' || *c == '-';
        let hint: String = name_hint.chars().filter(keep).take(32).collect();
        let name = format!("{hint}-{:07}-{}.txt", self.task_number, self.dumps);
        let path = self.dump_dir.join(&name);
        match std::fs::write(&path, text) {
            Ok(()) => Ok(name),
            Err(error) => Err(DumpError(path, error)),
        }
    }

    fn place_of_check(&mut self) -> Option<Place> {
        self.check.take()
    }

    fn return_code(&self) -> i32 {
        edge::return_code()
    }

    fn load(&mut self, module: &Module) -> Result<Loaded, LoadError> {
        let id = self.modules.bind(module)?;
        self.modules.unbind(id);
        Ok(self.modules.loaded(id))
    }
}
