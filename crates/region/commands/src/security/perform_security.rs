//! EXEC CICS PERFORM SECURITY REBUILD: users added or changed since the start count from now on.
//!
//! Conditions: INVREQ 5 (the registry of users cannot be read), NOTAUTH 100.

use crate::command::{Cx, Done, NORMAL};
use transom_wire::security::Request;

/// The command.
pub(crate) fn rebuild(cx: &mut Cx<'_>) -> Done {
    cx.ask(&Request::Rebuild)?;
    NORMAL
}
