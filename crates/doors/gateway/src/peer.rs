//! Who sent a request, and the address under which it did.
//!
//! Why: messages, redirections and descriptions name the gateway as the client named it. Not here:
//! who the user is (`security`).

use hyper::header;
use hyper::http::request::Parts;
use std::net::{IpAddr, SocketAddr};
use transom_region_api::TcpClient;

/// What a request's connection knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// What a task it starts is told.
    pub(crate) client: TcpClient,
    pub(crate) secure: bool,
}

impl Peer {
    pub(crate) fn new(peer: SocketAddr, local: SocketAddr, secure: bool) -> Self {
        Self {
            address: peer.ip(),
            client: TcpClient::new(peer, local),
            secure,
        }
    }
}

/// The host as the client named it.
pub(crate) fn host(parts: &Parts) -> &str {
    let from_header = || {
        parts
            .headers
            .get(header::HOST)
            .and_then(|h| h.to_str().ok())
    };
    parts
        .uri
        .authority()
        .map(|a| a.as_str())
        .or_else(from_header)
        .unwrap_or("localhost")
}

/// `scheme://host:port` as the client named it.
pub(crate) fn origin(parts: &Parts, peer: Peer) -> String {
    let scheme = if peer.secure { "https" } else { "http" };
    format!("{scheme}://{}", host(parts))
}

/// The URL of a request without its query, for messages.
pub(crate) fn url(parts: &Parts, peer: Peer) -> String {
    format!("{}{}", origin(parts, peer), parts.uri.path())
}
