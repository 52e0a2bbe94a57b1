//! EXEC CICS ISSUE ERASEAUP, ISSUE COPY, ISSUE PRINT, ISSUE RESET, ISSUE DISCONNECT.
//!
//! Conditions: NOTALLOC (no terminal), TERMERR (it is gone, or the printer of ISSUE PRINT is),
//! TERMIDERR (ISSUE COPY: no such terminal, or it is busy), NOTAUTH 9 (ISSUE COPY: the screen of
//! another user), INVREQ 200 (linked program).

use super::output::{ask, command, put, take};
use super::own::own;
use crate::command::{Cx, Done, NORMAL};
use transom_bms::Erase;
use transom_commands::opt;
use transom_datastream::{Command, Outbound, Wcc};
use transom_types::{Resp, TermId};
use transom_wire::terminal::Request;

/// ISSUE ERASEAUP: the 3270 command, which also unlocks the keyboard.
pub(crate) fn erase_unprotected(cx: &mut Cx<'_>) -> Done {
    put(cx, vec![Command::EraseAllUnprotected.byte()])?;
    NORMAL
}

/// ISSUE PRINT: the screen goes to the terminal's printer. CICS reads the screen and writes it to
/// the printer that PRINTER or ALTPRINTER names, or the client has associated; without one the
/// display itself is told to print.
pub(crate) fn print(cx: &mut Cx<'_>) -> Done {
    let records = take(own(cx, Resp::NOTALLOC)?);
    ask(cx, Request::Print(records))?;
    NORMAL
}

/// ISSUE COPY: what another terminal shows, here. CTLCHAR is not looked at: all of the screen is
/// copied.
pub(crate) fn copy(cx: &mut Cx<'_>) -> Done {
    let from = cx.name::<4>(opt::TERMID).unwrap_or([b' '; 4]);
    let records = take(own(cx, Resp::NOTALLOC)?);
    let buffer = ask(cx, Request::Copy(TermId::from_field(&from), records))?;
    let (write, size) = command(own(cx, Resp::NOTALLOC)?, Erase::Default);
    let orders = buffer.get(3..).unwrap_or_default();
    let wcc = Wcc::UNLOCK.byte();
    // A screen larger than this one is cut by the terminal's own rule: it wraps.
    if let Ok(record) = Outbound::from_application(write, wcc, orders, size) {
        put(cx, record.into_bytes())?;
    }
    NORMAL
}

/// ISSUE RESET: gives up a line. There are no lines any more, so nothing happens.
pub(crate) fn reset(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::NOTALLOC)?;
    NORMAL
}

/// ISSUE DISCONNECT: the session ends when the task does.
pub(crate) fn disconnect(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::NOTALLOC)?.disconnect = true;
    NORMAL
}
