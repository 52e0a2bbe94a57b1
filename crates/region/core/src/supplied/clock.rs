//! Date and time as supplied screens show them.

use crate::interval::calendar::DateTime;
use transom_workers::seam::Host;

/// Local date `2026-11-21` and time `14:05:59`.
pub(super) fn now(host: &dyn Host) -> (String, String) {
    let now = DateTime::from_abstime(host.abstime_ms());
    let date = format!("{:04}-{:02}-{:02}", now.year, now.month, now.day);
    let time = format!("{:02}:{:02}:{:02}", now.hour, now.minute, now.second);
    (date, time)
}
