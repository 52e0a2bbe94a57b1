//! EXEC CICS INQUIRE TASK, INQUIRE TASK LIST and SET TASK.
//!
//! Shows tasks that run in a worker; a task that waits for a worker is not seen. The list lies in
//! task storage: task numbers as packed decimals of 4 bytes and, side by side, transaction names.
//! UOW is zero before the task has changed or locked anything. Conditions: TASKIDERR 1 (no such
//! task); SET: INVREQ 3 (PURGETYPE), 4 (PRIORITY not 0 to 255), 5 (PURGE of a task whose
//! transaction has SPURGE(NO)), or what the region answers.

use super::answer::either;
use super::change::ask;
use super::transaction::attributes;
use crate::command::{Cx, Done, Fail, NORMAL, raise, to_storage};
use crate::eib::packed7;
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_types::SetRequest;
use transom_wire::definitions::{DEFINITION, TaskEntry, TransactionEntry};
use transom_wire::{Shared, Space};
use transom_workers::seam::Address;

/// INQUIRE TASK.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let entry = find(cx, opt::TASK)?;
    let now = cx.host.abstime_ms() as u64;
    of_transaction(cx, &entry);
    cx.set_number(opt::ATTACHTIME, entry.start_abstime_ms as i64);
    cx.set_text(opt::TRANSACTION, entry.transid.as_str());
    cx.set_text(opt::PROGRAM, entry.program.as_str());
    cx.set_text(opt::USERID, entry.userid.as_str());
    cx.set_number(opt::PRIORITY, i64::from(entry.priority));
    cx.set_bytes(opt::STARTCODE, &entry.start_code, b' ');
    let kind = either(entry.terminal.is_blank(), "TASK", "TERM");
    cx.set_cvda(opt::FACILITYTYPE, kind);
    cx.set_text(opt::FACILITY, entry.terminal.as_str());
    let suspended = !entry.suspend_type.is_blank();
    cx.set_cvda(opt::RUNSTATUS, either(suspended, "SUSPENDED", "RUNNING"));
    cx.set_text(opt::SUSPENDTYPE, entry.suspend_type.as_str());
    cx.set_text(opt::SUSPENDVALUE, entry.suspend_value.as_str());
    let seconds = match entry.suspended_abstime_ms {
        0 => 0,
        since => now.saturating_sub(since) / 1000,
    };
    cx.set_number(opt::SUSPENDTIME, seconds.min(i32::MAX as u64) as i64);
    if cx.has(opt::CURRENTPROG) {
        let own = entry.task_number == cx.task.number;
        let program = if own {
            cx.task.program()
        } else {
            entry.program
        };
        cx.set_text(opt::CURRENTPROG, program.as_str());
    }
    if cx.has(opt::UOW) {
        let unit = super::uowenq::unit_of(cx, entry.task_number)?;
        cx.set_bytes(opt::UOW, &unit.to_be_bytes(), 0);
    }
    NORMAL
}

/// What the transaction says; the task may have another priority and program.
fn of_transaction(cx: &mut Cx<'_>, entry: &TaskEntry) {
    if let Some(transaction) = TransactionEntry::find(cx.host.shared(), entry.transid) {
        attributes(cx, &transaction);
        cx.set_number(opt::TRANPRIORITY, i64::from(transaction.priority));
    }
}

/// The task an option names.
pub(super) fn find(cx: &mut Cx<'_>, option: OptionId) -> Result<TaskEntry, Fail> {
    let number = cx
        .number(option)
        .and_then(|number| u32::try_from(number).ok());
    match number.and_then(|number| TaskEntry::find(cx.host.shared(), number)) {
        Some(entry) => Ok(entry),
        None => raise(Resp::TASKIDERR, 1),
    }
}

/// INQUIRE TASK LIST.
pub(crate) fn list(cx: &mut Cx<'_>) -> Done {
    let all = ![opt::DISPATCHABLE, opt::RUNNING, opt::SUSPENDED]
        .iter()
        .any(|o| cx.has(*o));
    let (running, suspended) = (cx.has(opt::RUNNING), cx.has(opt::SUSPENDED));
    let mut tasks = self::all(cx.host.shared());
    tasks.retain(|entry| {
        let waits = !entry.suspend_type.is_blank();
        all || (waits && suspended) || (!waits && running)
    });
    cx.set_number(opt::LISTSIZE, tasks.len() as i64);
    if cx.has(opt::SET) {
        let address = numbers(cx, tasks.iter().map(|entry| entry.task_number))?;
        cx.call.set_pointer(opt::SET, address);
    }
    if cx.has(opt::SETTRANSID) {
        let names: Vec<u8> = tasks
            .iter()
            .flat_map(|entry| *entry.transid.as_bytes())
            .collect();
        let address = to_storage(cx.host, &names)?;
        cx.call.set_pointer(opt::SETTRANSID, address);
    }
    NORMAL
}

/// All tasks that run in a worker, by number.
pub(super) fn all(shared: &dyn Shared) -> Vec<TaskEntry> {
    let mut tasks = Vec::new();
    for name in shared.group_names(Space::Task) {
        shared.with_group(Space::Task, &name, &mut |group| {
            tasks.extend(group.get(DEFINITION).and_then(TaskEntry::decode));
        });
    }
    tasks.sort_unstable_by_key(|entry| entry.task_number);
    tasks
}

/// A list of task numbers in task storage.
pub(super) fn numbers(cx: &mut Cx<'_>, tasks: impl Iterator<Item = u32>) -> Result<Address, Fail> {
    let numbers: Vec<u8> = tasks.flat_map(packed7).collect();
    to_storage(cx.host, &numbers)
}

/// SET TASK.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let mut entry = find(cx, opt::TASK)?;
    if let Some(priority) = cx.number(opt::PRIORITY) {
        let Ok(priority) = u8::try_from(priority) else {
            return raise(Resp::INVREQ, 4);
        };
        entry.priority = priority;
        let _ = entry.install(cx.host.shared());
        if entry.task_number == cx.task.number {
            cx.task.priority = priority;
        }
    }
    let purge = cx.value_is(opt::PURGE, opt::PURGETYPE, "PURGE");
    let force = cx.value_is(opt::FORCEPURGE, opt::PURGETYPE, "FORCEPURGE")
        || cx.value_is(opt::KILL, opt::PURGETYPE, "KILL");
    if cx.has(opt::PURGETYPE) && !purge && !force {
        return raise(Resp::INVREQ, 3);
    }
    if purge || force {
        return ask(
            cx,
            SetRequest::Purge {
                task: entry.task_number,
                force,
            },
        );
    }
    NORMAL
}
