//! EXEC CICS WRITE OPERATOR: a message in the region's log.
//!
//! Route codes, console names and ACTION have no effect: there is one log. REPLY is not
//! implemented: nobody can answer. Conditions: INVREQ 1 (TEXTLENGTH not 0 to 690).

use crate::command::{Cx, Done, NORMAL, area_in, length_of, raise};
use transom_commands::opt;
use transom_messages as messages;
use transom_types::Resp;

/// Longest message.
pub const OPERATOR_TEXT_MAX: usize = 690;

/// The command.
pub(crate) fn write_operator(cx: &mut Cx<'_>) -> Done {
    let Some(length) = length_of(cx.call, opt::TEXT, &[opt::TEXTLENGTH], OPERATOR_TEXT_MAX) else {
        return raise(Resp::INVREQ, 1);
    };
    let text: String = area_in(cx.host, cx.call, opt::TEXT, length)
        .iter()
        .map(|byte| {
            if byte.is_ascii_control() {
                ' '
            } else {
                char::from(*byte)
            }
        })
        .collect();
    let (number, transid) = (cx.task.number, cx.task.transaction.transid);
    cx.host
        .log(messages::ei::operator_text(number, transid, text.trim_end()).line());
    NORMAL
}
