//! The seam between worker plumbing and CICS meaning.
//!
//! `workers` knows processes, memory, libcob and unwinding; `region/commands` what commands do. In
//! a worker the plumbing calls [`Commands`] with a [`Host`], which tests fake, and a [`Call`].

use transom_monitoring::FieldId;
use transom_trace::{Entry, Flags};
use transom_types::{AbendCode, ProgramName, TransId, UserId};
use transom_wire::{Module, Shared};

mod calls;

pub use crate::failure::{DumpError, LoadError};
pub use calls::{Address, Call, FileCall, SqlCall};
pub use transom_sql::{Item, ItemKind};
pub use transom_wire::monitoring::Times;

/// Where a worker finds the memory in which it says that it reads the store.
pub const READER_PLACES: &str = "/proc/self/fd/9";

/// What a worker offers to commands. All of it is safe to call: a bad address from a COBOL program
/// ends the task with ASRA, never the region.
pub trait Host {
    /// Milliseconds since 1900-01-01T00:00 local time, as ABSTIME counts.
    fn abstime_ms(&self) -> i64;
    /// Seconds east of UTC now.
    fn utc_offset_s(&self) -> i32;
    /// Task storage, 16-byte aligned, freed at task end. `None`: no storage.
    fn getmain(&mut self, bytes: usize, init: Option<u8>) -> Option<Address>;
    /// Task storage below 16 MB, whose address has three bytes.
    fn getmain_below(&mut self, bytes: usize) -> Option<Address>;
    /// Frees task storage. `false`: not an address of this task's storage.
    fn freemain(&mut self, address: Address) -> bool;
    /// The CWA, zeros at first, the same for all tasks. `None`: there is no room for so many bytes.
    fn cwa(&mut self, bytes: usize) -> Option<Address>;
    /// Storage any task may use, kept until freed (GETMAIN SHARED).
    fn getmain_shared(&mut self, bytes: usize, init: Option<u8>) -> Option<Address>;
    /// Frees shared storage.
    fn freemain_shared(&mut self, address: Address) -> bool;
    /// The address lies in storage that all tasks have at the same place: CWA, GETMAIN SHARED.
    fn is_shared(&self, address: Address) -> bool;
    /// The bytes at an address a program gave. Reading beyond mapped storage ends the task (ASRA).
    fn memory(&self, address: Address, bytes: usize) -> &[u8];
    /// The same, writable.
    fn memory_mut(&mut self, address: Address, bytes: usize) -> &mut [u8];
    /// How many of these bytes at any address there are to be read, or written: nothing happens to
    /// the task where there are none.
    fn reach(&self, address: Address, bytes: usize, write: bool) -> usize {
        let _ = (address, bytes, write);
        0
    }
    /// Storage of the running program; that of a program that a program check ended, where one is
    /// named.
    fn storage_of(&mut self, ended: Option<ProgramName>) -> ProgramStorage {
        let _ = ended;
        ProgramStorage::default()
    }
    /// The exec interface block the running program sees (85 bytes, see `commands::eib`).
    fn eib_mut(&mut self) -> &mut [u8];
    /// Lets other QUASIRENT tasks run and waits. Returns early when posted or purged.
    fn wait(&mut self, timeout_ms: Option<u64>) -> Waited;
    /// Ends the [`Host::wait`] of a task; a post before the wait is not lost.
    fn post(&self, task_number: u32);
    /// Gives other tasks of this region their turn (SUSPEND).
    fn yield_turn(&mut self);
    /// Region-wide data in shared memory.
    fn shared(&self) -> &dyn Shared;
    /// One round trip to the region process; core defines the bytes on both ends.
    fn ask_region(&mut self, request: &[u8]) -> Vec<u8>;
    /// A request that goes with the next one, in front of it: for what nothing can refuse. The
    /// caller knows that none waits. A task that ends without another one has never asked.
    fn ask_later(&mut self, request: Vec<u8>);
    /// Something waits for the next request.
    fn has_later(&self) -> bool;
    /// What waits is not asked.
    fn forget_later(&mut self);
    /// Questions so far, those of earlier tasks too.
    fn asked(&self) -> u64;
    /// Text for the region's log (WRITE OPERATOR, DISPLAY, traces).
    fn log(&self, line: &str);
    /// Writes a dump file; answers its identifier.
    fn write_dump(&mut self, name_hint: &str, text: &str) -> Result<String, DumpError>;
    /// Where the program check happened that is told by [`Commands::abend`] now, once.
    fn place_of_check(&mut self) -> Option<Place> {
        None
    }
    /// The task that begins is measured, or not.
    fn measure(&mut self, on: bool) {
        let _ = on;
    }
    /// What the next wait is for: a clock of the monitoring record; `None`: one that has none.
    fn waits_for(&mut self, clock: Option<FieldId>) {
        let _ = clock;
    }
    /// Times of a task that is measured, up to now.
    fn times(&mut self) -> Option<Times> {
        None
    }
    /// Makes a trace entry, if its kind is traced; number, time and task are filled in.
    fn trace(&mut self, entry: &Entry) {
        let _ = entry;
    }
    /// The task is traced from now on, or only its exceptions are (SINGLESTATUS).
    fn trace_task(&mut self, on: bool) {
        let _ = on;
    }
    /// What is traced.
    fn trace_flags(&self) -> Flags {
        Flags::default()
    }
    /// The task is traced.
    fn traces_task(&self) -> bool {
        false
    }
    /// Trace entries of this task that are kept, oldest first.
    fn traced(&self) -> Vec<Entry> {
        Vec::new()
    }
    /// RETURN-CODE of the program that came back last.
    fn return_code(&self) -> i32 {
        0
    }
    /// Loads a module for LOAD PROGRAM.
    fn load(&mut self, module: &Module) -> Result<Loaded, LoadError>;
}

/// Storage of a program, with the numbers that the compiler gave its items of level 01 and 77.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProgramStorage {
    /// Records of WORKING-STORAGE in the order of the source. Among them, with 8 bytes, those
    /// that hold addresses: the compiler keeps where SET ADDRESS OF put an item of LINKAGE.
    pub records: Vec<(u32, Area)>,
    /// Items of LINKAGE that the program was called with, and where they are.
    pub parameters: Vec<(u32, Address)>,
    /// LOCAL-STORAGE.
    pub local: Option<Area>,
}

/// A loaded module in the worker's own memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loaded {
    /// Where its program begins.
    pub entry: Address,
    /// Its first byte.
    pub load_point: Address,
    /// Its length.
    pub bytes: usize,
    /// It is only data: its first record, with the values it was compiled with.
    pub table: Option<Area>,
}

/// Where a program check happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The program whose module it is.
    pub program: ProgramName,
    /// The instruction, or the one behind it.
    pub address: Address,
    /// First byte of the module.
    pub load_point: Address,
    /// Line of the statement in the user's source; 0: not known.
    pub line: u32,
    /// Program interruption code, 7 for S0C7; 0: none fits.
    pub interruption: u8,
    /// Storage that could not be reached, for S0C4 and S0C5.
    pub operand: Address,
}

impl Place {
    /// Offset in the module.
    pub fn offset(&self) -> usize {
        self.address.saturating_sub(self.load_point)
    }
}

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// Somebody posted.
    Posted,
    /// The time passed.
    TimedOut,
    /// The task is being purged: the command must end the task with AKC3 (or AKCS for DTIMOUT).
    Purged(AbendCode),
}

/// A COMMAREA by address: the callee works in the caller's storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    /// Start; 0 when there is none.
    pub address: Address,
    /// Length in bytes.
    pub bytes: usize,
}

/// What follows a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Go on after the call.
    Continue,
    /// Go on at this label of the program (HANDLE CONDITION, HANDLE AID).
    Branch(u16),
    /// Run a program one level down; [`Commands::level_ended`] follows when it comes back.
    Link(Module, Area),
    /// The program that the command ran has come back, and the command is not over: carry it out
    /// once more. Only [`Commands::level_ended`] answers so, of a [`Call`] that repeats.
    Again,
    /// Replace the program of this level. The area outlives the caller: core hands on the level's
    /// own COMMAREA by address or has copied another one to task storage.
    Xctl(Module, Area),
    /// End this level. At the highest level the task ends.
    Return,
    /// Abnormal end: the plumbing calls [`Commands::abend`] next.
    Abend(AbendCode, String),
}

/// Where control goes after an abend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AbendAction {
    /// Unwind to this level (0 = highest) and resume its program at the label.
    Branch {
        /// Level.
        level: usize,
        /// Label number.
        label: u16,
    },
    /// Unwind to this level and run the abend exit program there.
    Program {
        /// Level.
        level: usize,
        /// Exit program.
        module: Module,
        /// Its COMMAREA.
        area: Area,
    },
    /// End the task.
    EndTask,
}

/// A task as the region attached it. `input` and the reply are encoded by core on both ends.
#[derive(Debug, Clone)]
pub struct AttachBlock {
    /// Task number, 1 to 9,999,999.
    pub task_number: u32,
    /// Transaction.
    pub transid: TransId,
    /// First program.
    pub program: ProgramName,
    /// User.
    pub userid: UserId,
    /// COMMAREA or channel in core's encoding.
    pub input: Vec<u8>,
}

impl AttachBlock {
    /// The task as a worker finds it.
    pub fn start(&self) -> TaskStart<'_> {
        TaskStart {
            task_number: self.task_number,
            transid: self.transid,
            program: self.program,
            userid: self.userid,
            input: &self.input,
        }
    }
}

/// A task as its worker finds it: an [`AttachBlock`] whose input lies where the region put it.
#[derive(Debug, Clone, Copy)]
pub struct TaskStart<'a> {
    /// Task number, 1 to 9,999,999.
    pub task_number: u32,
    /// Transaction.
    pub transid: TransId,
    /// First program.
    pub program: ProgramName,
    /// User.
    pub userid: UserId,
    /// COMMAREA or channel in core's encoding.
    pub input: &'a [u8],
}

/// The reply of a task in core's encoding: bytes that still lie in the storage of the task, and
/// what follows them. The plumbing copies both to the region before that storage goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The COMMAREA.
    pub area: Area,
    /// What follows it.
    pub rest: Vec<u8>,
}

impl Reply {
    /// A reply without COMMAREA.
    pub fn of(bytes: Vec<u8>) -> Self {
        Self {
            area: Area::default(),
            rest: bytes,
        }
    }

    /// Its parts, one behind the other.
    pub fn parts<'a>(&'a self, host: &'a dyn Host) -> [&'a [u8]; 2] {
        let commarea = match self.area.bytes {
            0 => &[],
            bytes => host.memory(self.area.address, bytes),
        };
        [commarea, &self.rest]
    }

    /// All of it.
    pub fn bytes(&self, host: &dyn Host) -> Vec<u8> {
        self.parts(host).concat()
    }
}

/// How the task ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskEnd {
    /// By RETURN, GOBACK or STOP RUN at the highest level.
    Normal,
    /// By abend.
    Abend(AbendCode, String),
}

impl TaskEnd {
    /// The code of an abend.
    pub fn abend(&self) -> Option<AbendCode> {
        match self {
            Self::Normal => None,
            Self::Abend(code, _) => Some(*code),
        }
    }
}

/// CICS meaning inside a worker: one value lives as long as the worker and serves task after task.
pub trait Commands {
    /// A task begins: answers its first program with its COMMAREA, or the abend that ends it.
    fn task_start(
        &mut self,
        host: &mut dyn Host,
        task: &TaskStart<'_>,
    ) -> Result<(Module, Area), (AbendCode, String)>;

    /// The program of the highest level is about to begin, with fresh storage.
    fn program_begins(&mut self, host: &mut dyn Host) {
        let _ = host;
    }

    /// One EXEC CICS command. Sets EIBFN, EIBRESP, EIBRESP2 ... and RESP/RESP2 itself.
    fn execute(&mut self, host: &mut dyn Host, call: &mut dyn Call) -> Outcome;

    /// One EXEC SQL statement. Fills the SQLCA itself.
    fn sql(&mut self, host: &mut dyn Host, call: &mut dyn SqlCall) -> Outcome {
        let _ = (host, call);
        Outcome::Abend(AbendCode::AEY9, "there is no SQL here".to_owned())
    }

    /// One file statement. [`Outcome::Continue`] or an abend.
    fn file(&mut self, host: &mut dyn Host, call: &mut dyn FileCall) -> Outcome {
        let _ = (host, call);
        Outcome::Abend(AbendCode::ASRA, "there are no files here".to_owned())
    }

    /// Programs of the first level have the EIB and a COMMAREA as parameters; if not, they have the
    /// area alone.
    fn has_eib(&self) -> bool {
        true
    }

    /// A CALLed program had no module: whether it has now.
    fn late_module(&mut self, host: &mut dyn Host, program: ProgramName) -> bool;

    /// The program of a LINK came back by RETURN or GOBACK: finish the LINK.
    fn level_ended(&mut self, host: &mut dyn Host) -> Outcome;

    /// Runs a supplied program at its level, which [`Outcome::Continue`] and [`Outcome::Return`]
    /// end. After [`Outcome::Link`] it is called again, so it keeps its place itself.
    fn supplied(&mut self, host: &mut dyn Host, module: &Module, area: Area) -> Outcome {
        let _ = (host, area);
        let text = format!("{} is not a supplied program", module.program);
        Outcome::Abend(AbendCode::APCT, text)
    }

    /// The code of an abend because a command cannot write where the program wants it to.
    fn abend_of_bad_output(&self) -> AbendCode;

    /// An abend, by command, program check or purge. `level` is the level it happened in.
    fn abend(
        &mut self,
        host: &mut dyn Host,
        level: usize,
        code: AbendCode,
        text: &str,
    ) -> AbendAction;

    /// The task is over: releases what it held and answers the reply for the region.
    fn task_end(&mut self, host: &mut dyn Host, end: &TaskEnd) -> Reply;
}
