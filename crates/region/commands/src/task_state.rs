//! What a worker knows about the task it runs: program levels, their HANDLE state, channels,
//! enqueued resources, the last abend.
//!
//! Why here: commands of different domains share it. Not here: anything other tasks may see; that
//! lives in shared memory.

use crate::asynchronous::TaskChildren;
use crate::channel::Channels;
use crate::diagnostic::enter_tracenum::TraceEntry;
use crate::exception::Handles;
use crate::file_control::TaskFiles;
use crate::inquire::Browses;
use crate::interval::TaskInterval;
use crate::program::load::Loaded;
use crate::security::authority::Remembered;
use crate::task::Held;
use crate::terminal::TaskTerminal;
use std::collections::VecDeque;
use transom_types::StartedBy;
use transom_types::{AbendCode, ProgramName, Resp, TransId, UserId};
use transom_wire::definitions::TransactionEntry;
use transom_wire::payload::StartInfo;
use transom_workers::seam::{Address, Area};

/// Deepest LINK nesting of one task. Each level holds C stack of the worker.
pub const LINK_LEVELS_MAX: usize = 200;

/// One program level: the program that LINK (or attach) put there, or its XCTL successor.
pub(crate) struct Level {
    /// The running program.
    pub program: ProgramName,
    /// The program that invoked it by LINK or XCTL.
    pub invoked_by: ProgramName,
    /// Its COMMAREA.
    pub area: Area,
    /// Task storage XCTL copied the COMMAREA to; 0: the area is somebody else's.
    pub copied_area: Address,
    /// Its current channel.
    pub channel: Option<u32>,
    /// HANDLE and IGNORE state.
    pub handles: Handles,
    /// States put away by PUSH HANDLE.
    pub pushed: Vec<Handles>,
    /// Whose state that is: 0 the level's own program, else one it CALLed.
    owner: usize,
    /// States of the programs of this level that are suspended by a CALL.
    suspended: Vec<Suspended>,
}

/// HANDLE state of a program that CALLed another, or was CALLed.
struct Suspended {
    owner: usize,
    handles: Handles,
    pushed: Vec<Handles>,
}

/// CALLed programs of one level whose HANDLE state is kept; more than these start afresh.
const SUSPENDED_MAX: usize = 64;

impl Level {
    /// A program starts at a new level.
    pub(crate) fn new(
        program: ProgramName,
        invoked_by: ProgramName,
        area: Area,
        channel: Option<u32>,
    ) -> Self {
        let (handles, pushed) = (Handles::default(), Vec::new());
        Self {
            program,
            invoked_by,
            area,
            copied_area: 0,
            channel,
            handles,
            pushed,
            owner: 0,
            suspended: Vec::new(),
        }
    }

    /// Makes the HANDLE state that of this program of the level. A CALL suspends the caller's state
    /// and starts the CALLed program with none, as a PUSH HANDLE would; labels are numbers of one
    /// program and would lead another astray. Back in the level's own program, the others' states
    /// are gone.
    pub(crate) fn switch_to(&mut self, owner: usize) {
        if owner == self.owner {
            return;
        }
        let at = self.suspended.iter().position(|s| s.owner == owner);
        let mine = at.map(|at| self.suspended.swap_remove(at));
        let (handles, pushed) = mine.map_or_else(Default::default, |s| (s.handles, s.pushed));
        let left = Suspended {
            owner: std::mem::replace(&mut self.owner, owner),
            handles: std::mem::replace(&mut self.handles, handles),
            pushed: std::mem::replace(&mut self.pushed, pushed),
        };
        if owner == 0 {
            self.suspended.clear();
        } else if self.suspended.len() < SUSPENDED_MAX || left.owner == 0 {
            self.suspended.push(left);
        }
    }
}

/// The abends of a task so far, for ASSIGN.
#[derive(Default)]
pub(crate) struct AbendInfo {
    /// Newest abend code.
    pub code: Option<AbendCode>,
    /// First abend code.
    pub first: Option<AbendCode>,
    /// Program it happened in.
    pub program: Option<ProgramName>,
    /// A transaction dump was or will be taken.
    pub dump: bool,
    /// What an ABEND command that was just run said about its abend.
    pub asked: Option<AskedAbend>,
    /// It was a program check (ASRA, ASRB, ASRD).
    pub program_check: bool,
}

/// How an ABEND command wants its abend treated.
#[derive(Clone, Copy)]
pub(crate) struct AskedAbend {
    /// Its code.
    pub code: AbendCode,
    /// ABCODE without NODUMP.
    pub dump: bool,
    /// CANCEL: exits are passed over.
    pub cancel_exits: bool,
}

/// Why no program ran.
pub(crate) struct Refusal {
    /// Condition.
    pub resp: Resp,
    /// Reason.
    pub resp2: u32,
    /// Log text.
    pub text: String,
}

/// The task.
pub(crate) struct TaskState {
    /// Task number.
    pub number: u32,
    /// User.
    pub userid: UserId,
    /// Its transaction.
    pub transaction: TransactionEntry,
    /// How it was started.
    pub start: StartInfo,
    /// When, as ABSTIME.
    pub start_abstime_ms: i64,
    /// Priority now, 0 to 255.
    pub priority: u8,
    /// Program levels, highest first.
    pub levels: Vec<Level>,
    /// Channels.
    pub channels: Channels,
    /// The COMMAREA the caller gets back.
    pub reply_area: Area,
    /// COMMAREA bytes the caller sent.
    pub sent_bytes: usize,
    /// The channel the caller gets back.
    pub reply_channel: Option<u32>,
    /// TWA, 0 when there is none.
    pub twa: Address,
    /// Data of the last READQ TS SET, 0 before the first.
    pub queue_area: Address,
    /// Data of the last READQ TD SET, 0 before the first.
    pub record_area: Address,
    /// Resources enqueued upon.
    pub held: Vec<Held>,
    /// Programs loaded by LOAD.
    pub loaded: Vec<Loaded>,
    /// INQUIRE browses in progress.
    pub browses: Browses,
    /// Newest user trace entries.
    pub trace: VecDeque<TraceEntry>,
    /// Abends.
    pub abend: AbendInfo,
    /// The region keeps a unit of work for the task: something recoverable was touched.
    pub uow_open: bool,
    /// Terminal of the task, if it has one.
    pub terminal: TaskTerminal,
    /// Files: browses, records held for update.
    pub files: TaskFiles,
    /// What START and RETRIEVE need.
    pub interval: TaskInterval,
    /// Children of RUN TRANSID.
    pub children: TaskChildren,
    /// What the user of the task may do, as far as it was asked.
    pub authority: Remembered,
    /// Set when no program ran.
    pub refusal: Option<Refusal>,
}

impl TaskState {
    /// No task yet.
    pub(crate) fn idle() -> Self {
        Self {
            number: 0,
            userid: UserId::BLANK,
            transaction: TransactionEntry::new(TransId::BLANK, ProgramName::BLANK),
            start: StartInfo {
                started_by: StartedBy::Internal,
                reply_bytes_max: 0,
                start_code: *b"U ",
            },
            start_abstime_ms: 0,
            priority: 1,
            levels: Vec::new(),
            channels: Channels::default(),
            reply_area: Area::default(),
            sent_bytes: 0,
            reply_channel: None,
            twa: 0,
            queue_area: 0,
            record_area: 0,
            held: Vec::new(),
            loaded: Vec::new(),
            browses: Browses::default(),
            trace: VecDeque::new(),
            abend: AbendInfo::default(),
            uow_open: false,
            terminal: TaskTerminal::default(),
            files: TaskFiles::default(),
            interval: TaskInterval::default(),
            children: TaskChildren::default(),
            authority: Remembered::default(),
            refusal: None,
        }
    }

    /// The running level. There is one whenever a program runs.
    pub(crate) fn level(&self) -> Option<&Level> {
        self.levels.last()
    }

    /// The running program's name.
    pub(crate) fn program(&self) -> ProgramName {
        self.levels
            .last()
            .map_or(ProgramName::BLANK, |level| level.program)
    }

    /// The running program's HANDLE state.
    pub(crate) fn handles(&mut self) -> Option<&mut Handles> {
        self.levels.last_mut().map(|level| &mut level.handles)
    }

    /// The mirror program that stands above the first program, if a caller outside linked to it.
    pub(crate) fn mirror(&self) -> Option<ProgramName> {
        match self.start.started_by {
            StartedBy::Gateway | StartedBy::Region => Some(ProgramName::from_field(b"DFHMIRS")),
            _ => None,
        }
    }

    /// STARTCODE.
    pub(crate) fn start_code(&self) -> &str {
        std::str::from_utf8(&self.start.start_code).unwrap_or("U ")
    }
}
