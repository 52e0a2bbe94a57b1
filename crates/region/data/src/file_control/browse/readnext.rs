//! EXEC CICS READNEXT: the next record of a browse.
//!
//! RIDFLD answers its key; a RIDFLD the program changed moves the browse there first. Conditions:
//! those of `access`, `rid` and `record`; ENDFILE 90; NOTFND 80 (after a changed RIDFLD); DUPKEY
//! 140 (the next record has the same alternate key); INVREQ 20, 28, 54 (UPDATE, see `locked`), 34
//! (no browse of the file has this REQID), 37 (other kind of RIDFLD than STARTBR).

use transom_recovery::Direction;
use transom_region_task::command::{Cx, Done};

/// The command.
pub(crate) fn readnext(cx: &mut Cx<'_>) -> Done {
    super::step::read(cx, Direction::Forward)
}
