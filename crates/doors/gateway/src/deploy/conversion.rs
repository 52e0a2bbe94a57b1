//! Compiled plans behind the [`Conversion`] seam: values from path, query and headers go in beside
//! the body, records travel as COMMAREA or containers.

use crate::conversion::{Conversion, ConversionFailure, Decoded, RequestView};
use crate::router::{parameter_names, percent_decode};
use hyper::header::{HeaderName, HeaderValue};
use std::borrow::Cow;
use std::sync::Arc;
use transom_apidef::plan::{ApiPlan, Given, RequestPlan, ResponsePlan, ServicePlan, Source};
use transom_apidef::sar::Carrier;
use transom_copybook::convert::{ConvertError, ErrorKind};
use transom_copybook::shape::OverrideId;
use transom_region_api::{Container, ContainerData, Payload};
use transom_types::{ChannelName, ContainerName};

/// Coded character set of character data inside a region's programs.
const LOCAL_CCSID: u32 = 819;
/// Name of a channel when the archive has none.
const DEFAULT_CHANNEL: &str = "Channel";
/// Values outside the body that need no allocation.
const FEW_VALUES: usize = 8;

/// A service invoked by itself.
pub(super) struct ByService {
    plan: Arc<ServicePlan>,
    /// What a body may have.
    members: String,
}

/// An operation of an API.
pub(super) struct ByOperation {
    plan: Arc<ApiPlan>,
    index: usize,
    values: Vec<Value>,
    /// What a body may have.
    members: String,
}

/// Where a value outside the body is found in a request.
pub(super) struct Value {
    id: OverrideId,
    name: String,
    from: From,
}

enum From {
    Path(usize),
    Query,
    Header(HeaderName),
    /// A header name nobody can send.
    Nowhere,
}

impl ByService {
    pub(super) fn new(plan: Arc<ServicePlan>) -> Self {
        let members = plan.request.body_members();
        Self { plan, members }
    }
}

impl ByOperation {
    /// `index` is the operation's place in the plan.
    pub(super) fn new(plan: Arc<ApiPlan>, index: usize) -> Self {
        let operation = &plan.operations[index];
        let value = |o: &transom_apidef::plan::Override| Value {
            id: o.id,
            ..Value::of(&operation.path, o.source, &o.name)
        };
        let values = operation.request.overrides.iter().map(value).collect();
        let members = operation.request.body_members();
        Self {
            plan: plan.clone(),
            index,
            values,
            members,
        }
    }
}

impl Conversion for ByService {
    fn encode(
        &self,
        request: &RequestView<'_>,
        buffer: Vec<u8>,
    ) -> Result<Payload, ConversionFailure> {
        encode(&self.plan.request, request, &[], &self.members, buffer)
            .map_err(|why| refused(&why, &[]))
    }

    fn decode(&self, output: &Payload, out: &mut Vec<u8>) -> Result<Decoded, ConversionFailure> {
        decode(&self.plan.response, output, out)
    }
}

impl Conversion for ByOperation {
    fn encode(
        &self,
        request: &RequestView<'_>,
        buffer: Vec<u8>,
    ) -> Result<Payload, ConversionFailure> {
        let plan = &self.plan.operations[self.index].request;
        if self.values.len() <= FEW_VALUES {
            let mut texts: [Cow<'_, str>; FEW_VALUES] = [const { Cow::Borrowed("") }; FEW_VALUES];
            let mut ids = [OverrideId(0); FEW_VALUES];
            let mut count = 0;
            for value in &self.values {
                if let Some(text) = value.find(request)? {
                    (ids[count], texts[count]) = (value.id, text);
                    count += 1;
                }
            }
            let given: [(OverrideId, &str); FEW_VALUES] =
                std::array::from_fn(|i| (ids[i], texts[i].as_ref()));
            return encode(plan, request, &given[..count], &self.members, buffer)
                .map_err(|why| refused(&why, &self.values));
        }
        let mut texts = Vec::with_capacity(self.values.len());
        for value in &self.values {
            if let Some(text) = value.find(request)? {
                texts.push((value.id, text));
            }
        }
        let given: Vec<_> = texts
            .iter()
            .map(|(id, text)| (*id, text.as_ref()))
            .collect();
        encode(plan, request, &given, &self.members, buffer)
            .map_err(|why| refused(&why, &self.values))
    }

    fn decode(&self, output: &Payload, out: &mut Vec<u8>) -> Result<Decoded, ConversionFailure> {
        decode(&self.plan.operations[self.index].response, output, out)
    }
}

impl Value {
    /// A value that a request has in this place; `path` is the operation's template.
    pub(super) fn of(path: &str, source: Source, name: &str) -> Self {
        let from = match source {
            Source::Path => parameter_names(path)
                .position(|p| p == name)
                .map_or(From::Nowhere, From::Path),
            Source::Query => From::Query,
            Source::Header => {
                HeaderName::from_bytes(name.as_bytes()).map_or(From::Nowhere, From::Header)
            }
        };
        Self {
            id: OverrideId(0),
            name: name.to_owned(),
            from,
        }
    }

    fn place(&self) -> &'static str {
        match self.from {
            From::Path(_) => "Path parameter",
            From::Query => "Query parameter",
            From::Header(_) | From::Nowhere => "Header",
        }
    }

    /// The value in a request; `None` when the request has none.
    pub(super) fn find<'r>(
        &self,
        request: &RequestView<'r>,
    ) -> Result<Option<Cow<'r, str>>, ConversionFailure> {
        let bad = |kind: &str| {
            let text = format!(
                "{kind} {} has an escape or byte that is no UTF-8 text",
                self.name
            );
            ConversionFailure::BadValue(text)
        };
        match &self.from {
            From::Nowhere => Ok(None),
            From::Path(index) => request
                .path
                .decoded(*index)
                .transpose()
                .map_err(|_| bad("path parameter")),
            From::Query => query_value(request.query.unwrap_or(""), &self.name)
                .map_err(|()| bad("query parameter")),
            From::Header(name) => match request.headers.get(name) {
                None => Ok(None),
                Some(value) => {
                    let text = std::str::from_utf8(value.as_bytes());
                    text.map(|t| Some(Cow::Borrowed(t)))
                        .map_err(|_| bad("header"))
                }
            },
        }
    }
}

/// The first value of a name in a query string; `+` is a blank there.
fn query_value<'q>(query: &'q str, name: &str) -> Result<Option<Cow<'q, str>>, ()> {
    for pair in query.split('&') {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if plain(key)? == name {
            return plain(value).map(Some);
        }
    }
    Ok(None)
}

fn plain(text: &str) -> Result<Cow<'_, str>, ()> {
    if !text.contains('+') {
        return percent_decode(text).map_err(|_| ());
    }
    let spaced = text.replace('+', " ");
    percent_decode(&spaced)
        .map(|t| Cow::Owned(t.into_owned()))
        .map_err(|_| ())
}

fn encode(
    plan: &RequestPlan,
    request: &RequestView<'_>,
    values: &[(OverrideId, &str)],
    members: &str,
    mut record: Vec<u8>,
) -> Result<Payload, ConvertError> {
    // A program must not run on zeros because a name was misspelled or the body was lost.
    let unused = match plan.encode(request.body, values, &mut record)? {
        Given::Values => false,
        Given::OtherMembers => true,
        Given::Nothing => request.sends_body && values.is_empty(),
    };
    if unused && !members.is_empty() {
        return Err(ConvertError::nothing_used(members));
    }
    let Carrier::Channel { name, .. } = &plan.carrier else {
        return Ok(Payload::Commarea(record));
    };
    let container = |(place, bytes): (&transom_apidef::sar::ContainerPlace, &[u8])| Container {
        name: place.name,
        data: if place.character {
            ContainerData::Char {
                ccsid: LOCAL_CCSID,
                bytes: bytes.to_vec(),
            }
        } else {
            ContainerData::Bit(bytes.to_vec())
        },
    };
    let name = if name.trim().is_empty() {
        DEFAULT_CHANNEL
    } else {
        name
    };
    Ok(Payload::Channel {
        name: ChannelName::from_field(name.as_bytes()),
        containers: plan
            .carrier
            .split(&record)
            .into_iter()
            .map(container)
            .collect(),
    })
}

fn decode(
    plan: &ResponsePlan,
    output: &Payload,
    out: &mut Vec<u8>,
) -> Result<Decoded, ConversionFailure> {
    let reply = match (&plan.carrier, output) {
        (Carrier::Commarea, Payload::Commarea(record)) => plan.decode(record, out),
        (Carrier::Channel { .. }, Payload::Channel { containers, .. }) => {
            let given = containers.iter().map(bytes_of);
            plan.decode(&plan.carrier.join(plan.record_len, given), out)
        }
        _ => {
            let text = "the program answered with a COMMAREA where a channel is described, or the \
                        other way round";
            return Err(ConversionFailure::BadValue(text.into()));
        }
    };
    let reply = reply.map_err(|why| ConversionFailure::BadValue(why.to_string()))?;
    let mut headers = Vec::with_capacity(reply.headers.len());
    for (name, value) in &reply.headers {
        let name = HeaderName::from_bytes(name.as_bytes());
        // Program data may hold what no header can; it is left out, not sent broken.
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(value.trim_end())) {
            headers.push((name, value));
        }
    }
    let no_body = matches!(reply.code, 204 | 304);
    Ok(Decoded {
        status: reply.code,
        headers,
        no_body,
    })
}

fn bytes_of(container: &Container) -> (ContainerName, &[u8]) {
    match &container.data {
        ContainerData::Bit(bytes) | ContainerData::Char { bytes, .. } => (container.name, bytes),
    }
}

fn refused(why: &ConvertError, values: &[Value]) -> ConversionFailure {
    if why.kind == ErrorKind::NotJson {
        return ConversionFailure::NotJson(format!("{} at byte {}.", why.reason, why.offset));
    }
    let value = why
        .outside
        .and_then(|id| values.iter().find(|v| v.id == id));
    ConversionFailure::BadValue(match value {
        Some(value) => format!("{} {}: {why}", value.place(), value.name),
        None => why.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_values_are_decoded() {
        let find = |name| query_value("a=1&b=x+y%2Bz&c&a=2&%64=%C3%A4", name).unwrap();
        assert_eq!(find("a").as_deref(), Some("1"));
        assert_eq!(find("b").as_deref(), Some("x y+z"));
        assert_eq!(find("c").as_deref(), Some(""));
        assert_eq!(find("d").as_deref(), Some("\u{e4}"));
        assert_eq!(find("e"), None);
        assert_eq!(query_value("a=%zz", "a"), Err(()));
    }
}
