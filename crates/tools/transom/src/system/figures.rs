//! What listeners and the process count, as statistics of the region.
//!
//! Why here: the region knows neither. Not here: the counters.

use super::descriptors::Descriptors;
use transom_gateway::Gateway;
use transom_region_api::{Statistic, StatisticsGroup};
use transom_region_server::LocalRegion;
use transom_tcpip::LimitReading;
use transom_tn3270::Tn3270;

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

/// Adds them to the statistics.
pub(crate) fn report(region: &LocalRegion, gateway: Option<&Gateway>, screens: &[Tn3270]) {
    let http = gateway.into_iter().flat_map(Gateway::counters);
    let http = http.map(|(secure, counters)| {
        let name = if secure {
            "HTTPS listener"
        } else {
            "HTTP listener"
        };
        (name, counters)
    });
    let screens = screens
        .iter()
        .map(|s| ("TN3270 listener", s.listener_counters().clone()));
    for (name, counters) in http.chain(screens) {
        region.also_report(Box::new(move || vec![group(name, &counters.read())]));
    }
    region.also_report(Box::new(|| vec![descriptors()]));
}

fn group(name: &'static str, readings: &[LimitReading]) -> StatisticsGroup {
    let mut values = Vec::new();
    for (limit, names) in LIMITS {
        let Some(reading) = readings.iter().find(|reading| reading.name == limit) else {
            continue;
        };
        let figures = [reading.limit, reading.peak, reading.reached];
        let named = names.into_iter().zip(figures);
        let named = named.filter(|(name, _)| !name.is_empty());
        values.extend(named.map(|(name, value)| Statistic { name, value }));
    }
    StatisticsGroup { name, values }
}

fn descriptors() -> StatisticsGroup {
    let Descriptors { limit, reserve } = Descriptors::raise();
    let open = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let values = [("limit", limit), ("reserve", reserve), ("open", open)];
    StatisticsGroup {
        name: "file descriptors",
        values: values
            .map(|(name, value)| Statistic {
                name,
                value: value as u64,
            })
            .to_vec(),
    }
}
