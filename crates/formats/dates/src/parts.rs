//! Dates and times as numbers: CEEISEC and CEESECI.
//!
//! Not here: pictures.

use super::picture::{Clock, DateProblem, LILIAN_ZERO, Moment, YEAR_MAX, is_in_calendar};
use transom_types::Date;

/// A moment from year, month, day, hours, minutes, seconds and milliseconds.
pub fn of_parts(parts: [i32; 7]) -> Result<Moment, DateProblem> {
    let [year, month, day, hour, minute, second, millis] = parts;
    let year = i64::from(year);
    if !(1_582..=YEAR_MAX).contains(&year) {
        return Err(DateProblem::Year);
    }
    let unsigned = |n: i32, problem| u32::try_from(n).map_err(|_| problem);
    let month = unsigned(month, DateProblem::Month)?;
    if !(1..=12).contains(&month) {
        return Err(DateProblem::Month);
    }
    let day = unsigned(day, DateProblem::Day)?;
    let date = Date::new(year, month, day).ok_or(DateProblem::Day)?;
    let lilian = date.days() - LILIAN_ZERO;
    if lilian < 1 {
        return Err(DateProblem::Range);
    }
    let millis = unsigned(millis, DateProblem::Millis)?;
    if millis > 999 {
        return Err(DateProblem::Millis);
    }
    let clock = Clock {
        hour: unsigned(hour, DateProblem::Hour)?,
        minute: unsigned(minute, DateProblem::Minute)?,
        second: unsigned(second, DateProblem::Second)?,
        millis,
        afternoon: None,
    };
    let millis = clock.millis()?;
    Ok(Moment { lilian, millis })
}

/// The same parts of a moment; `None` outside of the calendar.
pub fn parts_of(moment: Moment) -> Option<[i64; 7]> {
    if !is_in_calendar(moment.lilian) {
        return None;
    }
    let Date { year, month, day } = Date::from_days(moment.lilian + LILIAN_ZERO);
    let seconds = moment.millis / 1_000;
    Some([
        year,
        i64::from(month),
        i64::from(day),
        seconds / 3_600,
        seconds % 3_600 / 60,
        seconds % 60,
        moment.millis % 1_000,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_a_moment_and_back() {
        let parts = [1988, 5, 16, 21, 5, 9, 250];
        let made = of_parts(parts).unwrap();
        assert_eq!((made.lilian, made.millis), (148_138, 75_909_250));
        assert_eq!(parts_of(made), Some(parts.map(i64::from)));
        for (at, bad, problem) in [
            (0, 1500, DateProblem::Year),
            (1, 13, DateProblem::Month),
            (2, 32, DateProblem::Day),
            (3, 24, DateProblem::Hour),
            (4, -1, DateProblem::Minute),
            (5, 60, DateProblem::Second),
            (6, 1000, DateProblem::Millis),
        ] {
            let mut parts = parts;
            parts[at] = bad;
            assert_eq!(of_parts(parts), Err(problem));
        }
        assert_eq!(
            of_parts([1582, 10, 14, 0, 0, 0, 0]),
            Err(DateProblem::Range)
        );
    }
}
