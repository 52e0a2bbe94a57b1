//! Basic mapping support: maps and text on the screen of a task's terminal.
//!
//! Reading order: `maps`, `write` (what commands share), `send_map`, `receive_map`, then logical
//! messages: `state`, `message`, `page_map`, `send_text`, `send_page`, `route`. Not here: merging
//! and unpacking (`transom_bms`), when output is sent (`super::output`), paging sessions
//! (`region/server/terminal::paging`).

mod mapping_device;
mod maps;
mod message;
mod page_map;
pub(crate) mod receive_map;
pub(crate) mod receive_mapping_device;
pub(crate) mod route;
pub(crate) mod send_control;
pub(crate) mod send_map;
pub(crate) mod send_page;
pub(crate) mod send_text;
mod set_area;
mod write;

pub(crate) use transom_region_task::bms as state;
pub(crate) use transom_region_task::devices;
pub(crate) use transom_region_task::mapsets;
pub(crate) use transom_region_task::page;
