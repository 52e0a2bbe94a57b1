//! A system directory as the rooms that are wired together take it.
//!
//! What: one file per table or folder that a room is started with. Not here: finding, reading and
//! compiling (`region/system`), starting anything (see `commands::run`).

pub(crate) mod adapters;
pub(crate) mod collating;
pub(crate) mod descriptors;
pub(crate) mod exposure;
pub(crate) mod figures;
pub(crate) mod gateway;
pub(crate) mod paging;
pub(crate) mod region;
pub(crate) mod sit;
pub(crate) mod sql;
pub(crate) mod store;
pub(crate) mod terminals;
pub(crate) mod users;

use std::path::Path;
use transom_messages::Message;
pub(crate) use transom_system::{
    Finding, SystemDirectory, build, data_texts, decks, library, page, program_lists, read_source,
    read_text,
};

/// Reads the folder. Problems of `transom.toml` are among the findings.
pub(crate) fn open(folder: &Path) -> Result<(SystemDirectory, Vec<Finding>), Message> {
    SystemDirectory::open(folder, users::problems)
}
