//! Program control: finding programs and moving between program levels.
//!
//! Not here: loading modules and jumping between programs (`transom_workers`), installing
//! definitions (region side, `definitions`).

pub(crate) mod arguments;
mod input_message;
pub(crate) mod levels;
pub(crate) mod link;
pub(crate) mod load;
pub(crate) mod resolve;
pub(crate) mod return_command;
pub(crate) mod xctl;

pub(crate) use transom_region_task::program as state;
