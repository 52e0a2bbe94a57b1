//! When output goes to the terminal.
//!
//! A SEND without WAIT is kept until the next read of the terminal, SEND WAIT, WAIT TERMINAL, or
//! the end of the task, where it travels with the end itself: one message a screen and no round
//! trip of its own. More than [`DEFERRED_BYTES_MAX`] are sent before that.
//! SYNCPOINT ROLLBACK forgets what is kept.

use super::own::own;
use super::state::Terminal;
use crate::command::{Cx, Fail};
use crate::task_state::TaskState;
use transom_bms::Erase;
use transom_commands::opt;
use transom_datastream::scs;
use transom_datastream::{ScreenSize, WriteCommand};
use transom_monitoring::field;
use transom_types::Resp;
use transom_types::TermId;
use transom_wire::terminal::{Asked, Input, Request};

/// Bytes of output a task keeps before it sends them.
pub(crate) const DEFERRED_BYTES_MAX: usize = 64 << 10;

/// Keeps a record, or sends it at once with WAIT. With DEFRESP it is also waited until the device
/// has confirmed it (TERMERR: it refused). What began the task is no longer there to be received:
/// the next RECEIVE waits for the user's answer to this output.
pub(crate) fn put(cx: &mut Cx<'_>, record: Vec<u8>) -> Result<(), Fail> {
    let wait = cx.has(opt::WAIT);
    let (definite, form_feed) = (cx.has(opt::DEFRESP), cx.has(opt::FORMFEED));
    let terminal = own(cx, Resp::NOTALLOC)?;
    terminal.first = Input::None;
    terminal.wrote = true;
    let record = match terminal.facts.scs {
        true => scs::of_record(record, terminal.size(), form_feed),
        false => record,
    };
    let counts = &mut cx.task.counts;
    counts.count_bytes((field::TCMSGOU1, field::TCCHROU1), record.len());
    let terminal = own(cx, Resp::NOTALLOC)?;
    if definite {
        terminal.outputs.push(record);
        let records = take(terminal);
        return ask(cx, Request::Confirm(records)).map(drop);
    }
    terminal.output_bytes += record.len();
    terminal.outputs.push(record);
    if wait || terminal.output_bytes > DEFERRED_BYTES_MAX {
        flush(cx)?;
    }
    Ok(())
}

/// Sends what was kept. TERMERR: the terminal is gone.
pub(crate) fn flush(cx: &mut Cx<'_>) -> Result<(), Fail> {
    let records = take(own(cx, Resp::NOTALLOC)?);
    if records.is_empty() {
        return Ok(());
    }
    ask(cx, Request::Write(records)).map(drop)
}

/// Sends what was kept before the task waits for something else or ends a unit of work, so that the
/// user sees it. A terminal that is gone shows at the next command that uses it.
pub(crate) fn flush_before_wait(cx: &mut Cx<'_>) -> Result<(), Fail> {
    let Some(terminal) = cx.task.terminal.get_mut() else {
        return Ok(());
    };
    let records = take(terminal);
    if records.is_empty() {
        return Ok(());
    }
    match ask(cx, Request::Write(records)) {
        Err(abend @ Fail::Abend(..)) => Err(abend),
        _ => Ok(()),
    }
}

/// Forgets what was kept, and the screen size it would have brought.
pub(crate) fn discard(task: &mut TaskState) {
    if let Some(terminal) = task.terminal.get_mut() {
        terminal.alternate = terminal.alternate_sent;
        terminal.output_bytes = 0;
        terminal.outputs.clear();
    }
}

/// What was kept, to be sent along with something else.
pub(crate) fn take(terminal: &mut Terminal) -> Vec<Vec<u8>> {
    terminal.output_bytes = 0;
    terminal.alternate_sent = terminal.alternate;
    std::mem::take(&mut terminal.outputs)
}

/// One question about the task's own terminal, or any other.
pub(crate) fn ask(cx: &mut Cx<'_>, request: Request) -> Result<Vec<u8>, Fail> {
    if let Some(own) = cx.task.terminal.get_mut() {
        own.read |= matches!(request, Request::Read(..) | Request::Fetch(_));
        own.wrote |= matches!(request, Request::Write(_) | Request::Confirm(_));
    }
    let own = cx.task.terminal.get();
    let own = own.map_or(TermId::BLANK, |own| own.facts.terminal);
    cx.ask(&Asked { own, request })
}

/// ERASE, DEFAULT, ALTERNATE, ERASEAUP of a command: the size of ERASE alone comes from the
/// transaction's profile.
pub(crate) fn erase(cx: &mut Cx<'_>) -> Result<Erase, Fail> {
    own(cx, Resp::NOTALLOC)?;
    Ok(erase_of(cx))
}

/// The same for a command that may do without a terminal.
pub(crate) fn erase_of(cx: &Cx<'_>) -> Erase {
    let (default, alternate) = (cx.has(opt::DEFAULT), cx.has(opt::ALTERNATE));
    let own = cx.task.terminal.get();
    let profile = own.is_some_and(|own| own.profile.alternate);
    match (cx.has(opt::ERASE), cx.has(opt::ERASEAUP)) {
        (true, _) if alternate || (profile && !default) => Erase::Alternate,
        (true, _) => Erase::Default,
        (false, true) => Erase::Unprotected,
        (false, false) => Erase::Keep,
    }
}

/// Takes the screen size over that an erasure brings, and answers it with the write command.
pub(crate) fn command(terminal: &mut Terminal, erase: Erase) -> (WriteCommand, ScreenSize) {
    match erase {
        Erase::Default => terminal.alternate = false,
        Erase::Alternate => terminal.alternate = true,
        Erase::Keep | Erase::Unprotected => {}
    }
    command_of(terminal, erase)
}

/// The write command of an erasure and the size it brings, for a page that is written later.
pub(crate) fn command_of(terminal: &Terminal, erase: Erase) -> (WriteCommand, ScreenSize) {
    let (command, alternate) = match erase {
        Erase::Default => (WriteCommand::EraseWrite, false),
        Erase::Alternate => (WriteCommand::EraseWriteAlternate, true),
        Erase::Keep | Erase::Unprotected => (WriteCommand::Write, terminal.alternate),
    };
    let size = transom_wire::terminal::screen_size(&terminal.facts.device, alternate);
    (command, size)
}
