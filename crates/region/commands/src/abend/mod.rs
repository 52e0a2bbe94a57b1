//! Abends and who handles them.
//!
//! What: the HANDLE ABEND exit of each program level, and the search for one when a task abends.
//! An exit is switched off before it gets control, so that an abend inside it goes on to the next
//! higher level; HANDLE ABEND RESET switches it on again. Not here: program checks themselves
//! (`transom_workers`), conditions (`exception`).

pub(crate) mod abend_command;
pub(crate) mod handle_abend;

pub(crate) use transom_region_task::abend as state;

use crate::command::RegionView;
use crate::diagnostic::dump;
use crate::program::levels::end_level;
use crate::program::resolve::resolve;
use crate::task_state::TaskState;
use state::AbendTarget;
use transom_messages as messages;
use transom_types::{AbendCode, ProgramName};
use transom_workers::seam::{AbendAction, Host};

/// Takes an abend of the program at `level`: finds the exit that handles it, or ends the task.
pub(crate) fn take(
    host: &mut dyn Host,
    task: &mut TaskState,
    region: &mut RegionView,
    level: usize,
    code: AbendCode,
    text: &str,
) -> AbendAction {
    let cancel_exits = note(host, task, level, code);
    if task.refusal.is_some() {
        // No program ran: the caller gets a condition, not an abend.
        return AbendAction::EndTask;
    }
    let from = level.min(task.levels.len().saturating_sub(1));
    let levels = if cancel_exits {
        0
    } else {
        task.levels.len().min(from + 1)
    };
    for level in (0..levels).rev() {
        // Control comes back through the level's own program, so only its exit counts.
        task.levels[level].switch_to(0);
        let exit = &mut task.levels[level].handles.abend;
        if !std::mem::take(&mut exit.active) {
            continue;
        }
        let Some(target) = exit.target else { continue };
        if let Some(action) = run_exit(host, task, region, level, target) {
            host.log(
                messages::ap::abend_handled(
                    task.number,
                    task.transaction.transid,
                    code,
                    task.abend.program.unwrap_or(ProgramName::BLANK),
                    level,
                    text,
                )
                .line(),
            );
            return action;
        }
    }
    if task.abend.dump {
        dump::at_abend(host, task, region, code, text);
    }
    AbendAction::EndTask
}

/// Remembers the abend for ASSIGN and decides about its dump: DUMP(YES) of the transaction, unless
/// the program asked for none. Answers whether the program wants its exits passed over.
fn note(host: &mut dyn Host, task: &mut TaskState, level: usize, code: AbendCode) -> bool {
    let asked = task.abend.asked.take().filter(|asked| asked.code == code);
    let program = task
        .levels
        .get(level)
        .or(task.levels.last())
        .map(|level| level.program);
    let abend = &mut task.abend;
    abend.code = Some(code);
    abend.first.get_or_insert(code);
    let place = host.place_of_check();
    // The program that has the instruction, which may be one that was CALLed.
    abend.program = place.map(|place| place.program).or(program);
    abend.program_check = is_check(code);
    if abend.program_check {
        abend.place = place;
    }
    abend.dump = task.transaction.dump && asked.is_none_or(|asked| asked.dump);
    // Those of a syncpoint that failed are issued as ABEND CANCEL is.
    asked.map_or(is_of_syncpoint(code), |asked| asked.cancel_exits)
}

/// Abends that CICS keeps a PSW of.
fn is_check(code: AbendCode) -> bool {
    [
        AbendCode::ASRA,
        AbendCode::ASRB,
        AbendCode::AICA,
        AbendCode::AEYD,
    ]
    .contains(&code)
}

/// ASPx and APSJ, which no exit gets.
fn is_of_syncpoint(code: AbendCode) -> bool {
    code.as_bytes().starts_with(b"ASP") || code.as_bytes() == b"APSJ"
}

/// Unwinds core's view to `level` and says how its exit runs; `None`: its program cannot run.
fn run_exit(
    host: &mut dyn Host,
    task: &mut TaskState,
    region: &mut RegionView,
    level: usize,
    target: AbendTarget,
) -> Option<AbendAction> {
    let action = match target {
        AbendTarget::Label(label) => AbendAction::Branch { level, label },
        AbendTarget::Program(name) => {
            let module = resolve(host, region, name).ok()?;
            let area = task.levels[level].area;
            AbendAction::Program {
                level,
                module,
                area,
            }
        }
    };
    while task.levels.len() > level + 1 {
        end_level(host, task);
    }
    let current = task.levels.last_mut()?;
    if let AbendTarget::Program(name) = target {
        current.invoked_by = std::mem::replace(&mut current.program, name);
        current.pushed.clear();
        current.handles = Default::default();
    }
    crate::eib::set_commarea_bytes(host.eib_mut(), current.area.bytes);
    Some(action)
}
