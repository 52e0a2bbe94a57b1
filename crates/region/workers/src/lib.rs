//! COBOL worker processes: zygote, slots, death and replacement.
//!
//! What: the plumbing between the region process and the processes that run COBOL, and the edge to
//! libcob. Why: libcob has no threads, so a running task is a process. Not here: what a command
//! does (`region/core`), which task may run when (`region/core::dispatcher`).

pub mod seam;
