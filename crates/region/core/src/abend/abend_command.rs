//! EXEC CICS ABEND: end the task abnormally.
//!
//! ABCODE names the abend; without it there is no dump, as with NODUMP or DUMP(NO) of the
//! transaction. CANCEL passes over all HANDLE ABEND exits. Codes that begin with A are CICS's own
//! and accepted. It raises no condition.

use crate::command::{Cx, Done};
use transom_commands::opt;
use transom_types::AbendCode;
use transom_workers::seam::Outcome;

/// The command.
pub(crate) fn abend(cx: &mut Cx<'_>) -> Done {
    let code = cx.call.bytes(opt::ABCODE).map(AbendCode::from_field);
    let abend = &mut cx.task.abend;
    abend.cancel_exits = cx.call.has(opt::CANCEL);
    abend.dump = code.is_some() && !cx.call.has(opt::NODUMP) && cx.task.transaction.dump;
    // Without ABCODE the code CICS shows is four question marks.
    let code = code.unwrap_or(AbendCode::from_field(b"????"));
    let text = format!(
        "TXMAP0003E {} line {}: EXEC CICS ABEND ABCODE({code})",
        cx.task.program(),
        cx.call.line()
    );
    Ok(Outcome::Abend(code, text))
}
