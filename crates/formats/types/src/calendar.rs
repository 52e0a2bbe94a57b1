//! Dates and times: ABSTIME (milliseconds since 1900-01-01 00:00 local time) to calendar and back.
//!
//! Pure arithmetic; valid from 1900-01-01 to 9999-12-31, the range of ABSTIME.

use crate::Date;

/// Milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;
/// Days from 1900-01-01 to 1970-01-01.
const EPOCH_1970_DAYS: i64 = 25_567;
/// Largest ABSTIME: 9999-12-31 23:59:59.999.
pub const ABSTIME_MAX: i64 = (first_day(10_000) - first_day(1900)) * DAY_MS - 1;

/// Month names, English.
pub const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
/// Day names, Sunday first.
pub const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// A moment of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateTime {
    /// 1900 to 9999.
    pub year: u32,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
    /// 1 to 366.
    pub day_of_year: u32,
    /// 0 = Sunday.
    pub day_of_week: u32,
    /// Days since 1900-01-01, which is day 1, as the reference of FORMATTIME DAYCOUNT has it.
    pub day_count: u32,
    /// 0 to 23.
    pub hour: u32,
    /// 0 to 59.
    pub minute: u32,
    /// 0 to 59.
    pub second: u32,
    /// 0 to 999.
    pub millisecond: u32,
}

impl DateTime {
    /// The calendar of an ABSTIME; values outside the range are brought to its ends.
    pub fn from_abstime(abstime_ms: i64) -> Self {
        let abstime_ms = abstime_ms.clamp(0, ABSTIME_MAX);
        let (days, in_day) = (abstime_ms / DAY_MS, abstime_ms % DAY_MS);
        let date = Date::from_days(days - EPOCH_1970_DAYS);
        let seconds = in_day / 1000;
        Self {
            year: date.year as u32,
            month: date.month,
            day: date.day,
            day_of_year: date.day_of_year(),
            // 1900-01-01 was a Monday.
            day_of_week: ((days + 1) % 7) as u32,
            day_count: (days + 1) as u32,
            hour: (seconds / 3600) as u32,
            minute: (seconds / 60 % 60) as u32,
            second: (seconds % 60) as u32,
            millisecond: (in_day % 1000) as u32,
        }
    }

    /// The calendar of UTC at a time in milliseconds since 1970; before 1900 and after 9999 the
    /// ends of that range.
    pub fn from_unix_ms(unix_ms: i64) -> Self {
        Self::from_abstime(unix_ms.saturating_add(EPOCH_1970_DAYS * DAY_MS))
    }

    /// As RFC 3339 writes a moment of UTC: `2026-11-23T02:15:31.123Z`.
    pub fn rfc3339(self) -> String {
        let Self {
            year,
            month,
            day,
            hour,
            minute,
            second,
            millisecond,
            ..
        } = self;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
    }

    /// ABSTIME of a date and time of day; `None` when there is no such moment or it lies before
    /// 1900.
    pub fn to_abstime(
        (year, month, day): (i64, u32, u32),
        (hour, minute, second): (u32, u32, u32),
    ) -> Option<i64> {
        let date = Date::new(year, month, day)?;
        if !(1900..=9999).contains(&year) || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let days = date.days() + EPOCH_1970_DAYS;
        let seconds = i64::from(hour * 3600 + minute * 60 + second);
        Some(days * DAY_MS + seconds * 1000)
    }
}

const fn first_day(year: i64) -> i64 {
    let (month, day) = (1, 1);
    Date { year, month, day }.days()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_utc() {
        let moment = |unix_ms| DateTime::from_unix_ms(unix_ms).rfc3339();
        assert_eq!(moment(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(moment(951_782_400_007), "2000-02-29T00:00:00.007Z");
        assert_eq!(moment(1_795_400_131_123), "2026-11-23T02:15:31.123Z");
        assert_eq!(moment(i64::MAX), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn first_last_and_leap_days() {
        let first = DateTime::from_abstime(0);
        assert_eq!(
            (first.year, first.month, first.day, first.day_of_week),
            (1900, 1, 1, 1)
        );
        let last = DateTime::from_abstime(ABSTIME_MAX);
        assert_eq!(
            (last.year, last.day_of_year, last.millisecond),
            (9999, 365, 999)
        );
        let leap = DateTime::to_abstime((2024, 2, 29), (23, 59, 58)).unwrap();
        let back = DateTime::from_abstime(leap);
        assert_eq!(
            (back.month, back.day, back.day_of_year, back.day_of_week),
            (2, 29, 60, 4)
        );
        assert_eq!((back.hour, back.minute, back.second), (23, 59, 58));
        assert_eq!(DateTime::to_abstime((2023, 2, 29), (0, 0, 0)), None);
        assert_eq!(DateTime::to_abstime((1899, 12, 31), (0, 0, 0)), None);
        assert_eq!(
            DateTime::to_abstime((1970, 1, 1), (0, 0, 0)),
            Some(2_208_988_800_000)
        );
    }

    #[test]
    fn every_day_goes_there_and_back() {
        for day in (0..ABSTIME_MAX / DAY_MS).step_by(37) {
            let at = DateTime::from_abstime(day * DAY_MS);
            let date = (i64::from(at.year), at.month, at.day);
            assert_eq!(DateTime::to_abstime(date, (0, 0, 0)), Some(day * DAY_MS));
        }
    }
}
