//! What becomes of a program level when its program is over.
//!
//! Not here: what a level is (`state`), who goes to the next one (`link`, `xctl`).

use crate::task_state::TaskState;
use transom_workers::seam::Host;

/// Ends the running level: its channels go out of scope, the EIB is the caller's again.
pub(crate) fn end_level(host: &mut dyn Host, task: &mut TaskState) {
    let number = task.levels.len();
    let Some(ended) = task.levels.pop() else {
        return;
    };
    if let Some(terminal) = task.terminal.get_mut() {
        terminal.level_ended(number);
    }
    if ended.copied_area != 0 {
        host.freemain(ended.copied_area);
    }
    for area in task.channels.end_level(task.levels.len(), None) {
        host.freemain(area);
    }
    if let Some(level) = task.levels.last() {
        crate::eib::set_commarea_bytes(host.eib_mut(), level.area.bytes);
    }
}
