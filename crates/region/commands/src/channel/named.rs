//! Channels and containers that commands name.
//!
//! Not here: which of them there are (`state`).

use crate::command::{Cx, Fail, raise};
use transom_commands::OptionId;
use transom_types::{ChannelName, ContainerName, Resp};

/// The channel every program of the task sees.
pub const TRANSACTION_CHANNEL: &[u8; 16] = b"DFHTRANSACTION  ";

/// The container name argument: CONTAINERERR 18 when it holds characters a name may not have.
pub(crate) fn container_name(cx: &mut Cx<'_>, option: OptionId) -> Result<ContainerName, Fail> {
    let name = cx.name::<16>(option).unwrap_or([b' '; 16]);
    cx.resource(&name);
    if !valid_name(&name) {
        return raise(Resp::CONTAINERERR, 18);
    }
    Ok(ContainerName::from_field(&name))
}

/// The channel name argument, if given: CHANNELERR 1 when it holds characters a name may not have.
pub(crate) fn channel_name(cx: &Cx<'_>, option: OptionId) -> Result<Option<ChannelName>, Fail> {
    let Some(name) = cx.name::<16>(option) else {
        return Ok(None);
    };
    if !valid_name(&name) {
        return raise(Resp::CHANNELERR, 1);
    }
    Ok(Some(ChannelName::from_field(&name)))
}

/// The channel a command works on: the one named, else the current one. INVREQ 4 without either,
/// CHANNELERR 2 when the named one cannot be seen.
pub(crate) fn existing_channel(cx: &Cx<'_>, option: OptionId) -> Result<u32, Fail> {
    let current = cx.task.level().and_then(|level| level.channel);
    match channel_name(cx, option)? {
        None => current.map_or_else(|| raise(Resp::INVREQ, 4), Ok),
        Some(name) => match cx.task.channels.find(name, own_level(cx), current) {
            Some(id) => Ok(id),
            None => raise(Resp::CHANNELERR, 2),
        },
    }
}

/// As [`existing_channel`], but a named channel that does not exist is created.
pub(crate) fn channel_for_put(cx: &mut Cx<'_>, option: OptionId) -> Result<u32, Fail> {
    let current = cx.task.level().and_then(|level| level.channel);
    match channel_name(cx, option)? {
        None => current.map_or_else(|| raise(Resp::INVREQ, 4), Ok),
        Some(name) => Ok(find_or_create(cx, name)),
    }
}

/// The channel of this name in the program's sight, or a new empty one.
pub(crate) fn find_or_create(cx: &mut Cx<'_>, name: ChannelName) -> u32 {
    let current = cx.task.level().and_then(|level| level.channel);
    let level = own_level(cx);
    if let Some(id) = cx.task.channels.find(name, level, current) {
        return id;
    }
    let of_task = name.as_bytes() == TRANSACTION_CHANNEL;
    cx.task.channels.create(name, (!of_task).then_some(level))
}

fn own_level(cx: &Cx<'_>) -> usize {
    cx.task.levels.len().saturating_sub(1)
}

/// Characters of names, as the command reference gives them.
const IN_NAMES: [bool; 256] = {
    let mut all = [false; 256];
    let others = b"$@#/%&?!:|\"=,;<>.-_\xAC";
    let mut at = 0;
    while at < others.len() {
        all[others[at] as usize] = true;
        at += 1;
    }
    let mut byte = 0;
    while byte < 128_u8 {
        all[byte as usize] |= byte.is_ascii_alphanumeric();
        byte += 1;
    }
    all
};

/// 1 to 16 such characters, no blank inside.
fn valid_name(name: &[u8; 16]) -> bool {
    let used = name.iter().rposition(|b| *b != b' ').map_or(0, |at| at + 1);
    used > 0 && name[..used].iter().all(|b| IN_NAMES[usize::from(*b)])
}
