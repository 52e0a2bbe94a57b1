//! Plans of services that are called by HTTP, behind the [`Conversion`] seam: documents travel as
//! the bytes of one COMMAREA.

use super::conversion::Value;
use crate::conversion::{Conversion, ConversionFailure, Decoded, RequestView};
use hyper::header::{HeaderName, HeaderValue};
use std::sync::Arc;
use transom_apidef::plan::{RestError, RestOperation};
use transom_region_api::Payload;

/// A service invoked by itself: documents pass as they came.
pub(super) struct RestByService;

/// An operation of an API.
pub(super) struct RestByOperation {
    operation: Arc<RestOperation>,
    values: Vec<Value>,
}

impl RestByOperation {
    pub(super) fn new(operation: Arc<RestOperation>) -> Self {
        let value = |one: &transom_apidef::plan::JsonMove| {
            Value::of(&operation.path, one.source, &one.name)
        };
        Self {
            values: operation.moves.iter().map(value).collect(),
            operation,
        }
    }
}

impl Conversion for RestByService {
    fn encode(
        &self,
        request: &RequestView<'_>,
        mut buffer: Vec<u8>,
    ) -> Result<Payload, ConversionFailure> {
        let empty = request.body.iter().all(u8::is_ascii_whitespace);
        buffer.extend_from_slice(if empty { b"{}" } else { request.body });
        Ok(Payload::Commarea(buffer))
    }

    fn decode(&self, output: &Payload, out: &mut Vec<u8>) -> Result<Decoded, ConversionFailure> {
        out.extend_from_slice(bytes_of(output));
        Ok(Decoded::default())
    }
}

impl Conversion for RestByOperation {
    fn encode(
        &self,
        request: &RequestView<'_>,
        mut buffer: Vec<u8>,
    ) -> Result<Payload, ConversionFailure> {
        let mut texts = Vec::with_capacity(self.values.len());
        for value in &self.values {
            texts.push(value.find(request)?);
        }
        let given: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        // GET and DELETE have no document: all comes from path, query and headers.
        let body = if request.sends_body {
            request.body
        } else {
            b""
        };
        self.operation
            .encode(body, &given, &mut buffer)
            .map_err(refused)?;
        Ok(Payload::Commarea(buffer))
    }

    fn decode(&self, output: &Payload, out: &mut Vec<u8>) -> Result<Decoded, ConversionFailure> {
        let reply = self
            .operation
            .decode(bytes_of(output), out)
            .map_err(refused)?;
        let mut headers = Vec::with_capacity(reply.headers.len());
        for (name, value) in reply.headers {
            let name = HeaderName::from_bytes(name.as_bytes());
            // An answer may hold what no header can; it is left out, not sent broken.
            if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(value.trim_end())) {
                headers.push((name, value));
            }
        }
        Ok(Decoded {
            status: reply.code,
            headers,
            no_body: matches!(reply.code, 204 | 304),
        })
    }
}

fn bytes_of(payload: &Payload) -> &[u8] {
    match payload {
        Payload::Commarea(bytes) => bytes,
        Payload::Channel { .. } => &[],
    }
}

fn refused(why: RestError) -> ConversionFailure {
    match why {
        RestError::NotJson(text) => ConversionFailure::NotJson(text),
        RestError::BadValue(text) => ConversionFailure::BadValue(text),
    }
}
