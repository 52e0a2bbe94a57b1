//! What every EXEC CICS command does, inside a worker process.
//!
//! What: [`Executor`] implements `transom_workers::seam::Commands`; `dispatch` maps a command
//! number to its function; each folder is a CICS domain and each file in it a command. Not here:
//! commands on data (`transom_region_data`) and on definitions (`transom_region_rdo`),
//! the region's side of a domain (`transom_region_server`), the bytes between the two
//! (`transom_wire`), supplied transactions.

#![forbid(unsafe_code)]

mod attach;
mod carry_out;
mod debugged;
mod dispatch;
mod exec;
mod first_program;
mod unsupported;

mod abend;
mod answer;
mod asynchronous;
mod bif;
mod channel;
mod console;
mod constants;
mod definitions;
mod diagnostic;
mod environment;
mod exception;
mod inquire;
mod interval;
mod partner;
mod program;
mod security;
mod sql;
mod storage;
mod syncpoint;
mod task;
mod terminal;

/// Limits of commands, each with a stated behaviour where it is reached.
pub mod limits {
    pub use crate::asynchronous::fetch::TIMEOUT_MS_MAX;
    pub use crate::console::write_operator::OPERATOR_TEXT_MAX;
    pub use crate::diagnostic::dump::SEGMENTS_MAX;
    pub use crate::diagnostic::dump_area::{AREA_BYTES_MAX, DUMP_BYTES_MAX};
    pub use crate::diagnostic::dump_code::DUMPS_MAX;
    pub use crate::diagnostic::enter_tracenum::TRACE_BYTES_MAX;
    pub use crate::diagnostic::state::TRACE_ENTRIES_MAX;
    pub use crate::exception::push_pop::PUSHES_MAX;
    pub use crate::interval::start::START_BYTES_MAX;
    pub use crate::interval::wait_event::{EVENTS_MAX, LOOK_MS};
    pub use crate::program::state::LINK_LEVELS_MAX;
    pub use crate::storage::getmain::GETMAIN_BYTES_MAX;
    pub use transom_region_data::HELD_MAX;
    pub use transom_wire::journal::JOURNAL_RECORD_MAX;
    pub use transom_wire::payload::{COMMAREA_BYTES_MAX, CONTAINERS_MAX};
    pub use transom_wire::task::WAITERS_MAX;
    pub use transom_wire::temporary_storage::{ITEM_BYTES_MAX, ITEMS_MAX};
    pub use transom_wire::transient_data::RECORD_BYTES_MAX;
}

pub use channel::named::TRANSACTION_CHANNEL;
pub use command::ask_region;
pub use debugging::{Debugger, Edited, Statement, Stopped, Verdict};
pub use diagnostic::records::records as records_of;
pub use environment::address::NO_AREA;
pub use exec::{Executor, SuppliedPrograms};
pub use partner::Relayed;
pub use transom_region_task::eib;
pub use transom_region_task::routed::block as routing;
use transom_region_task::state as task_state;
use transom_region_task::{command, debugging, edited_call};
pub use transom_types::calendar::DateTime;
pub use unsupported::{COMMAND_NOT_IMPLEMENTED, OPTION_NOT_IMPLEMENTED};
