//! Moments as people write them: local time of the region.

use transom_types::calendar::DateTime;

/// Milliseconds from 1900, where ABSTIME begins, to 1970.
const EPOCH_MS: i64 = 2_208_988_800_000;

/// `2026-11-22 21:05:07.123`.
pub(crate) fn shown(unix_ns: u64, utc_offset_s: i32) -> String {
    let at = date_time(unix_ns, utc_offset_s);
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03}",
        at.year, at.month, at.day, at.hour, at.minute, at.second, at.millisecond
    )
}

/// `2026-11-22T21:05:07.123456Z`, in UTC.
pub(crate) fn iso(unix_ns: u64) -> String {
    let at = date_time(unix_ns, 0);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
        at.year,
        at.month,
        at.day,
        at.hour,
        at.minute,
        at.second,
        unix_ns / 1_000 % 1_000_000
    )
}

fn date_time(unix_ns: u64, utc_offset_s: i32) -> DateTime {
    let ms = i64::try_from(unix_ns / 1_000_000).unwrap_or(i64::MAX / 4);
    DateTime::from_abstime(ms + i64::from(utc_offset_s) * 1_000 + EPOCH_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_local_or_said_to_be_utc() {
        let at = 1_795_381_507_123_456_000;
        assert_eq!(iso(at), "2026-11-22T21:05:07.123456Z");
        assert_eq!(shown(at, 3_600), "2026-11-22 22:05:07.123");
    }
}
