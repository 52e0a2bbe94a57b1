//! Options of record level sharing: CONSISTENT, REPEATABLE, NOSUSPEND, and UPDATE in a browse.
//!
//! What: they are for files with RLSACCESS(YES); READINTEG is the default of such a file.
//! CONSISTENT waits for a record that another unit of work has changed; REPEATABLE keeps it locked
//! until the unit of work ends. Why a lock for a plain read: what others have not committed is
//! never seen here, so waiting for its end is all that is left to do. Differs: two units of work
//! cannot hold a record REPEATABLE at a time, for locks are not shared. Not here: locks
//! (`transom_recovery`).

use super::access::Target;
use super::held::patience;
use super::state::{HELD_MAX, HeldRecord, Sure};
use transom_commands::opt;
use transom_datasets::{Find, Found, Position};
use transom_region_task::command::{Cx, Fail, raise};
use transom_types::Resp;
use transom_wire::definitions::ReadIntegrity;
use transom_wire::file_control::{Action, SURE, records_of};

/// How a read treats records that others have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integrity {
    /// It shows what was committed last.
    Uncommitted,
    /// It waits until they are committed.
    Consistent,
    /// The same, and nobody changes the record until the unit of work ends.
    Repeatable,
}

/// What the command asks for, or READINTEG.
pub(super) fn integrity(cx: &Cx<'_>, target: &Target) -> Integrity {
    match target.entry.read_integrity {
        _ if !target.entry.rls => Integrity::Uncommitted,
        _ if cx.has(opt::CONSISTENT) => Integrity::Consistent,
        _ if cx.has(opt::REPEATABLE) => Integrity::Repeatable,
        _ if cx.has(opt::UNCOMMITTED) => Integrity::Uncommitted,
        ReadIntegrity::Consistent => Integrity::Consistent,
        ReadIntegrity::Repeatable => Integrity::Repeatable,
        ReadIntegrity::Uncommitted => Integrity::Uncommitted,
    }
}

/// The first record for a key, locked. Conditions: NOTFND 80, LOCKED 106, RECORDBUSY 107.
pub(super) fn read(
    cx: &mut Cx<'_>,
    target: &Target,
    key: Vec<u8>,
    find: Find,
) -> Result<Found, Fail> {
    read_for_update(cx, target, key, find).map(|(found, _)| found)
}

/// The same, and whether a REWRITE can be refused.
pub(super) fn read_for_update(
    cx: &mut Cx<'_>,
    target: &Target,
    key: Vec<u8>,
    find: Find,
) -> Result<(Found, Option<Sure>), Fail> {
    cx.task.unit.touch();
    // KEYLENGTH(0): the lowest key.
    let (key, find) = match key.is_empty() {
        true => (vec![0], Find::GreaterOrEqual),
        false => (key, find),
    };
    let action = Action::Read(key, find, Some(patience(cx, &target.entry)));
    let answer = target.answered(cx, action)?;
    let Some(found) = records_of(&answer.data).into_iter().next() else {
        return raise(Resp::NOTFND, 80);
    };
    let sure = Sure {
        asked: cx.host.asked(),
        length: found.record.len(),
    };
    Ok((found, (answer.resp2 == SURE).then_some(sure)))
}

/// The record at a position, locked; none when it has gone meanwhile.
pub(super) fn read_at(
    cx: &mut Cx<'_>,
    target: &Target,
    position: &Position,
) -> Result<Option<Vec<u8>>, Fail> {
    cx.task.unit.touch();
    let action = Action::ReadAt(position.clone(), patience(cx, &target.entry));
    let answer = target.ask(cx, action)?;
    let found = records_of(&answer).into_iter().next();
    Ok(found.map(|found| found.record))
}

/// What becomes of the lock of a record that was only read.
pub(super) fn was_read(
    cx: &mut Cx<'_>,
    target: &Target,
    integrity: Integrity,
    position: &Position,
) -> Result<(), Fail> {
    let files = &mut cx.task.files;
    if integrity == Integrity::Repeatable && files.kept.len() < HELD_MAX {
        let base = target.shape.base.clone();
        files.kept.insert((base, position.base.clone()));
        return Ok(());
    }
    give_back(cx, target, position)
}

/// Holds a record for update, under the TOKEN that the program gets if it asked for one.
pub(super) fn hold(
    cx: &mut Cx<'_>,
    target: &Target,
    position: &Position,
    sure: Option<Sure>,
) -> Option<u32> {
    let files = &mut cx.task.files;
    let token = cx.call.has(opt::TOKEN).then(|| {
        files.last_token = files.last_token.wrapping_add(1).max(1);
        files.last_token
    });
    files.held.push(HeldRecord {
        file: target.name,
        token,
        base: target.shape.base.clone(),
        position: position.clone(),
        sure,
    });
    if let Some(token) = token {
        cx.set_number(opt::TOKEN, i64::from(token));
    }
    token
}

/// Gives back the lock of a record, unless the task needs it for something else.
pub(super) fn give_back(cx: &mut Cx<'_>, target: &Target, position: &Position) -> Result<(), Fail> {
    let files = &cx.task.files;
    let mut held = files.held.iter();
    // Through whatever file: the lock is one.
    let needed =
        held.any(|held| held.base == target.shape.base && held.position.base == position.base);
    let kept = (target.shape.base.clone(), position.base.clone());
    if !needed && !files.kept.contains(&kept) {
        target.ask(cx, Action::Unlock(position.clone()))?;
    }
    Ok(())
}
