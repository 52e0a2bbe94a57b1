//! Dates of certificates and of lists of revoked ones.
//!
//! What: from a list as its authority signed it, when the next one was to come. Why by hand: the
//! verifier takes lists whose date has passed, and tells no date. Not here: which
//! certificates a list names, whether its signature is good (the verifier).

use rustls::pki_types::CertificateDer;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};
use transom_types::Date;

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
/// Of a certificate, [0].
const VERSION: u8 = 0xA0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// A moment of a list, to the second, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment {
    date: Date,
    second: u32,
}

impl Moment {
    /// Of so many seconds since 1970.
    pub(crate) fn of(seconds: u64) -> Self {
        let days = i64::try_from(seconds / 86_400).unwrap_or(0);
        Self {
            date: Date::from_days(days),
            second: (seconds % 86_400) as u32,
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Date { year, month, day }, of_day) = (self.date, self.second);
        let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC"
        )
    }
}

/// When the list after this one was to be there; `None`: it does not say, or is not to be read.
pub(crate) fn next_update(list: &[u8]) -> Option<Moment> {
    let (_, signed, _) = item(list).filter(|found| found.0 == SEQUENCE)?;
    let (_, mut rest, _) = item(signed).filter(|found| found.0 == SEQUENCE)?;
    // Version, if it is there; algorithm; issuer; this update.
    if item(rest)?.0 == INTEGER {
        rest = item(rest)?.2;
    }
    for _ in 0..2 {
        rest = item(rest).filter(|found| found.0 == SEQUENCE)?.2;
    }
    rest = item(rest).filter(|found| is_time(found.0))?.2;
    let (kind, text, _) = item(rest).filter(|found| is_time(found.0))?;
    time(kind, std::str::from_utf8(text).ok()?)
}

/// When the certificate of a chain ran out, if it did.
pub(crate) fn ran_out(chain: &[CertificateDer<'_>]) -> Option<Moment> {
    let until = valid_until(chain.first()?)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    (until < Moment::of(now.unwrap_or_default().as_secs())).then_some(until)
}

/// The last moment of a certificate; `None`: it is not to be read.
fn valid_until(certificate: &[u8]) -> Option<Moment> {
    let (_, signed, _) = item(certificate).filter(|found| found.0 == SEQUENCE)?;
    let (_, mut rest, _) = item(signed).filter(|found| found.0 == SEQUENCE)?;
    if item(rest)?.0 == VERSION {
        rest = item(rest)?.2;
    }
    // Serial number, algorithm, issuer.
    for _ in 0..3 {
        rest = item(rest)?.2;
    }
    let (_, validity, _) = item(rest).filter(|found| found.0 == SEQUENCE)?;
    let (_, _, rest) = item(validity).filter(|found| is_time(found.0))?;
    let (kind, text, _) = item(rest).filter(|found| is_time(found.0))?;
    time(kind, std::str::from_utf8(text).ok()?)
}

fn is_time(tag: u8) -> bool {
    tag == UTC_TIME || tag == GENERALIZED_TIME
}

/// Tag and content of the first item, and what is behind it.
fn item(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7F => (usize::from(first), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7F))?;
            let length = digits.iter().fold(0, |n, d| n << 8 | usize::from(*d));
            (length, rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// `YYMMDDHHMMSSZ`, of 1950 to 2049, or `YYYYMMDDHHMMSSZ`: certificates have no others.
fn time(kind: u8, text: &str) -> Option<Moment> {
    let digits = text.strip_suffix('Z')?;
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (year, rest) = match (kind, digits.len()) {
        (UTC_TIME, 12) => {
            let year: i64 = digits[..2].parse().ok()?;
            let century = if year < 50 { 2_000 } else { 1_900 };
            (century + year, &digits[2..])
        }
        (GENERALIZED_TIME, 14) => (digits[..4].parse().ok()?, &digits[4..]),
        _ => return None,
    };
    let part = |at: usize| rest[at..at + 2].parse::<u32>().ok();
    let date = Date::new(year, part(0)?, part(2)?)?;
    let (hour, minute, second) = (part(4)?, part(6)?, part(8)?);
    let good = hour < 24 && minute < 60 && second < 60;
    good.then_some(Moment {
        date,
        second: hour * 3_600 + minute * 60 + second,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_certificates_write_them() {
        let text = |kind, text| time(kind, text).map(|moment| moment.to_string());
        for (kind, written, read) in [
            (UTC_TIME, "491231235959Z", "2049-12-31 23:59:59 UTC"),
            (UTC_TIME, "500101000000Z", "1950-01-01 00:00:00 UTC"),
            (GENERALIZED_TIME, "20500229000000Z", ""),
            (
                GENERALIZED_TIME,
                "20520229010203Z",
                "2052-02-29 01:02:03 UTC",
            ),
            (GENERALIZED_TIME, "20520229010203+0100", ""),
            (UTC_TIME, "20520229010203Z", ""),
            (UTC_TIME, "4912312359é9Z", ""),
        ] {
            let read = Some(read.to_owned()).filter(|read| !read.is_empty());
            assert_eq!(text(kind, written), read, "{written}");
        }
        assert_eq!(
            Moment::of(951_782_400).to_string(),
            "2000-02-29 00:00:00 UTC"
        );
    }

    #[test]
    fn what_is_cut_or_something_else_has_no_date() {
        for bytes in [
            &[] as &[u8],
            &[0x30],
            &[0x30, 0x85, 1, 1, 1, 1, 1],
            &[0x30, 3, 0x30, 1, 2],
        ] {
            assert_eq!(next_update(bytes), None);
        }
    }
}
