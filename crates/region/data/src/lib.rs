//! EXEC CICS commands on data, inside a worker: files, queues, journals, named counters.
//!
//! What: a folder per domain, one file per command; [`ROWS`] says which function carries out which.
//! What they know of the task and of the worker stands in `region/task`. Why a room: these commands
//! take nothing from others, and `region/commands` is full. Everything that locks or changes is
//! done by the region. Not here: who calls them, with which authority, and what becomes of a
//! condition (`region/commands`), the region's side (`region/server`), INQUIRE and SET.

#![forbid(unsafe_code)]

mod counter;
mod file_control;
mod journal;
mod temporary_storage;
mod transient_data;

use transom_commands::{CommandId, cmd};
use transom_region_task::command::Handler;

pub use file_control::access::ask as ask_file;
pub use file_control::events::uow_ended;
pub use temporary_storage::spill::free as free_items;
pub use transient_data::queue::request as of_queue;
pub use transom_region_task::file_control::HELD_MAX;

/// Functions of commands.
#[rustfmt::skip]
pub const ROWS: &[(CommandId, Handler)] = &[
    (cmd::DEFINE_COUNTER, counter::define::counter),
    (cmd::DEFINE_DCOUNTER, counter::define::dcounter),
    (cmd::GET_COUNTER, counter::get::counter),
    (cmd::GET_DCOUNTER, counter::get::dcounter),
    (cmd::QUERY_COUNTER, counter::query::counter),
    (cmd::QUERY_DCOUNTER, counter::query::dcounter),
    (cmd::UPDATE_COUNTER, counter::update::counter),
    (cmd::UPDATE_DCOUNTER, counter::update::dcounter),
    (cmd::REWIND_COUNTER, counter::rewind::counter),
    (cmd::REWIND_DCOUNTER, counter::rewind::dcounter),
    (cmd::DELETE_COUNTER, counter::delete::counter),
    (cmd::DELETE_DCOUNTER, counter::delete::dcounter),
    (cmd::READ, file_control::read::read),
    (cmd::WRITE, file_control::write::write),
    (cmd::REWRITE, file_control::rewrite::rewrite),
    (cmd::DELETE, file_control::delete::delete),
    (cmd::UNLOCK, file_control::unlock::unlock),
    (cmd::STARTBR, file_control::browse::startbr::startbr),
    (cmd::READNEXT, file_control::browse::readnext::readnext),
    (cmd::READPREV, file_control::browse::readprev::readprev),
    (cmd::RESETBR, file_control::browse::resetbr::resetbr),
    (cmd::ENDBR, file_control::browse::endbr::endbr),
    (cmd::WRITE_JOURNALNAME, journal::write::write),
    (cmd::WRITE_JOURNALNUM, journal::write::write),
    (cmd::WAIT_JOURNALNAME, journal::wait::wait),
    (cmd::WAIT_JOURNALNUM, journal::wait::wait),
    (cmd::WRITEQ_TD, transient_data::writeq::writeq),
    (cmd::READQ_TD, transient_data::readq::readq),
    (cmd::DELETEQ_TD, transient_data::deleteq::deleteq),
    (cmd::WRITEQ_TS, temporary_storage::writeq::writeq),
    (cmd::READQ_TS, temporary_storage::readq::readq),
    (cmd::DELETEQ_TS, temporary_storage::deleteq::deleteq),
];
