//! What a pool is told at start and what it hands back: plain data.
//!
//! What: configuration, task options, replies, log lines, statistics, errors. Why: the dispatcher
//! and the executable use these without seeing any plumbing. Not here: behaviour.

use crate::ask::Ask;
use crate::seam::TaskEnd;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use transom_messages::{self as messages, Operator};
use transom_wire::Module;

/// Most COBOL workers of one region; MXT may not be larger.
pub const MAX_WORKERS: usize = 2_000;
/// Most tasks attached and not yet drained, waiting ones included.
pub const MAX_TASKS: usize = 10_000;
/// Largest input or reply of a task: 64 MB.
pub const MAX_PAYLOAD_BYTES: usize = 64 << 20;
/// LINK levels of one task.
pub const MAX_LINK_LEVELS: usize = 200;
/// Task storage (GETMAIN) of one task: 256 MB.
pub const MAX_TASK_STORAGE_BYTES: usize = 256 << 20;
/// Storage that programs share (CWA, GETMAIN SHARED): 256 MB.
pub(crate) const MAX_SHARED_STORAGE_BYTES: usize = 256 << 20;
/// Longest log line; the rest of a longer one is dropped.
pub const MAX_LOG_LINE_BYTES: usize = 4_000;

/// Answers [`crate::seam::Host::ask_region`]. Called inside [`crate::Pool::drain_completions`];
/// the answer may be given later and on any thread.
pub type AskHandler = Arc<dyn Fn(Ask) + Send + Sync>;
/// Called once with the reply of a task, inside [`crate::Pool::drain_completions`].
pub type Done = Box<dyn FnOnce(TaskReply) + Send>;

/// How to start a pool.
#[derive(Clone)]
pub struct PoolConfig {
    /// The executable to run as zygote; it must call [`crate::zygote_main`].
    pub exe: PathBuf,
    /// Its arguments, for example the hidden subcommand `cobol-zygote`.
    pub zygote_args: Vec<OsString>,
    /// Most workers, 1 to [`MAX_WORKERS`]. Set it to MXT.
    pub max_workers: usize,
    /// Workers kept ready.
    pub min_idle: usize,
    /// Most tasks attached at a time, running or ready, up to [`MAX_TASKS`].
    pub max_tasks: usize,
    /// Folders searched for CALLed subprograms, as `NAME.so`.
    pub module_dirs: Vec<PathBuf>,
    /// Loaded and initialised once, before the first worker.
    pub preload: Vec<Module>,
    /// Where transaction dumps go.
    pub dump_dir: PathBuf,
    /// CPU milliseconds without a wait after which a task ends with AICA; 0 = never. ICVR.
    pub runaway_ms: u32,
    /// Shared storage for queues, counters, payloads ... in bytes; memory is used as it fills.
    pub shared_bytes: usize,
    /// Environment of the workers; of the region's they have what COBOL needs alone.
    pub environment: Vec<(String, String)>,
    /// Files and folders that workers read beside those above.
    pub reads: Vec<PathBuf>,
    /// What workers find at [`crate::seam::READER_PLACES`].
    pub reader_places: Option<Arc<File>>,
    /// Log lines.
    pub operator: Operator,
    /// What a program displayed before a request is told before the request is answered.
    pub lines_first: bool,
    /// Requests of commands to the region.
    pub ask: AskHandler,
}

impl PoolConfig {
    /// A small pool: 100 workers, 5 s runaway, 256 MB shared storage, log to nowhere.
    pub fn new(exe: impl Into<PathBuf>) -> Self {
        Self {
            exe: exe.into(),
            zygote_args: vec!["cobol-zygote".into()],
            max_workers: 100,
            min_idle: 2,
            max_tasks: 1_000,
            module_dirs: Vec::new(),
            preload: Vec::new(),
            dump_dir: std::env::temp_dir(),
            runaway_ms: 5_000,
            shared_bytes: 256 << 20,
            environment: Vec::new(),
            reads: Vec::new(),
            reader_places: None,
            operator: Operator::nobody(),
            lines_first: false,
            ask: Arc::new(|ask| ask.answer(&[])),
        }
    }
}

impl fmt::Debug for PoolConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoolConfig")
            .field("exe", &self.exe)
            .field("max_workers", &self.max_workers)
            .field("module_dirs", &self.module_dirs)
            .finish_non_exhaustive()
    }
}

/// How one task is to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskOptions {
    /// The first program is QUASIRENT.
    pub quasirent: bool,
    /// 0 (lowest) to 255.
    pub priority: u8,
    /// CPU milliseconds without a wait; `None`: the pool's default; `Some(0)`: never.
    pub runaway_ms: Option<u32>,
}

impl Default for TaskOptions {
    fn default() -> Self {
        Self {
            quasirent: true,
            priority: 1,
            runaway_ms: None,
        }
    }
}

/// The end of a task as the region sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskReply {
    /// Task number as attached.
    pub task_number: u32,
    /// How it ended.
    pub end: TaskEnd,
    /// What [`crate::seam::Commands::task_end`] answered; empty when the worker died.
    pub reply: Vec<u8>,
    /// The worker died: `task_end` has not run and what the task held in shared storage is still
    /// held. The region must release it.
    pub worker_died: bool,
}

/// Counts since start, and what is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolStatistics {
    /// Worker processes alive.
    pub workers: usize,
    /// Most alive at a time.
    pub workers_peak: usize,
    /// Workers started.
    pub spawned: u64,
    /// Workers that ended, for whatever reason.
    pub ended: u64,
    /// Workers that died with a task in their hands.
    pub died: u64,
    /// Times the zygote had to be started again.
    pub zygote_restarts: u64,
    /// Tasks attached.
    pub attached: u64,
    /// Tasks ended.
    pub completed: u64,
    /// Tasks attached and not drained.
    pub active: usize,
    /// Most active at a time.
    pub active_peak: usize,
    /// Times a task was refused because `max_tasks` were active.
    pub refused: u64,
    /// Shared storage in use, in bytes.
    pub shared_used: usize,
    /// Shared storage in total, in bytes.
    pub shared_total: usize,
}

/// Why a pool does not start.
#[derive(Debug)]
pub enum PoolError {
    /// A limit of the configuration is out of range.
    Config(String),
    /// The operating system refused something.
    Os {
        /// What was tried.
        doing: &'static str,
        /// Why not.
        error: std::io::Error,
    },
    /// The zygote ended or said no; the text is its own.
    Zygote(String),
}

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PoolError::Config(text) => write!(f, "{}", messages::wk::configuration(text)),
            PoolError::Os { doing, error } => {
                write!(f, "{}", messages::wk::cannot_start(doing, error))
            }
            PoolError::Zygote(text) => write!(f, "{}", messages::wk::runtime_cannot_start(text)),
        }
    }
}

impl std::error::Error for PoolError {}

/// Why a task is not attached. Nothing has happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttachError {
    /// `max_tasks` are active.
    TooManyTasks,
    /// The input is larger than [`MAX_PAYLOAD_BYTES`].
    InputTooLarge,
    /// Shared storage is full.
    NoStorage,
    /// The pool is stopping.
    Stopped,
}

impl fmt::Display for AttachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AttachError::TooManyTasks => "too many tasks are active",
            AttachError::InputTooLarge => "the input of the task is too large",
            AttachError::NoStorage => "shared storage is full",
            AttachError::Stopped => "the pool is stopping",
        })
    }
}

impl std::error::Error for AttachError {}
