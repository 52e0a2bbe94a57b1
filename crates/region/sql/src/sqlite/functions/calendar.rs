//! Functions that count in the calendar: weeks, months between, parts that are cut off.
//!
//! Not here: durations and parts of moments (`dates`), texts by a format (`formats`).

use super::code::{Answer, Code};
use super::dates::{moment, part};
use super::moment::{DAY_US, Moment, date_of, days_of, month_length};
use super::value::{Arg, Args, exact_result};
use crate::decimal::Decimal;
use rusqlite::types::Value;
use transom_sql::Type;

/// Day of JULIAN_DAY in front of 0001-01-01.
pub(super) const JULIAN: i64 = 1_721_425;

pub(super) fn day_of_week_iso(args: &Args<'_>) -> Answer {
    part(args, |m| weekday(m.day) + 1, (0, 1))
}

/// Monday is 0.
pub(super) fn weekday(day: i64) -> i64 {
    // 0001-01-01 was a Monday.
    (day - 1).rem_euclid(7)
}

pub(super) fn julian_day(args: &Args<'_>) -> Answer {
    part(args, |m| m.day + JULIAN, (0, 1))
}

pub(super) fn midnight_seconds(args: &Args<'_>) -> Answer {
    part(args, |m| m.us / 1_000_000, (0, 1))
}

pub(super) fn quarter(args: &Args<'_>) -> Answer {
    part(args, |m| (date_of(m.day).1 + 2) / 3, (0, 1))
}

/// Weeks begin on Sunday, the first one on January 1.
pub(super) fn week(args: &Args<'_>) -> Answer {
    part(args, |m| week_of(m.day), (0, 1))
}

fn week_of(day: i64) -> i64 {
    let first = days_of(date_of(day).0, 1, 1);
    (day - first + (weekday(first) + 1) % 7) / 7 + 1
}

pub(super) fn week_iso(args: &Args<'_>) -> Answer {
    part(args, |m| iso_week(m.day).1, (0, 1))
}

/// Year and week of the Thursday of this week.
pub(super) fn iso_week(day: i64) -> (i64, i64) {
    let thursday = day - weekday(day) + 3;
    let year = date_of(thursday).0;
    (year, (thursday - days_of(year, 1, 1)) / 7 + 1)
}

/// The first argument in the type of the result: of characters the date in them.
fn moved(args: &Args<'_>, change: impl Fn(Moment) -> Option<Moment>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let from = match (args.result, args.get(0)) {
        (Type::Date, Arg::Text(text)) => {
            let day = text.get(..10).unwrap_or(text);
            let day = transom_sql::date(day).map_err(Code::new)?;
            Moment::read(&day, Type::Date)
        }
        _ => moment(args, 0, args.result)?,
    };
    let to = change(from).and_then(|to| to.text(args.result));
    to.map(Value::Text).ok_or(Code::new(-183))
}

/// The last day of its month.
fn end_of_month(from: Moment) -> Moment {
    let (year, month, _) = date_of(from.day);
    Moment {
        day: days_of(year, month, month_length(year, month)),
        ..from
    }
}

pub(super) fn last_day(args: &Args<'_>) -> Answer {
    moved(args, |from| Some(end_of_month(from)))
}

pub(super) fn add_months(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let months = args.whole(1)?;
    moved(args, |from| {
        let to = (months.abs() < 120_000).then(|| from.plus_months(months))?;
        Some(match from == end_of_month(from) {
            true => end_of_month(to),
            false => to,
        })
    })
}

#[rustfmt::skip]
const DAYS: [&str; 7] = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];

/// The first day of this name behind the date.
pub(super) fn next_day(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let name = args.text(1)?.trim_end().to_ascii_uppercase();
    let is_it = |day: &&str| name == **day || Some(name.as_str()) == day.get(..3);
    let wanted = DAYS.iter().position(is_it);
    let wanted = wanted.ok_or_else(|| args.wrong(1))? as i64;
    moved(args, |from| {
        let ahead = (wanted - weekday(from.day) + 6).rem_euclid(7) + 1;
        Some(Moment {
            day: from.day + ahead,
            ..from
        })
    })
}

/// A date or timestamp, or the characters of one.
fn any_moment(args: &Args<'_>, n: usize) -> Result<Moment, Code> {
    let text = args.text(n)?;
    match text.trim_end().len() > 10 {
        true => moment(args, n, Type::Timestamp(6)),
        false => moment(args, n, Type::Date),
    }
}

/// Whole months, and the rest as a part of a month of 31 days.
pub(super) fn months_between(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (a, b) = (any_moment(args, 0)?, any_moment(args, 1)?);
    let ((y1, m1, d1), (y2, m2, d2)) = (date_of(a.day), date_of(b.day));
    let months = (y1 * 12 + m1) - (y2 * 12 + m2);
    let both_last = a == end_of_month(a) && b == end_of_month(b);
    let rest = match d1 == d2 || both_last {
        true => 0,
        false => (d1 - d2) * DAY_US + (a.us - b.us),
    };
    let month = i128::from(31 * DAY_US);
    let all = i128::from(months) * month + i128::from(rest);
    let value = Decimal::new(all, 0).divided(Decimal::new(month, 0), 15);
    let value = value.ok_or(Code(-802, vec!["FIXED POINT OVERFLOW".to_owned()]))?;
    exact_result(value, args.result)
}

/// TIMESTAMPDIFF(unit, duration): months of 30 days and years of 365.
pub(super) fn timestampdiff(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let duration = args.get(1).exact().and_then(|value| value.rescaled(6));
    let duration = duration.ok_or_else(|| args.wrong(1))?.digits;
    let all = duration.abs();
    let place = |at: u32, size: i128| all / 10_i128.pow(at) % size;
    let (years, months, days) = (place(16, 10_000), place(14, 100), place(12, 100));
    let (hours, minutes, seconds) = (place(10, 100), place(8, 100), place(6, 100));
    let in_days = days + months * 30 + years * 365;
    let in_minutes = minutes + (hours + in_days * 24) * 60;
    let in_seconds = seconds + in_minutes * 60;
    let count = match args.whole(0)? {
        1 => place(0, 1_000_000) + in_seconds * 1_000_000,
        2 => in_seconds,
        4 => in_minutes,
        8 => hours + in_days * 24,
        16 => in_days,
        32 => (days + months * 30) / 7 + years * 52,
        64 => months + years * 12,
        128 => (months + years * 12) / 3,
        256 => years,
        _ => return Err(args.wrong(0)),
    };
    exact_result(Decimal::new(count * duration.signum(), 0), args.result)
}

/// A date as the timestamp of its first moment.
pub(super) fn timestamp_iso(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let text = any_moment(args, 0)?.text(Type::Timestamp(6));
    text.map(Value::Text).ok_or(Code::new(-183))
}

/// TRUNC_TIMESTAMP(timestamp, unit)
pub(super) fn trunc_timestamp(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let from = any_moment(args, 0)?;
    let unit = match args.values.len() {
        1 => "DD".to_owned(),
        _ => args.text(1)?.trim_end().to_ascii_uppercase(),
    };
    let cut = |unit: i64| Moment {
        us: from.us / unit * unit,
        ..from
    };
    let to = match &*unit {
        "HH" | "HH12" | "HH24" => cut(3_600_000_000),
        "MI" => cut(60_000_000),
        "SS" => cut(1_000_000),
        _ => Moment {
            day: first_day(from.day, &unit).ok_or_else(|| args.wrong(1))?,
            us: 0,
        },
    };
    to.text(Type::Timestamp(6))
        .map(Value::Text)
        .ok_or(Code::new(-183))
}

/// The first day of what a day lies in.
fn first_day(day: i64, unit: &str) -> Option<i64> {
    let (year, month, _) = date_of(day);
    let since = |first: i64| day - (day - first).rem_euclid(7);
    Some(match unit {
        "SYYYY" | "YYYY" | "YEAR" | "SYEAR" | "YYY" | "YY" | "Y" => days_of(year, 1, 1),
        "IYYY" | "IYY" | "IY" | "I" => {
            let fourth = days_of(iso_week(day).0, 1, 4);
            fourth - weekday(fourth)
        }
        "Q" => days_of(year, (month - 1) / 3 * 3 + 1, 1),
        "MONTH" | "MON" | "MM" | "RM" => days_of(year, month, 1),
        "WW" => since(days_of(year, 1, 1)),
        "IW" => day - weekday(day),
        "W" => since(days_of(year, month, 1)),
        "DDD" | "DD" | "J" => day,
        "DAY" | "DY" | "D" => day - (weekday(day) + 1) % 7,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_are_those_of_the_calendar() {
        let day = |text: &str| Moment::read(text, Type::Date).day;
        assert_eq!(week_of(day("2005-01-01")), 1);
        assert_eq!(week_of(day("2005-01-02")), 2);
        assert_eq!(iso_week(day("2005-01-01")), (2004, 53));
        assert_eq!(iso_week(day("2024-12-30")), (2025, 1));
        assert_eq!(weekday(day("2024-02-29")), 3);
        assert_eq!(day("2000-01-01") + JULIAN, 2_451_545);
    }
}
