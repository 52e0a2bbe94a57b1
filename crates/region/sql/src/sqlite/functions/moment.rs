//! A day and a time of it, as numbers.

use transom_sql::{Family, Type};

pub(super) const DAY_US: i64 = 86_400_000_000;

/// Days since 0001-01-01, which is 1, as DAYS counts; microseconds of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) day: i64,
    pub(super) us: i64,
}

fn digits(text: &str, from: usize, to: usize) -> i64 {
    text.get(from..to).and_then(|t| t.parse().ok()).unwrap_or(0)
}

pub(crate) fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 305
}

pub(crate) fn date_of(days: i64) -> (i64, i64, i64) {
    let z = days + 305;
    let era = z.div_euclid(146_097);
    let of_era = z - era * 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let m = (5 * of_year + 2) / 153;
    let day = of_year - (153 * m + 2) / 5 + 1;
    let month = if m < 10 { m + 3 } else { m - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

pub(super) fn month_length(year: i64, month: i64) -> i64 {
    let (y, m) = if month == 12 {
        (year + 1, 1)
    } else {
        (year, month + 1)
    };
    days_of(y, m, 1) - days_of(year, month, 1)
}

impl Moment {
    pub(super) fn read(text: &str, kind: Type) -> Self {
        let clock = match kind.family() {
            Family::Time => text,
            _ => text.get(11..).unwrap_or_default(),
        };
        let day = match kind.family() {
            Family::Time => 0,
            _ => days_of(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)),
        };
        let seconds = digits(clock, 0, 2) * 3_600 + digits(clock, 3, 5) * 60 + digits(clock, 6, 8);
        Self {
            day,
            us: seconds * 1_000_000 + digits(clock, 9, 15),
        }
    }

    /// `None`: outside of the years 1 to 9999.
    pub(super) fn text(self, kind: Type) -> Option<String> {
        let (hours, us) = (self.us / 3_600_000_000, self.us % 3_600_000_000);
        let clock = format!(
            "{hours:02}.{:02}.{:02}",
            us / 60_000_000,
            us / 1_000_000 % 60
        );
        if kind.family() == Family::Time {
            return Some(clock);
        }
        let (year, month, day) = date_of(self.day);
        if !(1..=9_999).contains(&year) {
            return None;
        }
        let date = format!("{year:04}-{month:02}-{day:02}");
        match kind.family() {
            Family::Date => Some(date),
            _ => Some(format!("{date}-{clock}.{:06}", self.us % 1_000_000)),
        }
    }

    pub(super) fn plus_months(self, months: i64) -> Self {
        let (year, month, day) = date_of(self.day);
        let all = year * 12 + month - 1 + months;
        let (year, month) = (all.div_euclid(12), all.rem_euclid(12) + 1);
        let day = day.min(month_length(year, month));
        Self {
            day: days_of(year, month, day),
            ..self
        }
    }

    pub(super) fn plus_us(self, us: i64, wraps: bool) -> Self {
        let all = i128::from(self.day) * i128::from(DAY_US) + i128::from(self.us) + i128::from(us);
        let day = i64::try_from(all.div_euclid(DAY_US.into())).unwrap_or(0);
        Self {
            day: if wraps { 0 } else { day },
            us: all.rem_euclid(DAY_US.into()) as i64,
        }
    }
}
