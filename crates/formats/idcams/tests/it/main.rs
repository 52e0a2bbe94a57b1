//! What IDCAMS statements, jobs and record files give.

mod carddemo;
mod fuzz;
mod jobs;
mod records;
mod statements;
