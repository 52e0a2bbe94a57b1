//! EXEC CICS ABEND: end the task abnormally.
//!
//! ABCODE names the abend; without it there is no dump, as with NODUMP or DUMP(NO) of the
//! transaction. CANCEL passes over all HANDLE ABEND exits. Codes that begin with A are CICS's own
//! and accepted. Conditions: none.

use super::state::AskedAbend;
use crate::command::{Cx, Done};
use transom_commands::opt;
use transom_messages as messages;
use transom_types::AbendCode;
use transom_workers::seam::Outcome;

/// The command.
pub(crate) fn abend(cx: &mut Cx<'_>) -> Done {
    let code = cx.call.bytes(opt::ABCODE).map(AbendCode::from_field);
    let dump = code.is_some() && !cx.has(opt::NODUMP);
    let cancel_exits = cx.has(opt::CANCEL);
    // Without ABCODE the code CICS shows is four question marks.
    let code = code.unwrap_or(AbendCode::from_field(b"????"));
    cx.task.abend.asked = Some(AskedAbend {
        code,
        dump,
        cancel_exits,
    });
    let text = messages::ap::abend_command(cx.task.program(), cx.call.line(), code).to_string();
    Ok(Outcome::Abend(code, text))
}
