//! Requests that are over, for an access log.
//!
//! What: [`AccessLog`] is handed in by whoever has one; of each request it is told once, when the
//! reply was handed over or the client went away. A door that knows whose a request was, and what
//! ran for it, puts [`Served`] among the extensions of its reply. Why here: connections of every
//! door are served here. Not here: how a line looks (`telemetry`), where it goes.

use hyper::Request;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::http::{Method, Uri, Version};
use std::fmt;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use transom_telemetry::Access;

/// Where requests are told.
#[derive(Clone)]
pub struct AccessLog {
    tell: Arc<dyn Fn(&Access<'_>) + Send + Sync>,
    query: bool,
}

impl AccessLog {
    /// `query`: the part of an address behind `?` is told, too; it may hold secrets.
    pub fn new(query: bool, tell: impl Fn(&Access<'_>) + Send + Sync + 'static) -> Self {
        let tell = Arc::new(tell);
        Self { tell, query }
    }
}

impl fmt::Debug for AccessLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessLog")
            .field("query", &self.query)
            .finish_non_exhaustive()
    }
}

/// What a door knows of a request, among the extensions of its reply.
#[derive(Debug, Clone, Default)]
pub struct Served {
    /// Whose request it was; empty: nobody had to say.
    pub user: String,
    /// API or service.
    pub api: Arc<str>,
    /// Number of the task that ran; 0: none.
    pub task: u32,
}

/// A request that is not over.
pub(crate) struct Open {
    log: AccessLog,
    client: IpAddr,
    since: Instant,
    unix_ns: u64,
    method: Method,
    uri: Uri,
    version: Version,
    said: [String; 3],
    served: Served,
    status: u16,
    bytes: u64,
}

impl Open {
    pub(crate) fn of<B>(log: AccessLog, client: IpAddr, request: &Request<B>) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let headers = request.headers();
        let mut referer = text(headers, header::REFERER);
        if !log.query
            && let Some(at) = referer.find('?')
        {
            referer.truncate(at);
        }
        Self {
            log,
            client,
            since: Instant::now(),
            unix_ns: now.unwrap_or_default().as_nanos() as u64,
            method: request.method().clone(),
            uri: request.uri().clone(),
            version: request.version(),
            said: [
                referer,
                text(headers, header::USER_AGENT),
                text(headers, HeaderName::from_static("traceparent")),
            ],
            served: Served::default(),
            status: 0,
            bytes: 0,
        }
    }

    /// There is a reply.
    pub(crate) fn answered(&mut self, status: u16, served: Option<Served>) {
        self.status = status;
        self.served = served.unwrap_or_default();
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> String {
    let value = headers.get(name).map(|value| value.as_bytes());
    String::from_utf8_lossy(value.unwrap_or_default()).into_owned()
}

impl Drop for Open {
    fn drop(&mut self) {
        let path = self.uri.path();
        let target = match self.uri.path_and_query() {
            Some(all) if self.log.query => all.as_str(),
            _ => path,
        };
        let version = format!("{:?}", self.version);
        (self.log.tell)(&Access {
            client: self.client,
            user: &self.served.user,
            unix_ns: self.unix_ns,
            method: self.method.as_str(),
            target,
            version: &version,
            status: self.status,
            bytes: self.bytes,
            micros: u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX),
            referer: &self.said[0],
            agent: &self.said[1],
            traceparent: &self.said[2],
            api: &self.served.api,
            task: self.served.task,
        });
    }
}

/// The body of a reply; a request that is told is over with it.
pub(crate) struct Told<B> {
    pub(crate) body: B,
    pub(crate) open: Option<Open>,
}

impl<B: Body + Unpin> Body for Told<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Some(open) = &mut self.open
            && let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(data) = frame.data_ref()
        {
            open.bytes += hyper::body::Buf::remaining(data) as u64;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
