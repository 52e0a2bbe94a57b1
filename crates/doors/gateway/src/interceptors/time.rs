//! Time stamps as text: `2026-11-20T13:05:09.123456Z`.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};
use transom_types::Date;

/// Appends a UTC time stamp with microseconds (RFC 3339).
pub(crate) fn stamp(out: &mut String, time: SystemTime) {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let Date { year, month, day } = Date::from_days(days.cast_signed());
    let _ = write!(
        out,
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:06}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60,
        since.subsec_micros()
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn prints_leap_days_and_microseconds() {
        let at = |micros: u64| {
            let mut out = String::new();
            stamp(&mut out, UNIX_EPOCH + Duration::from_micros(micros));
            out
        };
        assert_eq!(at(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(at(951_827_696_000_007), "2000-02-29T12:34:56.000007Z");
        assert_eq!(at(1_795_179_909_123_456), "2026-11-20T13:05:09.123456Z");
    }
}
