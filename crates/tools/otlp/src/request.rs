//! A request of a client as a span.

use crate::documents::{Attribute, Span, SpanKind, TraceContext};
use transom_telemetry::Access;

/// A request that is over, kept until the sender has time.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Of whom sent it.
    pub(crate) parent: Option<TraceContext>,
    /// Number of the task that ran for it; 0: none.
    pub(crate) task: u32,
    method: String,
    path: String,
    status: u16,
    client: String,
    user: String,
    agent: String,
    api: String,
    version: String,
    bytes: u64,
    start_ns: u64,
    end_ns: u64,
}

impl Request {
    pub(crate) fn of(access: &Access<'_>) -> Self {
        let path = access.target.split('?').next().unwrap_or_default();
        let took = access.micros.saturating_mul(1_000);
        Self {
            parent: TraceContext::read(access.traceparent),
            task: access.task,
            method: cut(access.method),
            path: cut(path),
            status: access.status,
            client: access.client.to_string(),
            user: cut(access.user),
            agent: cut(access.agent),
            api: cut(access.api),
            version: access.version.trim_start_matches("HTTP/").to_owned(),
            bytes: access.bytes,
            start_ns: access.unix_ns,
            end_ns: access.unix_ns.saturating_add(took),
        }
    }

    /// Semantic conventions of HTTP servers.
    pub(crate) fn span(self, context: TraceContext) -> Span {
        let mut attributes: Vec<Attribute> = vec![
            ("http.request.method", self.method.as_str().into()),
            ("url.path", self.path.as_str().into()),
            ("url.scheme", "http".into()),
            ("network.protocol.version", self.version.as_str().into()),
            ("client.address", self.client.as_str().into()),
            ("http.response.body.size", self.bytes.into()),
        ];
        for (name, text) in [
            ("user_agent.original", &self.agent),
            ("enduser.id", &self.user),
            ("transom.api", &self.api),
        ] {
            if !text.is_empty() {
                attributes.push((name, text.as_str().into()));
            }
        }
        let error = match self.status {
            0 => Some("the client went away before the reply".to_owned()),
            status @ 500.. => Some(format!("status {status}")),
            _ => None,
        };
        if self.status != 0 {
            let status = u64::from(self.status);
            attributes.push(("http.response.status_code", status.into()));
        }
        Span {
            context,
            parent: self.parent.map(|parent| parent.span),
            name: match self.api.as_str() {
                "" => self.method,
                api => format!("{} {api}", self.method),
            },
            kind: SpanKind::Server,
            start_ns: self.start_ns,
            end_ns: self.end_ns,
            attributes,
            error,
        }
    }
}

/// Most bytes that are told of what a client sends.
const TEXT_BYTES: usize = 1_000;

fn cut(text: &str) -> String {
    let mut end = text.len().min(TEXT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_owned()
}
