//! The body of a request: one JSON object, never longer than the listener takes.

use crate::reply::Failure;
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::StatusCode;
use hyper::body::Body;
use hyper::header::{self, HeaderMap};
use serde_json::{Map, Value};
use transom_tcpip::Listener;

/// A body of a connection, or of a caller in this process.
pub(crate) trait RequestBody: Body<Data = Bytes, Error: Into<BoxError>> + Send {}

impl<B: Body<Data = Bytes, Error: Into<BoxError>> + Send> RequestBody for B {}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Reads the whole body as an object; none is an empty one.
pub(crate) async fn object<B: RequestBody>(
    headers: &HeaderMap,
    body: B,
    listener: &Listener,
) -> Result<Map<String, Value>, Failure> {
    let bytes = read(body, listener).await?;
    check_type(headers)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Failure::bad("The request body is no JSON object.")),
        Err(error) => Err(Failure::bad(format!(
            "The request body is no JSON text: {error}."
        ))),
    }
}

/// JSON must be said to be JSON: a form of a web page cannot say so, and changes nothing here.
fn check_type(headers: &HeaderMap) -> Result<(), Failure> {
    let stated = headers.get(header::CONTENT_TYPE);
    let stated = stated.and_then(|value| value.to_str().ok()).unwrap_or("");
    let kind = stated.split(';').next().unwrap_or("").trim();
    match kind.eq_ignore_ascii_case("application/json") {
        true => Ok(()),
        false => Err(Failure::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Content-Type application/json is expected.",
        )),
    }
}

async fn read<B: RequestBody>(body: B, listener: &Listener) -> Result<Bytes, Failure> {
    let (limits, counters) = (listener.limits(), listener.counters());
    let too_large = || {
        counters.body_bytes.hit();
        Failure::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!(
                "The request body is longer than {} bytes.",
                limits.body_bytes
            ),
        )
        .closing()
    };
    if body.size_hint().lower() > limits.body_bytes {
        return Err(too_large());
    }
    let most = usize::try_from(limits.body_bytes).unwrap_or(usize::MAX);
    let all = Limited::new(body, most).collect();
    match tokio::time::timeout(limits.body_time, all).await {
        Ok(Ok(all)) => Ok(all.to_bytes()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Failure::bad("The request body ended early.").closing()),
        Err(_) => {
            counters.body_time.hit();
            let text = "The request body did not arrive in time.";
            Err(Failure::new(StatusCode::REQUEST_TIMEOUT, text).closing())
        }
    }
}
