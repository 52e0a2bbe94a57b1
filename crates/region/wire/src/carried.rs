//! COMMAREA or channel on its way between regions, with what domains add.
//!
//! What: the bytes of a reply of a task, made of values and read back. Not here: a reply as a
//! worker writes it (`payload`).

use crate::payload::{Sections, TaskReply, end_of_commarea_reply, read_reply, write_channel_reply};
use transom_types::Payload;

/// Bytes of what a task is given or leaves.
pub fn payload_bytes(payload: Payload, sections: &Sections) -> Vec<u8> {
    match payload {
        Payload::Commarea(mut bytes) => {
            bytes.extend_from_slice(&end_of_commarea_reply(sections));
            bytes
        }
        Payload::Channel { name, containers } => {
            let views = containers.iter().map(crate::payload::view);
            write_channel_reply(name, containers.len(), views, sections)
        }
    }
}

/// Reads them; `None`: they are none.
pub fn payload_of(bytes: Vec<u8>) -> Option<(Payload, Sections)> {
    match read_reply(bytes) {
        Ok(TaskReply::Normal(payload, sections)) => Some((payload, sections)),
        _ => None,
    }
}
