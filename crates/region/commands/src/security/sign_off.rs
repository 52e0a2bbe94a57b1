//! EXEC CICS SIGNOFF: the terminal's user is the default user again from the next task on.
//!
//! Conditions: INVREQ 1 (nobody is signed on), 2 (no terminal).

use super::check;
use crate::command::{Cx, Done, NORMAL, raise};
use transom_types::Resp;
use transom_wire::security::Request;

/// The command.
pub(crate) fn sign_off(cx: &mut Cx<'_>) -> Done {
    let Some(terminal) = check::terminal(cx) else {
        return raise(Resp::INVREQ, 2);
    };
    cx.ask(&Request::SignOff(terminal))?;
    NORMAL
}
