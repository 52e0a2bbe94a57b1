//! The REST client service provider: services that are calls of another server.
//!
//! What: [`RestConnection`] as server.xml has it, [`RestBackend`] for a service over one. A
//! connection is kept and used again by the serving thread that made it; a server of this process
//! is called without one. The answer is bounded in size and time. Not here: documents
//! (`deploy/rest`), replies (`invoke`).

mod connection;
mod pool;

pub(crate) use connection::CallError;
pub use connection::RestConnection;

use bytes::Bytes;
use connection::ANSWER_BYTES;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode, Uri};
use pool::Sender;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use transom_http::Nearby;

/// Headers of W3C Trace Context.
const TRACE: [HeaderName; 2] = [
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
];

/// What a service calls.
pub struct RestBackend {
    connection: Arc<RestConnection>,
    nearby: Option<Arc<dyn Nearby>>,
    /// Tells connections of one picture from those of another.
    id: u64,
    method: Method,
    uri: Uri,
    host: HeaderValue,
}

impl RestBackend {
    /// `None`: the method or the path is none.
    pub(crate) fn new(
        (connection, nearby): (Arc<RestConnection>, Option<Arc<dyn Nearby>>),
        verb: &str,
        uri: &str,
    ) -> Option<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let host = format!("{}:{}", connection.host, connection.port);
        Some(Self {
            id: NEXT.fetch_add(1, Relaxed),
            method: Method::from_bytes(verb.as_bytes()).ok()?,
            uri: uri.parse().ok()?,
            host: HeaderValue::from_str(&host).ok()?,
            connection,
            nearby,
        })
    }

    /// Where it is, for messages.
    pub(crate) fn place(&self) -> String {
        let connection = &self.connection;
        let scheme = if connection.tls.is_some() {
            "https"
        } else {
            "http"
        };
        format!(
            "{scheme}://{}:{}{}",
            connection.host, connection.port, self.uri
        )
    }

    /// Sends a document for a request with these headers and waits for the whole answer.
    pub(crate) async fn call(
        &self,
        document: Bytes,
        of: &HeaderMap,
    ) -> Result<(StatusCode, Bytes), CallError> {
        let receive = self.connection.receive_timeout;
        if let Some(nearby) = &self.nearby {
            let answer = nearby.answer(self.request(document, of), ANSWER_BYTES);
            return match tokio::time::timeout(receive, answer).await {
                Ok(answer) => Ok(answer?),
                Err(_) => Err(CallError::TimedOut("the answer")),
            };
        }
        let mut request = self.request(Full::new(document), of);
        // A connection that waited may have been closed meanwhile; what it did not take is sent
        // again on another one, which is new in the end.
        while let Some(mut waiting) = pool::take(self.id) {
            match waiting.try_send(request, receive).await? {
                Ok(response) => return self.answer(response, waiting).await,
                Err(back) => request = back,
            }
        }
        let connection = pool::connect(&self.connection);
        let connected = tokio::time::timeout(self.connection.connect_timeout, connection).await;
        let mut fresh = match connected {
            Ok(fresh) => fresh.map_err(|e| CallError::Connect(e.to_string()))?,
            Err(_) => return Err(CallError::TimedOut("connecting")),
        };
        match fresh.try_send(request, receive).await? {
            Ok(response) => self.answer(response, fresh).await,
            Err(_) => Err(CallError::Connect(
                "it closes connections at once".to_owned(),
            )),
        }
    }

    fn request<B>(&self, document: B, of: &HeaderMap) -> Request<B> {
        let mut request = Request::new(document);
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.clone();
        let headers = request.headers_mut();
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::HOST, self.host.clone());
        headers.insert(header::CONTENT_TYPE, json.clone());
        headers.insert(header::ACCEPT, json);
        if let Some(authorization) = &self.connection.authorization {
            headers.insert(header::AUTHORIZATION, authorization.clone());
        }
        // The trace of the request goes on at the other server, as it came.
        for name in TRACE {
            if let Some(value) = of.get(&name) {
                headers.insert(name, value.clone());
            }
        }
        request
    }

    async fn answer(
        &self,
        response: Response<Incoming>,
        sender: Sender,
    ) -> Result<(StatusCode, Bytes), CallError> {
        let status = response.status();
        let body = Limited::new(response.into_body(), ANSWER_BYTES).collect();
        match tokio::time::timeout(self.connection.receive_timeout, body).await {
            Ok(Ok(body)) => {
                pool::give(self.id, sender);
                Ok((status, body.to_bytes()))
            }
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(CallError::TooLong),
            Ok(Err(error)) => Err(CallError::Broken(error.to_string())),
            Err(_) => Err(CallError::TimedOut("the answer")),
        }
    }
}
