//! EXEC CICS CSD: what becomes of the unit of work.
//!
//! Not here: the commands (`region/rdo`).

use crate::command::{Cx, Done, NORMAL};
use crate::syncpoint;
use transom_region_rdo::{Unit, run};

/// All commands.
pub(crate) fn csd(cx: &mut Cx<'_>) -> Done {
    match run(cx) {
        Ok(Unit::Goes) => NORMAL,
        Ok(Unit::Committed) => syncpoint::end_unit(cx, false),
        Err(failed) => {
            if failed.backs_out {
                syncpoint::end_unit(cx, true)?;
            }
            Err(failed.fail)
        }
    }
}
