//! Every numeric kind against an independent model that works on decimal strings.

use super::super::random::Random;
use super::{decode, encode, shape_of, try_decode, try_encode};
use transom_copybook::Profile;
use transom_copybook::shape::{
    Binary, Kind, Node, Packed, Properties, RecordFormat, Redefinition, Shape, Sign, Zoned,
};

fn shape(kind: Kind) -> Shape {
    Shape::new(vec![Node::new("n", 0, kind)])
}

/// The bytes a number has on a mainframe, from its digits (padded to the picture) and sign.
fn model(kind: &Kind, negative: bool, digits: &str) -> Vec<u8> {
    let nibbles = digits.bytes().map(|b| b - b'0');
    match kind {
        Kind::Zoned(zoned) => {
            let mut bytes: Vec<u8> = nibbles.map(|d| 0xF0 + d).collect();
            let zone = if negative { 0xD0 } else { 0xC0 };
            let last = bytes.len() - 1;
            match zoned.sign {
                Sign::None => {}
                Sign::Trailing => bytes[last] = zone + (bytes[last] & 15),
                Sign::Leading => bytes[0] = zone + (bytes[0] & 15),
                Sign::TrailingSeparate => bytes.push(if negative { 0x60 } else { 0x4E }),
                Sign::LeadingSeparate => bytes.insert(0, if negative { 0x60 } else { 0x4E }),
            }
            bytes
        }
        Kind::Packed(packed) => {
            let mut all: Vec<u8> = nibbles.collect();
            if packed.sign_nibble {
                all.push(match (packed.signed, negative) {
                    (false, _) => 0xF,
                    (true, false) => 0xC,
                    (true, true) => 0xD,
                });
            }
            if all.len() % 2 == 1 {
                all.insert(0, 0);
            }
            all.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect()
        }
        Kind::Binary(binary) => {
            let value: i128 = digits.parse().unwrap();
            let value = if negative { -value } else { value };
            value.to_be_bytes()[16 - usize::from(binary.len)..].to_vec()
        }
        _ => unreachable!("fixed-point kinds only"),
    }
}

/// The JSON number with all decimals of the picture.
fn printed(negative: bool, digits: &str, scale: i16) -> String {
    let zero = digits.bytes().all(|b| b == b'0');
    let mut text = digits.to_owned();
    if scale < 0 && !zero {
        text.push_str(&"0".repeat(usize::from(scale.unsigned_abs())));
    }
    let decimals = usize::try_from(scale).unwrap_or(0);
    while text.len() <= decimals {
        text.insert(0, '0');
    }
    let fraction = text.split_off(text.len() - decimals);
    let whole = text.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let sign = if negative && !zero { "-" } else { "" };
    if decimals == 0 {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{fraction}")
    }
}

fn kinds() -> Vec<(Kind, u8, i16, bool)> {
    let mut kinds = Vec::new();
    for digits in [1, 2, 3, 4, 5, 7, 9, 10, 17, 18, 19, 20, 30, 31] {
        for scale in [0, 1, 2, 5, -3] {
            for sign in [
                Sign::None,
                Sign::Trailing,
                Sign::Leading,
                Sign::TrailingSeparate,
                Sign::LeadingSeparate,
            ] {
                kinds.push((
                    Kind::Zoned(Zoned {
                        digits,
                        scale,
                        sign,
                    }),
                    digits,
                    scale,
                    sign != Sign::None,
                ));
            }
            for (signed, sign_nibble) in [(false, true), (true, true), (false, false)] {
                kinds.push((
                    Kind::Packed(Packed {
                        digits,
                        scale,
                        signed,
                        sign_nibble,
                    }),
                    digits,
                    scale,
                    signed,
                ));
            }
            for signed in [false, true] {
                let len = match digits {
                    1..=4 => 2,
                    5..=9 => 4,
                    10..=18 => 8,
                    _ => 16,
                };
                let native = false;
                let full_range = false;
                let binary = Binary {
                    len,
                    digits,
                    scale,
                    signed,
                    native,
                    full_range,
                };
                kinds.push((Kind::Binary(binary), digits, scale, signed));
            }
        }
    }
    kinds
}

#[test]
fn every_fixed_point_kind_agrees_with_the_model_in_both_directions() {
    let mut random = Random::new(1);
    let (properties, format) = (Properties::default(), RecordFormat::host(37));
    for (kind, digits, scale, signed) in kinds() {
        let shape = shape(kind.clone());
        let width = usize::from(digits);
        let mut values = vec![
            "0".repeat(width),
            "9".repeat(width),
            format!("{}1", "0".repeat(width - 1)),
        ];
        for _ in 0..6 {
            values.push(
                (0..width)
                    .map(|_| char::from(b'0' + random.below(10) as u8))
                    .collect(),
            );
        }
        for value in values {
            let zero = value.bytes().all(|b| b == b'0');
            for negative in [false, signed && !zero] {
                let bytes = model(&kind, negative, &value);
                let json = format!("{{\"n\":{}}}", printed(negative, &value, scale));
                assert_eq!(
                    decode(&shape, &properties, &format, &bytes),
                    json,
                    "{kind:?} {bytes:X?}"
                );
                assert_eq!(
                    encode(&shape, &properties, &format, &json),
                    bytes,
                    "{kind:?} {json}"
                );
            }
        }
    }
}

#[test]
fn numbers_of_the_region_use_sign_letters_and_little_endian_comp_5() {
    let (properties, format) = (Properties::default(), RecordFormat::region());
    let zoned = |sign| {
        shape(Kind::Zoned(Zoned {
            digits: 4,
            scale: 2,
            sign,
        }))
    };
    for (sign, bytes, json) in [
        (Sign::Trailing, "123D", r#"{"n":12.34}"#),
        (Sign::Trailing, "123M", r#"{"n":-12.34}"#),
        (Sign::Trailing, "000{", r#"{"n":0.00}"#),
        (Sign::Leading, "J23}", r#""#),
        (Sign::Leading, "J230", r#"{"n":-12.30}"#),
        (Sign::TrailingSeparate, "1230-", r#"{"n":-12.30}"#),
        (Sign::LeadingSeparate, "+0030", r#"{"n":0.30}"#),
    ] {
        if json.is_empty() {
            let error =
                try_decode(&zoned(sign), &properties, &format, bytes.as_bytes()).unwrap_err();
            assert_eq!(error.id, "TXMCB0603E");
            continue;
        }
        assert_eq!(
            decode(&zoned(sign), &properties, &format, bytes.as_bytes()),
            json
        );
        assert_eq!(
            encode(&zoned(sign), &properties, &format, json),
            bytes.as_bytes()
        );
    }
    // What GnuCOBOL writes without -fsign=EBCDIC, and unsigned digits, are understood.
    assert_eq!(
        decode(&zoned(Sign::Trailing), &properties, &format, b"123t"),
        r#"{"n":-12.34}"#
    );
    assert_eq!(
        decode(&zoned(Sign::Trailing), &properties, &format, b"1234"),
        r#"{"n":12.34}"#
    );

    let binary = Binary {
        len: 4,
        digits: 9,
        scale: 0,
        signed: true,
        native: true,
        full_range: true,
    };
    let native = shape(Kind::Binary(binary));
    assert_eq!(
        encode(&native, &properties, &format, r#"{"n":-2}"#),
        [0xFE, 0xFF, 0xFF, 0xFF]
    );
    assert_eq!(
        decode(&native, &properties, &format, &[0, 0, 0, 0x80]),
        r#"{"n":-2147483648}"#
    );
    assert_eq!(
        encode(&native, &properties, &RecordFormat::host(37), r#"{"n":-2}"#),
        [0xFF, 0xFF, 0xFF, 0xFE]
    );
}

#[test]
fn a_packed_number_nobody_has_filled_is_zero_and_other_rubbish_is_an_error_or_zero() {
    let format = RecordFormat::host(37);
    let zoned = shape(Kind::Zoned(Zoned {
        digits: 3,
        scale: 0,
        sign: Sign::Trailing,
    }));
    let packed = shape(Kind::Packed(Packed {
        digits: 5,
        scale: 2,
        signed: true,
        sign_nibble: true,
    }));
    let screened = Properties::default();
    let lenient = Properties {
        data_screening: false,
        ..Properties::default()
    };
    assert_eq!(
        decode(&packed, &screened, &format, &[0; 3]),
        r#"{"n":0.00}"#
    );
    for (shape, bytes) in [
        (&zoned, [0x40, 0x40, 0x40]),
        (&zoned, [0; 3]),
        (&packed, [0x12, 0x3A, 0xBC]),
        (&packed, [0x12, 0x34, 0x56]),
    ] {
        let error = try_decode(shape, &screened, &format, &bytes).unwrap_err();
        assert_eq!(
            (
                error.id,
                error.pointer.as_str(),
                error.field.as_str(),
                error.offset
            ),
            ("TXMCB0603E", "/n", "n", 0)
        );
        let zero = decode(shape, &lenient, &format, &bytes);
        assert!(zero == r#"{"n":0}"# || zero == r#"{"n":0.00}"#, "{zero}");
    }
}

#[test]
fn numbers_are_taken_in_every_json_form_that_fits_and_refused_otherwise() {
    let format = RecordFormat::region();
    let amount = shape(Kind::Zoned(Zoned {
        digits: 5,
        scale: 2,
        sign: Sign::None,
    }));
    for (json, bytes) in [
        ("1", "00100"),
        ("1.5", "00150"),
        ("1.500000", "00150"),
        ("999.99", "99999"),
        ("1e2", "10000"),
        ("1.25E+2", "12500"),
        ("12500e-2", "12500"),
        ("0.00000e99", "00000"),
        ("-0", "00000"),
        ("0e-99999999999999999999", "00000"),
    ] {
        let document = format!("{{\"n\":{json}}}");
        let record = encode(&amount, &Properties::default(), &format, &document);
        assert_eq!(String::from_utf8(record).unwrap(), bytes, "{json}");
    }
    for (json, id) in [
        ("1000", "TXMCB0704E"),
        ("1e3", "TXMCB0704E"),
        ("1e999999999999", "TXMCB0704E"),
        (
            "99999999999999999999999999999999999999999999999999",
            "TXMCB0704E",
        ),
        ("1.234", "TXMCB0705E"),
        ("1e-3", "TXMCB0705E"),
        ("-1", "TXMCB0706E"),
        ("01", "TXMCB0701E"),
        ("1.", "TXMCB0701E"),
        ("+1", "TXMCB0701E"),
        (".5", "TXMCB0701E"),
        ("1e", "TXMCB0701E"),
        ("-", "TXMCB0701E"),
        ("\"1\"", "TXMCB0702E"),
        ("true", "TXMCB0702E"),
        ("null", "TXMCB0702E"),
        ("[1]", "TXMCB0702E"),
        ("{}", "TXMCB0702E"),
        ("NaN", "TXMCB0701E"),
    ] {
        let document = format!("{{\"n\":{json}}}");
        let strict = Properties {
            strict_types: true,
            ..Properties::default()
        };
        let error = try_encode(&amount, &strict, &format, document.as_bytes()).unwrap_err();
        assert_eq!(error.id, id, "{json}: {error}");
        assert_eq!(error.pointer, "/n", "{error}");
    }
}

#[test]
fn binary_numbers_are_bounded_by_picture_or_by_size() {
    let format = RecordFormat::host(37);
    let bounded = |full_range, signed| {
        shape(Kind::Binary(Binary {
            len: 2,
            digits: 4,
            scale: 0,
            signed,
            native: false,
            full_range,
        }))
    };
    for (full_range, signed, json, good) in [
        (false, true, "9999", true),
        (false, true, "10000", false),
        (false, true, "-9999", true),
        (true, true, "32767", true),
        (true, true, "32768", false),
        (true, true, "-32768", true),
        (true, true, "-32769", false),
        (true, false, "65535", true),
        (true, false, "65536", false),
    ] {
        let document = format!("{{\"n\":{json}}}");
        let shape = bounded(full_range, signed);
        let result = try_encode(&shape, &Properties::default(), &format, document.as_bytes());
        assert_eq!(result.is_ok(), good, "{json} {full_range} {signed}");
        if let Ok(record) = result {
            assert_eq!(
                decode(&shape, &Properties::default(), &format, &record),
                document
            );
        }
    }
}

#[test]
fn floating_point_numbers_in_three_formats() {
    use transom_copybook::shape::{ByteOrder, FloatFormat};
    let with = |float| RecordFormat {
        float,
        native: ByteOrder::Big,
        ..RecordFormat::host(37)
    };
    let (single, double) = (shape(Kind::Float { len: 4 }), shape(Kind::Float { len: 8 }));
    let properties = Properties::default();
    // 118.625 = X'42' and 76.A in base 16 (Principles of Operation's own example is 1.0 =
    // X'41100000').
    for (json, hex) in [
        ("118.625", [0x42, 0x76, 0xA0, 0x00]),
        ("1", [0x41, 0x10, 0, 0]),
        ("-0.5", [0xC0, 0x80, 0, 0]),
        ("0", [0, 0, 0, 0]),
    ] {
        let document = format!("{{\"n\":{json}}}");
        let format = with(FloatFormat::Hexadecimal);
        assert_eq!(encode(&single, &properties, &format, &document), hex);
        assert_eq!(decode(&single, &properties, &format, &hex), document);
    }
    let mut random = Random::new(7);
    for _ in 0..2000 {
        let value = (random.next() as i64 as f64) * 10f64.powi(random.below(40) as i32 - 30);
        for float in [
            FloatFormat::IeeeBig,
            FloatFormat::IeeeLittle,
            FloatFormat::Hexadecimal,
        ] {
            let format = with(float);
            let record = encode(
                &double,
                &properties,
                &format,
                &format!("{{\"n\":{value:?}}}"),
            );
            let json = decode(&double, &properties, &format, &record);
            let back: f64 = json["{\"n\":".len()..json.len() - 1].parse().unwrap();
            assert!(
                (back - value).abs() <= value.abs() * 1e-15,
                "{value:?} {json} {float:?}"
            );
            if float != FloatFormat::Hexadecimal {
                assert_eq!(back, value);
            }
        }
    }
    for bits in [f32::NAN, f32::INFINITY] {
        let error = try_decode(
            &single,
            &properties,
            &with(FloatFormat::IeeeBig),
            &bits.to_be_bytes(),
        )
        .unwrap_err();
        assert_eq!(error.id, "TXMCB0605E");
    }
    let error = try_encode(
        &single,
        &properties,
        &with(FloatFormat::IeeeBig),
        b"{\"n\":1e39}",
    )
    .unwrap_err();
    assert_eq!(error.id, "TXMCB0704E");
}

/// Item x bytes as a program on z/OS sees them; `-` is a data exception there.
#[test]
fn blanks_and_low_values_among_digits() {
    let rows = [
        // picture, host bytes, value
        ("9(4)", "404040F4", "4"),
        ("9(4)", "40404040", "0"),
        ("9(4)", "00000000", "0"),
        ("9(4)", "F1000040", "1000"),
        ("9(5)", "F140F340F5", "10305"),
        ("9(4)", "F1F2F3C4", "1234"),
        ("9(4)", "C1F2F3F4", "-"),
        ("9(3)V9", "404040F4", "0.4"),
        ("S9(4)", "404040F4", "4"),
        ("S9(4)", "404040D4", "-4"),
        ("S9(4)", "F1F2F340", "-"),
        ("S9(4)", "F1F2F300", "-"),
        ("S9(4)", "40404040", "-"),
        ("S9(4)", "00000000", "-"),
        ("S9(3) SIGN LEADING", "C140F3", "103"),
        ("S9(3) SIGN LEADING", "40F1F3", "-"),
        ("S9(3) SIGN TRAILING SEPARATE", "4040F360", "-3"),
        ("S9(3) SIGN TRAILING SEPARATE", "F1F2F340", "-"),
        ("S9(3) SIGN LEADING SEPARATE", "00F1F2F3", "-"),
        ("S9(3) COMP-3", "4040", "-"),
        ("9(3) COMP-3", "4040", "-"),
        ("9(3) COMP-3", "0000", "0"),
        ("9(4) COMP", "4040", "16448"),
    ];
    for (picture, hex, value) in rows {
        let source = format!("       01 R.\n           05 N PIC {picture}.\n");
        let shape = shape_of(&source, Profile::Host, Redefinition::First);
        let record: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap())
            .collect();
        let strict = Properties::default();
        let found = try_decode(&shape, &strict, &RecordFormat::host(37), &record);
        match found {
            Ok(json) => assert_eq!(json, format!("{{\"n\":{value}}}"), "{picture} {hex}"),
            Err(error) => assert_eq!((error.id, value), ("TXMCB0603E", "-"), "{picture} {hex}"),
        }
        // Inside a region the same characters are ASCII.
        if !picture.contains("COMP") {
            let cp = transom_copybook::CodePage::by_ccsid(37).unwrap();
            let latin1 = transom_copybook::CodePage::by_ccsid(819).unwrap();
            let table = cp.translate_table(latin1);
            let ascii: Vec<u8> = record.iter().map(|b| table[usize::from(*b)]).collect();
            let shape = shape_of(&source, Profile::Native, Redefinition::First);
            let found = try_decode(&shape, &strict, &RecordFormat::region(), &ascii);
            let found = found.unwrap_or_else(|_| "-".to_owned());
            let expected = if value == "-" {
                value.to_owned()
            } else {
                format!("{{\"n\":{value}}}")
            };
            assert_eq!(found, expected, "{picture} {hex} in a region");
        }
    }
}
