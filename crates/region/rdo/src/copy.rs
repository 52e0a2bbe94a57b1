//! EXEC CICS CSD COPY: a definition under another name or into another group, or a whole group.
//!
//! With DUPERROR nothing is copied when one definition is there already. Conditions: DUPRES 1, 2;
//! INVREQ 1, 2, 4, 7, 8, 9 (DUPACTION); LOCKED 1, 2; NOTFND 1, 2.

use crate::asked::{Failed, Unit, name, operate, resource};
use transom_commands::opt;
use transom_csd::{Duplicates, Operation};
use transom_region_task::command::{Cx, Fail, raise};
use transom_types::Resp;

/// The command.
pub(crate) fn copy(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let duplicates = duplicates(cx)?;
    let resource = resource(cx)?;
    let (new_name, to) = (name(cx, opt::AS), name(cx, opt::TO));
    let copy = Operation::Copy {
        resource,
        new_name,
        to,
        duplicates,
    };
    operate(cx, copy)
}

fn duplicates(cx: &Cx<'_>) -> Result<Duplicates, Fail> {
    let is = |keyword, name| cx.value_is(keyword, opt::DUPACTION, name);
    if is(opt::DUPNOREPLACE, "DUPNOREPLACE") {
        return Ok(Duplicates::Kept);
    }
    if is(opt::DUPREPLACE, "DUPREPLACE") {
        return Ok(Duplicates::Replaced);
    }
    match cx.has(opt::DUPACTION) && !cx.cvda_is(opt::DUPACTION, "DUPERROR") {
        true => raise(Resp::INVREQ, 9),
        false => Ok(Duplicates::Refused),
    }
}
