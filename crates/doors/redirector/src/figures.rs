//! The figures of a host as JSON.
//!
//! Not here: who asks for them (`status`).

use crate::host::Host;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Figures of a host.
pub(crate) fn of_host(host: &Host) -> Value {
    let (counts, plan) = (&host.counts, host.plan());
    let read = |counter: &AtomicU64| counter.load(Relaxed);
    let targets = plan.targets.all().iter().map(|target| {
        json!({
            "target": target.name,
            "state": if target.is_down() { "down" } else { "up" },
            "reason": if target.is_down() { target.why() } else { String::new() },
            "sessions": target.sessions.now(),
            "sessions_peak": target.sessions.peak(),
            "connects_failed": read(&target.failed),
        })
    });
    json!({
        "name": plan.name,
        "address": host.address().to_string(),
        "mode": plan.settings.mode,
        "sessions": counts.sessions.now(),
        "sessions_peak": counts.sessions.peak(),
        "sessions_begun": read(&counts.begun),
        "max_sessions": plan.settings.max_sessions,
        "times_at_max_sessions": counts.sessions.reached(),
        "max_sessions_per_client": plan.settings.max_sessions_per_client,
        "times_at_max_sessions_per_client": counts.per_client.reached(),
        "not_allowed": read(&counts.not_allowed),
        "lus_refused": read(&counts.lus_refused),
        "handshakes_failed": read(&counts.handshakes_failed),
        "handshakes_late": read(&counts.handshakes_late),
        "without_target": read(&counts.without_target),
        "failed_over": read(&counts.failed_over),
        "ended_idle": read(&counts.idle),
        "ended_silent": read(&counts.silent),
        "bytes_in": read(&counts.bytes_in),
        "bytes_out": read(&counts.bytes_out),
        "records_out": read(&counts.records_out),
        "targets": targets.collect::<Vec<_>>(),
    })
}
