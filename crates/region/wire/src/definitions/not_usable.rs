//! Why a definition of a deck cannot be installed.

use std::fmt;

/// Longest name of a data set.
pub(super) const DSNAME_MAX: usize = 44;

/// The attribute that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotUsable {
    /// FILE: DSNAME.
    DsnameTooLong,
    /// DB2ENTRY and DB2TRAN: what they belong to.
    NoDb2Conn,
    /// DB2CONN: PURGECYCLE.
    PurgeCycle,
    /// DB2CONN: CONNECTERROR and STANDBYMODE.
    SqlcodeWithoutStandby,
}

impl NotUsable {
    /// A region does not start with such a definition. Without what Db2 needs it does: programs
    /// that use no SQL need none of it.
    pub(super) fn stops_a_start(self) -> bool {
        matches!(self, Self::DsnameTooLong)
    }
}

impl fmt::Display for NotUsable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DsnameTooLong => write!(f, "DSNAME has more than {DSNAME_MAX} characters"),
            Self::NoDb2Conn => f.write_str("it needs a DB2CONN"),
            Self::PurgeCycle => f.write_str("PURGECYCLE is minutes,seconds: 0,5 to 59,59"),
            Self::SqlcodeWithoutStandby => {
                f.write_str("CONNECTERROR(SQLCODE) is not for STANDBYMODE(NOCONNECT)")
            }
        }
    }
}

impl std::error::Error for NotUsable {}
