//! COBOL worker processes: zygote, slots, death and replacement.
//!
//! What: the plumbing between the region process and the processes that run COBOL, and the edge to
//! libcob. Why: libcob has no threads, so a running task is a process. Not here: what a command
//! does (`region/commands`), which task may run when (`region/server`).
//!
//! Three kinds of process use this crate: the region ([`Pool`]), the zygote ([`zygote_main`]), and
//! the workers it forks, which call the [`seam::Commands`] the executable gives them.

#![allow(unsafe_code)]

mod address_map;
mod ask;
mod config;
mod control;
mod dispatch;
mod failure;
mod functions;
mod no_call;
mod pool;
pub mod seam;
mod shm;
mod worker;
mod zygote;

pub use ask::Ask;
pub use config::{
    AskHandler, AttachError, Done, MAX_LINK_LEVELS, MAX_LOG_LINE_BYTES, MAX_PAYLOAD_BYTES,
    MAX_TASK_STORAGE_BYTES, MAX_TASKS, MAX_WORKERS, PoolConfig, PoolError, PoolStatistics,
    TaskOptions, TaskReply,
};
pub use no_call::NoCall;
pub use pool::{LOOK_TOGETHER, Pool};
pub use transom_sandbox::leave_root;
pub use zygote::zygote_main;
