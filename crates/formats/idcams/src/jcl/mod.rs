//! Jobs: which steps run which program with which data sets.
//!
//! What: [`read`] takes JCL apart: EXEC, DD with in-stream data and concatenations, PROC with
//! symbols and overrides, SET, COND, IF/THEN/ELSE, INCLUDE and references to earlier DD statements.
//! Why: the DEFINE and REPRO statements of an estate stand in the SYSIN of jobs. Not here: running
//! anything; which generation of a group a number means.

mod lines;
mod reader;
mod resolve;
mod step;
mod test;

pub use lines::InstreamLine;
pub use resolve::read;
pub use step::{Condition, DataSet, Dd, DdSource, Disposition, Job, Step};
pub use test::IfTest;

/// Most steps of a job, those of its procedures included.
pub const MAX_STEPS: usize = 1000;
/// Most INCLUDE statements of a job, those of its procedures included.
pub const MAX_INCLUDES: usize = 1000;
/// Deepest nesting of IF.
pub const MAX_IF_DEPTH: usize = 15;
/// Deepest nesting of procedures.
pub const MAX_PROC_DEPTH: usize = 15;
