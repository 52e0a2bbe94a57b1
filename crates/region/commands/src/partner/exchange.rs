//! One command to the region, which sends it to another one.
//!
//! Not here: what of a call travels (`ship`, `link`).

use crate::command::{Cx, Done, Fail, Remote, ask_region};
use transom_commands::{CommandId, cmd};
use transom_types::{Resp, TransId};
use transom_wire::partner::{Answer, Command, Request};

/// Commands a mirror runs.
pub(super) const SHIPPED: &[CommandId] = &[
    cmd::READ,
    cmd::WRITE,
    cmd::REWRITE,
    cmd::DELETE,
    cmd::UNLOCK,
    cmd::STARTBR,
    cmd::READNEXT,
    cmd::READPREV,
    cmd::RESETBR,
    cmd::ENDBR,
    cmd::WRITEQ_TS,
    cmd::READQ_TS,
    cmd::DELETEQ_TS,
    cmd::WRITEQ_TD,
    cmd::READQ_TD,
    cmd::DELETEQ_TD,
    cmd::START,
    cmd::CANCEL,
    cmd::LINK,
];

/// DYRERROR: there is no such system.
pub(super) const UNKNOWN: u8 = b'0';
/// It cannot be reached.
const NOT_IN_SERVICE: u8 = b'1';

/// What became of a command.
pub(super) enum Sent {
    Answer(Answer),
    /// There is no way to the other region: as DYRERROR has it, and why.
    Away(u8, String),
    /// The session broke off.
    Lost(String),
}

/// Has the region send a command, of the task's unit of work or apart.
pub(super) fn exchange(
    cx: &mut Cx<'_>,
    remote: &Remote,
    (transid, apart): (TransId, bool),
    command: &Command,
) -> Result<Sent, Fail> {
    let request = Request::Ship {
        system: remote.system,
        userid: cx.task.userid,
        transid,
        apart,
        command: command.encode(),
        waits: transom_region_task::routed::given::waits(cx),
    };
    if !apart {
        cx.task.unit.touch();
    }
    let answer = ask_region(cx.host, &request);
    match (answer.abend, answer.resp) {
        (Some(code), _) => Err(Fail::Abend(code, answer.text)),
        (None, Resp::NORMAL) => match Answer::decode(&answer.data) {
            Some(answer) => Ok(Sent::Answer(answer)),
            None => Ok(Sent::Lost("the answer is damaged".to_owned())),
        },
        (None, Resp::SYSIDERR) => {
            let error = answer.data.first().copied();
            Ok(Sent::Away(error.unwrap_or(NOT_IN_SERVICE), answer.text))
        }
        (None, Resp::TERMERR) => Ok(Sent::Lost(answer.text)),
        (None, resp) => {
            if !answer.text.is_empty() {
                cx.host.log(&answer.text);
            }
            Err(Fail::Raise(resp, answer.resp2))
        }
    }
}

/// There is no way to the other system.
pub(super) fn away(cx: &mut Cx<'_>, remote: Remote, error: u8, why: &str) -> Done {
    cx.task.routed.error = error;
    match (why.is_empty(), remote.text()) {
        (false, _) => cx.host.log(why),
        (true, Some(text)) => cx.host.log(text.line()),
        (true, None) => {}
    }
    Err(Fail::Raise(Resp::SYSIDERR, remote.resp2))
}
