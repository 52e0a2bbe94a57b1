//! How the task began, and what tasks that it starts inherit.
//!
//! A task that a door, a terminal or a queue began is an origin itself; one that START (without
//! TERMID and ATTACH) or RUN TRANSID began has the origin of who started it. Not here: telling it
//! (`inquire::association`).

use crate::command::Cx;
use crate::task_state::TaskState;
use transom_types::StartedBy;
use transom_wire::association::{Association, Beginning, Facility, Inherited, Itself, Origin};

/// The task begins. Terminal and START are known.
pub(crate) fn begin(task: &mut TaskState, inherited: Option<&[u8]>) {
    let inherited = inherited.and_then(Inherited::decode);
    let of_region = task.start.started_by == StartedBy::Region;
    task.association = Association {
        beginning: beginning(task),
        origin: inherited.map(|from| from.origin),
        // A mirror's is in another region, whose task numbers mean nothing here.
        previous: inherited.filter(|_| !of_region).map(|from| from.previous),
    };
}

/// What a task that this one starts inherits.
pub(crate) fn hand_on(cx: &Cx<'_>) -> Inherited {
    cx.task.association.handed_on(&itself(cx))
}

/// Where the work of the task entered the region.
pub(crate) fn origin(cx: &Cx<'_>) -> Origin {
    cx.task.association.origin_of(&itself(cx))
}

fn itself(cx: &Cx<'_>) -> Itself {
    let task = &cx.task;
    Itself {
        applid: cx.region.facts.applid,
        task_number: task.number,
        transid: task.transaction.transid,
        userid: task.userid,
        start_abstime_ms: task.start_abstime_ms as u64,
    }
}

fn beginning(task: &TaskState) -> Beginning {
    let terminal = task.terminal.get();
    let facility = match (task.start.started_by, terminal.is_some()) {
        (StartedBy::Gateway | StartedBy::Region, _) => Facility::Link,
        (StartedBy::Internal, _) => Facility::None,
        (StartedBy::Terminal, _) => Facility::Terminal,
        (StartedBy::Start, true) => Facility::StartAtTerminal,
        (StartedBy::Start, false) => Facility::Start,
        (StartedBy::Trigger, _) => Facility::TransientData,
        (StartedBy::Child, _) => Facility::Child,
    };
    let name = |bytes: &[u8]| {
        let mut name = [b' '; 8];
        name.iter_mut()
            .zip(bytes)
            .for_each(|(to, from)| *to = *from);
        name
    };
    let queue = task.interval.trigger_queue();
    Beginning {
        facility,
        facility_name: match (&queue, terminal) {
            (Some(queue), _) => name(queue.as_bytes()),
            (None, Some(own)) => name(own.facts.terminal.as_bytes()),
            (None, None) => name(b""),
        },
        luname: name(terminal.map_or(&b""[..], |own| own.facts.netname.as_bytes())),
        client: task.start.client,
    }
}
