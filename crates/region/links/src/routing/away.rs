//! Why there is no way to another region, as DYRERROR of a dynamic routing program has it.
//!
//! Not here: the texts (`transom_messages`), routing programs (`region/supplied`).

use transom_messages::Message;
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;

/// There is no such system.
pub(crate) const UNKNOWN: u8 = b'0';
/// It is not in service, or does not answer.
pub(crate) const NOT_IN_SERVICE: u8 = b'1';
/// No session is free.
pub(crate) const NO_SESSION: u8 = b'2';
/// QUEUELIMIT.
pub(crate) const QUEUE_FULL: u8 = b'3';
/// MAXQTIME.
pub(crate) const QUEUED_TOO_LONG: u8 = b'4';

/// The answer to whoever wants to go there.
pub(crate) fn away(error: u8, why: Message) -> RegionAnswer {
    RegionAnswer {
        data: vec![error],
        ..RegionAnswer::refused(Resp::SYSIDERR, 0, why)
    }
}
