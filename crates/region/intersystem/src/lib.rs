//! A region in another process: local adapters and the link server.
//!
//! What: [`LocalAdapters`] has the facets `Programs` and `Control` of a region and hands every
//! request to another process over a Unix socket; [`LinkServer`] serves both to such clients. Why:
//! a gateway can run as a process of its own, and several of them can share a region. Names and
//! numbers are those of the WOLA link server (BBOC START_SRVR): a registration name, minimum and
//! maximum connections, reuse of connections. Not here: terminals, TCP between hosts, sync points
//! over several regions.
//!
//! The protocol is one request and one answer at a time per connection, each a length-prefixed
//! frame; the first frame each way names the version. Both sides refuse frames beyond
//! [`FRAME_BYTES_MAX`].

#![forbid(unsafe_code)]

mod ask;
mod client;
mod config;
mod connection;
pub mod frame;
mod frames;
mod link;
mod refusal;
mod rendezvous;
mod server;

pub use client::{AdaptersReading, LocalAdapters, Reached};
pub use config::{AdaptersConfig, LinkServerConfig};
pub use frame::FRAME_BYTES_MAX;
pub use rendezvous::{
    GROUP_NAME_MAX, RUNTIME_FOLDER_VARIABLE, SOCKET_PATH_MAX, group_folder, is_trusted, prepare,
    runtime_folder, socket_path,
};
pub use server::{LinkServer, LinkServerReading};

use std::fmt;

/// Version of the protocol. A server speaks exactly one.
pub const PROTOCOL_VERSION: u16 = 2;
/// Longest registration name (RGN), characters.
pub const REGISTRATION_NAME_MAX: usize = 12;

/// A link server that cannot start. `Display` begins with the TXM message identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntersystemError(transom_messages::Message);

impl IntersystemError {
    pub(crate) fn new(message: transom_messages::Message) -> Self {
        Self(message)
    }

    /// Message identifier such as `TXMIS0001E`.
    pub fn id(&self) -> &'static str {
        self.0.id()
    }
}

impl fmt::Display for IntersystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for IntersystemError {}
