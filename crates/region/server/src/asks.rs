//! What workers and operators ask of the region: autoinstall, SET, operator messages.

use super::{Inner, services};
use std::sync::Arc;
use transom_messages::{self as messages, Line, Source};
use transom_region_api::SetRequest;
use transom_types::{AbendCode, ProgramName, Resp, TransId};
use transom_wire::definitions::{SystemEntry, TransactionEntry};
use transom_wire::requests::{Domain, RegionAnswer, RegionRequest};
use transom_workers::Ask;

/// Largest MXT, as in CICS.
const MAX_TASKS_MAX: u32 = 2_000;

/// Answers a worker.
pub(super) fn answer(inner: &Arc<Inner>, ask: Ask) {
    let Some((domain, request)) = Domain::open(&ask.request) else {
        return ask.answer(&RegionAnswer::damaged().encode());
    };
    if domain != Domain::Region {
        let request = request.to_vec();
        return services::answer(inner, domain, ask, &request);
    }
    let reply = match RegionRequest::decode(request) {
        Some(RegionRequest::InstallProgram(name)) => autoinstall(inner, name),
        Some(RegionRequest::Set(request)) => set(inner, &request),
        Some(RegionRequest::Operator(task_number, text)) => {
            let line = Line::heard(text).of_task(task_number);
            inner.operator.of(Source::Command).tell(line);
            RegionAnswer::normal()
        }
        Some(RegionRequest::Shutdown(immediate)) => {
            inner.tell(messages::xm::shutdown_asked());
            inner.services.shutdown.ask(immediate);
            RegionAnswer::normal()
        }
        None => RegionAnswer::damaged(),
    };
    ask.answer(&reply.encode());
}

fn autoinstall(inner: &Inner, name: ProgramName) -> RegionAnswer {
    match inner.resources.autoinstall(name, inner.pool.shared()) {
        Ok(_) => RegionAnswer::normal(),
        Err(true) => RegionAnswer::refused(Resp::PGMIDERR, 9, messages::pg::no_autoinstall(name)),
        Err(false) => RegionAnswer::refused(Resp::PGMIDERR, 1, messages::pg::not_defined(name)),
    }
}

/// Carries out a SET.
pub(super) fn set(inner: &Inner, request: &SetRequest) -> RegionAnswer {
    match request {
        SetRequest::ProgramEnabled(name, enabled) => change_program(inner, *name, |p| {
            p.enabled = *enabled;
            RegionAnswer::normal()
        }),
        SetRequest::ProgramNewCopy(name) => change_program(inner, *name, |p| {
            match inner.resources.newest_module(*name) {
                Some(path) => {
                    p.path = path;
                    RegionAnswer::normal()
                }
                None => RegionAnswer::refused(Resp::IOERR, 8, messages::pg::no_module(name)),
            }
        }),
        SetRequest::TransactionEnabled(name, enabled) => {
            change_transaction(inner, *name, |t| t.enabled = *enabled)
        }
        SetRequest::TransactionPriority(name, priority) => {
            change_transaction(inner, *name, |t| t.priority = *priority)
        }
        SetRequest::MaxTasks(n) => set_max_tasks(inner, *n),
        SetRequest::Purge { task, force } => {
            if inner.purge(*task, AbendCode::AKC3, *force) {
                RegionAnswer::normal()
            } else {
                RegionAnswer::refused(Resp::TASKIDERR, 1, messages::xm::no_task(task))
            }
        }
    }
}

/// Workers were sized for the MXT of the start; more tasks than that cannot run.
fn set_max_tasks(inner: &Inner, n: u32) -> RegionAnswer {
    let most = inner.system.max_tasks.min(MAX_TASKS_MAX);
    if n == 0 || n > most {
        let text = messages::xm::mxt_not_possible(n, most);
        return RegionAnswer::refused(Resp::INVREQ, 1, text);
    }
    inner.dispatcher.set_max_tasks(n);
    let shared = inner.pool.shared();
    let mut system = SystemEntry::find(shared).unwrap_or_else(|| inner.system.clone());
    system.max_tasks = n;
    stored(system.install(shared))
}

fn change_program(
    inner: &Inner,
    name: ProgramName,
    change: impl FnOnce(&mut transom_wire::definitions::ProgramEntry) -> RegionAnswer,
) -> RegionAnswer {
    let Some(mut entry) = inner.resources.program(name, inner.pool.shared()) else {
        return RegionAnswer::refused(Resp::PGMIDERR, 7, messages::pg::no_definition(name));
    };
    let answer = change(&mut entry);
    if answer.resp != Resp::NORMAL {
        return answer;
    }
    stored(entry.install(inner.pool.shared()))
}

fn change_transaction(
    inner: &Inner,
    name: TransId,
    change: impl FnOnce(&mut TransactionEntry),
) -> RegionAnswer {
    let Some(mut entry) = TransactionEntry::find(inner.pool.shared(), name) else {
        return RegionAnswer::refused(Resp::TRANSIDERR, 1, messages::xm::not_defined(name));
    };
    change(&mut entry);
    stored(entry.install(inner.pool.shared()))
}

fn stored(stored: bool) -> RegionAnswer {
    if stored {
        RegionAnswer::normal()
    } else {
        RegionAnswer::refused(Resp::NOSTG, 0, messages::sm::shared_full())
    }
}
