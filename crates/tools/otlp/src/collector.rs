//! The way to the collector: one POST at a time, over a connection that is kept.

use crate::config::{Endpoint, OtlpConfig};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Request, header};
use hyper_util::rt::TokioIo;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use transom_tcpip::ClientTls;

/// From the connection to the end of the answer.
const TIME: Duration = Duration::from_secs(5);
/// Of an answer nobody reads.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// Names and values that go with each document.
pub(crate) type Headers = Vec<(HeaderName, HeaderValue)>;

pub(crate) struct Collector {
    endpoint: Endpoint,
    tls: Option<ClientTls>,
    headers: Headers,
    runtime: Runtime,
    open: Option<Open>,
}

impl Collector {
    pub(crate) fn new(config: &OtlpConfig) -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        Ok(Self {
            endpoint: config.endpoint.clone(),
            tls: config.tls.clone(),
            headers: config.headers.clone(),
            runtime,
            open: None,
        })
    }

    /// Sends a document to `/v1/traces` or `/v1/metrics`.
    ///
    /// # Errors
    /// Why it was not taken.
    pub(crate) fn post(&mut self, signal: &str, document: String) -> Result<(), String> {
        let uri = format!("{}/v1/{signal}", self.endpoint.path);
        let open = self.open.take();
        let post = Post {
            to: (&self.endpoint, self.tls.as_ref()),
            uri: &uri,
            headers: &self.headers,
            document: document.into(),
        };
        let sent = self
            .runtime
            .block_on(async { tokio::time::timeout(TIME, send(open, &post)).await });
        match sent {
            Ok(Ok(open)) => {
                self.open = Some(open);
                Ok(())
            }
            Ok(Err(why)) => Err(why),
            Err(_) => Err(format!("no answer in {} seconds", TIME.as_secs())),
        }
    }
}

type Open = SendRequest<Full<Bytes>>;

/// A document on its way.
struct Post<'a> {
    to: (&'a Endpoint, Option<&'a ClientTls>),
    uri: &'a str,
    headers: &'a [(HeaderName, HeaderValue)],
    document: Bytes,
}

impl Post<'_> {
    fn request(&self) -> Result<Request<Full<Bytes>>, String> {
        let mut request = Request::post(self.uri)
            .header(header::HOST, &self.to.0.authority)
            .header(header::CONTENT_TYPE, "application/json");
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        let body = Full::new(self.document.clone());
        request.body(body).map_err(|e| e.to_string())
    }
}

async fn send(open: Option<Open>, post: &Post<'_>) -> Result<Open, String> {
    let mut kept = open.filter(|open| !open.is_closed());
    let is_kept = kept.is_some();
    let mut sender = match kept.take() {
        Some(open) => open,
        None => connected(post.to).await?,
    };
    let answer = match sender.ready().await {
        Ok(()) => sender.send_request(post.request()?).await,
        Err(error) => Err(error),
    };
    let answer = match answer {
        // A server closes what it has not heard of for a while, and knows nothing of the request.
        Err(_) if is_kept => {
            sender = connected(post.to).await?;
            sender.send_request(post.request()?).await
        }
        answer => answer,
    };
    let answer = answer.map_err(|e| e.to_string())?;
    let status = answer.status();
    let body = Limited::new(answer.into_body(), ANSWER_BYTES_MAX);
    let read = body.collect().await.map_err(|e| e.to_string());
    match status.is_success() {
        true => read.map(|_| sender),
        false => Err(format!("status {status}")),
    }
}

async fn connected((to, tls): (&Endpoint, Option<&ClientTls>)) -> Result<Open, String> {
    let stream = TcpStream::connect(&to.authority)
        .await
        .map_err(|e| e.to_string())?;
    match tls {
        None => begun(stream).await,
        Some(tls) => {
            let secure = tls.connect(to.host(), stream).await;
            begun(secure.map_err(|e| format!("no TLS with it: {e}"))?).await
        }
    }
}

async fn begun(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
) -> Result<Open, String> {
    let (open, connection) = http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|e| e.to_string())?;
    tokio::spawn(async move {
        // What goes wrong is told to who sends.
        let _done = connection.await;
    });
    Ok(open)
}
