//! Traces and metrics as OTLP has them, in its JSON encoding.
//!
//! What: [`Span`]s and where they belong ([`TraceContext`], which W3C's `traceparent` says), the
//! two documents that a collector takes ([`traces`], [`metrics`]). Why JSON: OTLP over HTTP defines
//! it beside protobuf, and collectors take both. Not here: what is a span, sending.

mod attribute;
mod context;
mod metric;
mod span;

pub(crate) use attribute::Attribute;
pub(crate) use context::TraceContext;
pub(crate) use metric::metrics;
pub(crate) use metric::{Metric, Points};
pub(crate) use span::{Span, SpanKind, traces};
