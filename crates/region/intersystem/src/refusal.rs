//! Why a link server serves a client nothing.

use std::fmt;
use transom_messages as messages;

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
            Refusal::NoConnection => messages::is::no_connection_left().fmt(f),
            Refusal::NotThisProtocol => messages::is::other_protocol().fmt(f),
            Refusal::Version { client, server } => {
                messages::is::other_version(client, server).fmt(f)
            }
            Refusal::Registration { own, wanted } => {
                messages::is::other_registration(own, wanted).fmt(f)
            }
            Refusal::OtherUser => messages::is::other_user().fmt(f),
            Refusal::Region(unreachable) => unreachable.fmt(f),
        }
    }
}
