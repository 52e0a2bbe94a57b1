//! File control: READ, WRITE, REWRITE, DELETE, UNLOCK and browses.
//!
//! What: one file per command; `access` checks the file, `rid` reads and stores RIDFLD, `record`
//! the record itself, `source` reads committed records where they lie (`reading`) or asks the
//! region, `state` is what a task knows of its files. Everything that locks or changes is done by
//! the region process. Worker side. Not here: records and locks (`transom_datasets`), the region
//! side (`region/server/file_control`).

pub(crate) mod access;
pub(crate) mod browse;
pub(crate) mod delete;
pub(crate) mod events;
mod held;
pub(crate) mod known;
pub(crate) mod read;
pub(crate) mod reading;
mod record;
pub(crate) mod rewrite;
mod rid;
mod rid_kind;
mod sharing;
mod source;
pub(crate) mod state;
pub(crate) mod unlock;
pub(crate) mod write;
