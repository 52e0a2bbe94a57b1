//! Monitoring records: what a task used, under the names of the CICS monitoring facility.
//!
//! What: the fields there are ([`field`]), a record of a task ([`Record`]), which command counts in
//! which field ([`counter_of`]), the stream that records are written to and read from
//! ([`stream`]), the same records as SMF 110 ([`smf`]), and statistics of a region
//! ([`statistics`]), which the stream has too. Why a format of its own: region,
//! workers and the tools that read records agree on one dictionary, which each file carries along,
//! so that a reader of another release finds fields by their names. Not here: who counts, files,
//! reports.

#![forbid(unsafe_code)]

mod control_table;
mod counted;
mod counts;
mod dictionary;
mod kind;
mod known;
mod record;
pub mod smf;
pub mod statistics;
pub mod stream;
mod tables;
mod user_fields;

pub use control_table::{ControlTable, DEFAULT_ENTRY, How, Operand, Operation, Point};
pub use counted::counter_of;
pub use counts::Counts;
pub use kind::{Field, FieldId, Kind};
pub use record::{More, Record};
pub use tables::fields as field;
pub use user_fields::{UserFields, UserValue};
