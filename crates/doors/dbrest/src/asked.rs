//! A request whose user is known.

use crate::peer::Peer;
use crate::shared::Shared;
use hyper::header;
use hyper::http::request::Parts;
use transom_types::UserId;

/// What is known of it.
pub(crate) struct Asked<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) by: UserId,
    pub(crate) parts: &'a Parts,
    pub(crate) peer: Peer,
}

impl Asked<'_> {
    /// `scheme://host:port` as the client named it.
    pub(crate) fn origin(&self) -> String {
        let host = self.parts.headers.get(header::HOST);
        let host = host.and_then(|host| host.to_str().ok());
        let address = self.shared.listener.address().to_string();
        let scheme = if self.peer.secure { "https" } else { "http" };
        format!("{scheme}://{}", host.unwrap_or(&address))
    }
}
