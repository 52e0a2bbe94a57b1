//! Connections: on each requests one after the other, until one side has had enough.

use crate::access::{AccessLog, Open, Served, Told};
use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::error::Error;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::Poll;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use transom_tcpip::{CloseReason, Connection, Incoming as Accepted, Listener, Phase, Watch};

/// Accepts connections and serves them for ever. `opened` is asked for each that has come about,
/// handshake and all, how its requests are answered; `log` is told of each that is over.
///
/// # Errors
/// The listener cannot accept.
pub async fn accept<O, A, F, B>(
    listener: &Listener,
    log: Option<AccessLog>,
    opened: O,
) -> std::io::Result<()>
where
    O: Fn(&Connection) -> A + Clone + Send + 'static,
    A: Fn(Request<Incoming>) -> F + Unpin + Send + 'static,
    F: Future<Output = Response<B>> + Send + 'static,
    B: Body + Send + Unpin + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let acceptor = listener.acceptor()?;
    let limits = listener.limits();
    let (http, linger) = (builder(limits.header_bytes), limits.linger_time);
    loop {
        let accepted: Accepted = acceptor.accept().await;
        let (http, opened, log) = (http.clone(), opened.clone(), log.clone());
        tokio::spawn(async move {
            // A handshake that fails concerns the client alone.
            if let Ok(connection) = accepted.open().await {
                let answer = opened(&connection);
                serve(connection, &http, linger, (answer, log)).await;
            }
        });
    }
}

/// How connections are read, with headers of so many bytes.
fn builder(header_bytes: usize) -> http1::Builder {
    let mut http = http1::Builder::new();
    // No pipeline_flush: hyper then keeps a reply back while unread body bytes lie in its buffer,
    // also the reply that refuses this body.
    http.max_buf_size(header_bytes.max(8_192));
    http
}

/// Serves a connection. A reply with `Connection: close` may refuse a body that was not read: the
/// client has `linger` to read it before the connection ends.
async fn serve<A, F, B>(
    connection: Connection,
    http: &http1::Builder,
    linger: Duration,
    (answer, log): (A, Option<AccessLog>),
) where
    A: Fn(Request<Incoming>) -> F + Unpin,
    F: Future<Output = Response<B>> + Send + 'static,
    B: Body + Unpin + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let Connection {
        stream,
        watch,
        mut closed,
        open,
        peer,
        ..
    } = connection;
    let refused = Arc::new(AtomicBool::new(false));
    let exchange = Exchange {
        answer,
        watch,
        refused: refused.clone(),
        log: log.map(|log| (log, peer.ip())),
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
struct Exchange<A> {
    answer: A,
    watch: Arc<Watch>,
    /// A request was refused with its body unread.
    refused: Arc<AtomicBool>,
    log: Option<(AccessLog, IpAddr)>,
}

impl<A, F, B> Service<Request<Incoming>> for Exchange<A>
where
    A: Fn(Request<Incoming>) -> F,
    F: Future<Output = Response<B>> + Send + 'static,
    B: Body + Unpin,
{
    type Response = Response<Told<B>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Told<B>>, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        self.watch.enter(Phase::Busy);
        let log = self.log.clone();
        let mut open = log.map(|(log, client)| Open::of(log, client, &request));
        let reply = (self.answer)(request);
        let (watch, refused) = (self.watch.clone(), self.refused.clone());
        Box::pin(async move {
            let mut response = reply.await;
            if let Some(open) = &mut open {
                let served = response.extensions_mut().remove::<Served>();
                open.answered(response.status().as_u16(), served);
            }
            watch.enter(Phase::Idle);
            let close = HeaderValue::from_static("close");
            if response.headers().get(header::CONNECTION) == Some(&close) {
                refused.store(true, Relaxed);
            }
            Ok(response.map(|body| Told { body, open }))
        })
    }
}
