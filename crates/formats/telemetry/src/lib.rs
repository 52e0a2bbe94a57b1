//! What is measured of a running system, and how it is told to other products.
//!
//! What: [`Timings`] counts how long things took, each under its name and a bounded number of them;
//! [`Exposition`] writes figures as Prometheus reads them; [`OperationFigures`] is what a gateway
//! knows of one operation; [`Access`] is a line of an access log. Why a room of formats: the
//! region, the gateway and whoever shows figures agree on one distribution of times, and nothing
//! here needs a socket or a clock. Not here: what is measured and when, who may see it
//! (`doors/operations`), records of single tasks (`formats/monitoring`).

#![forbid(unsafe_code)]

mod access;
mod exposition;
mod histogram;
mod operation;
mod timings;

pub use access::Access;
pub use exposition::{Exposition, Kind};
pub use histogram::{BOUNDS_NS, Histogram, Reading};
pub use operation::OperationFigures;
pub use timings::{Timed, TimedAll, Timings};
