//! Connections of the REST services.

use crate::peer::Peer;
use crate::request;
use crate::shared::Shared;
use std::sync::Arc;

/// Accepts and serves for ever.
pub(crate) async fn accept(shared: Arc<Shared>) -> std::io::Result<()> {
    let of = shared.clone();
    let opened = move |connection: &transom_tcpip::Connection| {
        let peer = Peer {
            address: connection.peer.ip(),
            secure: connection.secure,
        };
        let of = of.clone();
        move |request| {
            let of = of.clone();
            async move { request::answer(&of, peer, request).await }
        }
    };
    transom_http::accept(&shared.listener, shared.access.clone(), opened).await
}
