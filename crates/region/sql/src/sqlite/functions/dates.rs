//! Functions of dates, times and timestamps, and durations.
//!
//! A date is `YYYY-MM-DD`, a time `HH.MM.SS`, a timestamp both with microseconds; a duration is a
//! number `YYYYMMDD`, `HHMMSS` or both with microseconds behind the point.

use super::code::{Answer, Code};
use super::moment::{DAY_US, Moment, date_of, days_of};
use super::numbers;
use super::value::{Arg, Args, exact_result};
use crate::decimal::Decimal;
use crate::sqlite::text::datetime;
use rusqlite::types::Value;
use transom_sql::{Family, Type};

/// The argument as a moment of its type; characters are read as Db2 reads them.
pub(super) fn moment(args: &Args<'_>, n: usize, kind: Type) -> Result<Moment, Code> {
    let text = args.text(n)?;
    let text = datetime(text, kind).map_err(Code::new)?;
    Ok(Moment::read(&text, kind))
}

/// The type a value has as a moment.
fn kind_of(args: &Args<'_>) -> Type {
    match args.first.family() {
        Family::Date | Family::Time | Family::Timestamp => args.first,
        _ => match args.get(0) {
            Arg::Text(text) if text.trim_end().len() > 10 => Type::Timestamp(6),
            Arg::Text(text) if text.contains(['-', '/']) => Type::Date,
            Arg::Text(text) if text.matches('.').count() == 2 && text.trim_end().len() == 10 => {
                Type::Date
            }
            _ => Type::Time,
        },
    }
}

fn add(args: &Args<'_>, sign: i64) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let kind = kind_of(args);
    let from = moment(args, 0, kind)?;
    let number = args.exact(1)?;
    let letter = args.text(2)?;
    let to = match letter {
        "P" => plus_duration(from, number, sign, kind),
        _ => {
            let count = number.rescaled(0).map_or(0, |n| n.digits);
            let count = i64::try_from(count).map_err(|_| Code::new(-183))? * sign;
            plus(from, count, letter, kind)
        }
    };
    let text = to.and_then(|to| to.text(kind));
    text.map(Value::Text).ok_or(Code::new(-183))
}

/// Numbers beyond all years are no dates.
const COUNT_MAX: i64 = 400_000_000_000_000_000;

fn plus(from: Moment, count: i64, letter: &str, kind: Type) -> Option<Moment> {
    let time = kind.family() == Family::Time;
    let us = |unit: i64| count.checked_mul(unit).filter(|us| us.abs() < COUNT_MAX);
    Some(match letter {
        "Y" if count.abs() < 10_000 => from.plus_months(count * 12),
        "M" if count.abs() < 120_000 => from.plus_months(count),
        "D" if count.abs() < 3_700_000 => Moment {
            day: from.day + count,
            ..from
        },
        "H" => from.plus_us(us(3_600_000_000)?, time),
        "N" => from.plus_us(us(60_000_000)?, time),
        "S" => from.plus_us(us(1_000_000)?, time),
        "U" => from.plus_us(us(1)?, time),
        _ => return None,
    })
}

/// Years, months, days; then hours, minutes, seconds.
fn plus_duration(from: Moment, number: Decimal, sign: i64, kind: Type) -> Option<Moment> {
    let (date, clock, us) = match kind.family() {
        Family::Date => (number.rescaled(0)?.digits, 0, 0),
        Family::Time => (0, number.rescaled(0)?.digits, 0),
        _ => {
            let all = number.rescaled(6)?.digits;
            (
                all / 10_i128.pow(12),
                all / 1_000_000 % 1_000_000,
                all % 1_000_000,
            )
        }
    };
    let part = |value: i128| i64::try_from(value).ok().map(|value| value * sign);
    let to = plus(from, part(date / 10_000)?, "Y", kind)?;
    let to = plus(to, part(date / 100 % 100)?, "M", kind)?;
    let to = plus(to, part(date % 100)?, "D", kind)?;
    let to = plus(to, part(clock / 10_000)?, "H", kind)?;
    let to = plus(to, part(clock / 100 % 100)?, "N", kind)?;
    let to = plus(to, part(clock % 100)?, "S", kind)?;
    plus(to, part(us)?, "U", kind)
}

pub(super) fn add_duration(args: &Args<'_>) -> Answer {
    add(args, 1)
}

pub(super) fn subtract_duration(args: &Args<'_>) -> Answer {
    add(args, -1)
}

/// The difference of two dates, times or timestamps as a duration, or of two numbers.
pub(super) fn subtract(args: &Args<'_>) -> Answer {
    if !args.first.is_datetime() {
        return numbers::subtract(args);
    }
    if args.has_null() {
        return Ok(Value::Null);
    }
    let kind = args.first;
    let (a, b) = (moment(args, 0, kind)?, moment(args, 1, kind)?);
    let (late, early, sign) = match (a.day, a.us) >= (b.day, b.us) {
        true => (a, b, 1),
        false => (b, a, -1),
    };
    let mut days_us = late.us - early.us;
    let mut day = late.day;
    if days_us < 0 {
        days_us += DAY_US;
        day -= 1;
    }
    let (y1, m1, d1) = date_of(early.day);
    let (y2, m2, d2) = date_of(day);
    let mut months = (y2 * 12 + m2) - (y1 * 12 + m1);
    if d2 < d1 {
        months -= 1;
    }
    let rest = Moment {
        day: early.day,
        us: 0,
    }
    .plus_months(months);
    let days = day - rest.day;
    let date = i128::from(months / 12 * 10_000 + months % 12 * 100 + days);
    let seconds = days_us / 1_000_000;
    let clock = i128::from(seconds / 3_600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60);
    let duration = match kind.family() {
        Family::Date => Decimal::new(date, 0),
        Family::Time => Decimal::new(clock, 0),
        _ => {
            let us = i128::from(days_us % 1_000_000);
            Decimal::new((date * 1_000_000 + clock) * 1_000_000 + us, 6)
        }
    };
    let signed = Decimal::new(duration.digits * sign, duration.scale);
    exact_result(signed, args.result)
}

/// A part of a moment, or of a duration.
pub(super) fn part(args: &Args<'_>, of: fn(Moment) -> i64, place: (u32, i128)) -> Answer {
    match args.get(0) {
        Arg::Null => Ok(Value::Null),
        Arg::Text(_) => {
            let kind = kind_of(args);
            Ok(Value::Integer(of(moment(args, 0, kind)?)))
        }
        other => {
            let number = other.exact().ok_or_else(|| args.wrong(0))?;
            // A timestamp duration has the time behind the date.
            let (place, modulo) = place;
            let whole = number.rescaled(0).map_or(0, |n| n.digits);
            let value = whole / 10_i128.pow(place) % modulo;
            Ok(Value::Integer(value as i64))
        }
    }
}

pub(super) fn year(args: &Args<'_>) -> Answer {
    part(args, |m| date_of(m.day).0, (4, 10_000))
}

pub(super) fn month(args: &Args<'_>) -> Answer {
    part(args, |m| date_of(m.day).1, (2, 100))
}

pub(super) fn day(args: &Args<'_>) -> Answer {
    part(args, |m| date_of(m.day).2, (0, 100))
}

pub(super) fn hour(args: &Args<'_>) -> Answer {
    part(args, |m| m.us / 3_600_000_000, (4, 100))
}

pub(super) fn minute(args: &Args<'_>) -> Answer {
    part(args, |m| m.us / 60_000_000 % 60, (2, 100))
}

pub(super) fn second(args: &Args<'_>) -> Answer {
    part(args, |m| m.us / 1_000_000 % 60, (0, 100))
}

pub(super) fn microsecond(args: &Args<'_>) -> Answer {
    if let Some(duration) = args.get(0).exact().filter(|_| !args.first.is_text()) {
        let us = duration.rescaled(6).map_or(0, |n| n.digits % 1_000_000);
        return Ok(Value::Integer(us as i64));
    }
    part(args, |m| m.us % 1_000_000, (0, 1))
}

pub(super) fn days(args: &Args<'_>) -> Answer {
    part(args, |m| m.day, (0, 1))
}

pub(super) fn day_of_week(args: &Args<'_>) -> Answer {
    // 0001-01-01 was a Monday; Sunday is 1.
    part(args, |m| m.day.rem_euclid(7) + 1, (0, 1))
}

pub(super) fn day_of_year(args: &Args<'_>) -> Answer {
    part(
        args,
        |m| m.day - days_of(date_of(m.day).0, 1, 1) + 1,
        (0, 1),
    )
}

/// DATE of a date, timestamp, text or number of days.
pub(super) fn date(args: &Args<'_>) -> Answer {
    match args.get(0) {
        Arg::Null => Ok(Value::Null),
        Arg::Text(text) => {
            let text = text.get(..10).unwrap_or(text);
            datetime(text, Type::Date)
                .map(Value::Text)
                .map_err(Code::new)
        }
        other => {
            let day = other.whole().ok_or_else(|| args.wrong(0))?;
            let text = (1..=3_652_059)
                .contains(&day)
                .then_some(Moment { day, us: 0 });
            let text = text.and_then(|moment| moment.text(Type::Date));
            text.map(Value::Text).ok_or_else(|| args.wrong(0))
        }
    }
}

pub(super) fn time(args: &Args<'_>) -> Answer {
    match args.get(0) {
        Arg::Null => Ok(Value::Null),
        Arg::Text(text) if args.first.family() == Family::Timestamp || text.len() > 11 => {
            let clock = text.get(11..19).ok_or_else(|| args.wrong(0))?;
            datetime(clock, Type::Time)
                .map(Value::Text)
                .map_err(Code::new)
        }
        _ => datetime(args.text(0)?, Type::Time)
            .map(Value::Text)
            .map_err(Code::new),
    }
}

/// TIMESTAMP of a text, or of a date and a time.
pub(super) fn timestamp(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let stamp = Type::Timestamp(6);
    let text = match args.get(1) {
        Arg::Text(clock) => {
            let day = datetime(args.text(0)?, Type::Date).map_err(Code::new)?;
            let clock = datetime(clock, Type::Time).map_err(Code::new)?;
            format!("{day}-{clock}")
        }
        _ => args.text(0)?.to_owned(),
    };
    datetime(&text, stamp).map(Value::Text).map_err(Code::new)
}

/// CHAR(date, form).
pub(super) fn formatted(text: &str, kind: Type, form: &str) -> Option<Value> {
    let (y, m, d) = (text.get(..4)?, text.get(5..7)?, text.get(8..10));
    let out = match (kind.family(), form) {
        (Family::Date, "ISO" | "JIS" | "LOCAL") => text.to_owned(),
        (Family::Date, "USA") => format!("{m}/{}/{y}", d?),
        (Family::Date, "EUR") => format!("{}.{m}.{y}", d?),
        (Family::Time, "ISO" | "EUR" | "LOCAL") => text.to_owned(),
        (Family::Time, "JIS") => text.replace('.', ":"),
        (Family::Time, "USA") => {
            let hour: u32 = text.get(..2)?.parse().ok()?;
            let half = if (12..24).contains(&hour) { "PM" } else { "AM" };
            // 00:00 AM begins a day, and 12:00 AM ends it.
            let twelve = match text.get(..5)? {
                "00.00" => 0,
                _ => (hour + 11) % 12 + 1,
            };
            format!("{twelve:02}:{} {half}", text.get(3..5)?)
        }
        _ => return None,
    };
    Some(Value::Text(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_db2_does() {
        assert_eq!(days_of(1, 1, 1), 1);
        assert_eq!(days_of(1970, 1, 1), 719_163);
        assert_eq!(days_of(9999, 12, 31), 3_652_059);
        for day in [1, 59, 60, 365, 366, 719_163, 730_179, 3_652_059] {
            let (y, m, d) = date_of(day);
            assert_eq!(days_of(y, m, d), day);
        }
    }

    #[test]
    fn months_end_where_they_end() {
        let date = |text: &str| Moment::read(text, Type::Date);
        let plus = |text: &str, n, unit| {
            let to = plus(date(text), n, unit, Type::Date).unwrap();
            to.text(Type::Date).unwrap_or_default()
        };
        assert_eq!(plus("2024-01-31", 1, "M"), "2024-02-29");
        assert_eq!(plus("2024-03-31", -1, "M"), "2024-02-29");
        assert_eq!(plus("2024-02-29", 1, "Y"), "2025-02-28");
        assert_eq!(plus("2024-12-31", 1, "D"), "2025-01-01");
        assert_eq!(plus("9999-12-31", 1, "D"), "");
    }
}
