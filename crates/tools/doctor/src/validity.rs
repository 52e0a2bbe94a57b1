//! Until when the certificates of a PEM file are good.
//!
//! Why by hand: of a certificate nothing but the end of its validity is wanted, which lies at a
//! fixed place; whether it can be trusted is for those who use it.

use base64::Engine as _;

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";
const SEQUENCE: u8 = 0x30;
const EXPLICIT_0: u8 = 0xA0;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// When the first of them ends, in seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    At(i64),
    /// There is none.
    None,
    /// One cannot be read.
    Unknown,
}

pub(crate) fn ends(pem: &[u8]) -> End {
    let text = String::from_utf8_lossy(pem);
    let mut first: Option<i64> = None;
    for part in text.split(BEGIN).skip(1) {
        let body: String = part
            .split(END)
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let der = base64::engine::general_purpose::STANDARD.decode(body);
        let Some(end) = der.ok().and_then(|der| not_after(&der)) else {
            return End::Unknown;
        };
        first = Some(first.map_or(end, |known| known.min(end)));
    }
    first.map_or(End::None, End::At)
}

/// An element: its tag, what is in it, what follows.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first()?;
    let (length, rest) = match usize::from(*length) {
        short @ ..0x80 => (short, rest),
        long => {
            let digits = long & 0x7F;
            let (number, rest) = rest
                .split_at_checked(digits)
                .filter(|_| (1..=4).contains(&digits))?;
            (
                number
                    .iter()
                    .fold(0, |sum, byte| sum << 8 | usize::from(*byte)),
                rest,
            )
        }
    };
    let (inside, rest) = rest.split_at_checked(length)?;
    Some((*tag, inside, rest))
}

fn of(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (found, inside, rest) = element(bytes)?;
    (found == tag).then_some((inside, rest))
}

/// Certificate: its first part has version, number, algorithm, issuer, then the validity.
fn not_after(der: &[u8]) -> Option<i64> {
    let (certificate, _) = of(SEQUENCE, der)?;
    let (mut part, _) = of(SEQUENCE, certificate)?;
    if let Some((_, rest)) = of(EXPLICIT_0, part) {
        part = rest;
    }
    for _ in 0..3 {
        part = element(part)?.2;
    }
    let (validity, _) = of(SEQUENCE, part)?;
    let (tag, time, _) = element(element(validity)?.2)?;
    moment(tag, time)
}

/// `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ`.
fn moment(tag: u8, time: &[u8]) -> Option<i64> {
    let digits = time.strip_suffix(b"Z")?;
    let number = |from: usize, count: usize| {
        let text = std::str::from_utf8(digits.get(from..from + count)?).ok()?;
        text.parse::<i64>().ok()
    };
    let (year, at) = match tag {
        // As X.509 reads two digits.
        UTC_TIME => (
            number(0, 2).map(|y| if y < 50 { 2_000 + y } else { 1_900 + y })?,
            2,
        ),
        GENERALIZED_TIME => (number(0, 4)?, 4),
        _ => return None,
    };
    let part = |n: usize| number(at + 2 * n, 2);
    let (month, day) = (part(0)?, part(1)?);
    let (hour, minute, second) = (part(2)?, part(3)?, part(4)?);
    // Years that begin in March: the day that some have more is the last.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    Some((days - 719_468) * 86_400 + hour * 3_600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        assert_eq!(moment(UTC_TIME, b"700101000000Z"), Some(0));
        assert_eq!(
            moment(GENERALIZED_TIME, b"20000229000000Z"),
            Some(951_782_400)
        );
        assert_eq!(
            moment(GENERALIZED_TIME, b"20261231235959Z"),
            Some(1_798_761_599)
        );
        for none in [
            &b""[..],
            b"Z",
            b"7001010000Z",
            b"xx0101000000Z",
            b"700101000000",
        ] {
            assert_eq!(moment(UTC_TIME, none), None);
        }
        assert_eq!(moment(2, b"700101000000Z"), None);
    }

    #[test]
    fn the_first_end_counts_and_damage_is_told() {
        // The parts in front of the validity, then two times.
        let der = |end: &[u8]| {
            let time = |text: &[u8]| [&[UTC_TIME, text.len() as u8], text].concat();
            let validity = [time(b"260101000000Z"), time(end)].concat();
            let part = [
                &[EXPLICIT_0, 3, 2, 1, 2, 2, 1, 9, SEQUENCE, 0, SEQUENCE, 0][..],
                &[SEQUENCE, validity.len() as u8],
                &validity,
            ]
            .concat();
            let inner = [&[SEQUENCE, part.len() as u8][..], &part].concat();
            [&[SEQUENCE, 0x81, inner.len() as u8][..], &inner].concat()
        };
        let pem = |der: &[u8]| {
            let text = base64::engine::general_purpose::STANDARD.encode(der);
            format!("{BEGIN}\n{text}\n{END}\n")
        };
        let two = pem(&der(b"300101000000Z")) + &pem(&der(b"270101000000Z"));
        assert_eq!(ends(two.as_bytes()), End::At(1_798_761_600));
        assert_eq!(ends(b"-----BEGIN PRIVATE KEY-----"), End::None);
        let good = der(b"300101000000Z");
        for length in 0..good.len() {
            assert_eq!(
                ends(pem(&good[..length]).as_bytes()),
                End::Unknown,
                "{length}"
            );
        }
    }
}
