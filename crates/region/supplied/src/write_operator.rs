//! CWTO: a text for the operator.

use super::call::InternalCall;
use super::latin::latin;
use super::session::Session;
use transom_commands::{cmd, opt};
use transom_messages as messages;
use transom_types::Resp;
use transom_workers::seam::Outcome;

/// CWTO.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    let typed = session.receive().text;
    let text = typed
        .trim()
        .split_once(' ')
        .map_or("", |(_, text)| text.trim());
    if text.is_empty() {
        return session.end(messages::cw::type_text());
    }
    let call = InternalCall::new(cmd::WRITE_OPERATOR).text(opt::TEXT, latin(text));
    match session.ran(call).response() {
        (Resp::NORMAL, _) => session.end(messages::cw::sent()),
        (resp, resp2) => session.end(messages::cw::not_sent(resp, resp2)),
    }
}
