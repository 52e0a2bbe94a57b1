//! The journal of a command.

use transom_commands::opt;
use transom_region_task::command::{Cx, Fail, raise};
use transom_types::{JournalName, Resp};

/// The journal of the command. Conditions: JIDERR 1 (a number outside 1 to 99, a blank name),
/// INVREQ 2 (DFHLOG).
pub(super) fn journal(cx: &mut Cx<'_>) -> Result<JournalName, Fail> {
    let name = match cx.number(opt::JOURNALNUM) {
        Some(number @ 1..=99) => format!("DFHJ{number:02}").into_bytes(),
        Some(_) => return raise(Resp::JIDERR, 1),
        None => cx.name::<8>(opt::JOURNALNAME).unwrap_or([b' '; 8]).to_vec(),
    };
    let name = JournalName::from_field(&name);
    cx.resource(name.as_bytes());
    if name.is_blank() {
        return raise(Resp::JIDERR, 1);
    }
    if matches!(name.as_str(), "DFHLOG" | "DFHSHUNT") {
        return raise(Resp::INVREQ, 2);
    }
    Ok(name)
}
