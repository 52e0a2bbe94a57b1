//! EXEC CICS WAIT JOURNALNAME and WAIT JOURNALNUM: go on when a record is on the device.
//!
//! Without REQID all records so far. Conditions: those of `name`; JIDERR 1 (nobody has named the
//! journal); NOTOPEN (not written in this run, disabled, failed); IOERR 5; INVREQ 3 (no such record
//! yet).

use super::name::journal;
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;
use transom_wire::journal::{JournalAction, JournalRequest};

/// The command.
pub(crate) fn wait(cx: &mut Cx<'_>) -> Done {
    let journal = journal(cx)?;
    let number = match cx.number(opt::REQID).map(u32::try_from) {
        None => 0,
        Some(Ok(number)) => number,
        Some(Err(_)) => return raise(Resp::INVREQ, 3),
    };
    let request = JournalRequest {
        journal,
        transid: cx.task.transaction.transid,
        what: JournalAction::Wait(number),
    };
    cx.ask(&request)?;
    NORMAL
}
