//! Attributes: what is known of a span, a figure or whoever sends them.

use serde_json::{Value as Json, json};
use std::borrow::Cow;

/// Something by name.
pub(crate) type Attribute = (&'static str, Value);

/// A value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// Any text.
    Text(Cow<'static, str>),
    /// A whole number.
    Number(u64),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned().into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

/// A value among attributes. Numbers are texts: JSON has no integers of 64 bits.
pub(super) fn attributes(all: &[Attribute]) -> Json {
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
pub(super) fn resource(about: &[Attribute]) -> Json {
    json!({"attributes": attributes(about)})
}

pub(super) fn scope() -> Json {
    json!({"name": "transom", "version": env!("CARGO_PKG_VERSION")})
}
