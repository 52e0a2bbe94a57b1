//! Why a link server serves a client nothing.

use std::fmt;

/// The reason, which the client is told before its connection ends. `Display` begins with the TXM
/// message identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// MXC conversations are going on, and none ended in time.
    NoConnection,
    /// The first frame is none of this protocol.
    NotThisProtocol,
    /// The client speaks another version than the link server.
    Version {
        /// The client's.
        client: u16,
        /// Ours.
        server: u16,
    },
    /// The link server has another registration name than the client wants.
    Registration {
        /// Ours.
        own: String,
        /// The client's.
        wanted: String,
    },
    /// The client is a process of another user.
    OtherUser,
    /// The region that the link server serves does not answer it.
    Region(transom_region_api::Unreachable),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoConnection => {
                f.write_str("TXMIS0004E The link server has no connection left (MXC)")
            }
            Refusal::NotThisProtocol => {
                f.write_str("TXMIS0005E The client does not speak this protocol")
            }
            Refusal::Version { client, server } => write!(
                f,
                "TXMIS0005E The client speaks version {client}, the link server {server}"
            ),
            Refusal::Registration { own, wanted } => write!(
                f,
                "TXMIS0006E This link server is registered as {own}, not {wanted}"
            ),
            Refusal::OtherUser => f.write_str("TXMIS0011E The client belongs to another user"),
            Refusal::Region(unreachable) => unreachable.fmt(f),
        }
    }
}
