//! VARCHAR_FORMAT and TIMESTAMP_FORMAT: moments in a form the program says.
//!
//! Not here: names of months and days, which are a matter of a locale (-84 when they come), and
//! years of less than four digits as input, which are a matter of the day it is.

use super::calendar::{JULIAN, iso_week, weekday};
use super::code::{Answer, Code};
use super::dates::moment;
use super::moment::{Moment, date_of, days_of, month_length};
use super::value::Args;
use rusqlite::types::Value;
use transom_sql::Type;

/// Longer ones first, so that the longest that fits is found.
#[rustfmt::skip]
const ELEMENTS: &[&str] = &[
    "NNNNNN", "SSSSS", "MONTH", "A.M.", "P.M.", "YYYY", "IYYY", "RRRR", "HH24", "HH12", "YYY", "IYY", "DDD",
    "MON", "DAY", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "CC", "YY", "IY", "RR", "DD", "DY", "MM", "MI", "MS",
    "HH", "SS", "FF", "IW", "ID", "WW", "US", "AM", "PM", "Y", "I", "D", "J", "Q", "W",
];
/// Characters between elements.
const SEPARATORS: &str = "-./,';: ";

/// A part of a format.
enum Part {
    Element(&'static str),
    Between(char),
}

/// -20447: a format with something else in it.
fn parts(args: &Args<'_>, format: &str) -> Result<Vec<Part>, Code> {
    let folded = format.to_ascii_uppercase();
    let mut rest = folded.trim_end();
    let mut out = Vec::new();
    while let Some(c) = rest.chars().next() {
        let element = ELEMENTS.iter().find(|element| rest.starts_with(**element));
        let taken = match element {
            Some(element) => {
                out.push(Part::Element(element));
                element.len()
            }
            None if SEPARATORS.contains(c) => {
                out.push(Part::Between(c));
                1
            }
            None => return Err(wrong_format(args, format)),
        };
        rest = &rest[taken..];
    }
    match out.is_empty() {
        true => Err(wrong_format(args, format)),
        false => Ok(out),
    }
}

fn wrong_format(args: &Args<'_>, format: &str) -> Code {
    Code(-20447, vec![format.trim_end().to_owned(), name(args)])
}

fn name(args: &Args<'_>) -> String {
    args.name.trim_start_matches("db2_").to_uppercase()
}

fn not_done(args: &Args<'_>, element: &str) -> Code {
    Code(-84, vec![format!("{} of {element}", name(args))])
}

pub(super) fn varchar_format(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let is_date = args.text(0)?.trim_end().len() <= 10;
    let kind = if is_date {
        Type::Date
    } else {
        Type::Timestamp(6)
    };
    let value = moment(args, 0, kind)?;
    let mut out = String::new();
    for part in parts(args, args.text(1)?)? {
        match part {
            Part::Between(c) => out.push(c),
            Part::Element(element) => {
                let shown = shown(value, element);
                out += &shown.ok_or_else(|| not_done(args, element))?;
            }
        }
    }
    Ok(Value::Text(out))
}

/// `None`: it is not done.
fn shown(value: Moment, element: &str) -> Option<String> {
    let (year, month, day) = date_of(value.day);
    let first = days_of(year, 1, 1);
    let seconds = value.us / 1_000_000;
    let hour = seconds / 3_600;
    let us = value.us % 1_000_000;
    let last = |year: i64, digits: u32| {
        let width = digits as usize;
        format!("{:0width$}", year % 10_i64.pow(digits))
    };
    Some(match element {
        "YYYY" => last(year, 4),
        "YYY" => last(year, 3),
        "YY" => last(year, 2),
        "Y" => last(year, 1),
        "IYYY" => last(iso_week(value.day).0, 4),
        "IYY" => last(iso_week(value.day).0, 3),
        "IY" => last(iso_week(value.day).0, 2),
        "I" => last(iso_week(value.day).0, 1),
        "CC" => format!("{:02}", (year + 99) / 100),
        "Q" => ((month + 2) / 3).to_string(),
        "MM" => format!("{month:02}"),
        "WW" => format!("{:02}", (value.day - first) / 7 + 1),
        "IW" => format!("{:02}", iso_week(value.day).1),
        "W" => ((day - 1) / 7 + 1).to_string(),
        "DDD" => format!("{:03}", value.day - first + 1),
        "DD" => format!("{day:02}"),
        "D" => ((weekday(value.day) + 1) % 7 + 1).to_string(),
        "ID" => (weekday(value.day) + 1).to_string(),
        "J" => format!("{:07}", value.day + JULIAN),
        "HH24" => format!("{hour:02}"),
        "HH12" | "HH" => format!("{:02}", (hour + 11) % 12 + 1),
        "MI" => format!("{:02}", seconds / 60 % 60),
        "SS" => format!("{:02}", seconds % 60),
        "SSSSS" => format!("{seconds:05}"),
        "AM" | "PM" => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        "A.M." | "P.M." => if hour < 12 { "A.M." } else { "P.M." }.to_owned(),
        "NNNNNN" | "FF" | "US" => format!("{us:06}"),
        "MS" => format!("{:03}", us / 1_000),
        _ => {
            let digits: u32 = element.strip_prefix("FF")?.parse().ok()?;
            let width = digits as usize;
            format!("{:0width$}", us / 10_i64.pow(6 - digits))
        }
    })
}

/// What was read.
#[derive(Default)]
struct Read {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    of_year: Option<i64>,
    hour: i64,
    is_half: bool,
    afternoon: Option<bool>,
    minute: i64,
    second: i64,
    us: i64,
}

pub(super) fn timestamp_format(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (text, format) = (args.text(0)?, args.text(1)?);
    let wrong = || {
        let (text, format) = (text.trim_end().to_owned(), format.trim_end().to_owned());
        Code(-20448, vec![text, format])
    };
    let mut rest = text.trim();
    let mut read = Read::default();
    for part in parts(args, format)? {
        match part {
            Part::Between(c) => {
                let is_it = rest.starts_with(|next| next == c || SEPARATORS.contains(next));
                rest = rest.get(1..).filter(|_| is_it).ok_or_else(wrong)?;
            }
            Part::Element(element @ ("AM" | "PM" | "A.M." | "P.M.")) => {
                let word = rest.get(..element.len()).ok_or_else(wrong)?;
                let half = word.to_ascii_uppercase().replace('.', "");
                if half.len() + word.matches('.').count() != word.len() {
                    return Err(wrong());
                }
                read.afternoon = match &*half {
                    "AM" => Some(false),
                    "PM" => Some(true),
                    _ => return Err(wrong()),
                };
                rest = &rest[word.len()..];
            }
            Part::Element(element) => {
                let most = width(element).ok_or_else(|| not_done(args, element))?;
                let count = rest
                    .bytes()
                    .take(most)
                    .take_while(u8::is_ascii_digit)
                    .count();
                let number: i64 = rest[..count].parse().map_err(|_| wrong())?;
                take(&mut read, element, number, count);
                rest = &rest[count..];
            }
        }
    }
    if !rest.is_empty() {
        return Err(wrong());
    }
    let missing = || not_done(args, "a format without year and month");
    if read.year.is_none() || (read.month.is_none() && read.of_year.is_none()) {
        return Err(missing());
    }
    let value = read.moment().ok_or_else(wrong)?;
    let text = value.text(Type::Timestamp(6)).ok_or_else(wrong)?;
    Ok(Value::Text(text))
}

/// Most digits of an element that can be read.
fn width(element: &str) -> Option<usize> {
    Some(match element {
        "YYYY" => 4,
        "DDD" | "MS" => 3,
        "MM" | "DD" | "HH24" | "HH12" | "HH" | "MI" | "SS" => 2,
        "NNNNNN" | "FF" | "US" => 6,
        _ => element.strip_prefix("FF")?.parse().ok()?,
    })
}

fn take(read: &mut Read, element: &str, number: i64, count: usize) {
    match element {
        "YYYY" => read.year = Some(number),
        "MM" => read.month = Some(number),
        "DD" => read.day = Some(number),
        "DDD" => read.of_year = Some(number),
        "HH24" => read.hour = number,
        "HH12" | "HH" => {
            read.hour = number;
            read.is_half = true;
        }
        "MI" => read.minute = number,
        "SS" => read.second = number,
        // Digits of a part of a second stand at its left.
        _ => read.us = number * 10_i64.pow(6 - count.min(6) as u32),
    }
}

impl Read {
    /// `None`: there is no such day or time.
    fn moment(&self) -> Option<Moment> {
        let year = self.year.filter(|year| (1..=9_999).contains(year))?;
        let day = match (self.of_year, self.month) {
            (Some(of_year), None) => {
                let day = days_of(year, 1, 1) + of_year - 1;
                (date_of(day).0 == year && of_year > 0).then_some(day)?
            }
            (None, Some(month)) => {
                let day = self.day.unwrap_or(1);
                let is_month = (1..=12).contains(&month);
                let is_day = is_month && (1..=month_length(year, month)).contains(&day);
                is_day.then(|| days_of(year, month, day))?
            }
            _ => return None,
        };
        let hour = match (self.is_half, self.afternoon) {
            (true, half) => {
                let hour = (1..=12).contains(&self.hour).then_some(self.hour % 12)?;
                hour + 12 * i64::from(half.unwrap_or(false))
            }
            (false, None) => (self.hour < 24).then_some(self.hour)?,
            (false, Some(_)) => return None,
        };
        if self.minute > 59 || self.second > 59 {
            return None;
        }
        let seconds = (hour * 60 + self.minute) * 60 + self.second;
        let us = seconds * 1_000_000 + self.us;
        Some(Moment { day, us })
    }
}
