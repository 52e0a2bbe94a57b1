//! EXEC CICS RETURN: end this program level; at the highest level the task ends.
//!
//! At the highest level of a task with a terminal, TRANSID names what the next input starts (or,
//! with IMMEDIATE, what starts at once), COMMAREA or CHANNEL what it gets, INPUTMSG what its first
//! RECEIVE gets; without TRANSID the caller's next RECEIVE gets INPUTMSG. Conditions: INVREQ 1
//! (TRANSID without terminal), 2 (COMMAREA, CHANNEL or IMMEDIATE below the highest level, or
//! without TRANSID), 8 (INPUTMSG without terminal); LENGERR 11, 26, 27 (INPUTMSGLEN); CHANNELERR 1
//! (channel name).

use super::arguments::commarea;
use super::input_message;
use crate::channel;
use crate::command::{Cx, Done, Fail, raise, to_storage};
use transom_commands::opt;
use transom_types::{ChannelName, Resp, TransId};
use transom_workers::seam::{Area, Outcome};

/// The command.
pub(crate) fn return_command(cx: &mut Cx<'_>) -> Done {
    let area = commarea(cx)?;
    let channel = channel::named::channel_name(cx, opt::CHANNEL)?;
    let has_terminal = cx.task.terminal.get().is_some();
    let message = input_message::given(cx)?;
    // A program a mirror linked to is not at the highest level.
    let highest = cx.task.levels.len() <= 1 && cx.task.mirror().is_none();
    let for_next = area.bytes > 0 || cx.has(opt::CHANNEL) || cx.has(opt::IMMEDIATE);
    if for_next && !highest {
        return raise(Resp::INVREQ, 2);
    }
    if cx.has(opt::TRANSID) && !has_terminal {
        return raise(Resp::INVREQ, 1);
    }
    if has_terminal {
        next(cx, (area, channel), message, highest)?;
    }
    Ok(Outcome::Return)
}

/// Keeps what concerns the terminal's next transaction until the task ends. The COMMAREA is copied:
/// the program's storage is gone by then.
fn next(
    cx: &mut Cx<'_>,
    (area, channel): (Area, Option<ChannelName>),
    message: Option<Vec<u8>>,
    highest: bool,
) -> Result<(), Fail> {
    let immediate = cx.has(opt::IMMEDIATE);
    let Some(name) = cx.name::<4>(opt::TRANSID) else {
        // The next program of this task that receives gets it.
        if !highest {
            input_message::pass(cx, message, 0);
        }
        return Ok(());
    };
    if highest {
        let bytes = match area.bytes {
            0 => Vec::new(),
            length => cx.host.memory(area.address, length).to_vec(),
        };
        let address = match bytes.is_empty() {
            true => 0,
            false => to_storage(cx.host, &bytes)?,
        };
        cx.task.reply_area = Area {
            address,
            bytes: bytes.len(),
        };
        cx.task.sent_bytes = bytes.len();
        cx.task.start.reply_bytes_max = 0;
        cx.task.reply_channel = channel.map(|name| channel::named::find_or_create(cx, name));
    }
    if let Some(terminal) = cx.task.terminal.get_mut() {
        terminal.next = Some(TransId::from_field(&name)).filter(|name| !name.is_blank());
        terminal.immediate = immediate;
        terminal.message = message;
    }
    Ok(())
}
