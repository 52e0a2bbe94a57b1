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
    /// IPCONN: its name.
    LongName,
    /// IPCONN: USERAUTH.
    UserAuth,
    /// IPCONN: LINKAUTH.
    LinkAuth,
    /// IPCONN: IDPROP and HA.
    OnlyOnZos,
    /// IPCONN and TCPIPSERVICE: CIPHERS.
    Ciphers,
    /// IPCONN: SSL.
    NoTls,
    /// IPCONN: APPLID.
    NoDnsName,
    /// TCPIPSERVICE: PROTOCOL.
    Protocol,
    /// TCPIPSERVICE: PORTNUMBER.
    NoPort,
    /// TCPIPSERVICE: SSL.
    NoClientAuth,
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
            Self::LongName => f.write_str("a name of more than 4 characters is no SYSID"),
            Self::UserAuth => f.write_str("USERAUTH(VERIFY) is not supported"),
            Self::LinkAuth => f.write_str("LINKAUTH(CERTUSER) is not supported"),
            Self::OnlyOnZos => f.write_str("IDPROP and HA(YES) are not supported"),
            Self::Ciphers => f.write_str("CIPHERS is not supported: TLS 1.3 chooses them"),
            Self::NoTls => f.write_str("a HOST beyond this machine needs SSL(YES)"),
            Self::NoDnsName => {
                f.write_str("with SSL the APPLID must be letters and digits, as a DNS name is")
            }
            Self::Protocol => f.write_str("only PROTOCOL(IPIC) is supported"),
            Self::NoPort => f.write_str("PORTNUMBER is needed"),
            Self::NoClientAuth => f.write_str(
                "beyond this machine SSL(CLIENTAUTH) is needed, and SSL(YES) is not supported",
            ),
        }
    }
}

impl std::error::Error for NotUsable {}
