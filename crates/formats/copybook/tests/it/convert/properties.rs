//! What each property of a service archive does to the output or input.

use super::{decode, encode, shape_of, try_decode, try_encode};
use transom_copybook::Profile;
use transom_copybook::convert::{Condition, Decoder, Encoder, Extractor};
use transom_copybook::shape::{
    BytesForm, CharVarying, InitialByte, Kind, Literal, Node, NullPolicy, Op, OverrideId,
    Properties, RecordFormat, Redefinition, Shape, Text, UnknownMembers,
};

const CUSTOMER: &str = "
       01 CUSTOMER.
          05 CUST-NO      PIC 9(4).
          05 CUST-NAME    PIC X(8).
          05 CUST-ADDRESS.
             10 STREET    PIC X(4).
             10 CITY      PIC X(4).
          05 BALANCE      PIC S9(3)V99 COMP-3.
";

fn customer() -> Shape {
    shape_of(CUSTOMER, Profile::Native, Redefinition::First)
}

fn record(name: &[u8; 8], street: &[u8; 4], city: &[u8; 4]) -> Vec<u8> {
    [b"0042", &name[..], street, city, &[0x12, 0x34, 0x5D]].concat()
}

fn region() -> RecordFormat {
    RecordFormat::region()
}

#[test]
fn whitespace_is_trimmed_as_asked() {
    let record = record(b"  Ann   ", b"    ", b"Ulm ");
    for (start, end, name, street, city) in [
        (false, true, "  Ann", "", "Ulm"),
        (true, true, "Ann", "", "Ulm"),
        (true, false, "Ann   ", "", "Ulm "),
        (false, false, "  Ann   ", "    ", "Ulm "),
    ] {
        let properties = Properties {
            trim_output_leading_whitespace: start,
            trim_output_trailing_whitespace: end,
            ..Properties::default()
        };
        assert_eq!(
            decode(&customer(), &properties, &region(), &record),
            format!(
                "{{\"cust_no\":42,\"cust_name\":\"{name}\",\"cust_address\":{{\"street\":\"{street}\",\
                 \"city\":\"{city}\"}},\"balance\":-123.45}}"
            )
        );
    }
}

#[test]
fn fields_are_omitted_by_value_and_empty_tags_disappear() {
    let low = record(&[0; 8], b"    ", b"    ");
    let by_value = Properties {
        omit_output_fields_by_value: Some(0),
        ..Properties::default()
    };
    assert_eq!(
        decode(&customer(), &by_value, &region(), &low),
        r#"{"cust_no":42,"cust_address":{"street":"","city":""},"balance":-123.45}"#
    );
    let empty = Properties {
        omit_output_empty_tags: true,
        ..Properties::default()
    };
    assert_eq!(
        decode(&customer(), &empty, &region(), &low),
        r#"{"cust_no":42,"balance":-123.45}"#
    );
    let both = Properties {
        omit_output_fields_by_value: Some(b' '),
        ..empty
    };
    let mut blank = low;
    blank[..4].fill(b' ');
    assert_eq!(
        decode(&customer(), &both, &region(), &blank),
        r#"{"balance":-123.45}"#
    );
}

#[test]
fn control_characters_vanish_or_are_escaped_and_the_rest_of_json_is_always_escaped() {
    let record = record(b"\x01a\"\\\tb\x7F\x02", b"\xE4\x9F\n ", b"\x00\x00\x00\x00");
    let json = |escape| {
        let properties = Properties {
            escape_output_control_characters: escape,
            ..Properties::default()
        };
        decode(&customer(), &properties, &region(), &record)
    };
    assert_eq!(
        json(false),
        "{\"cust_no\":42,\"cust_name\":\"a\\\"\\\\\\tb\",\"cust_address\":{\"street\":\"\u{E4}\\n\",\"city\":\"\"},\"balance\":-123.45}"
    );
    assert_eq!(
        json(true),
        "{\"cust_no\":42,\"cust_name\":\"\\u0001a\\\"\\\\\\tb\\u007F\\u0002\",\"cust_address\":{\"street\":\"\u{E4}\\u009F\\n\",\"city\":\"\"},\"balance\":-123.45}"
    );
}

#[test]
fn input_fields_are_low_values_or_initial_values_or_defaults() {
    let plain = Properties::default();
    let initial = Properties {
        initialize_input_fields: true,
        ..Properties::default()
    };
    assert_eq!(encode(&customer(), &plain, &region(), "{}"), vec![0; 23]);
    let expected = [b"0000                ".as_slice(), &[0, 0, 0x0C]].concat();
    assert_eq!(encode(&customer(), &initial, &region(), "{}"), expected);
    assert_eq!(encode(&customer(), &initial, &region(), " \n "), expected);

    let mut shape = customer();
    shape
        .set_default("cust_no", Literal::Text("7".into()))
        .unwrap();
    shape
        .set_default("cust_name", Literal::Bytes(vec![0xFF, 0xFE]))
        .unwrap();
    shape
        .assign("cust_address/city", Literal::Text("Bonn".into()))
        .unwrap();
    shape.remove("cust_address/street").unwrap();
    shape
        .set_default("cust_address/street", Literal::Text("Main".into()))
        .unwrap();
    let json = r#"{"cust_address":{"street":"x","city":"y"},"balance":1}"#;
    let record = encode(&shape, &plain, &region(), json);
    assert_eq!(
        record,
        [
            b"0007\xFF\xFE\0\0\0\0\0\0MainBonn".as_slice(),
            &[0, 0x10, 0x0C]
        ]
        .concat()
    );
    // An assigned member shows its constant whatever the record holds.
    let shown = decode(
        &shape,
        &plain,
        &region(),
        &self::record(b"Ann     ", b"aaaa", b"bbbb"),
    );
    assert_eq!(
        shown,
        r#"{"cust_no":42,"cust_name":"Ann","cust_address":{"city":"Bonn"},"balance":-123.45}"#
    );
}

#[test]
fn a_default_that_does_not_fit_is_reported_when_compiling() {
    let mut shape = customer();
    shape
        .set_default("cust_no", Literal::Text("12345".into()))
        .unwrap();
    let problem = Encoder::compile(&shape, &Properties::default(), &region()).unwrap_err();
    assert_eq!(problem.id(), "TXMCB0504E");
    assert!(problem.words().contains("CUST-NO"), "{problem:?}");
    let unknown = RecordFormat {
        ccsid: 1,
        ..region()
    };
    assert_eq!(
        Decoder::compile(&customer(), &Properties::default(), &unknown)
            .unwrap_err()
            .id(),
        "TXMCB0501E"
    );
}

#[test]
fn unknown_members_are_skipped_or_refused() {
    let json = r#"{"x":{"a":[1,{"b":null}],"c":"\ud83d\ude00"},"cust_no":5,"y":[]}"#;
    let record = encode(&customer(), &Properties::default(), &region(), json);
    assert_eq!(&record[..4], b"0005");
    let strict = Properties {
        unknown_members: UnknownMembers::Refuse,
        ..Properties::default()
    };
    let error = try_encode(&customer(), &strict, &region(), json.as_bytes()).unwrap_err();
    assert_eq!(
        (error.id, error.pointer.as_str(), error.offset),
        ("TXMCB0708E", "/x", 1)
    );
}

#[test]
fn short_records_are_errors_unless_data_truncation_is_enabled() {
    let full = record(b"Ann     ", b"aaaa", b"bbbb");
    let error =
        try_decode(&customer(), &Properties::default(), &region(), &full[..14]).unwrap_err();
    assert_eq!(
        (error.id, error.pointer.as_str(), error.field.as_str()),
        ("TXMCB0601E", "/cust_address/street", "STREET")
    );
    let truncation = Properties {
        data_truncation: true,
        ..Properties::default()
    };
    assert_eq!(
        decode(&customer(), &truncation, &region(), &full[..14]),
        r#"{"cust_no":42,"cust_name":"Ann","cust_address":{"street":"aa","city":""},"balance":0.00}"#
    );
}

#[test]
fn null_elements_at_the_end_of_arrays_are_truncated() {
    let shape = shape_of(
        "       01 R.\n          05 T PIC X(2) OCCURS 4.\n",
        Profile::Native,
        Redefinition::First,
    );
    let policy = NullPolicy {
        bytes: vec![InitialByte::LowValue, InitialByte::Blank],
    };
    let properties = Properties {
        truncate_null_arrays: Some(policy),
        ..Properties::default()
    };
    let json = |record: &[u8]| decode(&shape, &properties, &region(), record);
    assert_eq!(
        json(b"a   b \0 "),
        r#"{"t":[{"t":"a"},{"t":""},{"t":"b"}]}"#
    );
    assert_eq!(json(b"        "), r#"{"t":[]}"#);
    let all = decode(&shape, &Properties::default(), &region(), b"a       ");
    assert_eq!(all, r#"{"t":[{"t":"a"},{"t":""},{"t":""},{"t":""}]}"#);
}

#[test]
fn text_kinds_of_ls2js() {
    let text = |varying, justified| {
        Shape::new(vec![Node::new(
            "t",
            0,
            Kind::Text(Text {
                varying,
                justified,
                ..Text::new(4)
            }),
        )])
    };
    let properties = Properties::default();
    for (shape, json, record) in [
        (text(CharVarying::Collapse, false), r#"{"t":"ab"}"#, "ab  "),
        (text(CharVarying::Collapse, true), r#"{"t":"  ab"}"#, "  ab"),
        (text(CharVarying::No, false), r#"{"t":"ab  "}"#, "ab  "),
        (text(CharVarying::Null, false), r#"{"t":"ab "}"#, "ab \0"),
    ] {
        assert_eq!(
            encode(&shape, &properties, &region(), json),
            record.as_bytes()
        );
        assert_eq!(
            decode(&shape, &properties, &region(), record.as_bytes()),
            json
        );
    }
    assert_eq!(
        encode(
            &text(CharVarying::Collapse, true),
            &properties,
            &region(),
            r#"{"t":"ab"}"#
        ),
        b"  ab"
    );
    let error = try_encode(
        &text(CharVarying::Null, false),
        &properties,
        &region(),
        br#"{"t":"abcd"}"#,
    )
    .unwrap_err();
    assert_eq!(error.id, "TXMCB0703E");

    let bytes = |form| Shape::new(vec![Node::new("t", 0, Kind::Bytes { len: 4, form })]);
    for (form, json) in [
        (BytesForm::Hex, r#"{"t":"00FF10AB"}"#),
        (BytesForm::Base64, r#"{"t":"AP8Qqw=="}"#),
    ] {
        assert_eq!(
            encode(&bytes(form), &properties, &region(), json),
            [0, 0xFF, 0x10, 0xAB]
        );
        assert_eq!(
            decode(&bytes(form), &properties, &region(), &[0, 0xFF, 0x10, 0xAB]),
            json
        );
    }
    let national = Shape::new(vec![Node::new("t", 0, Kind::National { chars: 4 })]);
    let json = "{\"t\":\"\u{20AC}\u{1F600}\"}";
    let record = encode(&national, &properties, &region(), json);
    assert_eq!(record, [0x20, 0xAC, 0xD8, 0x3D, 0xDE, 0x00, 0x00, 0x20]);
    assert_eq!(decode(&national, &properties, &region(), &record), json);
}

#[test]
fn single_values_become_headers_and_conditions() {
    let mut shape = customer();
    shape.move_outside("cust_name", OverrideId(3)).unwrap();
    let record = record(b"A\"nn    ", b"aaaa", b"bbbb");
    assert!(!decode(&shape, &Properties::default(), &region(), &record).contains("cust_name"));
    let extractor = |path| Extractor::compile(&shape, &Properties::default(), &region(), path);
    let mut value = String::new();
    extractor("cust_name")
        .unwrap()
        .extract(&record, &mut value)
        .unwrap();
    assert_eq!(value, "A\"nn");
    for (path, op, constant, holds) in [
        ("cust_no", Op::Eq, "42", true),
        ("cust_no", Op::Gt, "41.9", true),
        ("balance", Op::Lt, "0", true),
        ("balance", Op::Eq, "-123.450", true),
        ("cust_address/city", Op::Ne, "bbbb", false),
    ] {
        let condition = Condition::new(extractor(path).unwrap(), op, constant);
        assert_eq!(
            condition.holds(&record).unwrap(),
            holds,
            "{path} {op:?} {constant}"
        );
    }
    assert_eq!(extractor("cust_address").unwrap_err().id(), "TXMCB0903E");
    assert_eq!(extractor("nothing").unwrap_err().id(), "TXMCB0901E");
}

#[test]
fn renamed_and_reordered_members() {
    let mut shape = customer();
    shape.rename("cust_name", "name").unwrap();
    shape.reorder("", &["balance", "name"]).unwrap();
    shape.remove("cust_address").unwrap();
    let record = record(b"Ann     ", b"aaaa", b"bbbb");
    assert_eq!(
        decode(&shape, &Properties::default(), &region(), &record),
        r#"{"balance":-123.45,"name":"Ann","cust_no":42}"#
    );
    assert_eq!(
        shape.rename("cust_no", "name").unwrap_err().message().id(),
        "TXMCB0904E"
    );
    assert_eq!(
        shape.remove("cust_name").unwrap_err().message().id(),
        "TXMCB0901E"
    );
}

#[test]
fn records_of_a_channel_join_to_one_object() {
    let (properties, format) = (Properties::default(), region());
    let decoder = Decoder::compile(&customer(), &properties, &format).unwrap();
    let mut out = Vec::new();
    decoder
        .decode_members(&record(b"Ann     ", b"aaaa", b"bbbb"), &mut out)
        .unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(
        text.starts_with("\"cust_no\":42,") && text.ends_with("\"balance\":-123.45"),
        "{text}"
    );
}
