//! Connections of the gateway.

use crate::door::Door;
use crate::peer::Peer;
use crate::request;
use std::sync::Arc;
use transom_tcpip::{Connection, Listener};

/// Accepts and serves for ever.
pub(crate) async fn accept(door: Arc<Door>, listener: Listener) -> std::io::Result<()> {
    let log = door.config.access.clone();
    let opened = move |connection: &Connection| {
        let peer = Peer::new(connection.peer, connection.local, connection.secure);
        // What the client has shown.
        let certificate = connection.stream.certificate().map(Arc::new);
        let door = door.clone();
        move |mut request: hyper::Request<hyper::body::Incoming>| {
            if let Some(certificate) = &certificate {
                request.extensions_mut().insert(certificate.clone());
            }
            let door = door.clone();
            async move { request::answer(&door, peer, request).await }
        }
    };
    transom_http::accept(&listener, log, opened).await
}
