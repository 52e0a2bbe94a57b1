//! EXEC CICS SEND CONTROL: erase, keyboard, alarm, modified data tags and cursor without data.
//!
//! Conditions: INVREQ (no terminal; INVREQ 200 in a linked program).

use super::super::output::{erase, put};
use super::super::own;
use super::{controls, record};
use crate::command::{Cx, Done, NORMAL};
use transom_bms::control;
use transom_commands::opt;
use transom_types::Resp;

/// The command.
pub(crate) fn send_control(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::INVREQ)?;
    let erase = erase(cx)?;
    let cursor = cx.number(opt::CURSOR).and_then(|at| u16::try_from(at).ok());
    let mut write = control(erase, controls(cx), cursor);
    // Without CURSOR the cursor of a screen that stays is left where it is.
    if cursor.is_none() && !erase.is_whole() {
        write.cursor = None;
    }
    let record = record(own(cx, Resp::INVREQ)?, &write);
    put(cx, record)?;
    NORMAL
}
