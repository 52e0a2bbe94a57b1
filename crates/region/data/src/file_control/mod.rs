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
pub(crate) mod read;
mod record;
pub(crate) mod rewrite;
mod rid;
mod sharing;
mod source;
pub(crate) mod unlock;
pub(crate) mod write;

pub(crate) use transom_region_task::file_control as state;
pub(crate) use transom_region_task::known_file as known;
pub(crate) use transom_region_task::reading;
pub(crate) use transom_region_task::rid_kind;
