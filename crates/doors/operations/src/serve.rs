//! Connections: HTTP/1.1 on each accepted stream until one side has had enough.

use crate::request;
use crate::shared::Shared;
use hyper::server::conn::http1;
use std::sync::Arc;
use transom_tcpip::Incoming as Accepted;

/// Accepts and serves for ever.
pub(crate) async fn accept(shared: Arc<Shared>) -> std::io::Result<()> {
    let acceptor = shared.listener.acceptor()?;
    let http = transom_http::builder(shared.listener.limits().header_bytes);
    loop {
        let accepted = acceptor.accept().await;
        tokio::spawn(connection(shared.clone(), accepted, http.clone()));
    }
}

async fn connection(shared: Arc<Shared>, accepted: Accepted, http: http1::Builder) {
    // A handshake that fails concerns the client alone.
    let Ok(connection) = accepted.open().await else {
        return;
    };
    let linger = shared.listener.limits().linger_time;
    let from = connection.peer.ip();
    transom_http::serve(connection, &http, linger, |request| {
        let shared = shared.clone();
        async move { request::answer(&shared, from, request).await }
    })
    .await;
}
