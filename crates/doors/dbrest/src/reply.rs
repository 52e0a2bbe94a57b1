//! Replies: a status, and a JSON object with the same status and a sentence.
//!
//! What: `StatusCode` and `StatusDescription` as Db2 has them, and the HTTP status of each failure:
//! 400 for what is wrong with a request before SQL runs, 401 and 403 for who asks, 500 with the
//! SQLCODE for what SQL refuses. Not here: results (`run`), lists (`discover`).

use crate::json;
use crate::rows::{BrokenOff, RowsBody};
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use std::pin::Pin;
use std::task::{Context, Poll};
use transom_region_api::{RestFailure, RestServiceName};

/// Seconds a client is asked to wait before it repeats a request there was no room for.
const RETRY_SECONDS: &str = "1";

/// The body of a reply.
pub(crate) enum ReplyBody {
    /// All of it.
    Whole(Option<Bytes>),
    /// Rows that are still being read.
    Rows(Box<RowsBody>),
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = BrokenOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        match &mut *self {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Rows(rows) => rows.poll_text(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Self::Rows(_) => SizeHint::default(),
        }
    }
}

/// A failure on its way to the client.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    text: String,
    header: Option<(HeaderName, String)>,
    close: bool,
}

impl Failure {
    /// With a sentence.
    pub(crate) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self {
            status,
            text: text.into(),
            header: None,
            close: false,
        }
    }

    /// The request makes no sense.
    pub(crate) fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    /// With a header.
    pub(crate) fn header(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.header = Some((name, value.into()));
        self
    }

    /// The rest of the request is not read.
    pub(crate) fn closing(mut self) -> Self {
        self.close = true;
        self
    }

    /// The same request may be sent again.
    pub(crate) fn busy(text: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, text).header(header::RETRY_AFTER, RETRY_SECONDS)
    }

    /// What the region said of a service. `act` is what was tried: `execution`.
    pub(crate) fn of(failure: RestFailure, name: &RestServiceName, act: &str) -> Self {
        match failure {
            RestFailure::Unknown => Self::new(
                StatusCode::NOT_FOUND,
                format!("Service {name} was not found."),
            ),
            RestFailure::Exists => Self::bad(format!("Service {name} exists already.")),
            RestFailure::Refused(why) | RestFailure::BadValue(why) => {
                Self::bad(format!("Service {name} {act} failed: {why}."))
            }
            RestFailure::Sql { code, state, text } => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!(
                    "Service {name} {act} failed due to SQLCODE={code} SQLSTATE={state}, {text}."
                ),
            ),
            RestFailure::Stopped => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                format!("Service {name} is stopped."),
            ),
            RestFailure::Busy => Self::busy("Too many requests run at the moment."),
            RestFailure::Unavailable(why) => Self::new(StatusCode::SERVICE_UNAVAILABLE, why),
        }
    }

    /// The reply.
    pub(crate) fn response(&self) -> Response<ReplyBody> {
        let mut response = status(self.status, &self.text, &[]);
        let headers = response.headers_mut();
        if let Some((name, value)) = &self.header
            && let Ok(value) = HeaderValue::from_str(value)
        {
            headers.insert(name.clone(), value);
        }
        if self.close {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// A status with its sentence and further members.
pub(crate) fn status(status: StatusCode, text: &str, more: &[(&str, &str)]) -> Response<ReplyBody> {
    let mut out = format!(
        "{{\"StatusCode\":{},\"StatusDescription\":",
        status.as_u16()
    );
    json::string(&mut out, text);
    for (name, value) in more {
        out.push(',');
        json::string(&mut out, name);
        out.push(':');
        json::string(&mut out, value);
    }
    out.push('}');
    document(status, out)
}

/// A JSON text.
pub(crate) fn document(status: StatusCode, text: String) -> Response<ReplyBody> {
    let mut response = Response::new(ReplyBody::Whole(Some(text.into())));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json;charset=UTF-8");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}
