//! What a worker knows of the task it runs.
//!
//! What: [`TaskState`](state::TaskState), the sum of what each domain of commands keeps for a task,
//! a module each, and the EIB, which programs see; what a worker keeps over tasks
//! ([`Caches`](caches::Caches)), and what a command is given ([`Cx`](command::Cx)). Why a room: a
//! domain's state takes nothing from commands, so a change of commands cannot reach into another
//! domain's. Not here: what commands do with it (`region/commands`).

#![forbid(unsafe_code)]

pub mod abend;
pub mod asynchronous;
pub mod bms;
pub mod caches;
pub mod calls;
pub mod channel;
pub mod command;
pub mod condition;
pub mod debugging;
pub mod devices;
pub mod diagnostic;
pub mod dump_code;
pub mod edited_call;
pub mod eib;
pub mod enqueue;
pub mod exception;
pub mod file_control;
pub mod inquire;
pub mod interval;
pub mod known;
pub mod known_file;
pub mod last_commands;
pub mod mapsets;
pub mod page;
pub mod program;
pub mod reading;
pub mod rid_kind;
pub mod routed;
pub mod security;
pub mod sql_reading;
pub mod state;
pub mod status;
pub mod storage;
pub mod syncpoint;
pub mod temporary_storage;
pub mod terminal;
pub mod text;
pub mod transient_data;
