//! CWTO: a text for the operator.

use super::call::InternalCall;
use super::interpret::latin;
use super::session::Session;
use transom_commands::{cmd, opt};
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
        return session.end("TXMCW0001I Type a text behind CWTO.");
    }
    let call = InternalCall::new(cmd::WRITE_OPERATOR).text(opt::TEXT, latin(text));
    match session.ran(call).response() {
        (Resp::NORMAL, _) => session.end("TXMCW0002I the text was sent to the operator"),
        (resp, resp2) => session.end(&format!("TXMCW0003E the text was not sent: {resp} {resp2}")),
    }
}
