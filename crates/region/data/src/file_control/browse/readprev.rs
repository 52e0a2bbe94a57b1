//! EXEC CICS READPREV: the record before, in a browse.
//!
//! Directly after STARTBR or a changed RIDFLD the record with just that key must exist; high values
//! mean the last record. Conditions: as READNEXT, but INVREQ 41 instead of 34, and 24 (the browse
//! is generic).

use transom_recovery::Direction;
use transom_region_task::command::{Cx, Done};

/// The command.
pub(crate) fn readprev(cx: &mut Cx<'_>) -> Done {
    super::step::read(cx, Direction::Backward)
}
