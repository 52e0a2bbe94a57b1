//! Why a run could not be made.

use std::fmt;

/// Why a run could not be made. Failures of single requests are part of the result instead.
#[derive(Debug)]
pub struct DriveError(pub String);

impl fmt::Display for DriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DriveError {}
