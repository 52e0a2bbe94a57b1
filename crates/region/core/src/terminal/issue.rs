//! EXEC CICS ISSUE ERASEAUP, ISSUE PRINT, ISSUE DISCONNECT, ISSUE RESET.
//!
//! Conditions: NOTALLOC (no terminal), TERMERR (it is gone), INVREQ 200 (linked program).

use super::output::{ask, command, put, take};
use super::own;
use super::wire::Request;
use crate::command::{Cx, Done, NORMAL};
use transom_bms::Erase;
use transom_datastream::{Command, Outbound, Wcc};
use transom_types::Resp;

/// ISSUE ERASEAUP: the 3270 command, which also unlocks the keyboard.
pub(crate) fn erase_unprotected(cx: &mut Cx<'_>) -> Done {
    put(cx, vec![Command::EraseAllUnprotected.byte()])?;
    NORMAL
}

/// ISSUE PRINT: the screen goes to the terminal's printer.
pub(crate) fn print(cx: &mut Cx<'_>) -> Done {
    let wcc = Wcc {
        start_print: true,
        ..Wcc::UNLOCK
    };
    let (command, size) = command(own(cx, Resp::NOTALLOC)?, Erase::Keep);
    put(cx, Outbound::new(command, wcc, size).into_bytes())?;
    NORMAL
}

/// ISSUE DISCONNECT: the session ends, the task goes on.
pub(crate) fn disconnect(cx: &mut Cx<'_>) -> Done {
    let records = take(own(cx, Resp::NOTALLOC)?);
    ask(cx, &Request::Disconnect(records))?;
    NORMAL
}
