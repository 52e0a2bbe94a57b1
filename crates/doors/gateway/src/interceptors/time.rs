//! Time stamps as text: `2026-11-20T13:05:09.123456Z`.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

/// Appends a UTC time stamp with microseconds (RFC 3339).
pub(crate) fn stamp(out: &mut String, time: SystemTime) {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let _ = write!(
        out,
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:06}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60,
        since.subsec_micros()
    );
}

/// Year, month and day of a count of days since 1970-01-01, in eras of 400 years from March on.
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
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
