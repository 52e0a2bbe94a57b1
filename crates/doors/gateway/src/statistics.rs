//! Counters of the gateway, read without stopping anything.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use transom_tcpip::LimitReading;

/// Counters of one operation.
#[derive(Debug, Default)]
pub(crate) struct OperationCounters {
    requests: AtomicU64,
    failures: AtomicU64,
    bytes_in: AtomicU64,
    bytes_out: AtomicU64,
}

impl OperationCounters {
    pub(crate) fn done(&self, bytes_in: usize, bytes_out: usize) {
        self.requests.fetch_add(1, Relaxed);
        self.bytes_in.fetch_add(bytes_in as u64, Relaxed);
        self.bytes_out.fetch_add(bytes_out as u64, Relaxed);
    }

    pub(crate) fn failed(&self, bytes_in: usize) {
        self.requests.fetch_add(1, Relaxed);
        self.failures.fetch_add(1, Relaxed);
        self.bytes_in.fetch_add(bytes_in as u64, Relaxed);
    }

    pub(crate) fn read(&self, name: &str) -> OperationStatistics {
        OperationStatistics {
            name: name.to_owned(),
            requests: self.requests.load(Relaxed),
            failures: self.failures.load(Relaxed),
            request_bytes: self.bytes_in.load(Relaxed),
            response_bytes: self.bytes_out.load(Relaxed),
        }
    }
}

/// Totals since start.
#[derive(Debug, Clone, Default)]
pub struct GatewayStatistics {
    /// One entry per API operation (`name METHOD /path`) and per service invoked by itself.
    pub operations: Vec<OperationStatistics>,
    /// Connections open now.
    pub connections: usize,
    /// Every limit of every listener, HTTP first.
    pub limits: Vec<LimitReading>,
    /// Interceptor records lost because the writer could not keep up.
    pub records_dropped: u64,
    /// Passwords checked with the slow hash; other requests found a verified entry.
    pub passwords_checked: u64,
}

/// Totals of one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationStatistics {
    /// What was called.
    pub name: String,
    /// Requests, failed ones included.
    pub requests: u64,
    /// Requests that did not get the program's reply.
    pub failures: u64,
    /// Body bytes received.
    pub request_bytes: u64,
    /// Body bytes sent for successful requests.
    pub response_bytes: u64,
}
