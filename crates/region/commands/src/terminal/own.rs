//! The terminal of the task, for commands that need it.

use super::state::Terminal;
use crate::command::{Cx, Fail, raise};
use transom_types::Resp;

/// The terminal of the task. Without one: INVREQ 200 in a program that a mirror linked to, else
/// `otherwise`.
pub(crate) fn own<'a>(cx: &'a mut Cx<'_>, otherwise: Resp) -> Result<&'a mut Terminal, Fail> {
    let linked = cx.task.mirror().is_some();
    match cx.task.terminal.get_mut() {
        Some(terminal) => Ok(terminal),
        None if linked => raise(Resp::INVREQ, 200),
        None => raise(otherwise, 0),
    }
}
