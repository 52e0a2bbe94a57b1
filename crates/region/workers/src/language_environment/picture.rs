//! Dates by picture, as the date services of Language Environment read and write them.
//!
//! What: `YYYY-MM-DD` and a text in, a Lilian day out, and back. Day 1 is 15 October 1582. Source:
//! the public description of CEEDAYS, CEEDATE and their feedback codes. Not here: eras and DBCS.

use transom_types::{Date, days_of_year};

/// Last year of the services.
const YEAR_MAX: i64 = 9_999;
/// 14 October 1582 in days since 1970-01-01.
const LILIAN_ZERO: i64 = -141_428;
const MONTHS: [&str; 12] = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];
/// Start of the hundred years two-digit years belong to, in years before now, as delivered.
const CENTURY_WINDOW: i64 = 80;

/// Why a date was not taken, with the number of its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum DateProblem {
    /// The picture says too little for a date.
    Insufficient = 2507,
    /// Day or year do not exist.
    BadValue = 2508,
    /// Before 15 October 1582 or after 31 December 9999.
    Range = 2513,
    /// No such month.
    Month = 2517,
    /// The picture is none.
    Picture = 2518,
    /// Not a digit where the picture wants one.
    NotNumeric = 2520,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Year(usize),
    Month { zero_suppressed: bool },
    MonthName,
    Day { zero_suppressed: bool },
    DayOfYear,
    Literal(u8),
}

/// Lilian day of a text.
pub(super) fn to_lilian(text: &[u8], picture: &[u8], this_year: i64) -> Result<i64, DateProblem> {
    let parts = parts(picture)?;
    let (mut year, mut month, mut day, mut day_of_year) = (None, None, None, None);
    let mut rest = text;
    for part in &parts {
        match part {
            Part::Year(digits) => {
                let n = i64::from(number(&mut rest, *digits, false)?);
                year = Some(if *digits == 4 {
                    n
                } else {
                    in_window(n, this_year)
                });
            }
            Part::Month { zero_suppressed } => {
                let n = number(&mut rest, 2, *zero_suppressed)?;
                if !(1..=12).contains(&n) {
                    return Err(DateProblem::Month);
                }
                month = Some(n);
            }
            Part::MonthName => month = Some(month_name(&mut rest)?),
            Part::Day { zero_suppressed } => day = Some(number(&mut rest, 2, *zero_suppressed)?),
            Part::DayOfYear => day_of_year = Some(number(&mut rest, 3, false)?),
            Part::Literal(_) => rest = rest.get(1..).ok_or(DateProblem::BadValue)?,
        }
    }
    let year = year.ok_or(DateProblem::Insufficient)?;
    let days = match (month, day, day_of_year) {
        (Some(month), Some(day), _) => {
            let date = Date::new(year, month, day).ok_or(DateProblem::BadValue)?;
            date.days()
        }
        (None, None, Some(n)) if (1..=days_of_year(year)).contains(&n) => {
            first_day(year) + i64::from(n) - 1
        }
        (None, None, Some(_)) => return Err(DateProblem::BadValue),
        _ => return Err(DateProblem::Insufficient),
    };
    let lilian = days - LILIAN_ZERO;
    if lilian < 1 || year > YEAR_MAX {
        return Err(DateProblem::Range);
    }
    Ok(lilian)
}

/// Text of a Lilian day.
pub(super) fn from_lilian(lilian: i64, picture: &[u8]) -> Result<Vec<u8>, DateProblem> {
    let parts = parts(picture)?;
    let date = Date::from_days(lilian + LILIAN_ZERO);
    let Date { year, month, day } = date;
    if lilian < 1 || year > YEAR_MAX {
        return Err(DateProblem::Range);
    }
    let mut out = Vec::new();
    for part in parts {
        match part {
            Part::Year(4) => out.extend(format!("{year:04}").bytes()),
            Part::Year(_) => out.extend(format!("{:02}", year % 100).bytes()),
            Part::Month { zero_suppressed } => out.extend(two(month, zero_suppressed)),
            Part::MonthName => out.extend(MONTHS[(month - 1) as usize % 12].bytes()),
            Part::Day { zero_suppressed } => out.extend(two(day, zero_suppressed)),
            Part::DayOfYear => {
                out.extend(format!("{:03}", date.day_of_year()).bytes());
            }
            Part::Literal(byte) => out.push(byte),
        }
    }
    Ok(out)
}

/// Lilian day of a date of today's calendar.
#[cfg(test)]
fn lilian_of(year: i64, month: u32, day: u32) -> i64 {
    Date { year, month, day }.days() - LILIAN_ZERO
}

fn first_day(year: i64) -> i64 {
    let (month, day) = (1, 1);
    Date { year, month, day }.days()
}

fn two(n: u32, zero_suppressed: bool) -> Vec<u8> {
    match zero_suppressed {
        true => n.to_string().into_bytes(),
        false => format!("{n:02}").into_bytes(),
    }
}

/// A word of pictures and what it stands for.
type Word = (&'static [u8], fn() -> Part);

fn parts(picture: &[u8]) -> Result<Vec<Part>, DateProblem> {
    const WORDS: [Word; 8] = [
        (b"YYYY", || Part::Year(4)),
        (b"YY", || Part::Year(2)),
        (b"MMM", || Part::MonthName),
        (b"ZM", || Part::Month {
            zero_suppressed: true,
        }),
        (b"MM", || Part::Month {
            zero_suppressed: false,
        }),
        (b"DDD", || Part::DayOfYear),
        (b"ZD", || Part::Day {
            zero_suppressed: true,
        }),
        (b"DD", || Part::Day {
            zero_suppressed: false,
        }),
    ];
    let mut found = Vec::new();
    let picture = picture.trim_ascii_end();
    let mut rest = picture;
    while let Some(first) = rest.first() {
        let upper: Vec<u8> = rest.to_ascii_uppercase();
        match WORDS.iter().find(|(word, _)| upper.starts_with(word)) {
            Some((word, part)) => {
                found.push(part());
                rest = &rest[word.len()..];
            }
            None if b"YMDZR".contains(&upper[0]) => return Err(DateProblem::Picture),
            None => {
                found.push(Part::Literal(*first));
                rest = &rest[1..];
            }
        }
    }
    if found.is_empty() {
        return Err(DateProblem::Picture);
    }
    Ok(found)
}

fn number(text: &mut &[u8], digits: usize, may_be_short: bool) -> Result<u32, DateProblem> {
    let run = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let take = match may_be_short {
        true => run.clamp(1, digits),
        false => digits,
    };
    let (field, rest) = text.split_at_checked(take).ok_or(DateProblem::BadValue)?;
    if !field.iter().all(u8::is_ascii_digit) {
        return Err(DateProblem::NotNumeric);
    }
    *text = rest;
    Ok(field.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0')))
}

fn month_name(text: &mut &[u8]) -> Result<u32, DateProblem> {
    let (name, rest) = text.split_at_checked(3).ok_or(DateProblem::Month)?;
    let known = MONTHS
        .iter()
        .position(|m| name.eq_ignore_ascii_case(m.as_bytes()));
    *text = rest;
    known.map(|at| at as u32 + 1).ok_or(DateProblem::Month)
}

fn in_window(two_digits: i64, this_year: i64) -> i64 {
    let start = this_year - CENTURY_WINDOW;
    start + (two_digits - start).rem_euclid(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lilian_days_of_the_manual() {
        assert_eq!(to_lilian(b"15821015", b"YYYYMMDD", 2026), Ok(1));
        assert_eq!(to_lilian(b"1988-05-16", b"YYYY-MM-DD", 2026), Ok(148_138));
        assert_eq!(
            from_lilian(148_138, b"MM/DD/YYYY"),
            Ok(b"05/16/1988".to_vec())
        );
        assert_eq!(from_lilian(1, b"YYYYDDD"), Ok(b"1582288".to_vec()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let of = |text: &[u8], picture: &[u8]| to_lilian(text, picture, 2026).unwrap_err();
        assert_eq!(of(b"2022-13-01", b"YYYY-MM-DD"), DateProblem::Month);
        assert_eq!(of(b"2022-02-30", b"YYYY-MM-DD"), DateProblem::BadValue);
        assert_eq!(of(b"20X2-02-28", b"YYYY-MM-DD"), DateProblem::NotNumeric);
        assert_eq!(of(b"1500-02-28", b"YYYY-MM-DD"), DateProblem::Range);
        assert_eq!(of(b"2022", b"YYYY"), DateProblem::Insufficient);
        assert_eq!(of(b"2022", b"YYYYM"), DateProblem::Picture);
    }

    #[test]
    fn two_digit_years_lie_in_the_window() {
        assert_eq!(
            to_lilian(b"460101", b"YYMMDD", 2026),
            Ok(lilian_of(1946, 1, 1))
        );
        assert_eq!(
            to_lilian(b"450101", b"YYMMDD", 2026),
            Ok(lilian_of(2045, 1, 1))
        );
    }

    #[test]
    fn every_day_comes_back() {
        for lilian in (1..3_000_000).step_by(997) {
            let text = from_lilian(lilian, b"YYYY-MM-DD").unwrap();
            assert_eq!(to_lilian(&text, b"YYYY-MM-DD", 2026), Ok(lilian));
        }
    }
}
