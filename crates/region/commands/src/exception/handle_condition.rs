//! EXEC CICS HANDLE CONDITION and IGNORE CONDITION.
//!
//! A condition named without label gets its default action back. Conditions: none.

use super::state::Action;
use crate::command::{Cx, Done, NORMAL};
use transom_commands::{OptionId, option_name};
use transom_types::Resp;

/// HANDLE CONDITION.
pub(crate) fn handle_condition(cx: &mut Cx<'_>) -> Done {
    for option in cx.call.options() {
        let label = cx.call.label(option).unwrap_or(0);
        let action = if label == 0 {
            Action::Default
        } else {
            Action::Label(label)
        };
        set(cx, option, action);
    }
    NORMAL
}

/// IGNORE CONDITION.
pub(crate) fn ignore_condition(cx: &mut Cx<'_>) -> Done {
    for option in cx.call.options() {
        set(cx, option, Action::Ignore);
    }
    NORMAL
}

/// Options that are no condition (RESP, NOHANDLE) change nothing.
fn set(cx: &mut Cx<'_>, option: OptionId, action: Action) {
    if let (Some(resp), Some(handles)) = (Resp::by_name(option_name(option)), cx.task.handles()) {
        handles.set(resp, action);
    }
}
