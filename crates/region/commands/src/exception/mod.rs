//! What happens when a command raises a condition.
//!
//! What: HANDLE state of a program level and the rules that turn a condition into a branch, an
//! abend or nothing. RESP and NOHANDLE are looked at before (see `exec`). Not here: HANDLE ABEND
//! (`abend`), the numbers and default abend codes (`transom_types::Resp`).
//!
//! Rules (public text of "HANDLE CONDITION"): an entry for the condition decides, be it a label,
//! IGNORE, or the default action; without one, ERROR decides for conditions whose default action is
//! to end the task; otherwise the default action happens.

pub(crate) mod handle_aid;
pub(crate) mod handle_condition;
pub(crate) mod push_pop;

pub(crate) use transom_region_task::exception as state;

use crate::command::{Cx, ask_region};
use state::Action;
use transom_commands::{OptionId, opt};
use transom_messages as messages;
use transom_types::{AbendCode, ProgramName, Resp};
use transom_wire::requests::RegionRequest;
use transom_workers::seam::Outcome;

/// Where the program goes after a condition nobody asked for by RESP or NOHANDLE.
pub(crate) fn take(cx: &mut Cx<'_>, resp: Resp, resp2: u32) -> Outcome {
    let action = cx.task.handles().and_then(|handles| handles.action(resp));
    match action {
        Some(Action::Label(label)) => Outcome::Branch(label),
        Some(Action::Ignore) => Outcome::Continue,
        Some(Action::Default) | None => match default_abend(cx, resp, resp2) {
            None => Outcome::Continue,
            Some(code) => {
                let command = transom_commands::command(cx.call.command());
                let text = messages::ap::condition_not_handled(
                    cx.task.program(),
                    cx.call.line(),
                    command.map_or("a command", |command| command.name),
                    resource(cx),
                    resp,
                    resp2,
                    why(cx, resp),
                )
                .to_string();
                Outcome::Abend(code, text)
            }
        },
    }
}

/// What the command was about: ` PROGRAM(PAY)`.
fn resource(cx: &Cx<'_>) -> String {
    const NAMES: [OptionId; 7] = [
        opt::PROGRAM,
        opt::FILE,
        opt::QUEUE,
        opt::QNAME,
        opt::MAP,
        opt::TRANSID,
        opt::CONTAINER,
    ];
    let given = |id: &OptionId| Some((*id, cx.call.bytes(*id)?));
    let Some((id, name)) = NAMES.iter().find_map(given) else {
        return String::new();
    };
    let name = String::from_utf8_lossy(name);
    let printable: String = name.chars().filter(|c| !c.is_control()).collect();
    let keyword = transom_commands::option_name(id);
    format!(" {keyword}({})", printable.trim_end())
}

/// Why there is no such program, where that is the condition: only the region knows.
fn why(cx: &mut Cx<'_>, resp: Resp) -> String {
    match cx.name::<8>(opt::PROGRAM) {
        Some(name) if resp == Resp::PGMIDERR => {
            let name = ProgramName::from_field(&name);
            match ask_region(cx.host, &RegionRequest::WhyNot(name)).text {
                text if text.is_empty() => text,
                text => format!(": {text}"),
            }
        }
        _ => String::new(),
    }
}

/// The abend code of an unhandled condition. A command a linked program of another region may not
/// issue (INVREQ 200) has its own.
fn default_abend(cx: &Cx<'_>, resp: Resp, resp2: u32) -> Option<AbendCode> {
    if (resp, resp2) == (Resp::INVREQ, 200) && cx.task.mirror().is_some() {
        return Some(AbendCode::from_field(b"ADPL"));
    }
    resp.default_abend()
}
