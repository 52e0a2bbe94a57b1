//! Channels and containers of one task.
//!
//! What: which channels exist, who can see them, their containers. A channel is visible to the
//! program level that created it and, as current channel, to the programs it was passed to; it goes
//! away when its level ends. DFHTRANSACTION is visible to every program of the task until the task
//! ends. One file per command; `state` has what the task keeps, `named` finds what a command names.

pub(crate) mod browse;
pub(crate) mod delete;
pub(crate) mod get_container;
pub(crate) mod move_container;
pub(crate) mod named;
pub(crate) mod put_container;
pub(crate) mod query;

pub(crate) use transom_region_task::channel as state;
