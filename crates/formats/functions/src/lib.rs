//! Intrinsic functions of Enterprise COBOL that GnuCOBOL lacks: their values.
//!
//! What: [`call`] answers text, or an integer as a length. Source: *Intrinsic functions*,
//! Enterprise COBOL 6.4 Language Reference. Not here: how programs come to call them (the
//! translator's `supplied`, `region/workers`), where random numbers come from.

#![forbid(unsafe_code)]

mod characters;
mod unicode;
mod value;

pub use value::{Answer, Operand, Problem, Value};

/// Longest value, in bytes.
const VALUE_MAX: usize = 128 * 1024 * 1024;

/// Name and arguments of each function; what stands behind a colon in the name is the room for
/// national characters (NATIONAL-OF).
pub fn call(
    name: &str,
    arguments: &[Operand<'_>],
    random: impl FnOnce() -> Option<[u8; 16]>,
) -> Answer {
    let (name, room) = name.split_once(':').unwrap_or((name, ""));
    let first = arguments.first();
    let number = |n: usize| arguments.get(n).map(|a| a.number);
    let answer = match (name, first) {
        ("UUID4", _) => random().map(characters::uuid4).ok_or(Problem::NoRandom),
        (_, None) => Err(Problem::NoArgument),
        ("BIT-OF", Some(a)) => Ok(characters::bits(a.bytes)),
        ("HEX-OF", Some(a)) => Ok(characters::hex(a.bytes)),
        ("BIT-TO-CHAR", Some(a)) => characters::from_digits(a.bytes, 2, 8),
        ("HEX-TO-CHAR", Some(a)) => characters::from_digits(a.bytes, 16, 2),
        ("NATIONAL-OF", Some(a)) => unicode::national_of(a.bytes, number(1), room.parse().ok()),
        ("DISPLAY-OF", Some(a)) => unicode::display_of(a.bytes, number(1)),
        ("ULENGTH", Some(a)) => unicode::length(a),
        ("UPOS", Some(a)) => unicode::position(a, number(1).unwrap_or(0)),
        ("UWIDTH", Some(a)) => unicode::width(a, number(1).unwrap_or(0)),
        ("USUBSTR", Some(a)) => unicode::part(a, number(1).unwrap_or(0), number(2).unwrap_or(0)),
        ("USUPPLEMENTARY", Some(a)) => unicode::supplementary(a),
        ("UVALID", Some(a)) => Ok(unicode::invalid(a)),
        _ => Err(Problem::Unknown),
    };
    let long = matches!(&answer, Ok(Value::Text(b) | Value::National(b)) if b.len() > VALUE_MAX);
    if long { Err(Problem::TooLong) } else { answer }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, arguments: &[&[u8]], numbers: &[i64]) -> Result<Vec<u8>, Problem> {
        match run(name, arguments, numbers, false)? {
            Value::Text(bytes) | Value::National(bytes) => Ok(bytes),
            Value::Integer(_) => panic!("{name} answers an integer"),
        }
    }

    fn integer(name: &str, argument: &[u8], number: i64, national: bool) -> Result<usize, Problem> {
        match run(name, &[argument], &[number], national)? {
            Value::Integer(n) => Ok(n),
            _ => panic!("{name} answers text"),
        }
    }

    fn run(name: &str, arguments: &[&[u8]], numbers: &[i64], national: bool) -> Answer {
        let texts = arguments.iter().map(|bytes| Operand {
            bytes,
            number: 0,
            national,
        });
        let numbers = numbers.iter().map(|&number| Operand {
            bytes: b"1",
            number,
            national: false,
        });
        call(name, &texts.chain(numbers).collect::<Vec<_>>(), || {
            Some([0xFF; 16])
        })
    }

    #[test]
    fn digits_become_bytes_and_back() {
        assert_eq!(text("HEX-OF", &[b"\xff\xaa\x0b"], &[]).unwrap(), b"FFAA0B");
        assert_eq!(
            text("HEX-TO-CHAR", &[b"FFaa0b"], &[]).unwrap(),
            b"\xff\xaa\x0b"
        );
        assert_eq!(text("BIT-OF", &[b"\xa5"], &[]).unwrap(), b"10100101");
        assert_eq!(
            text("BIT-TO-CHAR", &[b"1111001000000110"], &[]).unwrap(),
            b"\xf2\x06"
        );
        for (name, bad) in [
            ("HEX-TO-CHAR", "FFA"),
            ("HEX-TO-CHAR", "GG"),
            ("BIT-TO-CHAR", "0000000"),
        ] {
            assert!(text(name, &[bad.as_bytes()], &[]).is_err(), "{name} {bad}");
        }
    }

    #[test]
    fn code_pages_go_through_utf_16() {
        let national = text("NATIONAL-OF", &[b"\xc1\x5a\x9f"], &[1140]).unwrap();
        assert_eq!(national, [0x00, 0x41, 0x00, 0x21, 0x20, 0xac]);
        assert_eq!(
            text("DISPLAY-OF", &[&national], &[1208]).unwrap(),
            "A!\u{20ac}".as_bytes()
        );
        // A character the page has not got becomes its substitute.
        assert_eq!(
            text("DISPLAY-OF", &[&national], &[37]).unwrap(),
            [0xc1, 0x5a, 0x3f]
        );
        assert_eq!(text("DISPLAY-OF", &[&national[..2]], &[]).unwrap(), b"A");
        assert_eq!(
            text("NATIONAL-OF:3", &[b"\xc1"], &[37]).unwrap(),
            [0, 0x41, 0, 0x20, 0, 0x20]
        );
        assert_eq!(
            text("NATIONAL-OF:1", &[b"\xc1\xc2"], &[37]).unwrap(),
            [0, 0x41]
        );
        assert!(text("NATIONAL-OF", &[b"A"], &[930]).is_err());
        assert!(text("DISPLAY-OF", &[b"odd"], &[37]).is_err());
    }

    #[test]
    fn characters_of_utf_8_and_utf_16_are_counted() {
        let text_of = "\u{e4}a\u{1f600}".as_bytes();
        let wide: Vec<u8> = "\u{e4}a\u{1f600}"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        assert_eq!(integer("ULENGTH", text_of, 0, false), Ok(3));
        assert_eq!(integer("ULENGTH", &wide, 0, true), Ok(3));
        let places =
            |name: &str| [0, 1, 2, 3, 4].map(|n| integer(name, text_of, n, false).unwrap());
        assert_eq!(places("UPOS"), [0, 1, 3, 4, 0]);
        assert_eq!(places("UWIDTH"), [0, 2, 1, 4, 0]);
        assert_eq!(integer("UPOS", &wide, 3, true), Ok(3));
        assert_eq!(integer("USUPPLEMENTARY", text_of, 0, false), Ok(4));
        assert_eq!(integer("USUPPLEMENTARY", &wide, 0, true), Ok(3));
        assert_eq!(integer("USUPPLEMENTARY", b"abc", 0, false), Ok(0));
        assert_eq!(integer("UVALID", text_of, 0, false), Ok(0));
        assert_eq!(integer("UVALID", b"a\xc3(", 0, false), Ok(2));
        assert_eq!(
            integer("UVALID", &[0, 0x41, 0xd8, 0x34, 0, 0x41], 0, true),
            Ok(2)
        );
        assert_eq!(
            text("USUBSTR", &[text_of], &[2, 2]).unwrap(),
            "a\u{1f600}".as_bytes()
        );
        assert!(integer("ULENGTH", b"\xff", 0, false).is_err());
    }

    #[test]
    fn a_uuid_is_of_version_4() {
        let uuid = String::from_utf8(text("UUID4", &[], &[]).unwrap()).unwrap();
        let dashes: Vec<usize> = uuid.match_indices('-').map(|(at, _)| at).collect();
        assert_eq!((uuid.len(), dashes), (36, vec![8, 13, 18, 23]));
        assert_eq!(&uuid[14..15], "4");
        assert!("89ab".contains(&uuid[19..20]), "{uuid}");
    }
}
