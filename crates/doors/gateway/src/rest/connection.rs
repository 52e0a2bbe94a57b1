//! A connection to another server as server.xml has it, and why one does not serve.

use hyper::StatusCode;
use hyper::header::HeaderValue;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use transom_http::{Nearby, NearbyError, leads_to};
use transom_tcpip::ClientTls;

/// Longest answer of another server, bytes.
pub(crate) const ANSWER_BYTES: usize = 64 << 20;

/// A connection element of server.xml.
#[derive(Debug, Clone)]
pub struct RestConnection {
    /// Host name or address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Whom to believe; `None`: without TLS.
    pub tls: Option<ClientTls>,
    /// The Authorization header of each request.
    pub authorization: Option<HeaderValue>,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
    /// How long to wait for an answer.
    pub receive_timeout: Duration,
}

impl RestConnection {
    /// The server of this process that a connection would lead to.
    pub(crate) fn nearby(&self, servers: &[Arc<dyn Nearby>]) -> Option<Arc<dyn Nearby>> {
        let is_it = |server: &&Arc<dyn Nearby>| leads_to(&self.host, self.port, server.address());
        let plain = self.tls.is_none();
        servers.iter().filter(|_| plain).find(is_it).cloned()
    }
}

impl From<NearbyError> for CallError {
    fn from(error: NearbyError) -> Self {
        match error {
            NearbyError::TooLong => Self::TooLong,
            NearbyError::BrokenOff => Self::Broken("the answer broke off".to_owned()),
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum CallError {
    /// Nothing was sent: the server cannot be reached.
    Connect(String),
    /// It did not answer in time.
    TimedOut(&'static str),
    /// The connection broke after the request was sent; whether it was done is not known.
    Broken(String),
    /// The answer is too long.
    TooLong,
}

impl CallError {
    /// 503 where nothing was done and a retry may help.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Connect(_) | Self::TimedOut(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken(_) | Self::TooLong => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Without what only the operator is told.
    pub(crate) fn for_clients(&self) -> &'static str {
        match self {
            Self::Connect(_) => "The server behind the service cannot be reached.",
            Self::TimedOut(_) => "The server behind the service did not answer in time.",
            Self::Broken(_) => "The connection to the server behind the service broke.",
            Self::TooLong => "The answer of the server behind the service is too long.",
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect(why) => write!(f, "it cannot be reached: {why}"),
            Self::TimedOut(what) => write!(f, "{what} took too long"),
            Self::Broken(why) => write!(f, "the connection broke: {why}"),
            Self::TooLong => write!(f, "its answer is longer than {ANSWER_BYTES} bytes"),
        }
    }
}
