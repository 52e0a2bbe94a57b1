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
    /// CONNECTION: ACCESSMETHOD.
    AccessMethod,
    /// CONNECTION: PROTOCOL.
    Exci,
    /// CONNECTION: INDSYS and REMOTESYSTEM.
    IndirectSystem,
    /// CONNECTION: ATTACHSEC.
    AttachSecurity,
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
            Self::AccessMethod => f.write_str("only ACCESSMETHOD(IRC) and (XM) are links here"),
            Self::Exci => f.write_str("PROTOCOL(EXCI) is not supported"),
            Self::IndirectSystem => f.write_str("INDSYS and REMOTESYSTEM are not supported"),
            Self::AttachSecurity => {
                f.write_str("only ATTACHSEC(LOCAL) and (IDENTIFY) are supported")
            }
        }
    }
}

impl std::error::Error for NotUsable {}
