//! Jobs: which steps run which program with which data sets.
//!
//! What: [`read`] takes JCL apart: EXEC, DD with in-stream data and concatenations, PROC with symbols and overrides, SET,
//! COND. Why: the DEFINE and REPRO statements of an estate stand in the SYSIN of jobs. Not here: running anything; IF/THEN,
//! INCLUDE and GDG resolution.

mod lines;
mod resolve;
mod step;

pub use resolve::read;
pub use step::{Condition, DataSet, Dd, DdSource, Disposition, InstreamLine, Job, Step};

/// Most steps of a job, those of its procedures included.
pub const MAX_STEPS: usize = 1000;
/// Deepest nesting of procedures.
pub const MAX_PROC_DEPTH: usize = 15;
