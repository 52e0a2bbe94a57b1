//! The record a command means by TOKEN or without it, and how long one waits for a record.

use transom_commands::opt;
use transom_region_task::command::{Cx, Fail, raise};
use transom_types::{FileName, Resp};
use transom_wire::definitions::FileEntry;
use transom_wire::file_control::Patience;

/// The TOKEN argument.
pub(super) fn token(cx: &Cx<'_>) -> Option<u32> {
    let given = cx.number(opt::TOKEN)?;
    Some(u32::try_from(given).unwrap_or(0))
}

/// The record that TOKEN names, or the one read for update without TOKEN. Conditions: INVREQ with
/// `without` when there is none, 47 for an unknown token.
pub(super) fn held(cx: &Cx<'_>, file: FileName, without: u32) -> Result<usize, Fail> {
    let token = token(cx);
    match cx.task.files.held(file, token) {
        Some(at) => Ok(at),
        None if token.is_some() => raise(Resp::INVREQ, 47),
        None => raise(Resp::INVREQ, without),
    }
}

/// NOSUSPEND and DTIMOUT. For a file with RLSACCESS(YES) DTIMOUT is how long a request may wait, no
/// purge of the task, so SPURGE(NO) does not protect from it; without it the region waits FTIMEOUT.
pub(super) fn patience(cx: &Cx<'_>, file: &FileEntry) -> Patience {
    let transaction = &cx.task.transaction;
    Patience {
        no_suspend: cx.has(opt::NOSUSPEND),
        dtimout_ms: match file.rls {
            true => transaction.dtimout_ms,
            false => transaction.deadlock_timeout_ms(),
        },
    }
}
