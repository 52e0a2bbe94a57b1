//! Documents nobody should send.

use super::super::random::Random;
use super::{shape_of, try_encode};
use transom_copybook::Profile;
use transom_copybook::convert::{Decoder, Encoder};
use transom_copybook::shape::{Properties, RecordFormat, Redefinition, Shape};

const SOURCE: &str = "
       01 REQUEST-DATA.
          05 KEY-NO       PIC 9(4).
          05 NAME-T       PIC X(6).
          05 LINE-COUNT   PIC 9.
          05 LINES-T OCCURS 0 TO 3 DEPENDING ON LINE-COUNT.
             10 AMOUNT    PIC S9(3)V99 COMP-3.
             10 RATE      COMP-2.
             10 REMARK    PIC N(3) USAGE NATIONAL.
";

const GOOD: &str = "{\"key_no\": 12, \"name_t\": \"J\\u00e4n\\n\", \"line_count\": 2, \"lines_t\": [
  {\"amount\": -1.5, \"rate\": 1e-3, \"remark\": \"\u{20AC}\"}, {\"amount\": 2, \"rate\": 0.5, \"remark\": \"\"}]}";

fn shape() -> Shape {
    shape_of(SOURCE, Profile::Native, Redefinition::First)
}

#[test]
fn errors_name_member_field_place_and_reason() {
    let format = RecordFormat::region();
    for (json, text) in [
        (
            r#"{"name_t":"too long!"}"#,
            "TXMCB0703E /name_t (field NAME-T) at byte 10: the string has 9 characters, the field has room for 6.",
        ),
        (
            r#"{"key_no":12345}"#,
            "TXMCB0704E /key_no (field KEY-NO) at byte 10: the number 12345 is out of the range 0 to 9999.",
        ),
        (
            r#"{"lines_t":[{},{"amount":1000}]}"#,
            "TXMCB0704E /lines_t/1/amount (field AMOUNT) at byte 25: the number 1000 is out of the range -999.99 to 999.99.",
        ),
        (
            r#"{"lines_t":[{"amount":1.234}]}"#,
            "TXMCB0705E /lines_t/0/amount (field AMOUNT) at byte 22: the number 1.234 has more decimals than the 2 of the field.",
        ),
        (
            r#"{"key_no":-1}"#,
            "TXMCB0706E /key_no (field KEY-NO) at byte 10: the number -1 is negative, the field has no sign.",
        ),
        (
            r#"{"key_no":"1"}"#,
            "TXMCB0702E /key_no (field KEY-NO) at byte 10: there is a string where a number is expected.",
        ),
        (
            r#"{"name_t":1}"#,
            "TXMCB0702E /name_t (field NAME-T) at byte 10: there is a number where a string is expected.",
        ),
        (
            r#"{"name_t":null}"#,
            "TXMCB0702E /name_t (field NAME-T) at byte 10: there is null where a string is expected.",
        ),
        (
            r#"{"lines_t":{}}"#,
            "TXMCB0702E /lines_t (field LINES-T) at byte 11: there is an object where an array is expected.",
        ),
        (
            r#"{"key_no":1,"key_no":2}"#,
            "TXMCB0709E /key_no (field KEY-NO) at byte 12: the member is given twice.",
        ),
        (
            "{\"name_t\":\"\u{20AC}\"}",
            "TXMCB0710E /name_t (field NAME-T) at byte 10: the character U+20AC is not in code page 819.",
        ),
        (
            r#"{"name_t":"\ud800"}"#,
            "TXMCB0717E /name_t (field NAME-T) at byte 10: the string has half of a surrogate pair.",
        ),
        (
            r#"{"name_t":"\q"}"#,
            "TXMCB0701E /name_t (field NAME-T) at byte 10: the string has an unknown escape.",
        ),
        (
            r#"{"name_t":"a"#,
            "TXMCB0701E /name_t (field NAME-T) at byte 10: the string has no closing quote.",
        ),
        (
            r#"{"key_no":1,}"#,
            "TXMCB0701E (document) at byte 12: there is '}' where a member name is expected.",
        ),
        (
            r#"{"key_no":1} x"#,
            "TXMCB0701E (document) at byte 13: there is 'x' where the end of the document is expected.",
        ),
        (
            r#"{"key_no" 1}"#,
            "TXMCB0701E (document) at byte 10: there is '1' where ':' is expected.",
        ),
        (
            "[]",
            "TXMCB0702E (document) at byte 0: there is an array where an object is expected.",
        ),
        (
            "{",
            "TXMCB0701E (document) at byte 1: the document ends where a member name is expected.",
        ),
        (
            r#"{"lines_t":[{},{},{},{}]}"#,
            "TXMCB0707E /lines_t/3 (field LINES-T) at byte 21: the array has more than 3 elements.",
        ),
    ] {
        let strict = Properties {
            strict_types: true,
            ..Properties::default()
        };
        let error = try_encode(&shape(), &strict, &format, json.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), text, "{json}");
    }
    let error = try_encode(
        &shape(),
        &Properties::default(),
        &format,
        b"{\"name_t\":\"a\xFF\"}",
    )
    .unwrap_err();
    assert_eq!((error.id, error.offset), ("TXMCB0717E", 12));
    let error = try_encode(
        &shape(),
        &Properties::default(),
        &format,
        b"{\"name_t\":\"a\x01\"}",
    )
    .unwrap_err();
    assert_eq!((error.id, error.offset), ("TXMCB0701E", 12));
    let deep = format!("{{\"x\":{}", "[".repeat(100_000));
    let error = try_encode(&shape(), &Properties::default(), &format, deep.as_bytes()).unwrap_err();
    assert_eq!(error.id, "TXMCB0711E");
}

#[test]
fn twenty_thousand_mutated_documents_are_stored_or_refused() {
    let (properties, format) = (Properties::default(), RecordFormat::region());
    let encoder = Encoder::compile(&shape(), &properties, &format).unwrap();
    let decoder = Decoder::compile(&shape(), &properties, &format).unwrap();
    let mut random = Random::new(20);
    let spice: &[&[u8]] = &[
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b"\\",
        b"\\u",
        b",",
        b":",
        b"null",
        b"true",
        b"-",
        b"e",
        b"9",
        b".",
        b"\xFF",
        b"\xC3",
        b"\xE2\x82\xAC",
        b"\\ud800",
        b"\0",
        b" ",
        b"99999999999999999999999999999999999999999",
    ];
    let mut stored = 0;
    let mut out = Vec::new();
    let mut text = Vec::new();
    for _ in 0..20_000 {
        let mut json = GOOD.as_bytes().to_vec();
        for _ in 0..1 + random.below(4) {
            let at = random.below(json.len() + 1);
            match random.below(4) {
                0 => json.truncate(at),
                1 => {
                    let end = (at + random.below(12)).min(json.len());
                    json.drain(at..end);
                }
                2 => {
                    let piece = spice[random.below(spice.len())];
                    json.splice(at..at, piece.iter().copied());
                }
                _ => {
                    if let Some(byte) = json.get_mut(at) {
                        *byte = random.next() as u8;
                    }
                }
            }
        }
        out.clear();
        match encoder.encode(&json, &[], &mut out) {
            Ok(_) => {
                stored += 1;
                text.clear();
                decoder
                    .decode(&out, &mut text)
                    .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&json)));
                assert!(
                    serde_json::from_slice::<serde_json::Value>(&json).is_ok()
                        || json.iter().all(u8::is_ascii_whitespace)
                );
            }
            Err(error) => {
                assert!(out.is_empty());
                assert!(error.id.starts_with("TXMCB07"), "{error}");
                assert!(error.offset <= json.len(), "{error}");
            }
        }
    }
    assert!(stored > 200, "some documents survive: {stored}");
}

#[test]
fn twenty_thousand_random_records_are_printed_as_json_or_refused() {
    let format = RecordFormat::host(37);
    let shape = shape_of(SOURCE, Profile::Host, Redefinition::First);
    let properties = Properties {
        data_screening: false,
        ..Properties::default()
    };
    let decoder = Decoder::compile(&shape, &properties, &format).unwrap();
    let mut random = Random::new(21);
    let mut out = Vec::new();
    let mut printed = 0;
    for _ in 0..20_000 {
        let mut record: Vec<u8> = (0..random.below(70)).map(|_| random.next() as u8).collect();
        if let Some(counter) = record.get_mut(10) {
            *counter = 0xF0 + random.below(5) as u8;
        }
        out.clear();
        match decoder.decode(&record, &mut out) {
            Ok(()) => {
                printed += 1;
                serde_json::from_slice::<serde_json::Value>(&out).expect("JSON");
            }
            Err(error) => assert!(out.is_empty() && error.id.starts_with("TXMCB06"), "{error}"),
        }
    }
    assert!(printed > 2000, "{printed}");
}
