//! The REQID that a command gives.
//!
//! Every byte counts, low values too: requests are often numbered in binary. Not here: the REQID of
//! a browse, which is a number.

use crate::command::Cx;
use transom_commands::opt;
use transom_types::ReqId;
use transom_wire::interval::NO_REQID;

/// REQID, if it was given. All low values are blanks: what lies in the region as none is none.
pub(crate) fn reqid(cx: &Cx<'_>) -> Option<ReqId> {
    let given = ReqId::from_field(cx.call.bytes(opt::REQID)?);
    Some(if given == NO_REQID {
        ReqId::BLANK
    } else {
        given
    })
}
