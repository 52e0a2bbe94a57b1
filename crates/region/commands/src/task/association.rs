//! How the task began, and what tasks that it starts inherit.
//!
//! A task that a door, a terminal or a queue began is an origin itself; one that START (without
//! TERMID and ATTACH) or RUN TRANSID began has the origin of who started it. Not here: telling it
//! (`inquire::association`).

use crate::command::Cx;
use crate::task_state::TaskState;
use transom_types::StartedBy;
use transom_wire::association::{
    Association, Beginning, Facility, Inherited, Itself, Origin, Previous,
};

/// The task begins. Terminal and START are known.
pub(crate) fn begin(task: &mut TaskState, inherited: Option<&[u8]>) {
    let inherited = inherited.and_then(Inherited::decode);
    task.association = Association {
        beginning: beginning(task),
        origin: inherited.map(|from| from.origin),
        previous: inherited.map(|from| from.previous),
    };
}

/// What a task that this one starts inherits.
pub(crate) fn hand_on(cx: &Cx<'_>) -> Inherited {
    let task = &cx.task;
    let before = task
        .association
        .previous
        .map_or(0, |previous| previous.count);
    Inherited {
        origin: origin(cx),
        previous: Previous {
            task_number: task.number,
            transid: task.transaction.transid,
            start_abstime_ms: task.start_abstime_ms as u64,
            count: before.saturating_add(1),
        },
    }
}

/// Where the work of the task entered the region.
pub(crate) fn origin(cx: &Cx<'_>) -> Origin {
    let task = &cx.task;
    task.association.origin_of(&Itself {
        applid: cx.region.facts.applid,
        task_number: task.number,
        transid: task.transaction.transid,
        userid: task.userid,
        start_abstime_ms: task.start_abstime_ms as u64,
    })
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
