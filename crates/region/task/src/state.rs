//! What a worker knows about the task it runs: the sum of what its domains keep.
//!
//! What: facts of the task itself, and a field for each domain, whose type is in the domain's
//! `state.rs`. Such a file takes nothing from commands, so that every command may look at the whole
//! of a task. Not here: anything other tasks may see; that lives in shared memory.

use crate::abend::AbendInfo;
use crate::asynchronous::TaskChildren;
use crate::calls::Calls;
use crate::channel::Channels;
use crate::diagnostic::TraceEntry;
use crate::enqueue::Held;
use crate::exception::Handles;
use crate::file_control::TaskFiles;
use crate::inquire::Browses;
use crate::interval::TaskInterval;
use crate::program::{Level, Loaded};
use crate::routed::RoutedLinks;
use crate::security::Remembered;
use crate::storage::TaskStorage;
use crate::syncpoint::UnitOfWork;
use crate::temporary_storage::TaskQueues;
use crate::terminal::TaskTerminal;
use crate::transient_data::TaskRecords;
use std::collections::VecDeque;
use transom_hostvariables::ProgramSql;
use transom_monitoring::{Counts, UserFields};
use transom_types::StartedBy;
use transom_types::{AbendCode, ProgramName, Resp, TransId, UserId};
use transom_wire::association::Association;
use transom_wire::definitions::TransactionEntry;
use transom_wire::payload::{StartInfo, Undone};
use transom_workers::seam::{Address, Area};

/// Why no program ran.
pub struct Refusal {
    /// Condition.
    pub resp: Resp,
    /// Reason.
    pub resp2: u32,
    /// Log text.
    pub text: String,
}

/// The task.
pub struct TaskState {
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
    /// How it began, and its origin.
    pub association: Association,
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
    /// Storage it has from its start.
    pub storage: TaskStorage,
    /// What SET of a command got that another region carried out.
    pub remote_area: Address,
    /// LINKs that a routing program routes.
    pub routed: RoutedLinks,
    /// Temporary storage: what READQ SET gave.
    pub queues: TaskQueues,
    /// Transient data: what READQ SET gave.
    pub records: TaskRecords,
    /// Resources enqueued upon.
    pub held: Vec<Held>,
    /// Programs loaded by LOAD.
    pub loaded: Vec<Loaded>,
    /// INQUIRE browses in progress.
    pub browses: Browses,
    /// What COLLECT or EXTRACT STATISTICS gave.
    pub statistics: Address,
    /// Newest user trace entries.
    pub trace: VecDeque<TraceEntry>,
    /// Abends.
    pub abend: AbendInfo,
    /// Its unit of work.
    pub unit: UnitOfWork,
    /// Terminal of the task, if it has one.
    pub terminal: TaskTerminal,
    /// Cursors of EXEC SQL.
    pub sql: ProgramSql,
    /// Files: browses, records held for update.
    pub files: TaskFiles,
    /// What START and RETRIEVE need.
    pub interval: TaskInterval,
    /// Children of RUN TRANSID.
    pub children: TaskChildren,
    /// What the user of the task may do, as far as it was asked.
    pub authority: Remembered,
    /// What it asked for.
    pub counts: Counts,
    /// The same call by call, where that is wanted.
    pub calls: Calls,
    /// Fields that users define, from its first MONITOR on.
    pub user_fields: UserFields,
    /// Set when no program ran.
    pub refusal: Option<Refusal>,
}

impl TaskState {
    /// No task yet.
    pub fn idle() -> Self {
        Self {
            number: 0,
            userid: UserId::BLANK,
            transaction: TransactionEntry::new(TransId::BLANK, ProgramName::BLANK),
            start: StartInfo {
                started_by: StartedBy::Internal,
                reply_bytes_max: 0,
                start_code: *b"U ",
                client: None,
                restarts: 0,
                measured: None,
            },
            start_abstime_ms: 0,
            association: Association::NONE,
            priority: 1,
            levels: Vec::new(),
            channels: Channels::default(),
            reply_area: Area::default(),
            sent_bytes: 0,
            reply_channel: None,
            storage: TaskStorage::default(),
            remote_area: 0,
            routed: RoutedLinks::default(),
            queues: TaskQueues::default(),
            records: TaskRecords::default(),
            held: Vec::new(),
            loaded: Vec::new(),
            browses: Browses::default(),
            statistics: 0,
            trace: VecDeque::new(),
            abend: AbendInfo::default(),
            unit: UnitOfWork::default(),
            terminal: TaskTerminal::default(),
            sql: ProgramSql::default(),
            files: TaskFiles::default(),
            interval: TaskInterval::default(),
            children: TaskChildren::default(),
            authority: Remembered::default(),
            counts: Counts::default(),
            calls: Calls::default(),
            user_fields: UserFields::default(),
            refusal: None,
        }
    }

    /// The running level. There is one whenever a program runs.
    pub fn level(&self) -> Option<&Level> {
        self.levels.last()
    }

    /// The running program's name.
    pub fn program(&self) -> ProgramName {
        self.levels
            .last()
            .map_or(ProgramName::BLANK, |level| level.program)
    }

    /// The running program's HANDLE state.
    pub fn handles(&mut self) -> Option<&mut Handles> {
        self.levels.last_mut().map(|level| &mut level.handles)
    }

    /// The mirror program that stands above the first program, if a caller outside linked to it.
    pub fn mirror(&self) -> Option<ProgramName> {
        match self.start.started_by {
            StartedBy::Gateway | StartedBy::Region => Some(ProgramName::from_field(b"DFHMIRS")),
            _ => None,
        }
    }

    /// What decides whether the task runs again after an abend.
    pub fn undone(&self, code: AbendCode) -> Undone {
        let terminal = self.terminal.get();
        Undone {
            original: self.abend.first.unwrap_or(code),
            read: terminal.is_some_and(|terminal| terminal.read),
            wrote: terminal.is_some_and(|terminal| terminal.wrote),
            synced: self.unit.has_synced(),
        }
    }

    /// STARTCODE.
    pub fn start_code(&self) -> &str {
        std::str::from_utf8(&self.start.start_code).unwrap_or("U ")
    }
}
