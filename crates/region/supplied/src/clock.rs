//! Date and time as supplied screens show them.

use transom_region_commands::DateTime;
use transom_workers::seam::Host;

/// Local date `2026-11-21` and time `14:05:59`.
pub(super) fn now(host: &dyn Host) -> (String, String) {
    let now = DateTime::from_abstime(host.abstime_ms());
    let date = format!("{:04}-{:02}-{:02}", now.year, now.month, now.day);
    let time = format!("{:02}:{:02}:{:02}", now.hour, now.minute, now.second);
    (date, time)
}

/// `TIME:  14.05.59  DATE: 11/21/26`
pub(super) fn in_words(host: &dyn Host) -> String {
    let now = DateTime::from_abstime(host.abstime_ms());
    format!(
        "TIME:  {:02}.{:02}.{:02}  DATE: {:02}/{:02}/{:02}",
        now.hour,
        now.minute,
        now.second,
        now.month,
        now.day,
        now.year % 100
    )
}
