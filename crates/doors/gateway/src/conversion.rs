//! The seam between HTTP and the compiled conversion programs: everything HTTP stays on this side.

use crate::router::PathValues;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use transom_region_api::Payload;

/// A request as a conversion sees it.
#[derive(Debug)]
pub struct RequestView<'a> {
    /// Values of the template's parameters.
    pub path: &'a PathValues<'a>,
    /// Query string without `?`, still encoded.
    pub query: Option<&'a str>,
    /// Headers.
    pub headers: &'a HeaderMap,
    /// Complete body; may be empty.
    pub body: &'a [u8],
    /// The method is one that sends a body.
    pub sends_body: bool,
}

/// What a reply became.
#[derive(Debug, Default)]
pub struct Decoded {
    /// HTTP status, 100 to 599; 0 means 200.
    pub status: u16,
    /// Headers the mapping sets.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// There is no body, not even an empty object.
    pub no_body: bool,
}

/// Why data does not convert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConversionFailure {
    /// The body is no JSON text: what is wrong and where.
    NotJson(String),
    /// A value does not fit the interface: which and why.
    BadValue(String),
}

/// A request to a program's data and the program's data to a reply.
pub trait Conversion: Send + Sync + 'static {
    /// Builds what the program is given. `buffer` is empty and may be used for the record.
    ///
    /// # Errors
    /// The request is not JSON or does not fit; the client is told.
    fn encode(
        &self,
        request: &RequestView<'_>,
        buffer: Vec<u8>,
    ) -> Result<Payload, ConversionFailure>;

    /// Appends the JSON reply to `out`.
    ///
    /// # Errors
    /// The program left data that does not fit its interface.
    fn decode(&self, output: &Payload, out: &mut Vec<u8>) -> Result<Decoded, ConversionFailure>;
}
