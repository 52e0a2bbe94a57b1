//! Connections: HTTP/1.1 on each accepted stream until one side has had enough.

use crate::door::Door;
use crate::peer::Peer;
use crate::request;
use hyper::server::conn::http1;
use std::sync::Arc;
use std::time::Duration;
use transom_tcpip::{Incoming as Accepted, Listener};

/// Accepts and serves for ever.
pub(crate) async fn accept(door: Arc<Door>, listener: Listener) -> std::io::Result<()> {
    let acceptor = listener.acceptor()?;
    let http = transom_http::builder(listener.limits().header_bytes);
    let linger = listener.limits().linger_time;
    loop {
        let accepted = acceptor.accept().await;
        tokio::spawn(connection(door.clone(), accepted, http.clone(), linger));
    }
}

async fn connection(door: Arc<Door>, accepted: Accepted, http: http1::Builder, linger: Duration) {
    // A handshake that fails concerns the client alone.
    let Ok(connection) = accepted.open().await else {
        return;
    };
    let peer = Peer::new(connection.peer, connection.local, connection.secure);
    // What the client has shown.
    let certificate = connection.stream.certificate().map(Arc::new);
    transom_http::serve(connection, &http, linger, |mut request| {
        if let Some(certificate) = &certificate {
            request.extensions_mut().insert(certificate.clone());
        }
        let door = door.clone();
        async move { request::answer(&door, peer, request).await }
    })
    .await;
}
