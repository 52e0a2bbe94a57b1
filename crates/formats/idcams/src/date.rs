//! Dates as the catalog shows them.

/// Days of 400 years.
const DAYS_400: u64 = 146_097;
/// From 1970-01-01 back to 1600-01-01, in days.
const SINCE_1600: u64 = 135_140;

/// Year and day of the year, `2030.365`, of a day counted from 1970-01-01 (0).
pub fn shown(day: u64) -> String {
    let day = day.saturating_add(SINCE_1600);
    let mut year = 1600 + day / DAYS_400 * 400;
    let mut rest = day % DAYS_400;
    // At most 400 turns.
    loop {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let length = if leap { 366 } else { 365 };
        if rest < length {
            return format!("{year:04}.{:03}", rest + 1);
        }
        rest -= length;
        year += 1;
    }
}

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
