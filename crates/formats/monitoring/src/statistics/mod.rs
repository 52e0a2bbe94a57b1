//! Statistics records: what the domains of a region counted, under the names of CICS's own records.
//!
//! What: which records and fields there are ([`ALL`]), the bytes a program gets of one
//! ([`Counted::bytes`]) with the copybook that describes them ([`Layout::copybook`]), and what the
//! stream keeps of one ([`Written`]). A field is here only when something counts it, so a program
//! that names another one does not compile. Not here: who counts, when statistics are written.

mod layout;
mod tables;
mod written;

pub use layout::{Counted, Layout, Means, Repeated, StatisticsField, Value};
pub use tables::*;
pub use written::{Figure, Why, Written};
