//! Dates by picture, as the date services of Language Environment read and write them.
//!
//! What: `YYYY-MM-DD` and a text in, a Lilian day out, and back. Day 1 is 15 October 1582. Source:
//! the public description of CEEDAYS, CEEDATE and their feedback codes. Not here: eras and DBCS.

/// Last year of the services.
const YEAR_MAX: i64 = 9_999;
/// Days from 1 March of year 0 to 14 October 1582, by the Gregorian calendar.
const LILIAN_ZERO: i64 = 578_040;
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
                let n = number(&mut rest, *digits, false)?;
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
        (Some(month), Some(day), _) if (1..=month_days(year, month)).contains(&day) => {
            civil_days(year, month, day)
        }
        (None, None, Some(n)) if (1..=365 + i64::from(is_leap(year))).contains(&n) => {
            civil_days(year, 1, 1) + n - 1
        }
        (Some(_), Some(_), _) | (None, None, Some(_)) => return Err(DateProblem::BadValue),
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
    let (year, month, day) = civil(lilian + LILIAN_ZERO);
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
                let n = lilian + LILIAN_ZERO - civil_days(year, 1, 1) + 1;
                out.extend(format!("{n:03}").bytes());
            }
            Part::Literal(byte) => out.push(byte),
        }
    }
    Ok(out)
}

/// Lilian day of a date of today's calendar.
#[cfg(test)]
fn lilian_of(year: i64, month: i64, day: i64) -> i64 {
    civil_days(year, month, day) - LILIAN_ZERO
}

fn two(n: i64, zero_suppressed: bool) -> Vec<u8> {
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

fn number(text: &mut &[u8], digits: usize, may_be_short: bool) -> Result<i64, DateProblem> {
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
    Ok(field.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0')))
}

fn month_name(text: &mut &[u8]) -> Result<i64, DateProblem> {
    let (name, rest) = text.split_at_checked(3).ok_or(DateProblem::Month)?;
    let known = MONTHS
        .iter()
        .position(|m| name.eq_ignore_ascii_case(m.as_bytes()));
    *text = rest;
    known.map(|at| at as i64 + 1).ok_or(DateProblem::Month)
}

fn in_window(two_digits: i64, this_year: i64) -> i64 {
    let start = this_year - CENTURY_WINDOW;
    start + (two_digits - start).rem_euclid(100)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_days(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 0000-03-01.
fn civil_days(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year
}

fn civil(days: i64) -> (i64, i64, i64) {
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
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
