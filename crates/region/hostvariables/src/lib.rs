//! Host variables of EXEC SQL.
//!
//! What: COBOL items to values of SQL and back, as Db2 assigns them, and the SQLCA. Begin at
//! [`values`] and [`give`], for arrays at [`element`]. Why a room: it needs a call and nothing of a
//! task. Not here: asking the region (`region/commands`), SQL. What is asked stands in [`request`].

#![forbid(unsafe_code)]

mod input;
mod output;
mod places;
mod request;
mod rows;
mod sqlca;
mod sqlda;
mod variables;

pub use input::values;
pub use output::give;
pub use places::Places;
pub use request::{direction, from, qualified, request};
pub use rows::{element, hole, most, rows, wanted};
pub use sqlca::{Warnings, fill};
pub use sqlda::{describe, places};
