//! JSON types as clients send them: numbers in quotes, numbers for characters, null.

use super::{encode, shape_of, try_encode};
use transom_copybook::Profile;
use transom_copybook::convert::{Encoder, Given};
use transom_copybook::shape::{
    CharVarying, Characters, Choice, LayoutOptions, Properties, RecordFormat, Redefinition, Shape,
};
use transom_copybook::{Layout, ParseOptions, parse};

const SOURCE: &str = "
       01 REQUEST-DATA.
          05 CUSTNO     PIC 9(10).
          05 RATE       PIC S9(3)V99.
          05 KIND       PIC X(4).
          05 TITLE      PIC N(3).
          05 LINE-COUNT PIC 9.
          05 LINES-T OCCURS 0 TO 3 DEPENDING ON LINE-COUNT.
             10 AMOUNT  PIC 9(3).
";

fn shape() -> Shape {
    shape_of(SOURCE, Profile::Native, Redefinition::First)
}

fn stored(json: &str) -> String {
    let record = encode(
        &shape(),
        &Properties::default(),
        &RecordFormat::region(),
        json,
    );
    record
        .iter()
        .map(|b| if *b == 0 { '.' } else { char::from(*b) })
        .collect()
}

#[test]
fn strings_numbers_and_null_are_taken_as_clients_send_them() {
    for (json, record) in [
        (r#"{"custno":"0000000042"}"#, "0000000042...............0"),
        (
            r#"{"custno":" 42 ","rate":"-1.5"}"#,
            "00000000420015}..........0",
        ),
        (r#"{"rate":"+0001.50"}"#, "..........0015{..........0"),
        (r#"{"kind":5,"title":12}"#, "...............5   .1.2. 0"),
        (r#"{"kind":1.50}"#, "...............1.50......0"),
        (
            r#"{"custno":null,"kind":null,"title":null}"#,
            ".........................0",
        ),
        (r#"{"lines_t":null}"#, ".........................0"),
        (
            r#"{"lines_t":[null,{"amount":"7"}]}"#,
            ".........................2...007",
        ),
    ] {
        assert_eq!(stored(json), record, "{json}");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let format = RecordFormat::region();
    for (json, text) in [
        (
            r#"{"custno":"12345678901"}"#,
            "TXMCB0704E /custno (field CUSTNO) at byte 10: the number 12345678901 is out of the range 0 to 9999999999.",
        ),
        (
            r#"{"custno":"4x"}"#,
            "TXMCB0702E /custno (field CUSTNO) at byte 10: there is a string where a number is expected.",
        ),
        (
            r#"{"custno":""}"#,
            "TXMCB0702E /custno (field CUSTNO) at byte 10: there is a string where a number is expected.",
        ),
        (
            r#"{"kind":12345}"#,
            "TXMCB0703E /kind (field KIND) at byte 8: the string has 5 characters, the field has room for 4.",
        ),
        (
            r#"{"custno":true}"#,
            "TXMCB0702E /custno (field CUSTNO) at byte 10: there is a truth value where a number is expected.",
        ),
    ] {
        let error = try_encode(&shape(), &Properties::default(), &format, json.as_bytes());
        assert_eq!(error.unwrap_err().to_string(), text, "{json}");
    }
}

#[test]
fn what_of_a_document_was_used_is_told() {
    let encoder = Encoder::compile(&shape(), &Properties::default(), &RecordFormat::region());
    let encoder = encoder.unwrap();
    for (json, given) in [
        (r#"{"custno":1}"#, Given::Values),
        (r#"{"lines_t":[]}"#, Given::Values),
        (r#"{"x":1,"line_count":0}"#, Given::Values),
        (r#"{"CUSTNO":1}"#, Given::OtherMembers),
        (r#"{"custno":null,"x":{}}"#, Given::OtherMembers),
        (r#"{"custno":null}"#, Given::Nothing),
        ("{}", Given::Nothing),
        (" ", Given::Nothing),
        ("null", Given::Nothing),
    ] {
        let mut record = Vec::new();
        let found = encoder.encode(json.as_bytes(), &[], &mut record).unwrap();
        assert_eq!(found, given, "{json}");
    }
}

#[test]
fn null_chooses_no_redefinition() {
    let source = "       01 R.\n 05 A PIC X(3).\n 05 B REDEFINES A PIC 9(3).\n";
    let (book, _) = parse(source, &ParseOptions::default());
    let layout = Layout::new(&book, Profile::Native).unwrap();
    let names: Vec<String> = layout
        .fields
        .iter()
        .map(|f| f.name.to_lowercase())
        .collect();
    let arms = layout.ids().filter(|id| layout[*id].level == 5);
    let both: Vec<Choice> = arms.map(|item| Choice { item, test: None }).collect();
    let options = LayoutOptions {
        names: &names,
        include: &|_| true,
        redefines: &|_| Redefinition::Choose(both.clone()),
        wrap_simple_arrays: false,
        characters: Characters::Text(CharVarying::Collapse),
        values: false,
    };
    let shape = Shape::from_layout(&layout, layout.roots.first().copied(), &options).unwrap();
    let format = RecordFormat::region();
    for json in [r#"{"a":null,"b":7}"#, r#"{"b":7,"a":null}"#] {
        let record = encode(&shape, &Properties::default(), &format, json);
        assert_eq!(record, b"007", "{json}");
    }
}
