//! Steps of jobs: COBOL programs with files and EXEC SQL, without a region.
//!
//! What: [`run`] runs one program in a COBOL worker of its own; its file statements, its SQL and
//! ACCEPT come as questions to this process, which alone has data sets, files and the database.
//! Begin at [`step`], then [`files`]. Why a room: a step has neither tasks nor terminals nor EXEC
//! CICS, and a region has no file statements. Not here: jobs and DD statements (region/utilities,
//! tools/batch), compiling (region/system), which process a program runs in (region/workers).

#![deny(unsafe_code)]

mod answers;
mod edge;
mod ends;
mod files;
mod questions;
mod step;
mod worker;

pub use ends::{Abended, StepEnd};
pub use files::{Place, Places, SysOut, VsamFile};
pub use step::{Environment, NoSql, OpenSql, Step, StepError, SysIn, run};
pub use worker::make_commands;
