//! SET asks the region: what it changes lies there.

use crate::command::{Cx, Done, NORMAL, ask_region, raise};
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
