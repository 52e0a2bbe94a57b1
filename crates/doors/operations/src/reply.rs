//! Replies, with the headers that keep a browser from doing anything with them but showing them.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

/// A reply.
pub(crate) type Reply = Response<Full<Bytes>>;

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const CSS: &str = "text/css; charset=utf-8";
pub(crate) const JSON: &str = "application/json";
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";
/// Text exposition format of Prometheus.
pub(crate) const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The page's own style sheet is all that a page may load; no script runs, nobody frames it.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// What every reply has.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// A document.
pub(crate) fn document(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Reply {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// A refusal: a sentence.
pub(crate) fn refusal(status: StatusCode, text: &'static str) -> Reply {
    document(status, TEXT, format!("{text}\n"))
}

/// The answer for whose connection there is no room, as it travels.
pub(crate) fn no_room() -> Vec<u8> {
    let body = "Too many connections.\n";
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: {TEXT}\r\nretry-after: 1\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
