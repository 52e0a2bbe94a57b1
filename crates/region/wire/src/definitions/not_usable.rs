//! Why a definition of a deck cannot be installed.

use std::fmt;

/// Longest name of a data set.
pub(super) const DSNAME_MAX: usize = 44;

/// The attribute that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotUsable {
    /// FILE: DSNAME.
    DsnameTooLong,
}

impl fmt::Display for NotUsable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DsnameTooLong => write!(f, "DSNAME has more than {DSNAME_MAX} characters"),
        }
    }
}

impl std::error::Error for NotUsable {}
