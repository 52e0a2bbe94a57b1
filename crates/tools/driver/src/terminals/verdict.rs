//! Whether a run was good, in one sentence.
//!
//! What: failures, terminals that did not connect, a run that was ended early. Why: who starts a
//! run from a script reads its exit code. Not here: whether it was fast (`compare`, and people).

use super::result::{TerminalRun, TerminalStep};
use transom_messages::{self as messages, Message};

/// What is wrong with the run, if anything is.
pub(crate) fn verdict(run: &TerminalRun) -> Option<Message> {
    if run.interrupted {
        return Some(messages::dr::ended_early(run.steps.len()));
    }
    let bad = run.steps.iter().find(|step| is_bad(run, step))?;
    Some(messages::dr::run_not_good(
        bad.terminals,
        bad.failures.total(),
        bad.screens,
        bad.connected,
    ))
}

fn is_bad(run: &TerminalRun, step: &TerminalStep) -> bool {
    let idle = step.labels.is_empty() || run.duration_ms == 0;
    let silent = step.screens == 0 && !idle;
    step.failures.total() > 0 || step.connected < u64::from(step.terminals) || silent
}
