//! One compiled operation: what a method on a path, or a service by itself, does.
//!
//! [`Conversion`] is the seam to the compiled conversion programs; everything HTTP stays outside of
//! it.

use crate::router::PathValues;
use crate::security::Policy;
use crate::statistics::OperationCounters;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use transom_region_api::{Payload, Region};
use transom_types::{ProgramName, TransId};

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

/// The program behind a service and the way to it.
#[derive(Clone)]
pub(crate) struct Backend {
    /// Region the service's connection leads to.
    pub region: Arc<dyn Region>,
    /// Program to LINK.
    pub program: ProgramName,
    /// Transaction of the mirror task, if not the region's default.
    pub transid: Option<TransId>,
    /// Most bytes taken back of a COMMAREA; 0 = as many as sent.
    pub reply_bytes_max: usize,
    /// `asyncRequestTimeout`.
    pub timeout: Option<Duration>,
    /// Name of the connection or registration, for audit records.
    pub connection: Arc<str>,
}

/// An installed API or service: what its operations share.
#[derive(Debug)]
pub(crate) struct Installed {
    /// Name.
    pub name: Arc<str>,
    /// Version, may be empty.
    pub version: Arc<str>,
    pub(crate) started: AtomicBool,
    pub(crate) policy: Arc<Policy>,
}

impl Installed {
    pub(crate) fn new(name: &str, version: &str, started: bool, policy: Arc<Policy>) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            started: AtomicBool::new(started),
            policy,
        }
    }

    /// True when requests are taken.
    pub(crate) fn started(&self) -> bool {
        self.started.load(Relaxed)
    }
}

/// Everything a request needs once its route is known.
pub(crate) struct Operation {
    /// The API; `None` when the service is invoked by itself.
    pub(crate) api: Option<Arc<Installed>>,
    /// The service.
    pub(crate) service: Arc<Installed>,
    pub(crate) backend: Backend,
    pub(crate) conversion: Arc<dyn Conversion>,
    pub(crate) counters: Arc<OperationCounters>,
}

impl Operation {
    /// Whose rules on security and interceptors hold.
    pub(crate) fn policy(&self) -> &Policy {
        match &self.api {
            Some(api) => &api.policy,
            None => &self.service.policy,
        }
    }
}
