//! Connections of the operations port.

use crate::request;
use crate::shared::Shared;
use std::sync::Arc;

/// Accepts and serves for ever.
pub(crate) async fn accept(shared: Arc<Shared>) -> std::io::Result<()> {
    let of = shared.clone();
    let opened = move |connection: &transom_tcpip::Connection| {
        let (of, from) = (of.clone(), connection.peer.ip());
        move |request| {
            let of = of.clone();
            async move { request::answer(&of, from, request).await }
        }
    };
    transom_http::accept(&shared.listener, None, opened).await
}
