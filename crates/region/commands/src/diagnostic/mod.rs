//! Diagnostic services: dumps, user trace entries, monitoring points.

pub(crate) mod dump;
pub(crate) mod dump_area;
mod dump_state;
mod dump_storage;
pub(crate) mod enter_tracenum;
pub(crate) mod monitor;
pub(crate) mod records;
pub(crate) mod trace;

pub(crate) use transom_region_task::diagnostic as state;
pub(crate) use transom_region_task::dump_code;
