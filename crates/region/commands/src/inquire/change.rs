//! SET asks the region, where what it changes lies, and what it is given.

use crate::command::{Cx, Done, Fail, NORMAL, ask_region, raise};
use transom_commands::OptionId;
use transom_types::{Resp, SetRequest};
use transom_wire::requests::RegionRequest;

/// Asks the region for a change; its refusal is the command's condition.
pub(super) fn ask(cx: &mut Cx<'_>, request: SetRequest) -> Done {
    let request = RegionRequest::Set(request);
    let answer = ask_region(cx.host, &request);
    if answer.resp == Resp::NORMAL {
        return NORMAL;
    }
    if !answer.text.is_empty() {
        cx.host.log(&answer.text);
    }
    raise(answer.resp, answer.resp2)
}

/// Which of two values is given, if one is; another one is refused.
pub(super) fn one_of(
    cx: &Cx<'_>,
    (option, resp2): (OptionId, u32),
    (on, when): (OptionId, &str),
    (off, otherwise): (OptionId, &str),
) -> Result<Option<bool>, Fail> {
    if cx.value_is(on, option, when) {
        return Ok(Some(true));
    }
    if cx.value_is(off, option, otherwise) {
        return Ok(Some(false));
    }
    match cx.has(option) {
        true => raise(Resp::INVREQ, resp2),
        false => Ok(None),
    }
}
