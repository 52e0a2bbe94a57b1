//! EXEC CICS QUERY SECURITY: what the user may do with a resource.
//!
//! The region runs without resource checks (as with SEC=NO), so everybody may do everything with a
//! resource that is named rightly. Conditions: NOTFND 1 (RESTYPE unknown), INVREQ 10 (LOGMESSAGE),
//! LENGERR 6 (RESIDLENGTH).

use crate::command::{Cx, Done, NORMAL, length_of, raise};
use transom_commands::opt;
use transom_types::Resp;

/// Resource types of CICS.
const TYPES: [&str; 18] = [
    "ATOMSERVICE",
    "BUNDLE",
    "DB2ENTRY",
    "DOCTEMPLATE",
    "EPADAPTER",
    "EPADAPTERSET",
    "EVENTBINDING",
    "FILE",
    "JOURNALNAME",
    "JOURNALNUM",
    "PROGRAM",
    "PSB",
    "SPCOMMAND",
    "TDQUEUE",
    "TRANSACTION",
    "TRANSATTACH",
    "TSQUEUE",
    "XMLTRANSFORM",
];
/// Longest name of a resource.
const RESID_BYTES_MAX: usize = 246;

/// The command.
pub(crate) fn query_security(cx: &mut Cx<'_>) -> Done {
    if let Some(name) = cx.name::<12>(opt::RESTYPE) {
        let name = String::from_utf8_lossy(&name);
        if !TYPES.contains(&name.trim_end()) {
            return raise(Resp::NOTFND, 1);
        }
    }
    let logs = cx.value_is(opt::LOG, opt::LOGMESSAGE, "LOG")
        || cx.value_is(opt::NOLOG, opt::LOGMESSAGE, "NOLOG");
    if cx.has(opt::LOGMESSAGE) && !logs {
        return raise(Resp::INVREQ, 10);
    }
    match length_of(cx.call, opt::RESID, &[opt::RESIDLENGTH], RESID_BYTES_MAX) {
        Some(1..) => {}
        _ => return raise(Resp::LENGERR, 6),
    }
    cx.set_cvda(opt::READ, "READABLE");
    cx.set_cvda(opt::UPDATE, "UPDATABLE");
    cx.set_cvda(opt::CONTROL, "CTRLABLE");
    cx.set_cvda(opt::ALTER, "ALTERABLE");
    NORMAL
}
