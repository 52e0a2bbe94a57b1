//! Tables of the room.

pub mod fields;
