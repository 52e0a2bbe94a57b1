//! Trace entries of the command processor: tasks, commands, abends, SQL.
//!
//! What: a function for each place that makes one. Why functions: an entry is the same wherever its
//! place is. Not here: whether it is kept (`Host::trace`), entries of questions to the region and
//! of waits, which the worker makes.

use crate::command::Cx;
use crate::eib;
use crate::task_state::TaskState;
use transom_commands::CommandId;
use transom_region_task::last_commands::LastCommands;
use transom_trace::{Component, Entry, Point};
use transom_types::{AbendCode, ProgramName};
use transom_workers::seam::Host;

/// A task begins with this program.
pub(crate) fn attach(host: &mut dyn Host, single: bool, program: ProgramName) {
    host.trace_task(single);
    host.trace(&Entry {
        program: *program.as_bytes(),
        ..Entry::new(Component::XM, Point::Attach)
    });
}

/// The task ends.
pub(crate) fn detach(host: &mut dyn Host, abend: Option<AbendCode>) {
    host.trace(&Entry {
        resource: code(abend),
        ..Entry::new(Component::XM, Point::Detach)
    });
}

/// A command that has begun.
pub(crate) struct Begun {
    /// Its number among the last commands.
    number: u64,
    program: ProgramName,
    line: u32,
    command: CommandId,
}

impl Begun {
    /// An entry of it, but for what is known at its end.
    fn entry(&self, point: Point) -> Entry {
        Entry {
            program: *self.program.as_bytes(),
            line: self.line,
            command: self.command.0,
            ..Entry::new(Component::EI, point)
        }
    }
}

/// A command begins.
pub(crate) fn begins(
    host: &mut dyn Host,
    (task, last): (&TaskState, &mut LastCommands),
    command: CommandId,
    line: u32,
) -> Begun {
    let program = task.program();
    let begun = Begun {
        number: last.begin(command, program, line),
        program,
        line,
        command,
    };
    host.trace(&begun.entry(Point::CommandEntry));
    begun
}

/// The command ends, with EIBRSRCE, RESP and RESP2.
pub(crate) fn ends(cx: &mut Cx<'_>, begun: &Begun) {
    let (resource, (resp, resp2)) = eib::outcome(cx.host.eib_mut());
    cx.region.last.end(begun.number, resource, (resp, resp2));
    cx.host.trace(&Entry {
        resource,
        resp: resp.0,
        resp2,
        ..begun.entry(Point::CommandExit)
    });
}

/// A program came back to the one that linked to it.
pub(crate) fn returned(host: &mut dyn Host, program: ProgramName) {
    host.trace(&Entry {
        program: *program.as_bytes(),
        ..Entry::new(Component::PG, Point::LinkReturn)
    });
}

/// An abend of the program that runs.
pub(crate) fn abend(host: &mut dyn Host, task: &TaskState, abend: AbendCode) {
    host.trace(&Entry {
        program: *task.program().as_bytes(),
        resource: code(Some(abend)),
        ..Entry::new(Component::AP, Point::Abend)
    });
}

/// An SQL request begins, or has ended with this SQLCODE.
pub(crate) fn sql(host: &mut dyn Host, program: ProgramName, ended: Option<i32>) {
    let entry = Entry {
        program: *program.as_bytes(),
        ..Entry::new(Component::RI, Point::SqlEntry)
    };
    host.trace(&match ended {
        None => entry,
        Some(code) => Entry {
            point: Point::SqlExit,
            resp2: code as u32,
            ..entry
        },
    });
}

fn code(abend: Option<AbendCode>) -> [u8; 8] {
    let mut resource = [b' '; 8];
    if let Some(abend) = abend {
        resource[..4].copy_from_slice(abend.as_bytes());
    }
    resource
}
