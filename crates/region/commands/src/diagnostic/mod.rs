//! Diagnostic services: dumps, user trace entries, monitoring points.

pub(crate) mod dump;
pub(crate) mod enter_tracenum;
pub(crate) mod monitor;

pub(crate) use transom_region_task::diagnostic as state;
