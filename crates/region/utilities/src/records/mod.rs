//! Records on their way: from and to files, clusters and lines of a job.
//!
//! What: [`input`] and [`output`] are the two ends of a copy, [`files`] converts records of files,
//! [`portable`] is the file of EXPORT, [`sorting`] puts records in order. Not here: which commands
//! there are.

pub(crate) mod files;
pub(crate) mod input;
pub(crate) mod output;
pub(crate) mod portable;
mod sorting;

use crate::print::Failure;
use std::path::Path;
use transom_copybook::CodePage;
use transom_copybook::codepage::{SourceText, source_text};
use transom_messages::{id, si};
use transom_recovery::UowId;
use transom_types::Applid;

/// A file that could not be read or written, in the words of a command.
pub(crate) fn io(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::new(12, id::file_failed(path.display(), error))
}

/// Text of a file that a person wrote, here or on a mainframe; `page` is that of EBCDIC.
pub(crate) fn read_text(path: &Path, page: &CodePage) -> Result<SourceText, Failure> {
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|e| Failure::new(12, si::not_read(path.display(), e)))?;
    source_text(bytes, page).map_err(|_| Failure::new(12, si::ebcdic_without_lines(path.display())))
}

/// The owner of locks that a load takes.
pub(crate) fn loader() -> UowId {
    UowId::new(Applid::from_field(b"IDCAMS"), 1)
}
