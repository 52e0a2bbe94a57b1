//! EXEC CICS ASKTIME: EIBDATE, EIBTIME and, if asked for, ABSTIME take the present time.
//!
//! Conditions: none.

use crate::command::{Cx, Done, NORMAL};
use transom_commands::opt;
use transom_types::calendar::DateTime;

/// The command.
pub(crate) fn asktime(cx: &mut Cx<'_>) -> Done {
    let now = cx.host.abstime_ms();
    crate::eib::set_time(cx.host.eib_mut(), &DateTime::from_abstime(now));
    cx.set_number(opt::ABSTIME, now);
    NORMAL
}
