//! CESF: sign off; with LOGOFF or GOODNIGHT also end the session.

use super::call::InternalCall;
use super::session::Session;
use transom_commands::cmd;
use transom_messages as messages;
use transom_workers::seam::Outcome;

/// CESF.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    let typed = session.receive().text.to_ascii_uppercase();
    let words: Vec<&str> = typed
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let leave = match words.get(1..).unwrap_or_default() {
        [] => false,
        ["LOGOFF" | "GOODNIGHT"] => true,
        _ => return session.end(messages::ce::operand_unknown()),
    };
    let signed_off = session.ran(InternalCall::new(cmd::SIGNOFF)).is_normal();
    let text = match signed_off {
        true => messages::ce::signed_off(),
        false => messages::ce::nobody_signed_on(),
    };
    let outcome = session.end(text);
    if leave {
        session.run(&mut InternalCall::new(cmd::ISSUE_DISCONNECT));
    }
    outcome
}
