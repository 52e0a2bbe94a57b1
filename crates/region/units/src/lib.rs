//! INQUIRE and SET of units of work, inside a worker.
//!
//! What: a file for UOW, one for UOWLINK. Why a room: these commands ask the region and take
//! nothing of others, and `region/commands` is full
//! (`docs/decisions/0092-units-of-work-are-inquired-in-a-room.md`). Not here: which units of work
//! there are (`region/server`), which other regions have a part in them (`region/links`), how a
//! program ends its own (`region/commands`).

#![forbid(unsafe_code)]

pub mod uow;
pub mod uowlink;
