//! Dates of the Gregorian calendar, before its beginning too.
//!
//! What: a day as a number and as year, month and day. Why: ABSTIME, Lilian days, time stamps and
//! dates of the catalog are one calendar with four zeros. Not here: the clock, time zones, texts.

/// Days of 400 years.
const DAYS_400: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// Year; 0 is the one before 1.
    pub year: i64,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
}

impl Date {
    /// A date, when there is such a day.
    pub const fn new(year: i64, month: u32, day: u32) -> Option<Self> {
        if day == 0 || day > days_of_month(year, month) {
            return None;
        }
        Some(Self { year, month, day })
    }

    /// The day that is so many days after 1970-01-01. Inside, years begin in March, so that the
    /// leap day is the last of the year.
    pub const fn from_days(days: i64) -> Self {
        let shifted = days + EPOCH;
        let era = shifted.div_euclid(DAYS_400);
        let of_era = shifted.rem_euclid(DAYS_400);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = (of_year - (153 * from_march + 2) / 5 + 1) as u32;
        let month = (from_march + 2) as u32 % 12 + 1;
        let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
        Self { year, month, day }
    }

    /// Days since 1970-01-01.
    pub const fn days(self) -> i64 {
        let year = self.year - if self.month <= 2 { 1 } else { 0 };
        let of_era = year.rem_euclid(400);
        let from_march = ((self.month + 9) % 12) as i64;
        let of_year = (153 * from_march + 2) / 5 + self.day as i64 - 1;
        let days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        year.div_euclid(400) * DAYS_400 + days - EPOCH
    }

    /// 1 to 366. Without a day number: each ASKTIME comes here.
    pub const fn day_of_year(self) -> u32 {
        let from_march = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day;
        match self.month {
            1 | 2 => from_march - 306,
            _ => from_march + 59 + is_leap(self.year) as u32,
        }
    }

    /// 0 to 6, from Sunday on.
    pub const fn day_of_week(self) -> u32 {
        // 1970-01-01 was a Thursday.
        (self.days() + 4).rem_euclid(7) as u32
    }
}

/// 365 or 366.
pub const fn days_of_year(year: i64) -> u32 {
    365 + is_leap(year) as u32
}

/// 28 to 31; 0 when there is no such month.
pub const fn days_of_month(year: i64, month: u32) -> u32 {
    match month {
        2 => 28 + is_leap(year) as u32,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i64, month: u32, day: u32) -> Date {
        Date::new(year, month, day).unwrap()
    }

    #[test]
    fn days_that_are_known() {
        for (days, expected) in [
            (0, date(1970, 1, 1)),
            (-1, date(1969, 12, 31)),
            (11_016, date(2000, 2, 29)),
            (20_778, date(2026, 11, 21)),
            (-25_567, date(1900, 1, 1)),
            // Day 0 of the Lilian calendar.
            (-141_428, date(1582, 10, 14)),
            (-719_468, date(0, 3, 1)),
            (-719_469, date(0, 2, 29)),
        ] {
            assert_eq!(Date::from_days(days), expected);
            assert_eq!(expected.days(), days);
        }
    }

    #[test]
    fn each_day_follows_the_one_before() {
        let mut before = date(1581, 12, 31);
        for days in before.days() + 1..date(2102, 1, 1).days() {
            let (month, day) = (before.month, before.day);
            let next = Date::new(before.year, month, day + 1)
                .or(Date::new(before.year, month + 1, 1))
                .unwrap_or(Date::new(before.year + 1, 1, 1).unwrap());
            assert_eq!(Date::from_days(days), next);
            assert_eq!(next.days(), days);
            let first = date(next.year, 1, 1).days();
            assert_eq!(i64::from(next.day_of_year()), days - first + 1);
            before = next;
        }
    }

    #[test]
    fn days_of_weeks_and_years() {
        assert_eq!(date(1900, 1, 1).day_of_week(), 1);
        assert_eq!(date(2024, 2, 29).day_of_week(), 4);
        assert_eq!(date(1969, 12, 28).day_of_week(), 0);
        assert_eq!(date(2024, 12, 31).day_of_year(), 366);
        assert_eq!((days_of_year(1900), days_of_year(2000)), (365, 366));
    }

    #[test]
    fn no_such_day() {
        assert_eq!(Date::new(2023, 2, 29), None);
        assert_eq!(Date::new(2024, 13, 1), None);
        assert_eq!(Date::new(2024, 4, 0), None);
    }
}
