//! RESTART(YES): whether a task that abended runs again.
//!
//! What: the rules of the supplied transaction restart program, or a program DFHREST of the user's
//! own, which gets the communication area of CICS (20 bytes: XMRS). It runs as a task of the same
//! transaction, when the abended task has been backed out. Not here: running the task again; who
//! started it does (`terminal`, `interval`).

use super::kernel::Kernel;
use super::replier::lock;
use super::resources::Resources;
use super::starter::{Accepted, Again, Decided, Ended, NewTask, OnEnd};
use std::sync::{Arc, Mutex};
use transom_messages as messages;
use transom_region_api::{LinkFailure, Payload, StartedBy};
use transom_types::{AbendCode, ProgramName};
use transom_wire::payload::Sections;

/// The transaction restart program.
const DFHREST: &[u8] = b"DFHREST";
/// The supplied rules restart a task so often.
const RESTARTS_MAX: u16 = 20;
/// Deadlocks: of DBCTL, of file control, of VSAM.
const DEADLOCKS: [&[u8]; 3] = [b"ADCD", b"AFCF", b"AFCW"];
/// Length of the communication area, and where the program answers in it.
const AREA_BYTES: usize = 20;
const ANSWER: usize = 7;

/// Decides, at once or when the program has ended, which `start` starts as a task of the region.
pub(super) fn decide(
    kernel: &Arc<Kernel>,
    resources: &Resources,
    start: &dyn Fn(NewTask, OnEnd) -> Result<Accepted, LinkFailure>,
    again: Again,
    then: Decided,
) {
    let program = ProgramName::from_field(DFHREST);
    // The end of the last unit of work was under way.
    if again.code.as_bytes().starts_with(b"ASP") || kernel.is_stopping() {
        return then(None);
    }
    if resources.program(program, kernel.shared()).is_none() {
        let restarts = by_supplied_rules(&again);
        return then(restarts.then(|| restarted(kernel, again)));
    }
    let asks = NewTask {
        program: Some(program),
        payload: Payload::Commarea(area(&again)),
        reply_bytes_max: AREA_BYTES,
        started_by: StartedBy::Internal,
        start_code: *b"U ",
        sections: Sections::default(),
        restarts: 0,
        ..again.task.clone()
    };
    let transid = again.task.transid;
    let kernel_of_end = kernel.clone();
    // Called by the end of the program, or where it does not begin.
    let then = Arc::new(Mutex::new(Some(then)));
    let for_end = then.clone();
    let on_end = Box::new(move |ended: Ended| {
        let answer = match ended.result {
            Ok((Payload::Commarea(area), _)) => area.get(ANSWER) == Some(&b'Y'),
            Ok(_) => false,
            Err(failure) => {
                let told = messages::xm::restart_program_failed(transid, &failure.text);
                kernel_of_end.tell(told);
                false
            }
        };
        if let Some(then) = lock(&for_end).take() {
            then(answer.then(|| restarted(&kernel_of_end, again)));
        }
    });
    if let Err(failure) = start(asks, on_end) {
        kernel.tell(messages::xm::restart_program_failed(transid, &failure.text));
        if let Some(then) = lock(&then).take() {
            then(None);
        }
    }
}

/// What the supplied program asks for: a deadlock, and nothing that was done twice could be seen.
fn by_supplied_rules(again: &Again) -> bool {
    let undone = &again.undone;
    !(undone.read || undone.wrote || undone.synced)
        && again.task.restarts < RESTARTS_MAX
        && DEADLOCKS.contains(&&again.code.as_bytes()[..])
}

fn restarted(kernel: &Kernel, again: Again) -> NewTask {
    let mut task = again.task;
    task.restarts = task.restarts.saturating_add(1);
    kernel.tell(messages::xm::restarted(
        task.transid,
        again.code,
        task.restarts,
    ));
    task
}

/// XMRS_COMMAREA, as programs have characters.
fn area(again: &Again) -> Vec<u8> {
    let flag = |yes: bool| if yes { b'Y' } else { b'N' };
    let undone = &again.undone;
    let mut area = b"1XM\0".to_vec();
    area.extend([
        flag(undone.read),
        flag(undone.wrote),
        flag(undone.synced),
        b'N',
    ]);
    area.extend(again.task.restarts.to_be_bytes());
    area.extend([0, 0]);
    area.extend(code(undone.original));
    area.extend(code(again.code));
    area
}

fn code(code: AbendCode) -> [u8; 4] {
    code.as_bytes().first_chunk().copied().unwrap_or(*b"    ")
}
