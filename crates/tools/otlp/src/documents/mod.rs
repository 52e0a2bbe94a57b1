//! Traces and metrics as OTLP has them, in its JSON encoding.
//!
//! What: [`Span`]s and where they belong ([`TraceContext`], which W3C's `traceparent` says), the
//! two documents that a collector takes ([`traces`], [`metrics`]). Why JSON: OTLP over HTTP defines
//! it beside protobuf, and collectors take both. Not here: what is a span, sending.

mod context;
mod metric;
mod span;

pub(crate) use context::TraceContext;
pub(crate) use metric::metrics;
pub use metric::{Metric, Points};
pub use span::{Attribute, Value};
pub(crate) use span::{Span, SpanKind, traces};

use serde_json::{Value as Json, json};

/// A value among attributes. Numbers are texts: JSON has no integers of 64 bits.
fn attributes(all: &[Attribute]) -> Json {
    let all = all.iter().map(|(key, value)| {
        let value = match value {
            Value::Text(text) => json!({"stringValue": text}),
            Value::Number(number) => json!({"intValue": number.to_string()}),
        };
        json!({"key": key, "value": value})
    });
    Json::Array(all.collect())
}

/// What all of a document is about, and who says so.
fn resource(about: &[Attribute]) -> Json {
    json!({"attributes": attributes(about)})
}

fn scope() -> Json {
    json!({"name": "transom", "version": env!("CARGO_PKG_VERSION")})
}
