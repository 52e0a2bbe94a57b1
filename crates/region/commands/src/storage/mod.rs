//! Storage control: storage of a task and storage all tasks share.
//!
//! Not here: where the bytes come from and when they go away (`transom_workers`).

pub(crate) mod freemain;
pub(crate) mod getmain;
