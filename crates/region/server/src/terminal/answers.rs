//! Refusals that several requests of tasks about terminals have in common.

use transom_messages as messages;
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;

/// The session is over.
pub(super) fn gone() -> RegionAnswer {
    RegionAnswer::refused(Resp::TERMERR, 0, messages::zc::gone())
}

/// There is no such terminal, or it cannot be had.
pub(super) fn not_found() -> RegionAnswer {
    RegionAnswer::refused(Resp::TERMIDERR, 1, messages::zc::not_found())
}
