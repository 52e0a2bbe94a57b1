//! Host variables of EXEC SQL.
//!
//! What: COBOL items to values of SQL and back, as Db2 assigns them, and the SQLCA. Begin at
//! [`values`] and [`give`], for arrays at [`element`]; a statement as a whole is [`execute`]. Why a
//! room: it needs a call and nothing of a task. Not here: who is asked ([`Asks`]:
//! `region/commands`, `region/batch`), SQL. What is asked stands in [`request`].

#![forbid(unsafe_code)]

mod diagnostics;
mod input;
mod kept;
mod output;
mod places;
mod request;
mod rows;
mod several;
mod sqlca;
mod sqlda;
mod statement;
mod variables;

pub use input::values;
pub use kept::ProgramSql;
pub use output::give;
pub use places::Places;
pub use request::{direction, from, qualified, request};
pub use rows::{element, hole, most, rows, wanted};
pub use sqlca::{Warnings, fill};
pub use sqlda::{describe, places};
pub use statement::{Asks, Ran, execute};
