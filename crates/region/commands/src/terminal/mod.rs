//! Terminal control and basic mapping support.
//!
//! What: the terminal of a task as the worker knows it, and the commands that use it, a file each.
//! Reading order: `state`, `events` (a task begins and ends), `output` (what is sent when), `input`
//! (what is received), `text` (code pages), the commands, `bms`. Not here: sessions (region side),
//! data streams (`transom_datastream`), maps (`transom_bms`).

pub(crate) mod bms;
pub(crate) mod converse;
pub(crate) mod events;
pub(crate) mod extract;
pub(crate) mod facts;
pub(crate) mod input;
pub(crate) mod issue;
pub(crate) mod output;
mod own;
pub(crate) mod receive;
pub(crate) mod send;
pub(crate) mod signal;

pub(crate) use transom_region_task::terminal as state;
pub(crate) use transom_region_task::text;
