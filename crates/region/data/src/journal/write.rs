//! EXEC CICS WRITE JOURNALNAME and WRITE JOURNALNUM: add a record to a journal.
//!
//! REQID answers the record's number for a later WAIT; with WAIT the record is on the device when
//! the program goes on. Conditions: those of `name`; LENGERR 1 (lengths below 0 or above the
//! limit together); JIDERR 1 (the region has no journals); NOTOPEN (disabled, failed); IOERR 5.
//! Differs: STARTIO and NOSUSPEND change nothing.

use super::name::journal;
use transom_commands::opt;
use transom_region_task::command::{Cx, Done, NORMAL, area_in, length_of, raise};
use transom_types::Resp;
use transom_wire::journal::{JOURNAL_RECORD_MAX, JournalAction, JournalRequest};
use transom_wire::language::whole;

/// The command.
pub(crate) fn write(cx: &mut Cx<'_>) -> Done {
    let journal = journal(cx)?;
    let lengths = [opt::FLENGTH, opt::LENGTH];
    let length = length_of(cx.call, opt::FROM, &lengths, JOURNAL_RECORD_MAX);
    let prefix = if cx.has(opt::PREFIX) {
        length_of(cx.call, opt::PREFIX, &[opt::PFXLENG], JOURNAL_RECORD_MAX)
    } else {
        Some(0)
    };
    let (Some(length), Some(prefix)) = (length, prefix) else {
        return raise(Resp::LENGERR, 1);
    };
    if length + prefix > JOURNAL_RECORD_MAX {
        return raise(Resp::LENGERR, 1);
    }
    let request = JournalRequest {
        journal,
        transid: cx.task.transaction.transid,
        what: JournalAction::Write(
            cx.name::<2>(opt::JTYPEID).unwrap_or([b' '; 2]),
            area_in(cx.host, cx.call, opt::PREFIX, prefix).to_vec(),
            area_in(cx.host, cx.call, opt::FROM, length).to_vec(),
            cx.has(opt::WAIT),
        ),
    };
    let answer = cx.ask(&request)?;
    if let Some(number) = whole::<u32>(&answer) {
        cx.set_number(opt::REQID, i64::from(number));
    }
    NORMAL
}
