//! EXEC CICS INQUIRE UOWENQ and INQUIRE ENQ: what tasks enqueue upon.
//!
//! Shows ENQ resources, owners first, then waiters; record locks are not shown. Conditions: ILLOGIC
//! 1, END 2 (browse).

use super::region_facts;
use super::state::Enqueue;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use std::collections::VecDeque;
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::Space;
use transom_wire::definitions::TaskEntry;
use transom_wire::task::{Lifetime, Lock};

/// INQUIRE UOWENQ and ENQ.
pub(crate) fn enqueues(cx: &mut Cx<'_>) -> Done {
    if cx.has(opt::START) {
        if cx.task.browses.enqueues.is_some() {
            return raise(Resp::ILLOGIC, 1);
        }
        let found = all(cx);
        cx.task.browses.enqueues = Some(found);
        return NORMAL;
    }
    let browse = &mut cx.task.browses.enqueues;
    if cx.call.has(opt::END) {
        return match browse.take() {
            Some(_) => NORMAL,
            None => raise(Resp::ILLOGIC, 1),
        };
    }
    let Some(rest) = browse.as_mut().filter(|_| cx.call.has(opt::NEXT)) else {
        return raise(Resp::ILLOGIC, 1);
    };
    let Some(next) = rest.pop_front() else {
        return raise(Resp::END, 2);
    };
    tell(cx, &next)
}

fn all(cx: &Cx<'_>) -> VecDeque<Enqueue> {
    let shared = cx.host.shared();
    let mut names = shared.group_names(Space::Enqueue);
    names.sort();
    let mut found = VecDeque::new();
    for key in names {
        let mut lock = Lock::default();
        shared.with_group(Space::Enqueue, &key, &mut |group| lock = Lock::read(group));
        let mut add = |task, owns, lifetime| {
            found.push_back(Enqueue {
                key: key.clone(),
                task,
                owns,
                lifetime,
            });
        };
        if lock.owner != 0 {
            let lifetime = if lock.task > 0 {
                Lifetime::Task
            } else {
                Lifetime::Uow
            };
            add(lock.owner, true, lifetime);
        }
        for (task, lifetime) in lock.waiters {
            add(task, false, lifetime);
        }
    }
    found
}

fn tell(cx: &mut Cx<'_>, enqueue: &Enqueue) -> Done {
    let (kind, resource) = enqueue
        .key
        .split_first()
        .map_or((0, &[][..]), |(k, r)| (*k, r));
    // Behind an address stands whose it is.
    let resource = match kind {
        2 => resource.get(..size_of::<u64>()).unwrap_or(resource),
        _ => resource,
    };
    cx.set_bytes(opt::RESOURCE, resource, b' ');
    cx.set_number(opt::RESLEN, resource.len() as i64);
    cx.set_cvda(opt::TYPE, if kind == 1 { "EXECSTRG" } else { "EXECADDR" });
    cx.set_cvda(opt::RELATION, if enqueue.owns { "OWNER" } else { "WAITER" });
    let duration = match enqueue.lifetime {
        Lifetime::Uow => "UOW",
        Lifetime::Task => "TASK",
    };
    cx.set_cvda(opt::DURATION, duration);
    cx.set_number(opt::TASKID, i64::from(enqueue.task));
    let task = TaskEntry::find(cx.host.shared(), enqueue.task);
    cx.set_text(
        opt::TRANSID,
        task.as_ref().map_or("", |task| task.transid.as_str()),
    );
    let unit = if cx.has(opt::UOW) || cx.has(opt::NETUOWID) {
        unit_of(cx, enqueue.task)?
    } else {
        0
    };
    cx.set_bytes(opt::UOW, &unit.to_be_bytes(), 0);
    let id = format!("{}.{unit:016X}", cx.region.facts.applid);
    cx.set_text(opt::NETUOWID, &id);
    NORMAL
}

/// Number of the unit of work of a task; 0: it has none.
pub(super) fn unit_of(cx: &mut Cx<'_>, task: u32) -> Result<u64, Fail> {
    let units = region_facts::units(cx)?;
    let own = units.iter().find(|unit| unit.task == task);
    Ok(own.map_or(0, |unit| unit.number))
}
