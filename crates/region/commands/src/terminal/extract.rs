//! EXEC CICS EXTRACT TCT: the terminal of a LU name.
//!
//! Terminals are this region's own: SYSID answers blanks. Conditions: NOTALLOC (the task has no
//! terminal), INVREQ (there is no such LU; INVREQ 200 in a linked program).

use super::output::ask;
use super::own::own;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::definitions::TerminalEntry;
use transom_wire::terminal::Request;

/// The command.
pub(crate) fn extract_tct(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::NOTALLOC)?;
    let name = cx.name::<8>(opt::NETNAME).unwrap_or([b' '; 8]);
    let name = String::from_utf8_lossy(&name).trim_end().to_owned();
    let entry = match ask(cx, Request::InquireNetname(name)) {
        Ok(bytes) => TerminalEntry::decode(&bytes),
        Err(Fail::Raise(..)) => None,
        Err(abend) => return Err(abend),
    };
    let Some(entry) = entry else {
        return raise(Resp::INVREQ, 0);
    };
    cx.set_text(opt::TERMID, entry.terminal.as_str());
    NORMAL
}
