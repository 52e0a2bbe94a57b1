//! The asynchronous API: RUN TRANSID, FETCH CHILD, FETCH ANY, FREE CHILD.
//!
//! Worker side, and how a channel travels to another task. Not here: running children (region
//! side).

pub(crate) mod copied_channel;
pub(crate) mod fetch;
pub(crate) mod free;
pub(crate) mod run;
