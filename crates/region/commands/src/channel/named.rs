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

/// 1 to 16 characters as the command reference gives them, no blank inside. All bytes are looked
/// at, and none decides alone: so they are compared together, and not one after the other.
fn valid_name(name: &[u8; 16]) -> bool {
    let mut valid = name[0] != b' ';
    for byte in name {
        valid &= in_names(*byte) | (*byte == b' ');
    }
    for (byte, next) in name.iter().zip(&name[1..]) {
        valid &= (*byte != b' ') | (*next == b' ');
    }
    valid
}

/// Letters, digits and `$@#/%&?!:|"=,;<>.-_` and the byte of the logical not, as ranges.
const fn in_names(byte: u8) -> bool {
    const fn within(byte: u8, first: u8, last: u8) -> bool {
        byte.wrapping_sub(first) <= last - first
    }
    within(byte, b'!', b'&')
        | within(byte, b',', b'Z')
        | within(byte, b'a', b'z')
        | (byte == b'_')
        | (byte == b'|')
        | (byte == 0xAC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_letters_digits_and_some_marks() {
        let marks = b"$@#/%&?!:|\"=,;<>.-_\xAC";
        for byte in 0..=u8::MAX {
            let listed = byte.is_ascii_alphanumeric() || marks.contains(&byte);
            assert_eq!(in_names(byte), listed, "{byte:#x}");
            let mut name = *b"NAME            ";
            name[3] = byte;
            assert_eq!(valid_name(&name), listed || byte == b' ', "{byte:#x}");
            name = *b"ALL16CHARACTERSX";
            name[15] = byte;
            assert_eq!(valid_name(&name), listed || byte == b' ', "{byte:#x}");
        }
    }

    #[test]
    fn blanks_are_behind_the_name_alone() {
        for name in [
            b"                ",
            b" NAME           ",
            b"NA ME           ",
            b"N              E",
        ] {
            assert!(!valid_name(name));
        }
    }
}
