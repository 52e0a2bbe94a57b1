//! Whether a run was good, in one sentence.
//!
//! What: failures, terminals that did not connect, a run that was ended early. Why: who starts a
//! run from a script reads its exit code. Not here: whether it was fast (`compare`, and people).

use super::result::{TerminalRun, TerminalStep};
use crate::page::whole;
use crate::plot::number;
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

/// The same for people: whether it was good, and what was done.
pub(crate) fn sentence(run: &TerminalRun) -> (bool, String) {
    let Some(last) = run.steps.last() else {
        return (false, "Nothing was measured.".to_owned());
    };
    let bad = run.steps.iter().filter(|step| is_bad(run, step)).count();
    let done = format!(
        "{} of {} terminals had {} screens, {} a second, in {} ms on average and {} ms at the 99th percentile",
        whole(last.connected as f64),
        whole(f64::from(last.terminals)),
        whole(last.screens as f64),
        number(last.screens_per_s),
        number(last.times.average_ms),
        number(last.times.p99_ms)
    );
    if run.interrupted {
        return (false, format!("Ended early. {done}."));
    }
    if bad == 0 {
        let steps = run.steps.len();
        let all = if steps > 1 { " at any load" } else { "" };
        return (true, format!("Good: {done}; nothing failed{all}."));
    }
    let failed: u64 = run.steps.iter().map(|step| step.failures.total()).sum();
    (
        false,
        format!(
            "Not good: {} failures in {bad} of {} steps. {done}.",
            whole(failed as f64),
            run.steps.len()
        ),
    )
}

fn is_bad(run: &TerminalRun, step: &TerminalStep) -> bool {
    let idle = step.labels.is_empty() || run.duration_ms == 0;
    let silent = step.screens == 0 && !idle;
    step.failures.total() > 0 || step.connected < u64::from(step.terminals) || silent
}
