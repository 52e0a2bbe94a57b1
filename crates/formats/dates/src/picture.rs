//! Dates and times by picture, as the services of Language Environment read and write them.
//!
//! What: `YYYY-MM-DD HH:MI` and a text in, a Lilian day and a time out, and back. Day 1 is 15
//! October 1582. Source: the public descriptions of CEEDAYS, CEEDATE, CEESECS, CEEDATM and their
//! feedback codes. Not here: eras, DBCS.

use super::names::{MONTHS, Name, WEEK_DAYS};
use transom_types::{Date, days_of_year};

/// Last year of the services.
pub(super) const YEAR_MAX: i64 = 9_999;
/// 14 October 1582 in days since 1970-01-01.
pub(super) const LILIAN_ZERO: i64 = -141_428;
/// Start of the hundred years two-digit years belong to, in years before now, as delivered.
pub const CENTURY_WINDOW: i64 = 80;

/// Why a date was not taken, with the number of its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum DateProblem {
    /// Seconds of a time outside of the calendar.
    Seconds = 2505,
    /// The picture says too little for a date.
    Insufficient = 2507,
    /// Day or year do not exist.
    BadValue = 2508,
    /// No such hour.
    Hour = 2510,
    /// No such day in the month (CEEISEC).
    Day = 2511,
    /// A Lilian day outside of the calendar.
    Lilian = 2512,
    /// Before 15 October 1582 or after 31 December 9999.
    Range = 2513,
    /// No such year (CEEISEC).
    Year = 2514,
    /// No such milliseconds (CEEISEC).
    Millis = 2515,
    /// No such minute.
    Minute = 2516,
    /// No such month.
    Month = 2517,
    /// The picture is none.
    Picture = 2518,
    /// No such second.
    Second = 2519,
    /// Not a digit where the picture wants one.
    NotNumeric = 2520,
    /// A name is longer than its place in the picture.
    Narrow = 2534,
}

impl DateProblem {
    /// How bad it is: 1 is a warning, 3 a service that did nothing.
    pub fn severity(self) -> u8 {
        match self {
            DateProblem::Narrow => 1,
            _ => 3,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Year(usize),
    Month {
        zero_suppressed: bool,
    },
    MonthName(Name),
    WeekDay(Name),
    Day {
        zero_suppressed: bool,
    },
    DayOfYear,
    Hour {
        zero_suppressed: bool,
    },
    Minute,
    Second,
    /// Digits of a fraction of a second.
    Fraction(usize),
    /// AM or PM.
    Half,
    Literal(u8),
}

/// A day and a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub lilian: i64,
    pub millis: i64,
}

/// What a text says.
pub fn read(text: &[u8], picture: &[u8], this_year: i64) -> Result<Moment, DateProblem> {
    let parts = parts(picture)?;
    let (mut year, mut month, mut day, mut day_of_year) = (None, None, None, None);
    let (mut rest, mut clock) = (text, Clock::default());
    for part in &parts {
        match part {
            Part::Hour { .. } | Part::Minute | Part::Second | Part::Fraction(_) | Part::Half => {
                clock.read(part, &mut rest)?;
            }
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
            Part::MonthName(name) => {
                let read = name.read(&mut rest, &MONTHS);
                month = Some(read.ok_or(DateProblem::Month)? as u32 + 1);
            }
            Part::WeekDay(name) => {
                name.read(&mut rest, &WEEK_DAYS)
                    .ok_or(DateProblem::BadValue)?;
            }
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
    let millis = clock.millis()?;
    Ok(Moment { lilian, millis })
}

/// A time as it is read.
#[derive(Default)]
pub(super) struct Clock {
    pub(super) hour: u32,
    pub(super) minute: u32,
    pub(super) second: u32,
    pub(super) millis: u32,
    /// Said by AM or PM: whether it is the afternoon.
    pub(super) afternoon: Option<bool>,
}

impl Clock {
    fn read(&mut self, part: &Part, rest: &mut &[u8]) -> Result<(), DateProblem> {
        match part {
            Part::Hour { zero_suppressed } => self.hour = number(rest, 2, *zero_suppressed)?,
            Part::Minute => self.minute = number(rest, 2, false)?,
            Part::Second => self.second = number(rest, 2, false)?,
            Part::Fraction(digits) => {
                let n = number(rest, *digits, false)?;
                self.millis = n * 10u32.pow(3 - *digits as u32);
            }
            _ => {
                let (half, behind) = rest.split_at_checked(2).ok_or(DateProblem::BadValue)?;
                self.afternoon = match half.to_ascii_uppercase().as_slice() {
                    b"AM" => Some(false),
                    b"PM" => Some(true),
                    _ => return Err(DateProblem::NotNumeric),
                };
                *rest = behind;
            }
        }
        Ok(())
    }

    pub(super) fn millis(&self) -> Result<i64, DateProblem> {
        let hour = match self.afternoon {
            None if self.hour < 24 => self.hour,
            Some(afternoon) if (1..=12).contains(&self.hour) => {
                self.hour % 12 + if afternoon { 12 } else { 0 }
            }
            _ => return Err(DateProblem::Hour),
        };
        if self.minute > 59 {
            return Err(DateProblem::Minute);
        }
        if self.second > 59 {
            return Err(DateProblem::Second);
        }
        let seconds = i64::from((hour * 60 + self.minute) * 60 + self.second);
        Ok(seconds * 1_000 + i64::from(self.millis))
    }
}

/// Whether a Lilian day lies in the calendar of the services.
pub fn is_in_calendar(lilian: i64) -> bool {
    lilian >= 1 && Date::from_days(lilian + LILIAN_ZERO).year <= YEAR_MAX
}

/// The text of a moment.
pub fn write(moment: Moment, picture: &[u8]) -> Result<Vec<u8>, DateProblem> {
    let parts = parts(picture)?;
    if !is_in_calendar(moment.lilian) {
        return Err(DateProblem::Lilian);
    }
    let date = Date::from_days(moment.lilian + LILIAN_ZERO);
    let Date { year, month, day } = date;
    let seconds = (moment.millis / 1_000) as u32;
    let (hour, of_hour) = (seconds / 3_600, seconds % 3_600);
    let halves = parts.contains(&Part::Half);
    let mut out = Vec::new();
    for part in parts {
        match part {
            Part::Hour { zero_suppressed } => {
                let shown = if halves { (hour + 11) % 12 + 1 } else { hour };
                out.extend(two(shown, zero_suppressed));
            }
            Part::Minute => out.extend(two(of_hour / 60, false)),
            Part::Second => out.extend(two(of_hour % 60, false)),
            Part::Fraction(digits) => {
                let text = format!("{:03}", moment.millis % 1_000);
                out.extend(&text.as_bytes()[..digits]);
            }
            Part::Half => out.extend(if hour < 12 { b"AM" } else { b"PM" }),
            Part::Year(4) => out.extend(format!("{year:04}").bytes()),
            Part::Year(_) => out.extend(format!("{:02}", year % 100).bytes()),
            Part::Month { zero_suppressed } => out.extend(two(month, zero_suppressed)),
            Part::MonthName(name) => out.extend(
                name.write(MONTHS[(month - 1) as usize % 12])
                    .ok_or(DateProblem::Narrow)?,
            ),
            Part::WeekDay(name) => {
                let day = moment.lilian.rem_euclid(7) as usize;
                out.extend(name.write(WEEK_DAYS[day]).ok_or(DateProblem::Narrow)?);
            }
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
    const WORDS: [Word; 15] = [
        (b"HH", || Part::Hour {
            zero_suppressed: false,
        }),
        (b"ZH", || Part::Hour {
            zero_suppressed: true,
        }),
        (b"MI", || Part::Minute),
        (b"SS", || Part::Second),
        (b"999", || Part::Fraction(3)),
        (b"99", || Part::Fraction(2)),
        (b"9", || Part::Fraction(1)),
        (b"AP", || Part::Half),
        (b"YYYY", || Part::Year(4)),
        (b"YY", || Part::Year(2)),
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
        if let Some((letter, name, len)) = Name::of(rest) {
            found.push(match letter {
                b'M' => Part::MonthName(name),
                _ => Part::WeekDay(name),
            });
            rest = &rest[len..];
            continue;
        }
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

fn in_window(two_digits: i64, this_year: i64) -> i64 {
    let start = this_year - CENTURY_WINDOW;
    start + (two_digits - start).rem_euclid(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_lilian(text: &[u8], picture: &[u8], this_year: i64) -> Result<i64, DateProblem> {
        read(text, picture, this_year).map(|moment| moment.lilian)
    }

    fn from_lilian(lilian: i64, picture: &[u8]) -> Result<Vec<u8>, DateProblem> {
        write(Moment { lilian, millis: 0 }, picture)
    }

    #[test]
    fn times_have_their_place_in_pictures() {
        let moment = read(b"1988-05-16 21:05:09.250", b"YYYY-MM-DD HH:MI:SS.999", 2026).unwrap();
        assert_eq!((moment.lilian, moment.millis), (148_138, 75_909_250));
        let text = write(moment, b"MM/DD/YY ZH:MI AP").unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "05/16/88 9:05 PM");
        let of = |text: &[u8]| read(text, b"YYYYMMDDHHMISS", 2026).unwrap_err();
        assert_eq!(of(b"19880516240000"), DateProblem::Hour);
        assert_eq!(of(b"19880516236000"), DateProblem::Minute);
        assert_eq!(of(b"19880516235960"), DateProblem::Second);
        let noon = read(b"1988051612:00 AM", b"YYYYMMDDHH:MI AP", 2026).unwrap();
        assert_eq!(noon.millis, 0);
        assert_eq!(from_lilian(0, b"YYYY"), Err(DateProblem::Lilian));
    }

    #[test]
    fn names_have_the_width_and_case_of_the_picture() {
        let of = |picture: &str| {
            from_lilian(148_138, picture.as_bytes()).map(|b| String::from_utf8(b).unwrap())
        };
        assert_eq!(of("Www, DD Mmm YYYY").unwrap(), "Mon, 16 May 1988");
        assert_eq!(of("WWWWWWWWWW|MMM").unwrap(), "MONDAY    |MAY");
        assert_eq!(of("Wwwwwwwwwz, Mmmmmmmmmz DD").unwrap(), "Monday, May 16");
        assert_eq!(of("WWWWW"), Err(DateProblem::Narrow));
        let read = |text: &str, picture: &str| to_lilian(text.as_bytes(), picture.as_bytes(), 2026);
        assert_eq!(
            read("Monday, May 16 1988", "Wwwwwwwwwz, Mmmmmmmmmz DD YYYY"),
            Ok(148_138)
        );
        assert_eq!(read("16MAY1988", "DDMMMYYYY"), Ok(148_138));
        assert_eq!(read("16XYZ1988", "DDMMMYYYY"), Err(DateProblem::Month));
    }

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
