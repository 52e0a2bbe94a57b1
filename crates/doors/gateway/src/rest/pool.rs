//! Connections to other servers, kept by the serving thread that made them.
//!
//! Why by thread: a connection lives on the runtime of its thread, and no lock is needed. One that
//! has waited long is closed, since its server has given it up by then. Not here: requests.

use super::connection::{CallError, RestConnection};
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

/// Connections that wait, for each service and thread.
const IDLE_MAX: usize = 64;
/// How long one waits at most.
const IDLE_TIME: Duration = Duration::from_secs(30);

type Waiting = HashMap<u64, Vec<(SendRequest<Full<Bytes>>, Instant)>>;

thread_local! {
    static IDLE: RefCell<Waiting> = RefCell::default();
}

/// A connection with nothing under way.
pub(super) struct Sender(SendRequest<Full<Bytes>>);

/// One that waits.
pub(super) fn take(id: u64) -> Option<Sender> {
    IDLE.with_borrow_mut(|idle| {
        let waiting = idle.get_mut(&id)?;
        while let Some((sender, since)) = waiting.pop() {
            if since.elapsed() >= IDLE_TIME {
                // Those below have waited longer.
                waiting.clear();
                return None;
            }
            if sender.is_ready() {
                return Some(Sender(sender));
            }
        }
        None
    })
}

/// Lets one wait for the next request.
pub(super) fn give(id: u64, sender: Sender) {
    if sender.0.is_closed() {
        return;
    }
    IDLE.with_borrow_mut(|idle| {
        let waiting = idle.entry(id).or_default();
        if waiting.len() < IDLE_MAX {
            waiting.push((sender.0, Instant::now()));
        }
    });
}

/// A new one.
pub(super) async fn connect(to: &RestConnection) -> io::Result<Sender> {
    let stream = TcpStream::connect((to.host.as_str(), to.port)).await?;
    stream.set_nodelay(true)?;
    let broken = |e: hyper::Error| io::Error::other(e.to_string());
    match &to.tls {
        None => {
            let made = http1::handshake(TokioIo::new(stream)).await;
            let (sender, connection) = made.map_err(broken)?;
            // Ends with its server or with its sender; what went wrong the sender tells.
            tokio::spawn(async move { drop(connection.await) });
            Ok(Sender(sender))
        }
        Some(tls) => {
            let stream = tls.connect(&to.host, stream).await?;
            let made = http1::handshake(TokioIo::new(stream)).await;
            let (sender, connection) = made.map_err(broken)?;
            tokio::spawn(async move { drop(connection.await) });
            Ok(Sender(sender))
        }
    }
}

impl Sender {
    /// Sends; the inner error is the request that was not sent.
    pub(super) async fn try_send(
        &mut self,
        request: Request<Full<Bytes>>,
        time: Duration,
    ) -> Result<Result<Response<Incoming>, Request<Full<Bytes>>>, CallError> {
        match tokio::time::timeout(time, self.0.try_send_request(request)).await {
            Err(_) => Err(CallError::TimedOut("the answer")),
            Ok(Ok(response)) => Ok(Ok(response)),
            Ok(Err(mut error)) => match error.take_message() {
                Some(request) => Ok(Err(request)),
                None => Err(CallError::Broken(error.into_error().to_string())),
            },
        }
    }
}
