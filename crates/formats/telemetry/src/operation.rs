//! What a gateway knows of one operation.

use crate::histogram::Reading;

/// Totals of one operation of an API, or of a service that is invoked by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OperationFigures {
    /// Name of the API; empty for a service.
    pub api: String,
    /// Where its description is: base path of the API; empty for a service.
    pub base_path: String,
    /// HTTP method; empty for a service.
    pub method: String,
    /// Path as the API has it, behind the base path; for a service its name.
    pub path: String,
    /// Requests, failed ones included.
    pub requests: u64,
    /// Requests that did not get the program's reply.
    pub failures: u64,
    /// Body bytes received.
    pub request_bytes: u64,
    /// Body bytes sent for successful requests.
    pub response_bytes: u64,
    /// From the request's headers to its reply, where requests are timed.
    pub times: Reading,
}
