//! What reading and writing of a map file share.

use std::fmt;
use transom_messages as messages;

/// A map file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapFileError {
    reason: &'static str,
}

impl fmt::Display for MapFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", messages::bm::map_file_not_usable(self.reason))
    }
}

impl std::error::Error for MapFileError {}

pub(super) type Result<T> = std::result::Result<T, MapFileError>;

pub(super) fn error<T>(reason: &'static str) -> Result<T> {
    Err(MapFileError { reason })
}

/// NEXT and SAME as numbers: lines and columns are below them.
pub(super) const NEXT: u16 = 0xffff;
pub(super) const SAME: u16 = 0xfffe;
