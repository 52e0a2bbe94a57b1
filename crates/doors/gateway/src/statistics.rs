//! Counters of the gateway, read without stopping anything.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use transom_tcpip::LimitReading;
use transom_telemetry::{Histogram, OperationFigures};

/// Counters of one operation.
#[derive(Debug, Default)]
pub(crate) struct OperationCounters {
    requests: AtomicU64,
    failures: AtomicU64,
    bytes_in: AtomicU64,
    bytes_out: AtomicU64,
    times: Histogram,
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

    /// The reply was there so long after the request.
    pub(crate) fn took(&self, time: Duration) {
        self.times.saw(time);
    }

    /// What was counted; whose it is stands in `figures`.
    pub(crate) fn read(&self, figures: OperationFigures) -> OperationFigures {
        OperationFigures {
            requests: self.requests.load(Relaxed),
            failures: self.failures.load(Relaxed),
            request_bytes: self.bytes_in.load(Relaxed),
            response_bytes: self.bytes_out.load(Relaxed),
            times: self.times.read(),
            ..figures
        }
    }
}

/// Totals since start.
#[derive(Debug, Clone, Default)]
pub struct GatewayStatistics {
    /// One entry per API operation and per service invoked by itself.
    pub operations: Vec<OperationFigures>,
    /// Connections open now.
    pub connections: usize,
    /// Every limit of every listener, HTTP first.
    pub limits: Vec<LimitReading>,
    /// Interceptor records lost because the writer could not keep up.
    pub records_dropped: u64,
    /// Passwords checked with the slow hash; other requests found a verified entry.
    pub passwords_checked: u64,
}
