//! `[telemetry]`.

use crate::kind::{Anything, Inside, Number, Seconds};
use core::time::Duration;

settings! {
    /// Traces and metrics of `transom run` and `transom gateway` for a collector of OpenTelemetry,
    /// sent as OTLP over HTTP with JSON.
    pub struct TelemetrySettings in "[telemetry]" {
        /// The collector, `http://host:port` or `https://host:port`, 4318 at most of them. Without
        /// it nothing is sent and nothing is measured for it.
        endpoint: Option<String> = None, Anything;
        /// PEM file below the directory with the certificates that are believed of a collector over
        /// HTTPS, or that issue those; needed there.
        trust: Option<String> = None, Inside;
        /// File below the directory with a header a line, `name: value`, for a collector that asks
        /// who sends. Only for a collector on this machine, or over HTTPS.
        headers_file: Option<String> = None, Inside;
        /// Of 1,000,000 traces that begin here so many are sent, {values}; where a request says in
        /// `traceparent` whether its trace is, that counts.
        sampled_ppm: u32 = 1_000_000, Number(0, 1_000_000);
        /// Requests and tasks that wait to be sent, {values}, some 4 KB each. What there is no room
        /// for is lost and counted; nobody waits.
        queue_max: usize = 4_096, Number(16, 1_000_000);
        /// Calls of a task that are spans, {values}: commands to files, queues, programs and
        /// terminals, SQL, ends of units of work. Further ones are counted.
        calls_max: u32 = 100, Number(0, 1_000);
        /// Seconds between metrics, {values}.
        metrics_seconds: Duration = Duration::from_secs(60), Seconds(1, 3_600);
    }
}
