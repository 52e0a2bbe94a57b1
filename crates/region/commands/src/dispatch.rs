//! Command number -> function.
//!
//! What: one row per command that does something; INQUIRE, SET and DISCARD of a resource kind need
//! none when its file says all of it, CREATE never does. A command without function answers INVREQ
//! (see `unsupported`). A test compares them with the status in the command table.

use crate::command::Handler;
use crate::security::{self, authority::Checked};
use crate::terminal;
use crate::{
    abend, asynchronous, bif, channel, console, definitions, diagnostic, environment, exception,
};
use crate::{inquire, interval, program, storage, syncpoint, task};
use transom_commands::{Command, CommandId, OptionId, Status, cmd};
use transom_monitoring::FieldId;
use transom_wire::definitions::{EachInstalled, Installed, each_installed};

/// What the command processor knows about a command.
#[derive(Default)]
pub(crate) struct Entry {
    pub handler: Option<Handler>,
    /// Options of the command that are not implemented.
    pub refused: Vec<OptionId>,
    /// Checks of authority before it runs.
    pub checked: Checked,
    /// The field of the monitoring record it counts in.
    pub counter: Option<FieldId>,
}

/// The rows as a vector indexed by command number.
pub(crate) fn by_number() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    entries.resize_with(transom_commands::all().len() + 1, Entry::default);
    for (id, handler) in ROWS.iter().chain(transom_region_data::ROWS) {
        add(&mut entries, *id, *handler);
    }
    for id in transom_region_rdo::commands() {
        add(&mut entries, id, definitions::csd);
    }
    each_installed(&mut AsTheirTableSays(&mut entries));
    for command in transom_commands::all() {
        if command.words.first() == Some(&"CREATE") && command.status == Status::Works {
            add(&mut entries, command.id, inquire::create::create);
        }
    }
    entries
}

fn add(entries: &mut [Entry], id: CommandId, handler: Handler) {
    if let Some(entry) = entries.get_mut(usize::from(id.0)) {
        entry.handler = Some(handler);
        entry.counter = transom_monitoring::counter_of(id);
        let row = transom_commands::command(id);
        entry.checked = row.map_or(Checked::default(), Checked::of);
        let options = row.map_or(&[][..], |c| c.options);
        let refused = options
            .iter()
            .filter(|option| option.status == Status::Invreq);
        entry.refused = refused.map(|option| option.id).collect();
    }
}

/// Adds commands of resource kinds that work and have no row.
struct AsTheirTableSays<'a>(&'a mut Vec<Entry>);

impl EachInstalled for AsTheirTableSays<'_> {
    fn kind<T: Installed>(&mut self) {
        let handlers: [(&str, Handler); 3] = [
            ("INQUIRE", inquire::kind::inquire::<T>),
            ("SET", inquire::kind::set::<T>),
            ("DISCARD", inquire::kind::discard::<T>),
        ];
        for (verb, handler) in handlers {
            let words = [verb, T::KIND.keyword()];
            let command = transom_commands::by_words(&words);
            let works = |c: &&Command| c.words == words && c.status == Status::Works;
            if let Some(command) = command.filter(works)
                && self.0[usize::from(command.id.0)].handler.is_none()
            {
                add(self.0, command.id, handler);
            }
        }
    }
}

#[rustfmt::skip]
const ROWS: &[(CommandId, Handler)] = &[
    (cmd::ABEND, abend::abend_command::abend),
    (cmd::HANDLE_ABEND, abend::handle_abend::handle_abend),
    (cmd::RUN_TRANSID, asynchronous::run::run),
    (cmd::FETCH_CHILD, asynchronous::fetch::child),
    (cmd::FETCH_ANY, asynchronous::fetch::any),
    (cmd::FREE_CHILD, asynchronous::free::free),
    (cmd::BIF_DEEDIT, bif::deedit::deedit),
    (cmd::BIF_DIGEST, bif::digest::digest),
    (cmd::PUT_CONTAINER, channel::put_container::put_container),
    (cmd::GET_CONTAINER, channel::get_container::get_container),
    (cmd::PUT64_CONTAINER, channel::put_container::put_container),
    (cmd::GET64_CONTAINER, channel::get_container::get_container),
    (cmd::DELETE_CONTAINER, channel::delete::delete_container),
    (cmd::DELETE_CHANNEL, channel::delete::delete_channel),
    (cmd::MOVE_CONTAINER, channel::move_container::move_container),
    (cmd::QUERY_CHANNEL, channel::query::query_channel),
    (cmd::STARTBROWSE_CONTAINER, channel::browse::start),
    (cmd::GETNEXT_CONTAINER, channel::browse::next),
    (cmd::ENDBROWSE_CONTAINER, channel::browse::end),
    (cmd::PERFORM_SHUTDOWN, console::perform_shutdown::perform_shutdown),
    (cmd::WRITE_OPERATOR, console::write_operator::write_operator),
    (cmd::DUMP_TRANSACTION, diagnostic::dump::dump_transaction),
    (cmd::ENTER_TRACENUM, diagnostic::enter_tracenum::enter_tracenum),
    (cmd::MONITOR, diagnostic::monitor::monitor),
    (cmd::ADDRESS, environment::address::address),
    (cmd::ADDRESS_SET, environment::address::address_set),
    (cmd::ASSIGN, environment::assign::assign),
    (cmd::HANDLE_CONDITION, exception::handle_condition::handle_condition),
    (cmd::IGNORE_CONDITION, exception::handle_condition::ignore_condition),
    (cmd::HANDLE_AID, exception::handle_aid::handle_aid),
    (cmd::PUSH_HANDLE, exception::push_pop::push),
    (cmd::POP_HANDLE, exception::push_pop::pop),
    (cmd::DISCARD_DB2CONN, inquire::db2::discard_connection),
    (cmd::DISCARD_DB2ENTRY, inquire::db2::discard_entry),
    (cmd::INQUIRE_DB2CONN, inquire::db2::inquire_connection),
    (cmd::INQUIRE_DB2ENTRY, inquire::db2::inquire_entry),
    (cmd::SET_DB2CONN, inquire::db2::set_connection),
    (cmd::SET_DB2ENTRY, inquire::db2::set_entry),
    (cmd::SET_DB2TRAN, inquire::db2::set_transaction),
    (cmd::DISCARD_FILE, inquire::discard::file),
    (cmd::DISCARD_PROFILE, inquire::discard::profile),
    (cmd::DISCARD_PROGRAM, inquire::discard::program),
    (cmd::DISCARD_TDQUEUE, inquire::discard::td_queue),
    (cmd::DISCARD_TRANCLASS, inquire::discard::tran_class),
    (cmd::DISCARD_TRANSACTION, inquire::discard::transaction),
    (cmd::DISCARD_TSMODEL, inquire::discard::ts_model),
    (cmd::INQUIRE_AUTOINSTALL, inquire::statistics::inquire),
    (cmd::INQUIRE_DSNAME, inquire::dsname::inquire),
    (cmd::INQUIRE_ENQ, inquire::uowenq::enqueues),
    (cmd::INQUIRE_STATISTICS, inquire::recording::inquire),
    (cmd::INQUIRE_TRANCLASS, inquire::installed::class),
    (cmd::INQUIRE_TSMODEL, inquire::installed::ts_model),
    (cmd::INQUIRE_UOWENQ, inquire::uowenq::enqueues),
    (cmd::INQUIRE_MONITOR, inquire::monitor::inquire),
    (cmd::SET_MONITOR, inquire::monitor::set),
    (cmd::INQUIRE_TRANDUMPCODE, inquire::dump_code::inquire),
    (cmd::SET_TRANDUMPCODE, inquire::dump_code::set),
    (cmd::INQUIRE_TRACEDEST, inquire::trace::inquire_destination),
    (cmd::INQUIRE_TRACEFLAG, inquire::trace::inquire_flag),
    (cmd::INQUIRE_TRACETYPE, inquire::trace::inquire_type),
    (cmd::SET_TRACEDEST, inquire::trace::set_destination),
    (cmd::SET_TRACEFLAG, inquire::trace::set_flag),
    (cmd::SET_TRACETYPE, inquire::trace::set_type),
    (cmd::SET_STATISTICS, inquire::recording::set),
    (cmd::COLLECT_STATISTICS, inquire::collect::collect),
    (cmd::EXTRACT_STATISTICS, inquire::collect::extract),
    (cmd::PERFORM_DUMP, inquire::statistics::dump),
    (cmd::PERFORM_RESETTIME, inquire::statistics::reset_time),
    (cmd::PERFORM_STATISTICS, inquire::statistics::perform),
    (cmd::SET_TRANCLASS, inquire::installed::set_class),
    (cmd::INQUIRE_FILE, inquire::file::inquire),
    (cmd::SET_FILE, inquire::file::set),
    (cmd::INQUIRE_PROGRAM, inquire::program::inquire),
    (cmd::SET_PROGRAM, inquire::program::set),
    (cmd::INQUIRE_TRANSACTION, inquire::transaction::inquire),
    (cmd::SET_TRANSACTION, inquire::transaction::set),
    (cmd::INQUIRE_ASSOCIATION, inquire::association::inquire),
    (
        cmd::INQUIRE_ASSOCIATION_LIST,
        inquire::association::list,
    ),
    (cmd::SET_ASSOCIATION, inquire::association::set),
    (cmd::INQUIRE_TASK, inquire::task::inquire),
    (cmd::INQUIRE_TASK_LIST, inquire::task::list),
    (cmd::INQUIRE_TERMINAL, inquire::terminal::inquire),
    (cmd::INQUIRE_NETNAME, inquire::terminal::inquire_netname),
    (cmd::SET_TERMINAL, inquire::terminal::set),
    (cmd::SET_TASK, inquire::task::set),
    (cmd::INQUIRE_SYSTEM, inquire::system::inquire),
    (cmd::SET_SYSTEM, inquire::system::set),
    (cmd::INQUIRE_TDQUEUE, inquire::tdqueue::inquire),
    (cmd::SET_TDQUEUE, inquire::tdqueue::set),
    (cmd::INQUIRE_TSQUEUE, inquire::tsqueue::inquire),
    (cmd::INQUIRE_TSQNAME, inquire::tsqueue::inquire_name),
    (cmd::SET_TSQUEUE, inquire::tsqueue::set),
    (cmd::SET_TSQNAME, inquire::tsqueue::set_name),
    (cmd::INQUIRE_JOURNALMODEL, inquire::journal_model::inquire),
    (cmd::INQUIRE_JOURNALNAME, inquire::journal::inquire),
    (cmd::SET_JOURNALNAME, inquire::journal::set),
    (cmd::INQUIRE_REQID, inquire::reqid::inquire),
    (cmd::INQUIRE_UOW, transom_region_units::uow::inquire),
    (cmd::SET_UOW, transom_region_units::uow::set),
    (cmd::INQUIRE_UOWLINK, transom_region_units::uowlink::inquire),
    (cmd::SET_UOWLINK, transom_region_units::uowlink::set),
    (cmd::ASKTIME, interval::asktime::asktime),
    (cmd::FORMATTIME, interval::formattime::formattime),
    (cmd::CONVERTTIME, interval::converttime::converttime),
    (cmd::DELAY, interval::delay::delay),
    (cmd::CANCEL, interval::cancel::cancel),
    (cmd::START, interval::start::start),
    (cmd::RETRIEVE, interval::retrieve::retrieve),
    (cmd::POST, interval::post::post),
    (cmd::WAIT_EVENT, interval::wait_event::wait_event),
    (cmd::WAIT_EXTERNAL, interval::wait_event::wait_list),
    (cmd::WAITCICS, interval::wait_event::wait_list),
    (cmd::LINK, program::link::link),
    (cmd::XCTL, program::xctl::xctl),
    (cmd::RETURN, program::return_command::return_command),
    (cmd::LOAD, program::load::load),
    (cmd::RELEASE, program::load::release),
    (cmd::PERFORM_SECURITY, security::perform_security::rebuild),
    (cmd::QUERY_SECURITY, security::query_security::query_security),
    (cmd::SIGNON, security::check::sign_on),
    (cmd::SIGNOFF, security::sign_off::sign_off),
    (cmd::VERIFY_PASSWORD, security::check::verify),
    (cmd::VERIFY_PHRASE, security::check::verify),
    (cmd::CHANGE_PASSWORD, security::check::change),
    (cmd::CHANGE_PHRASE, security::check::change),
    (cmd::GETMAIN, storage::getmain::getmain),
    (cmd::GETMAIN64, storage::getmain::getmain),
    (cmd::FREEMAIN, storage::freemain::freemain),
    (cmd::FREEMAIN64, storage::freemain::freemain),
    (cmd::SYNCPOINT, syncpoint::syncpoint),
    (cmd::ENQ, task::enq::enq),
    (cmd::DEQ, task::deq::deq),
    (cmd::SUSPEND, task::suspend::suspend),
    (cmd::CHANGE_TASK, task::change_task::change_task),
    (cmd::RECEIVE, terminal::receive::receive),
    (cmd::SEND, terminal::send::send),
    (cmd::CONVERSE, terminal::converse::converse),
    (cmd::WAIT_TERMINAL, terminal::send::wait_terminal),
    (cmd::WAIT_SIGNAL, terminal::signal::wait_signal),
    (cmd::EXTRACT_TCT, terminal::extract::extract_tct),
    (cmd::ISSUE_COPY, terminal::issue::copy),
    (cmd::ISSUE_RESET, terminal::issue::reset),
    (cmd::ISSUE_DISCONNECT, terminal::issue::disconnect),
    (cmd::ISSUE_ERASEAUP, terminal::issue::erase_unprotected),
    (cmd::ISSUE_PRINT, terminal::issue::print),
    (cmd::RECEIVE_MAP, terminal::bms::receive_map::receive_map),
    (cmd::SEND_MAP, terminal::bms::send_map::send_map),
    (cmd::SEND_TEXT, terminal::bms::send_text::send_text),
    (cmd::SEND_TEXT_NOEDIT, terminal::bms::send_text::send_noedit),
    (cmd::SEND_CONTROL, terminal::bms::send_control::send_control),
    (cmd::SEND_PARTNSET, terminal::bms::send_page::send_partition_set),
    (cmd::SEND_PAGE, terminal::bms::send_page::send_page),
    (cmd::PURGE_MESSAGE, terminal::bms::send_page::purge_message),
    (cmd::SEND_MAP_MAPPINGDEV, terminal::bms::send_map::send_mapping_device),
    (cmd::RECEIVE_MAP_MAPPINGDEV, terminal::bms::receive_mapping_device::receive),
    (cmd::SEND_TEXT_MAPPED, terminal::bms::send_text::send_mapped),
    (cmd::ROUTE, terminal::bms::route::route),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_command_table_agree() {
        let served: std::collections::HashSet<CommandId> = ROWS.iter().map(|row| row.0).collect();
        assert_eq!(served.len(), ROWS.len(), "a command has two rows");
        let entries = by_number();
        for command in transom_commands::all() {
            let works = command.status != Status::Invreq;
            let handler = entries[usize::from(command.id.0)].handler;
            assert_eq!(works, handler.is_some(), "{}", command.name);
        }
    }
}
