//! Spans, and the document of many.

use super::attribute::{Attribute, attributes, resource, scope};
use super::context::TraceContext;
use serde_json::{Value as Json, json};

/// Whom a span is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpanKind {
    /// Its parent is in this process.
    Internal = 1,
    /// It answers somebody elsewhere.
    Server = 2,
    /// It asks somebody elsewhere.
    Client = 3,
}

/// A part of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    /// Itself.
    pub(crate) context: TraceContext,
    /// The span it is part of.
    pub(crate) parent: Option<u64>,
    /// Of its kind, not of itself: there are few of them.
    pub(crate) name: String,
    /// Whom it is for.
    pub(crate) kind: SpanKind,
    /// Nanoseconds since 1970.
    pub(crate) start_ns: u64,
    /// Not before its start.
    pub(crate) end_ns: u64,
    /// What is known of it.
    pub(crate) attributes: Vec<Attribute>,
    /// What went wrong.
    pub(crate) error: Option<String>,
}

/// The document of spans; `about`: who made them.
pub(crate) fn traces(about: &[Attribute], spans: &[Span]) -> String {
    let spans: Vec<Json> = spans.iter().map(json).collect();
    let scoped = json!({"scope": scope(), "spans": spans});
    json!({"resourceSpans": [{"resource": resource(about), "scopeSpans": [scoped]}]}).to_string()
}

fn json(span: &Span) -> Json {
    let mut all = json!({
        "traceId": format!("{:032x}", span.context.trace),
        "spanId": format!("{:016x}", span.context.span),
        "name": span.name,
        "kind": span.kind as u8,
        "startTimeUnixNano": span.start_ns.to_string(),
        "endTimeUnixNano": span.end_ns.max(span.start_ns).to_string(),
        "attributes": attributes(&span.attributes),
    });
    if let Some(parent) = span.parent {
        all["parentSpanId"] = format!("{parent:016x}").into();
    }
    if let Some(error) = &span.error {
        all["status"] = json!({"code": 2, "message": error});
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_as_the_collector_reads_it() {
        let span = Span {
            context: TraceContext {
                trace: 0xa,
                span: 0xb,
                sampled: true,
            },
            parent: Some(0xc),
            name: "PAY1".to_owned(),
            kind: SpanKind::Internal,
            start_ns: 1_795_400_131_123_456_789,
            end_ns: 5,
            attributes: vec![("cics.task.number", 7.into()), ("enduser.id", "A\"".into())],
            error: Some("ASRA".to_owned()),
        };
        let text = traces(&[("service.name", "REGION1".into())], &[span]);
        let read: Json = serde_json::from_str(&text).unwrap();
        let all = &read["resourceSpans"][0];
        let about = &all["resource"]["attributes"][0];
        assert_eq!(about["key"], "service.name");
        assert_eq!(about["value"]["stringValue"], "REGION1");
        let span = &all["scopeSpans"][0]["spans"][0];
        assert_eq!(span["traceId"], "0000000000000000000000000000000a");
        assert_eq!(span["spanId"], "000000000000000b");
        assert_eq!(span["parentSpanId"], "000000000000000c");
        // A clock that went back makes no time negative.
        assert_eq!(span["endTimeUnixNano"], "1795400131123456789");
        assert_eq!(span["attributes"][0]["value"]["intValue"], "7");
        assert_eq!(span["attributes"][1]["value"]["stringValue"], "A\"");
        assert_eq!(span["status"]["code"], 2);
    }
}
