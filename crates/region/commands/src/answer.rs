//! The answer of a command: EIB, RESP and RESP2, and where the program goes on.
//!
//! Not here: what happens to a condition that nobody asked for (`exception`).

use crate::command::{Cx, Done, Fail};
use crate::eib;
use crate::exception;
use transom_commands::opt;
use transom_types::Resp;
use transom_workers::seam::Outcome;

/// Sets EIBRESP, RESP and so on, and decides where the program goes.
pub(crate) fn finish(cx: &mut Cx<'_>, done: Done) -> Outcome {
    let (resp, resp2) = match &done {
        Ok(_) => (Resp::NORMAL, 0),
        Err(Fail::Raise(resp, resp2)) => (*resp, *resp2),
        Err(Fail::Abend(..)) => (Resp::ERROR, 0),
        // Where nobody ships it.
        Err(Fail::Ship(remote)) => (Resp::SYSIDERR, remote.resp2),
    };
    eib::set_response(cx.host.eib_mut(), resp, resp2);
    eib::set_response_word(cx.host.eib_mut(), cx.call.command(), resp);
    cx.call.set_number(opt::RESP, i64::from(resp.0));
    cx.call.set_number(opt::RESP2, i64::from(resp2));
    match done {
        Ok(outcome) => outcome,
        Err(Fail::Abend(code, text)) => Outcome::Abend(code, text),
        Err(Fail::Raise(..) | Fail::Ship(_)) if cx.call.nohandle() => Outcome::Continue,
        Err(Fail::Raise(..) | Fail::Ship(_)) => exception::take(cx, resp, resp2),
    }
}
