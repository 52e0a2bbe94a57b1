//! Records shown as JSON give the same bytes back, whatever is in them.

use super::super::random::Random;
use std::fs;
use transom_copybook::convert::Lossless;
use transom_copybook::naming::cobol_names;
use transom_copybook::shape::{
    CharVarying, Characters, LayoutOptions, RecordFormat, Redefinition, Shape,
};
use transom_copybook::{Layout, ParseOptions, Profile, parse};

fn lossless(source: &str, profile: Profile, format: &RecordFormat) -> Lossless {
    let (copybook, problems) = parse(source, &ParseOptions::default());
    let errors: Vec<_> = problems.iter().filter(|p| p.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let layout = Layout::new(&copybook, profile).expect("layout");
    let options = LayoutOptions {
        names: &cobol_names(&layout),
        include: &|_| true,
        redefines: &|_| Redefinition::All,
        wrap_simple_arrays: false,
        characters: Characters::Text(CharVarying::Collapse),
        values: false,
    };
    let shape = Shape::from_layout(&layout, None, &options).expect("shape");
    Lossless::compile(shape, format).expect("compiles")
}

fn host(source: &str) -> Lossless {
    lossless(source, Profile::Host, &RecordFormat::host(37))
}

/// The record as shown, after it has been made of that again.
fn shown(lossless: &Lossless, record: &[u8]) -> String {
    let mut json = Vec::new();
    lossless.decode(record, false, &mut json);
    let json = String::from_utf8(json).expect("UTF-8");
    assert_eq!(made(lossless, &json), hex(record), "{json}");
    json
}

fn made(lossless: &Lossless, json: &str) -> String {
    let mut record = Vec::new();
    match lossless.encode(json.as_bytes(), &mut record) {
        Ok(_) => hex(&record),
        Err(error) => error.to_string(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02X}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .chars()
        .filter_map(|c| c.to_digit(16).map(|d| d as u8))
        .collect();
    digits.chunks(2).map(|p| p[0] << 4 | p[1]).collect()
}

/// Shows a record, and expects JSON.
fn check(source: &str, record: &str, expected: &str) {
    assert_eq!(shown(&host(source), &bytes(record)), expected);
}

#[test]
fn values_alone_where_they_say_it_all() {
    check(
        " 01 R.\n 05 NAME PIC X(5).\n 05 QTY PIC 9(3).\n 05 AMT PIC S9(3)V99 COMP-3.\n",
        "C1C24040 40 F0F1F2 01234D",
        r#"{"R":{"NAME":"AB","QTY":12,"AMT":-12.34}}"#,
    );
}

#[test]
fn filler_groups_and_fillers_have_names() {
    check(
        " 01 R.\n 05 FILLER.\n 10 A PIC X.\n 05 FILLER PIC X(2).\n 05 FILLER.\n 10 A PIC X.\n \
         05 FILLER PIC X(2).\n 05 FILLER PIC 9(2).\n",
        "C1 4040 C2 C3C4 F0F0",
        r#"{"R":{"FILLER1":{"A":"A"},"FILLER3":{"A":"B"},"FILLER4":"CD"}}"#,
    );
}

#[test]
fn control_characters_stay_where_they_are() {
    let source = " 01 R.\n 05 T PIC X(4).\n 05 U PIC X(3).\n";
    check(
        source,
        "C100C240 C10000",
        r#"{"R":{"T":"A\u0000B","U":"A"},"$bytes":{"/R/U":"C10000"}}"#,
    );
    // Edited, the noted bytes do not apply.
    let edited = r#"{"R":{"T":"AB","U":"Z"},"$bytes":{"/R/U":"C10000"}}"#;
    assert_eq!(made(&host(source), edited), "C1C24040E94040");
}

#[test]
fn what_is_no_number_is_null_with_its_bytes() {
    let source = " 01 R.\n 05 QTY PIC 9(3).\n 05 AMT PIC S9(3) COMP-3.\n";
    let lossless = host(source);
    let record = bytes("C1C2D3 4040");
    let mut json = Vec::new();
    let found = lossless.decode(&record, false, &mut json);
    let told: Vec<_> = found.invalid.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "TXMCB0603E /R/QTY (field QTY) at byte 0: the bytes X'C1C2D3' are not a number of its \
             picture.",
            "TXMCB0603E /R/AMT (field AMT) at byte 3: the bytes X'4040' are not a number of its \
             picture."
        ]
    );
    assert_eq!(
        shown(&lossless, &record),
        r#"{"R":{"QTY":null,"AMT":null},"$bytes":{"/R/QTY":"C1C2D3","/R/AMT":"4040"}}"#
    );
    let edited = r#"{"R":{"QTY":7,"AMT":null},"$bytes":{"/R/QTY":"C1C2D3","/R/AMT":"4040"}}"#;
    assert_eq!(made(&lossless, edited), "F0F0F74040");
}

#[test]
fn other_signs_are_kept_until_the_value_changes() {
    let source = " 01 R.\n 05 S PIC S9(3) COMP-3.\n 05 U PIC 9(3) COMP-3.\n 05 Z PIC S9(2).\n";
    let json =
        r#"{"R":{"S":123,"U":45,"Z":6},"$bytes":{"/R/S":"123F","/R/U":"045D","/R/Z":"F0F6"}}"#;
    check(source, "123F 045D F0F6", json);
    let edited = json.replace(":45", ":46").replace(r#""Z":6"#, r#""Z":6.0"#);
    assert_eq!(made(&host(source), &edited), "123F046FF0F6");
}

#[test]
fn redefinitions_must_agree() {
    let source = " 01 R.\n 05 N PIC 9(3) COMP-3.\n 05 T REDEFINES N PIC X(2).\n 05 M REDEFINES N PIC S9(4) COMP.\n";
    let lossless = host(source);
    assert_eq!(
        shown(&lossless, &bytes("123F")),
        r#"{"R":{"N":123,"T":"\u0012\u001A","M":4671}}"#
    );
    let edited = r#"{"R":{"N":124,"T":"\u0012\u001A","M":4671}}"#;
    assert_eq!(
        made(&lossless, edited),
        "TXMCB0714E /R/T (field T) at byte 18: the field N has the same bytes, and the document gives \
         it another value."
    );
    assert_eq!(made(&lossless, r#"{"R":{"N":124}}"#), "124F");
}

#[test]
fn tables_of_variable_length_and_what_is_behind_them() {
    let source = " 01 R.\n 05 N PIC 9.\n 05 T OCCURS 0 TO 3 DEPENDING ON N.\n 10 A PIC X(2).\n 05 Z PIC X.\n";
    let lossless = host(source);
    let json = r#"{"R":{"N":2,"T":[{"A":"AB"},{"A":"CD"}],"Z":"Z"}}"#;
    assert_eq!(shown(&lossless, &bytes("F2 C1C2 C3C4 E9")), json);
    assert_eq!(
        made(&lossless, r#"{"R":{"T":[{"A":"AB"}],"Z":"Z"}}"#),
        "F1C1C2E9"
    );
    assert!(made(&lossless, &json.replace("2,", "3,")).starts_with("TXMCB0713E /R/T"));
    assert_eq!(
        shown(&lossless, &bytes("F1 C1C2 E9 0040")),
        r#"{"R":{"N":1,"T":[{"A":"AB"}],"Z":"Z"},"$bytes":{"end":"0040"}}"#
    );
    assert_eq!(
        shown(&lossless, &bytes("F9 C1C2")),
        r#"{"$bytes":{"record":"F9C1C2"}}"#
    );
}

#[test]
fn a_short_record_ends_where_it_ended() {
    let source = " 01 R.\n 05 A PIC X(4).\n 05 B PIC 9(4).\n 05 C PIC X(2).\n";
    let lossless = host(source);
    let json = r#"{"R":{"A":"ABCD","B":null},"$bytes":{"/R/B":"F1F2","length":"6"}}"#;
    assert_eq!(shown(&lossless, &bytes("C1C2C3C4 F1F2")), json);
    assert_eq!(shown(&lossless, &[]), r#"{"$bytes":{"length":"0"}}"#);
}

#[test]
fn bytes_no_item_names_are_kept() {
    let source = " 01 R.\n 05 A PIC X.\n 05 N PIC S9(8) COMP SYNC.\n 05 L PIC X(4).\n 05 S REDEFINES L PIC X(2).\n";
    check(
        source,
        "C1 FFEE40 00000001 C1C2C3C4",
        r#"{"R":{"A":"A","N":1,"L":"ABCD","S":"AB"},"$bytes":{"1":"FFEE40"}}"#,
    );
    let lossless = host(source);
    assert!(made(&lossless, r#"{"$bytes":{"12":"00"}}"#).starts_with("TXMCB0718E"));
    assert!(made(&lossless, r#"{"$bytes":{"1":"0"}}"#).starts_with("TXMCB0718E"));
    assert!(made(&lossless, r#"{"R":{"X":1}}"#).starts_with("TXMCB0708E /R/X"));
}

#[test]
fn hexadecimal_floating_point_keeps_its_digits() {
    let source = " 01 R.\n 05 F COMP-1.\n 05 D COMP-2.\n 05 E COMP-2 VALUE -1.5E+3.\n";
    check(
        source,
        "40199999 4E12345678901235 C35DC00000000000",
        r#"{"R":{"F":0.099999964,"D":5124095575331381,"E":-1500}}"#,
    );
    let source = " 01 R.\n 05 D COMP-2.\n 05 E COMP-2.\n 05 Z COMP-2.\n";
    check(
        source,
        "41FFFFFFFFFFFFFF 4101000000000000 C100000000000000",
        r#"{"R":{"D":15.9999999999999998,"E":0.0625,"Z":0},"$bytes":{"/R/E":"4101000000000000","/R/Z":"C100000000000000"}}"#,
    );
}

const EVERY_KIND: &str = " 01 R.
 05 X PIC X(5).
 05 J PIC X(4) JUST RIGHT.
 05 Z PIC 9(4).
 05 S PIC S9(3)V9.
 05 L PIC S9(3) SIGN LEADING.
 05 T PIC S9(3) SIGN TRAILING SEPARATE.
 05 P PIC S9(5) COMP-3.
 05 U PIC 9(4) COMP-3.
 05 B PIC S9(4) COMP.
 05 C PIC 9(4) COMP-5.
 05 N PIC N(2).
 05 F COMP-1.
 05 D COMP-2.
 05 Q POINTER.
 05 E PIC ZZ9.99-.
 05 FILLER PIC X(2).
 05 FILLER PIC 9(3) COMP-3 OCCURS 2.
 05 G.
  10 H PIC 9(6).
  10 I REDEFINES H.
   15 FILLER PIC X.
   15 K PIC S9(4) COMP SYNC.
 05 W PIC 9.
 05 V OCCURS 0 TO 4 DEPENDING ON W.
  10 VN PIC 9.
  10 VT PIC X(2) OCCURS 0 TO 3 DEPENDING ON VN.
 05 Y PIC X(3).
";

#[test]
fn any_bytes_come_back() {
    let mut random = Random::new(20_261_122);
    for (profile, format) in [
        (Profile::Host, RecordFormat::host(37)),
        (Profile::Host, RecordFormat::host(1140)),
        (Profile::Native, RecordFormat::region()),
    ] {
        let lossless = lossless(EVERY_KIND, profile, &format);
        let zero = if format.ccsid == 819 { b'0' } else { 0xF0 };
        for _ in 0..2_000 {
            let len = random.below(lossless.max_record_len() + 10);
            // Digits often, so that tables have elements.
            let record: Vec<u8> = (0..len)
                .map(|_| match random.below(3) {
                    0 => random.below(256) as u8,
                    1 => zero + random.below(4) as u8,
                    _ => [0x40, 0x20, 0x00, 0x0C][random.below(4)],
                })
                .collect();
            shown(&lossless, &record);
        }
    }
}

/// Every copybook of another project (Cobrix) with its files, record by record.
#[test]
fn cobrix_files_come_back() {
    let Some(fixtures) = transom_needed::fixtures("copybook-json") else {
        return;
    };
    for (copybook, data, header) in [
        ("test1_copybook.cob", "test1_data/example.bin", 0),
        ("test3_copybook.cob", "test3_data/TRAN2.AUG31.DATA.dat", 0),
        (
            "test6_copybook.cob",
            "test6_data/INTEGR.TYPES.NOV28.DATA.dat",
            0,
        ),
        (
            "test7_fillers.cob",
            "test7_data/TEST.FILLERS.DEC07.DATA.dat",
            0,
        ),
        (
            "test9_copybook.cob",
            "test9_data/TRAN.APR14.NPT.DATA.dat",
            0,
        ),
        (
            "test11_copybook.cob",
            "test11_data/COMP.DETAILS.MAY30.DATA.dat",
            5,
        ),
        ("test19_display_num.cob", "test19_display_num/data.dat", 0),
        ("test25_copybook.cob", "test25_data/data.dat", 0),
        ("test25_copybook.cob", "test25_data/data2.dat", 0),
    ] {
        let source = fs::read_to_string(fixtures.join(copybook)).unwrap();
        let data = fs::read(fixtures.join(data)).unwrap();
        for ccsid in [37, 1047, 1140] {
            let lossless = lossless(&source, Profile::Host, &RecordFormat::host(ccsid));
            let mut rest = &data[..];
            let mut records = 0;
            while rest.len() > header {
                // A header of five bytes has the length, little-endian, in its last two.
                let len = match header {
                    0 => lossless.max_record_len(),
                    _ => usize::from(rest[3]) + 256 * usize::from(rest[4]),
                };
                let (record, behind) = rest[header..].split_at(len.min(rest.len() - header));
                shown(&lossless, record);
                rest = behind;
                records += 1;
            }
            println!("{copybook} {ccsid}: {records} records");
            assert!(records > 0);
        }
    }
}
