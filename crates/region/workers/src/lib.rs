//! COBOL worker processes: zygote, slots, death and replacement.
//!
//! What: the plumbing between the region process and the processes that run COBOL, and the edge to
//! libcob. Why: libcob has no threads, so a running task is a process. Not here: what a command
//! does (`region/core`), which task may run when (`region/core::dispatcher`).

#![allow(unsafe_code)]

mod config;
mod pool;
pub mod seam;

pub use config::{
    AskHandler, AttachError, Done, LogLine, LogSink, LogSource, MAX_LINK_LEVELS,
    MAX_LOG_LINE_BYTES, MAX_PAYLOAD_BYTES, MAX_TASK_STORAGE_BYTES, MAX_TASKS, MAX_WORKERS,
    PoolConfig, PoolError, PoolStatistics, TaskOptions, TaskReply,
};
pub use pool::{Ask, Pool};

use std::ffi::OsString;

/// The zygote's main: the executable calls it when it finds the hidden subcommand, before it starts
/// any thread. `args` are the arguments after that subcommand. Answers the exit code.
pub fn zygote_main(args: &[OsString], make_commands: fn() -> Box<dyn seam::Commands>) -> i32 {
    let _ = (args, make_commands);
    1
}
