//! Who sent a request, and the address under which it did.
//!
//! Why: messages, redirections and descriptions name the gateway as the client named it. Not here:
//! who the user is (`security`).

use hyper::header;
use hyper::http::request::Parts;
use std::net::IpAddr;

/// What a request's connection knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    pub(crate) secure: bool,
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
