//! Named limits of a listener and how often each was reached.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What one listener allows. Every bound has a name under which [`ListenerCounters`] reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// `connections`: open connections; more are refused.
    pub connections: usize,
    /// `per_client`: open connections of one client address, more are refused; 0: no limit.
    pub per_client: usize,
    /// `backlog`: connections the kernel holds before they are accepted.
    pub backlog: i32,
    /// `header_bytes`: request line and headers together, bytes (8,192 at least).
    pub header_bytes: usize,
    /// `body_bytes`: one request body, bytes.
    pub body_bytes: u64,
    /// `bodies_bytes`: bodies of all requests under way that came in more than one piece, bytes.
    pub bodies_bytes: u64,
    /// `handshake_time`: from accept to the end of the TLS handshake.
    pub handshake_time: Duration,
    /// `header_time`: from the first to the last byte of request line and headers.
    pub header_time: Duration,
    /// `body_time`: from the end of the headers to the last byte of the body.
    pub body_time: Duration,
    /// `idle_time`: a connection without a request.
    pub idle_time: Duration,
    /// `write_time`: a peer that takes none of the reply.
    pub write_time: Duration,
    /// `linger_time`: reading on after a refusal, so that the peer sees the reply, not a reset.
    pub linger_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 20_000,
            per_client: 10_000,
            backlog: 1_024,
            header_bytes: 64 * 1024,
            body_bytes: 16 * 1024 * 1024,
            bodies_bytes: 512 * 1024 * 1024,
            handshake_time: Duration::from_secs(10),
            header_time: Duration::from_secs(20),
            body_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(120),
            write_time: Duration::from_secs(30),
            linger_time: Duration::from_secs(2),
        }
    }
}

/// One limit while it is in use.
#[derive(Debug)]
pub struct LimitCounter {
    name: &'static str,
    limit: u64,
    peak: AtomicU64,
    reached: AtomicU64,
}

impl LimitCounter {
    fn new(name: &'static str, limit: u64) -> Self {
        Self {
            name,
            limit,
            peak: AtomicU64::new(0),
            reached: AtomicU64::new(0),
        }
    }

    /// Notes a value that stayed within the limit. Writes only when it is a new peak.
    pub fn saw(&self, value: u64) {
        if value > self.peak.load(Relaxed) {
            self.peak.fetch_max(value, Relaxed);
        }
    }

    /// Notes that the limit stopped somebody.
    pub fn hit(&self) {
        self.reached.fetch_add(1, Relaxed);
    }

    /// The figures now.
    pub fn read(&self) -> LimitReading {
        LimitReading {
            name: self.name,
            limit: self.limit,
            peak: self.peak.load(Relaxed),
            reached: self.reached.load(Relaxed),
        }
    }
}

/// Bytes that may be in use at the same time.
#[derive(Debug)]
pub struct Budget {
    used: AtomicU64,
    counter: LimitCounter,
}

impl Budget {
    fn new(name: &'static str, limit: u64) -> Self {
        Self {
            used: AtomicU64::new(0),
            counter: LimitCounter::new(name, limit),
        }
    }

    /// Takes bytes; false, and nothing taken, when they are not to be had.
    pub fn take(&self, bytes: u64) -> bool {
        let used = self.used.fetch_add(bytes, Relaxed).saturating_add(bytes);
        if used > self.counter.limit {
            self.used.fetch_sub(bytes, Relaxed);
            self.counter.hit();
            return false;
        }
        self.counter.saw(used);
        true
    }

    /// Gives bytes back.
    pub fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
    }
}

/// The figures of one limit. Times are in milliseconds, sizes in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitReading {
    /// Name as in [`Limits`].
    pub name: &'static str,
    /// The limit.
    pub limit: u64,
    /// Highest value seen within the limit; 0 for times.
    pub peak: u64,
    /// How often the limit stopped a connection or request.
    pub reached: u64,
}

/// All counters of one listener.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct ListenerCounters {
    pub connections: LimitCounter,
    pub per_client: LimitCounter,
    pub header_bytes: LimitCounter,
    pub body_bytes: LimitCounter,
    pub bodies_bytes: Budget,
    pub handshake_time: LimitCounter,
    pub header_time: LimitCounter,
    pub body_time: LimitCounter,
    pub idle_time: LimitCounter,
    pub write_time: LimitCounter,
}

impl ListenerCounters {
    pub(crate) fn new(limits: &Limits) -> Self {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self {
            connections: LimitCounter::new("connections", limits.connections as u64),
            per_client: LimitCounter::new("per_client", limits.per_client as u64),
            header_bytes: LimitCounter::new("header_bytes", limits.header_bytes as u64),
            body_bytes: LimitCounter::new("body_bytes", limits.body_bytes),
            bodies_bytes: Budget::new("bodies_bytes", limits.bodies_bytes),
            handshake_time: LimitCounter::new("handshake_time", ms(limits.handshake_time)),
            header_time: LimitCounter::new("header_time", ms(limits.header_time)),
            body_time: LimitCounter::new("body_time", ms(limits.body_time)),
            idle_time: LimitCounter::new("idle_time", ms(limits.idle_time)),
            write_time: LimitCounter::new("write_time", ms(limits.write_time)),
        }
    }

    /// Every limit, in the order of [`Limits`].
    pub fn read(&self) -> Vec<LimitReading> {
        [
            &self.connections,
            &self.per_client,
            &self.header_bytes,
            &self.body_bytes,
            &self.bodies_bytes.counter,
            &self.handshake_time,
            &self.header_time,
            &self.body_time,
            &self.idle_time,
            &self.write_time,
        ]
        .map(LimitCounter::read)
        .to_vec()
    }
}
