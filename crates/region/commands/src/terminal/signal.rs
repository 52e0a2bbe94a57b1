//! EXEC CICS WAIT SIGNAL: the task waits until the user presses Attn.
//!
//! A SIGNAL of SNA is what a 3270 sends for its Attn key. One that came before, while the task ran,
//! counts. EIBSIG is set; the condition SIGNAL is not raised, as its default is to be ignored.
//! Conditions: NOTALLOC (no terminal), TERMERR (it is gone), INVREQ 200 (linked program).

use super::output::{ask, flush};
use crate::command::{Cx, Done, NORMAL};
use crate::eib;
use transom_wire::terminal::Request;

/// The command.
pub(crate) fn wait_signal(cx: &mut Cx<'_>) -> Done {
    flush(cx)?;
    ask(cx, Request::Signal)?;
    eib::set_signal(cx.host.eib_mut());
    NORMAL
}
