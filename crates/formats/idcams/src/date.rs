//! Dates as the catalog shows them.

use transom_types::Date;

/// Year and day of the year, `2030.365`, of a day counted from 1970-01-01 (0).
pub fn shown(day: u64) -> String {
    let date = Date::from_days(i64::try_from(day).unwrap_or(DAY_MAX).min(DAY_MAX));
    format!("{:04}.{:03}", date.year, date.day_of_year())
}

/// A day no catalog reaches; the calendar goes on a little beyond it.
const DAY_MAX: i64 = i64::MAX / 2;

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn days_have_a_year() {
        for (day, expected) in [
            (0, "1970.001"),
            (364, "1970.365"),
            (11_016, "2000.060"),
            (11_322, "2000.366"),
            (20_778, "2026.325"),
            (47_540, "2100.059"),
            (47_541, "2100.060"),
        ] {
            assert_eq!(shown(day), expected);
        }
    }
}
