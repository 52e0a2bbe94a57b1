//! EXEC CICS RETURN: end this program level; at the highest level the task ends.
//!
//! Tasks here have no terminal, so what concerns the next transaction of a terminal is refused.
//! Conditions: INVREQ 1 (TRANSID without terminal), 2 (COMMAREA, CHANNEL or IMMEDIATE below the
//! highest level), 8 (INPUTMSG without terminal); LENGERR 11, 26; CHANNELERR 1 (channel name).

use super::commarea;
use crate::channel;
use crate::command::{Cx, Done, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_workers::seam::Outcome;

/// The command.
pub(crate) fn return_command(cx: &mut Cx<'_>) -> Done {
    let area = commarea(cx)?;
    channel::channel_name(cx, opt::CHANNEL)?;
    if cx.has(opt::INPUTMSG) {
        return raise(Resp::INVREQ, 8);
    }
    // A program a mirror linked to is not at the highest level.
    let highest = cx.task.levels.len() <= 1 && cx.task.mirror().is_none();
    let for_next = area.bytes > 0 || cx.has(opt::CHANNEL) || cx.has(opt::IMMEDIATE);
    if for_next && !highest {
        return raise(Resp::INVREQ, 2);
    }
    if cx.has(opt::TRANSID) {
        return raise(Resp::INVREQ, 1);
    }
    Ok(Outcome::Return)
}
