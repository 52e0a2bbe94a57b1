//! Browses: STARTBR makes one, RESETBR, READNEXT and READPREV move it, ENDBR ends it.
//!
//! One file per command; `position` says where a browse stands, `step` moves it by a record,
//! `locked` does so with a lock.

pub(crate) mod endbr;
mod locked;
mod position;
pub(crate) mod readnext;
pub(crate) mod readprev;
pub(crate) mod resetbr;
pub(crate) mod startbr;
mod step;
