//! Commands and options that translate but do nothing yet: INVREQ with a message that names them.
//!
//! The message comes once per command. RESP2 is 990 for a whole command, 991 for an
//! option of a command that otherwise works, so that a program can tell them from CICS's own
//! reasons. Which ones they are stands in the command table.

use crate::command::{Cx, Done, Fail, raise};
use transom_commands::{Command, CommandId, OptionId, option_name};
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::Space;

/// RESP2 of a command that is not implemented.
pub const COMMAND_NOT_IMPLEMENTED: u32 = 990;
/// RESP2 of an option that is not implemented.
pub const OPTION_NOT_IMPLEMENTED: u32 = 991;

/// Group of [`Space::System`] with what was reported.
const REPORTED_GROUP: &[u8] = b"REPORTED";

/// Answers a command nothing is implemented for.
pub(crate) fn command(cx: &mut Cx<'_>, command: Option<&Command>) -> Done {
    let id = cx.call.command();
    if first_time(cx, id, OptionId(0)) {
        cx.host.log(
            messages::ei::command_not_implemented(
                cx.task.program(),
                cx.call.line(),
                command.map_or("(unknown command)", |command| command.name),
            )
            .line(),
        );
    }
    raise(Resp::INVREQ, COMMAND_NOT_IMPLEMENTED)
}

/// Refuses a call that gives one of the options nothing is implemented for.
pub(crate) fn check_options(cx: &mut Cx<'_>, refused: &[OptionId]) -> Result<(), Fail> {
    let Some(option) = refused.iter().copied().find(|option| cx.call.has(*option)) else {
        return Ok(());
    };
    let id = cx.call.command();
    if first_time(cx, id, option) {
        cx.host.log(
            messages::ei::option_not_implemented(
                cx.task.program(),
                cx.call.line(),
                option_name(option),
                transom_commands::command(id).map_or("(unknown command)", |command| command.name),
            )
            .line(),
        );
    }
    raise(Resp::INVREQ, OPTION_NOT_IMPLEMENTED)
}

/// Nobody in the region reported it yet. A worker asks shared memory once.
fn first_time(cx: &mut Cx<'_>, command: CommandId, option: OptionId) -> bool {
    if !cx.region.reported.insert((command, option)) {
        return false;
    }
    let item = u32::from(command.0) << 16 | u32::from(option.0);
    let mut first = true;
    cx.host
        .shared()
        .with_group(Space::System, REPORTED_GROUP, &mut |group| {
            first = group.get(item).is_none();
            if first {
                group.put(item, &[1]);
            }
        });
    first
}
