//! EXEC CICS REWRITE: replace the record read for update.
//!
//! TOKEN names one of several. A REWRITE right behind its READ UPDATE that nothing can refuse waits
//! for no answer: it goes with the next question, the end of the task at the latest. Conditions:
//! those of `access` and `record`; INVREQ 30 (no record of the file is held), 46 (the key was
//! changed), 47 (unknown TOKEN); NOTFND 80; DUPREC 150 (a unique alternate key exists); NOSPACE
//! 100.

use super::access::target;
use super::held::{held, patience};
use super::record;
use super::state::Sure;
use transom_datasets::Position;
use transom_region_task::command::{Cx, Done, Fail, NORMAL};
use transom_types::Resp;
use transom_wire::definitions::{FileShape, FileUse};
use transom_wire::file_control::Action;

/// The command.
pub(crate) fn rewrite(cx: &mut Cx<'_>) -> Done {
    let target = target(cx, Some(FileUse::Update), |file| file.update)?;
    let at = held(cx, target.name, 30)?;
    let record = record::take(cx, &target)?;
    let Some(held) = cx.task.files.held.get(at) else {
        return NORMAL;
    };
    let recoverable = target.entry.is_recoverable();
    let now = Sure {
        asked: cx.host.asked(),
        length: record.len(),
    };
    let position = held.position.clone();
    let sure = held.sure == Some(now) && same_key(&target.shape, &position, &record);
    let action = Action::Rewrite(position, record, patience(cx, &target.entry));
    let done = match sure {
        true => {
            target.ask_later(cx, action);
            Ok(Vec::new())
        }
        false => target.ask(cx, action),
    };
    // The record stays held when the program can mend what was wrong.
    if !matches!(done, Err(Fail::Raise(resp, _)) if resp != Resp::NOTFND) {
        cx.task.files.held.swap_remove(at);
    }
    done?;
    cx.task.files.changed(&target.shape, recoverable);
    NORMAL
}

fn same_key(shape: &FileShape, position: &Position, record: &[u8]) -> bool {
    let at = shape.key_offset as usize;
    let key = record.get(at..at + usize::from(shape.key_length));
    key == Some(&position.base)
}
