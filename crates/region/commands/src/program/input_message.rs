//! INPUTMSG of LINK, XCTL and RETURN: data that the next RECEIVE gets in place of terminal input.
//!
//! It is there until a RECEIVE or CONVERSE took it, or until the program it was passed to, with all
//! it linked to, has come back. Conditions: INVREQ 8 (no terminal), LENGERR 27 (INPUTMSGLEN). Not
//! here: RETURN TRANSID INPUTMSG, which goes to another task (`return_command`).

use crate::command::{Cx, Fail, area_in, raise};
use crate::terminal::state::Passed;
use transom_commands::opt;
use transom_types::Resp;

/// Longest message.
const INPUT_BYTES_MAX: i64 = 32_767;

/// The message of the command, if it has one.
pub(super) fn given(cx: &Cx<'_>) -> Result<Option<Vec<u8>>, Fail> {
    if !cx.has(opt::INPUTMSG) {
        return Ok(None);
    }
    if cx.task.terminal.get().is_none() {
        return raise(Resp::INVREQ, 8);
    }
    let field = cx.call.bytes(opt::INPUTMSG).unwrap_or_default();
    let length = cx.number(opt::INPUTMSGLEN).unwrap_or(field.len() as i64);
    if !(0..=INPUT_BYTES_MAX).contains(&length) {
        return raise(Resp::LENGERR, 27);
    }
    let data = area_in(cx.host, cx.call, opt::INPUTMSG, length as usize);
    Ok(Some(data.to_vec()))
}

/// Passes it to a level; 0: to whoever receives next.
pub(super) fn pass(cx: &mut Cx<'_>, message: Option<Vec<u8>>, level: usize) {
    if let (Some(data), Some(terminal)) = (message, cx.task.terminal.get_mut()) {
        terminal.pass(Passed { data, level });
    }
}
