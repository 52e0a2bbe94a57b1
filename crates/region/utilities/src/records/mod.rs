//! Records on their way: from and to files, clusters and lines of a job.
//!
//! What: [`input`] and [`output`] are the two ends of a copy, [`files`] converts records of files,
//! [`portable`] is the file of EXPORT. Not here: which commands there are.

pub(crate) mod files;
pub(crate) mod input;
pub(crate) mod output;
pub(crate) mod portable;

use crate::print::Failure;
use std::path::Path;
use transom_messages::{id, si};
use transom_recovery::UowId;
use transom_types::Applid;

/// A file that could not be read or written, in the words of a command.
pub(crate) fn io(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::new(12, id::file_failed(path.display(), error))
}

/// Text of a file that a person wrote.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|e| Failure::new(12, si::not_read(path.display(), e)))?;
    Ok(transom_types::text(bytes))
}

/// The owner of locks that a load takes.
pub(crate) fn loader() -> UowId {
    UowId::new(Applid::from_field(b"IDCAMS"), 1)
}
