//! EXEC CICS HANDLE AID: where to go when the user presses a key.
//!
//! The labels are kept per program level and put away by PUSH HANDLE; RECEIVE takes them. A key
//! named without label is forgotten. Conditions: none.

use crate::command::{Cx, Done, NORMAL};

/// The command.
pub(crate) fn handle_aid(cx: &mut Cx<'_>) -> Done {
    for option in cx.call.options() {
        let label = cx.call.label(option);
        let Some(handles) = cx.task.handles() else {
            continue;
        };
        handles.aids.retain(|(known, _)| *known != option.0);
        if let Some(label) = label.filter(|label| *label != 0) {
            handles.aids.push((option.0, label));
        }
    }
    NORMAL
}
