//! EXEC CICS HANDLE ABEND: set, cancel or reset the abend exit of the running program level.
//!
//! LABEL, PROGRAM, CANCEL and RESET exclude each other; without any of them CANCEL is meant.
//! Condition: PGMIDERR 1, 2, 3 (PROGRAM names a program that cannot run).

use super::state::{AbendExit, AbendTarget};
use crate::command::{Cx, Done, NORMAL};
use crate::program::resolve::find;
use transom_commands::opt;
use transom_types::ProgramName;

/// The command.
pub(crate) fn handle_abend(cx: &mut Cx<'_>) -> Done {
    let target = if let Some(label) = cx.call.label(opt::LABEL).filter(|label| *label != 0) {
        Some(AbendTarget::Label(label))
    } else if let Some(name) = cx.name::<8>(opt::PROGRAM) {
        cx.resource(&name);
        let name = ProgramName::from_field(&name);
        find(cx.host, cx.region, name)?;
        Some(AbendTarget::Program(name))
    } else {
        None
    };
    let reset = cx.has(opt::RESET);
    let Some(handles) = cx.task.handles() else {
        return NORMAL;
    };
    handles.abend = match target {
        Some(_) => AbendExit {
            target,
            active: true,
        },
        None => AbendExit {
            target: handles.abend.target,
            active: reset,
        },
    };
    NORMAL
}
