//! What a mapping takes from outside the body and puts into headers.
//!
//! What: plain data. Why: applying a mapping finds it, running a plan uses it. Not here: either.

use transom_copybook::shape::OverrideId;

/// A value of a request that is not in its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// Where it comes from.
    pub source: Source,
    /// Name of the parameter or header.
    pub name: String,
    /// Names the value for the encoder; values are dense from 0.
    pub id: OverrideId,
    /// Field it goes to, for messages.
    pub field: String,
}

/// Part of an HTTP request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// `{name}` in the path.
    Path,
    /// Query parameter.
    Query,
    /// Header.
    Header,
}

/// A response header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderRule {
    /// Header name.
    pub name: String,
    /// Where its value comes from.
    pub value: HeaderSource,
}

/// Value of a response header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderSource {
    /// A field of the answer, by its path in the service's document.
    Field(String),
    /// A constant.
    Constant(String),
}
