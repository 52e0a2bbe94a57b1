//! EXEC CICS REWRITE: replace the record read for update.
//!
//! TOKEN names one of several. Conditions: those of `access` and `record`; INVREQ 30 (no record of
//! the file is held), 46 (the key was changed), 47 (unknown TOKEN); NOTFND 80; DUPREC 150 (a unique
//! alternate key exists); NOSPACE 100.

use super::access::target;
use super::held::{held, patience};
use super::record;
use crate::command::{Cx, Done, Fail, NORMAL};
use transom_types::Resp;
use transom_wire::definitions::FileUse;
use transom_wire::file_control::Action;

/// The command.
pub(crate) fn rewrite(cx: &mut Cx<'_>) -> Done {
    let target = target(cx, Some(FileUse::Update), |file| file.update)?;
    let at = held(cx, target.name, 30)?;
    let record = record::take(cx, &target)?;
    let Some(position) = cx.task.files.held.get(at).map(|held| held.position.clone()) else {
        return NORMAL;
    };
    let recoverable = target.entry.is_recoverable();
    let done = target.ask(
        cx,
        Action::Rewrite(position, record, patience(cx, &target.entry)),
    );
    // The record stays held when the program can mend what was wrong.
    if !matches!(done, Err(Fail::Raise(resp, _)) if resp != Resp::NOTFND) {
        cx.task.files.held.swap_remove(at);
    }
    done?;
    cx.task.files.changed(&target.shape, recoverable);
    NORMAL
}
