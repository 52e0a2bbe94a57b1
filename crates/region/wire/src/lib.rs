//! The language between workers and region, later between regions.
//!
//! What: definitions as both sides read them, requests and answers of each domain (declared once by
//! [`language!`], from which their bytes follow), attach data and replies ([`payload`]), records in
//! shared memory. Each domain has one module with the name it has everywhere. Why: commands and
//! server never see each other; what they agree on stands here once. Not here: behaviour,
//! processes, stores.

#![forbid(unsafe_code)]

mod defined;
pub mod definitions;
mod late;
pub mod module;
pub mod pattern;
pub mod payload;
pub mod requests;
pub mod secret;
pub mod shared;

pub mod asked;
pub mod association;
pub mod asynchronous;
pub mod bms;
pub mod carried;
pub mod counter;
pub mod edf;
pub mod file_control;
pub mod inbound;
pub mod interval;
pub mod journal;
pub mod monitoring;
pub mod partner;
pub mod routing;
pub mod security;
pub mod sql;
pub mod syncpoint;
pub mod system;
pub mod task;
pub mod temporary_storage;
pub mod terminal;
pub mod transient_data;

pub use defined::is_defined;
pub use transom_language as language;
pub use transom_language::{codec, language};

pub use late::LateModules;
pub use module::{Module, SUPPLIED};
pub use shared::{Group, SPACES, Shared, Space};
