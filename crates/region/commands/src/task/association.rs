//! How the task began, and what tasks that it starts inherit.
//!
//! A task that a door, a terminal or a queue began is an origin itself; one that START (without
//! TERMID and ATTACH) or RUN TRANSID began has the origin of who started it. Not here: telling it
//! (`inquire::association`).

use crate::task_state::TaskState;
use transom_types::{Applid, StartedBy};
use transom_wire::association::{
    Association, Beginning, CORRELATION_BYTES, Facility, Inherited, Origin, Previous,
};

/// The task begins. Terminal and START are known.
pub(crate) fn begin(task: &mut TaskState, applid: Applid, inherited: Option<&[u8]>) {
    let beginning = beginning(task);
    let inherited = inherited.and_then(Inherited::decode);
    task.association = Association {
        beginning,
        origin: inherited.map_or_else(|| itself(task, applid, beginning), |from| from.origin),
        previous: inherited.map(|from| from.previous),
    };
}

/// What a task that this one starts inherits.
pub(crate) fn hand_on(task: &TaskState) -> Inherited {
    let before = task
        .association
        .previous
        .map_or(0, |previous| previous.count);
    Inherited {
        origin: task.association.origin,
        previous: Previous {
            task_number: task.number,
            transid: task.transaction.transid,
            start_abstime_ms: task.start_abstime_ms as u64,
            count: before.saturating_add(1),
        },
    }
}

fn itself(task: &TaskState, applid: Applid, beginning: Beginning) -> Origin {
    Origin {
        applid,
        task_number: task.number,
        transid: task.transaction.transid,
        userid: task.userid,
        start_abstime_ms: task.start_abstime_ms as u64,
        beginning,
        correlation: [b' '; CORRELATION_BYTES],
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
