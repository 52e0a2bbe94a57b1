//! Interceptors that watch requests: audit and file system logger.
//!
//! An interceptor that is not configured costs nothing: its [`Records`] is absent from the policy
//! and no clock is read. One that is configured formats a line on the serving thread and hands it
//! to one writer thread through a bounded queue; when the queue is full the line is dropped and
//! counted, or requests wait, as the operator wants it. A request whose client went away before the
//! reply leaves a line, too. The authorization interceptor is in [`crate::security`].

mod audit;
mod logger;
mod time;
mod writer;

pub(crate) use audit::audit_line;
pub(crate) use logger::log_line;
pub use writer::WhenFull;
pub(crate) use writer::{Place, Records, RecordsError};

use hyper::header::HeaderMap;
use std::net::IpAddr;
use std::time::SystemTime;

/// Attributes of the audit interceptor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditOptions {
    /// `apiProviderSmfVersion`: 1 or 2.
    pub version: u8,
    /// `apiProviderRequestHeaders`: at most four request headers to record.
    pub request_headers: Vec<String>,
    /// `apiProviderResponseHeaders`: at most four response headers to record.
    pub response_headers: Vec<String>,
}

/// What kind of request a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestType {
    Api = 1,
    Service = 2,
    Admin = 3,
}

/// A finished request as interceptors see it.
#[derive(Debug)]
pub(crate) struct Finished<'a> {
    pub(crate) kind: RequestType,
    pub(crate) entry: SystemTime,
    pub(crate) exit: SystemTime,
    /// When the request went to the region and when its answer came.
    pub(crate) sent: Option<SystemTime>,
    pub(crate) received: Option<SystemTime>,
    pub(crate) number: u64,
    pub(crate) client: IpAddr,
    pub(crate) user: &'a str,
    pub(crate) region_user: &'a str,
    pub(crate) api: (&'a str, &'a str),
    pub(crate) service: (&'a str, &'a str),
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) query: &'a str,
    pub(crate) status: u16,
    pub(crate) timed_out: bool,
    pub(crate) bytes_in: usize,
    pub(crate) bytes_out: usize,
    pub(crate) program: &'a str,
    pub(crate) connection: &'a str,
    pub(crate) task: u32,
    pub(crate) request_headers: &'a HeaderMap,
    pub(crate) response_headers: &'a HeaderMap,
}
