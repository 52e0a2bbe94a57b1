//! Connections: HTTP/1.1 on each accepted stream until one side has had enough.

use crate::peer::Peer;
use crate::reply::ReplyBody;
use crate::request;
use crate::shared::Shared;
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::Poll;
use tokio::io::AsyncWriteExt;
use transom_tcpip::{CloseReason, Connection, Incoming as Accepted, Phase, Watch};

/// Accepts and serves for ever.
pub(crate) async fn accept(shared: Arc<Shared>) -> std::io::Result<()> {
    let acceptor = shared.listener.acceptor()?;
    let mut http = http1::Builder::new();
    let header_bytes = shared.listener.limits().header_bytes;
    http.max_buf_size(header_bytes.max(8_192));
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
    let Connection {
        stream,
        peer,
        secure,
        watch,
        mut closed,
        open,
        ..
    } = connection;
    let linger = shared.listener.limits().linger_time;
    let refused = Arc::new(AtomicBool::new(false));
    let exchange = Exchange {
        peer: Peer {
            address: peer.ip(),
            secure,
        },
        shared,
        watch,
        refused: refused.clone(),
    };
    let mut conn = http.serve_connection(TokioIo::new(stream), exchange);
    let mut draining = false;
    let finished = poll_fn(|cx| {
        if let Poll::Ready(done) = conn.poll_without_shutdown(cx) {
            // What went wrong concerns the client; the stream may still carry a refusal out.
            drop(done);
            return Poll::Ready(true);
        }
        if !draining && let Poll::Ready(reason) = Pin::new(&mut closed).poll(cx) {
            draining = true;
            match reason {
                Ok(CloseReason::Drain) => {
                    Pin::new(&mut conn).graceful_shutdown();
                    // Poll again: an idle connection ends at once.
                    cx.waker().wake_by_ref();
                }
                Ok(CloseReason::Overstayed) | Err(_) => return Poll::Ready(false),
            }
        }
        Poll::Pending
    })
    .await;
    if finished {
        let mut stream = conn.into_parts().io.into_inner();
        if refused.load(Relaxed) {
            stream.linger(linger).await;
        } else {
            let _ = stream.shutdown().await;
        }
    }
    drop(open);
}

/// One connection's requests.
struct Exchange {
    shared: Arc<Shared>,
    peer: Peer,
    watch: Arc<Watch>,
    /// A request was refused with its body unread.
    refused: Arc<AtomicBool>,
}

impl Service<Request<Incoming>> for Exchange {
    type Response = Response<ReplyBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<ReplyBody>, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        self.watch.enter(Phase::Busy);
        let (shared, watch, peer) = (self.shared.clone(), self.watch.clone(), self.peer);
        let refused = self.refused.clone();
        Box::pin(async move {
            let response = request::answer(&shared, peer, request).await;
            watch.enter(Phase::Idle);
            let close = HeaderValue::from_static("close");
            if response.headers().get(header::CONNECTION) == Some(&close) {
                refused.store(true, Relaxed);
            }
            Ok(response)
        })
    }
}
