//! Limits of a listener as statistics name them.
//!
//! Not here: counting (`limits`).

use crate::limits::ListenerCounters;

/// A limit, and the names of its value, its peak and how often it was reached.
const LIMITS: [(&str, [&str; 3]); 6] = [
    (
        "connections",
        [
            "connections_max",
            "connections_peak",
            "times_at_connections_max",
        ],
    ),
    (
        "per_client",
        [
            "per_client_max",
            "per_client_peak",
            "times_at_per_client_max",
        ],
    ),
    (
        "bodies_bytes",
        [
            "bodies_max_bytes",
            "bodies_peak_bytes",
            "times_at_bodies_max",
        ],
    ),
    (
        "handshake_time",
        ["handshake_max_ms", "", "times_handshake_too_long"],
    ),
    (
        "header_time",
        ["header_max_ms", "", "times_header_too_long"],
    ),
    ("idle_time", ["idle_max_ms", "", "times_idle_too_long"]),
];

impl ListenerCounters {
    /// Each limit with its peak and how often it was reached.
    pub fn figures(&self) -> Vec<(&'static str, u64)> {
        let readings = self.read();
        let mut values = Vec::new();
        for (limit, names) in LIMITS {
            let Some(reading) = readings.iter().find(|reading| reading.name == limit) else {
                continue;
            };
            let figures = [reading.limit, reading.peak, reading.reached];
            let named = names.into_iter().zip(figures);
            values.extend(named.filter(|(name, _)| !name.is_empty()));
        }
        values
    }
}
