//! EXEC CICS CONVERSE (3270): SEND, then RECEIVE of what the user answers.
//!
//! Conditions: those of SEND and RECEIVE.

use super::{input, receive, send};
use crate::command::{Cx, Done};
use crate::terminal::own::own;
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::terminal::Input;

/// The command.
pub(crate) fn converse(cx: &mut Cx<'_>) -> Done {
    send::write(cx, &[opt::FROMLENGTH, opt::FROMFLENGTH])?;
    // The answer is a new one: what began the task is passed over.
    let terminal = own(cx, Resp::NOTALLOC)?;
    terminal.first = Input::None;
    terminal.rest = Vec::new();
    let done = receive::take(cx, &[opt::TOLENGTH, opt::TOFLENGTH]);
    input::branch(cx, done)
}
