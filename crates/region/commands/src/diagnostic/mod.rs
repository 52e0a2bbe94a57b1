//! Diagnostic services: dumps, user trace entries, monitoring points.

pub(crate) mod dump;
pub(crate) mod enter_tracenum;
pub(crate) mod monitor;
pub(crate) mod state;
