//! Who sent a request.

use std::net::IpAddr;

/// What a request's connection knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    pub(crate) secure: bool,
}
