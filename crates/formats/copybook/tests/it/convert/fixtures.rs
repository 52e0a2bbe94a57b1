//! Records of another project (Cobrix) against the values it expects, member by member.
//!
//! Deliberate differences, all handled by `compare`: names are upper case there; it leaves out
//! members whose bytes are no value (nulls), where we print zero or an empty string with data
//! screening off; it prints control characters as blanks, where we escape or drop them; it takes
//! edited numbers as numbers, where we keep their characters, as BAQLS2JS does; it reads unsigned
//! binary numbers as 32-bit signed ones and drops those beyond. A counter that is a letter (its
//! test25) is refused here: COBOL has none.

use serde_json::{Map, Value};
use transom_copybook::convert::Decoder;
use transom_copybook::shape::{
    CharVarying, Characters, FloatFormat, Kind, LayoutOptions, Properties, RecordFormat,
    Redefinition, Shape,
};
use transom_copybook::{Layout, ParseOptions, Profile, parse};

/// File contents, or `None` with a notice where the fixtures are absent.
fn read(name: &str) -> Option<Vec<u8>> {
    transom_needed::fixture(&format!("copybook-json/{name}"))
}

fn text(name: &str) -> Option<String> {
    read(name).and_then(|bytes| String::from_utf8(bytes).ok())
}

/// All redefinitions side by side, Cobrix names; FILLER groups are members only if `fillers`.
fn shape(copybook: &str, fillers: bool) -> Option<Shape> {
    let (copybook, problems) = parse(&text(copybook)?, &ParseOptions::default());
    let errors: Vec<_> = problems.iter().filter(|p| p.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let layout = Layout::new(&copybook, Profile::Host).expect("layout");
    let mut groups = 0;
    let names: Vec<String> = layout
        .fields
        .iter()
        .map(|field| {
            if field.is_filler() && !field.children.is_empty() {
                groups += 1;
                return format!("FILLER_{groups}");
            }
            field.name.to_uppercase().replace('-', "_")
        })
        .collect();
    let options = LayoutOptions {
        names: &names,
        include: &|id| fillers || !layout[id].is_filler(),
        redefines: &|_| Redefinition::All,
        wrap_simple_arrays: false,
        characters: Characters::Text(CharVarying::Collapse),
        values: false,
    };
    Some(Shape::from_layout(&layout, layout.roots.first().copied(), &options).expect("shape"))
}

/// Their trimming, and no errors for bytes that are no value.
fn lenient() -> Properties {
    Properties {
        trim_output_leading_whitespace: true,
        data_screening: false,
        data_truncation: true,
        escape_output_control_characters: true,
        enforce_min_array_occurrence_response: false,
        ..Properties::default()
    }
}

fn format(ccsid: u16) -> RecordFormat {
    RecordFormat {
        odo_slides: false,
        float: FloatFormat::IeeeBig,
        ..RecordFormat::host(ccsid)
    }
}

struct Comparison<'a> {
    /// Members only we have.
    extra: &'a [&'a str],
    compared: usize,
    wrong: Vec<String>,
}

impl Comparison<'_> {
    fn value(&mut self, path: &str, theirs: &Value, ours: &Value) {
        match (theirs, ours) {
            (Value::Object(theirs), Value::Object(ours)) => self.object(path, theirs, ours),
            (Value::Array(theirs), Value::Array(ours)) if theirs.len() == ours.len() => {
                for (i, (theirs, ours)) in theirs.iter().zip(ours).enumerate() {
                    self.value(&format!("{path}/{i}"), theirs, ours);
                }
            }
            _ => {
                self.compared += 1;
                if !same(theirs, ours) {
                    self.wrong.push(format!("{path}: {theirs} for {ours}"));
                }
            }
        }
    }

    fn object(&mut self, path: &str, theirs: &Map<String, Value>, ours: &Map<String, Value>) {
        for (name, value) in theirs
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "File_Id" | "Record_Id"))
        {
            match ours.get(name) {
                Some(our) => self.value(&format!("{path}/{name}"), value, our),
                None => self.wrong.push(format!("{path}/{name}: missing")),
            }
        }
        for (name, value) in ours.iter().filter(|(name, _)| !theirs.contains_key(*name)) {
            if !blank(value) && !self.extra.contains(&name.as_str()) {
                self.wrong
                    .push(format!("{path}/{name}: {value} not expected"));
            }
        }
    }
}

fn blank(value: &Value) -> bool {
    match value {
        Value::String(text) => printable(text).trim().is_empty(),
        Value::Number(number) => number.to_string().chars().all(|c| matches!(c, '0' | '.')),
        Value::Object(members) => members.values().all(blank),
        Value::Array(elements) => elements.iter().all(blank),
        _ => false,
    }
}

/// Control characters, and the no-break space, which they trim too.
fn special(c: char) -> bool {
    c.is_control() || c == '\u{A0}'
}

fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if special(c) { ' ' } else { c })
        .collect()
}

fn same(theirs: &Value, ours: &Value) -> bool {
    match (theirs, ours) {
        (Value::String(theirs), Value::String(ours)) => {
            // Control characters are blanks there, or stay, before they trim.
            let trimmed = |text: &str| printable(text).trim_matches(' ').to_owned();
            theirs == ours
                || [theirs, ours].iter().any(|t| t.contains(special))
                    && trimmed(theirs) == trimmed(ours)
        }
        (Value::Number(theirs), Value::Number(ours)) => {
            let (theirs, ours) = (theirs.to_string(), ours.to_string());
            decimal(&theirs) == decimal(&ours) || nearly(&theirs, &ours)
        }
        // Edited: same digits, same sign.
        (Value::Number(theirs), Value::String(ours)) => {
            let digits = |text: &str| {
                text.chars()
                    .filter(char::is_ascii_digit)
                    .collect::<String>()
            };
            let (ours, negative) = unpunched(ours);
            let theirs = theirs.to_string();
            digits(&theirs).trim_start_matches('0') == digits(&ours).trim_start_matches('0')
                && negative == theirs.starts_with('-')
        }
        _ => false,
    }
}

/// Characters of an edited number, and whether it is negative: by `-`, or by the letter that a sign
/// over the last digit gives (an extension of theirs, `S9(3).99`).
fn unpunched(text: &str) -> (String, bool) {
    let mut text = text.to_owned();
    let negative = text.contains('-');
    let digit = match text.pop() {
        Some('{') => ('0', false),
        Some('}') => ('0', true),
        Some(c @ 'A'..='I') => (char::from(c as u8 - b'A' + b'1'), false),
        Some(c @ 'J'..='R') => (char::from(c as u8 - b'J' + b'1'), true),
        Some(c) => (c, false),
        None => return (text, negative),
    };
    text.push(digit.0);
    (text, negative || digit.1)
}

/// Sign, digits without zeros at the ends, exponent of the first digit.
fn decimal(text: &str) -> (bool, String, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let digits = mantissa.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let zeros = all.len() - all.trim_start_matches('0').len();
    let point = whole.len() as i64 - zeros as i64 + exponent.parse::<i64>().unwrap_or(0);
    let significant = all.trim_matches('0').to_owned();
    let zero = significant.is_empty();
    (
        mantissa.starts_with('-') && !zero,
        significant,
        if zero { 0 } else { point },
    )
}

/// For floating point, which they round to seven digits.
fn nearly(a: &str, b: &str) -> bool {
    let exact = |text: &str| text.len() > 17 || !text.contains(['.', 'e', 'E']);
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a_value), Ok(b_value)) if !(exact(a) && exact(b)) => {
            (a_value - b_value).abs() <= a_value.abs() * 1e-6 && b.len() > 6
        }
        _ => false,
    }
}

/// Compares records with expected documents; returns how many values were compared.
fn check(
    shape: &Shape,
    properties: &Properties,
    ccsid: u16,
    records: &[&[u8]],
    expected: &[Value],
) -> usize {
    let decoder = Decoder::compile(shape, properties, &format(ccsid)).expect("compiles");
    let mut comparison = Comparison {
        extra: &[],
        compared: 0,
        wrong: Vec::new(),
    };
    assert!(records.len() >= expected.len() && !expected.is_empty());
    let mut out = Vec::new();
    for (i, (record, theirs)) in records.iter().zip(expected).enumerate() {
        out.clear();
        decoder
            .decode(record, &mut out)
            .unwrap_or_else(|error| panic!("record {i}: {error}"));
        let ours: Value = serde_json::from_slice(&out).expect("JSON");
        comparison.value(&i.to_string(), theirs, &ours);
    }
    let shown: Vec<_> = comparison.wrong.iter().take(20).collect();
    assert!(
        comparison.wrong.is_empty(),
        "{} of {}: {shown:#?}",
        comparison.wrong.len(),
        comparison.compared
    );
    println!("{} values compared", comparison.compared);
    comparison.compared
}

fn lines(name: &str) -> Option<Vec<Value>> {
    Some(
        text(name)?
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON line"))
            .collect(),
    )
}

fn check_fixed(
    copybook: &str,
    data: &str,
    expected: Vec<Value>,
    properties: &Properties,
    ccsid: u16,
    fillers: bool,
) {
    let (Some(shape), Some(data)) = (shape(copybook, fillers), read(data)) else {
        return;
    };
    let records: Vec<&[u8]> = data.chunks(shape.max_len).collect();
    let compared = check(&shape, properties, ccsid, &records, &expected);
    assert!(compared >= expected.len());
}

#[test]
fn test1_table_depending_on_a_packed_counter() {
    if let Some(expected) = lines("test1_expected/test1.txt") {
        check_fixed(
            "test1_copybook.cob",
            "test1_data/example.bin",
            expected,
            &lenient(),
            37,
            false,
        );
    }
}

#[test]
fn test3_trimming() {
    for (file, start, end) in [
        ("test3.txt", true, true),
        ("test3_trim_both.txt", true, true),
        ("test3_trim_left.txt", true, false),
        ("test3_trim_right.txt", false, true),
        ("test3_trim_none.txt", false, false),
    ] {
        let Some(expected) = lines(&format!("test3_expected/{file}")) else {
            return;
        };
        let properties = Properties {
            trim_output_leading_whitespace: start,
            trim_output_trailing_whitespace: end,
            ..lenient()
        };
        check_fixed(
            "test3_copybook.cob",
            "test3_data/TRAN2.AUG31.DATA.dat",
            expected,
            &properties,
            37,
            false,
        );
    }
}

#[test]
fn test6_every_numeric_type() {
    if let Some(expected) = lines("test6_expected/test6.txt") {
        check_fixed(
            "test6_copybook.cob",
            "test6_data/INTEGR.TYPES.NOV28.DATA.dat",
            expected,
            &lenient(),
            37,
            false,
        );
    }
}

#[test]
fn test7_fillers() {
    for (file, fillers) in [("test7.txt", false), ("test7a.txt", true)] {
        let Some(text) = text(&format!("test7_expected/{file}")) else {
            return;
        };
        let Ok(Value::Array(expected)) = serde_json::from_str(&text) else {
            panic!("{file} is an array")
        };
        let (Some(shape), Some(data)) = (
            shape("test7_fillers.cob", fillers),
            read("test7_data/TEST.FILLERS.DEC07.DATA.dat"),
        ) else {
            return;
        };
        // They are sorted by AMOUNT, the last eight bytes.
        let mut records: Vec<&[u8]> = data.chunks(shape.max_len).collect();
        records.sort_by_key(|record| record[shape.max_len - 8..].to_vec());
        check(&shape, &lenient(), 37, &records, &expected);
    }
}

#[test]
fn test9_code_pages() {
    for (file, ccsid) in [
        ("cp037", 37),
        ("cp037_ext", 37),
        ("cp273", 273),
        ("cp500", 500),
        ("cp1140", 1140),
        ("cp1141", 1141),
        ("cp1148", 1148),
    ] {
        let Some(expected) = lines(&format!("test9_expected/test9_{file}.txt")) else {
            return;
        };
        check_fixed(
            "test9_copybook.cob",
            "test9_data/TRAN.APR14.NPT.DATA.dat",
            expected,
            &lenient(),
            ccsid,
            false,
        );
    }
}

/// The value with all strings changed.
fn strings(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(elements) => elements
            .iter()
            .map(|element| strings(element, change))
            .collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| (name.clone(), strings(value, change)))
            .collect(),
        other => other.clone(),
    }
}

#[test]
fn test11_records_with_length_words_and_redefined_segments() {
    let (Some(shape), Some(data), Some(expected)) = (
        shape("test11_copybook.cob", false),
        read("test11_data/COMP.DETAILS.MAY30.DATA.dat"),
        lines("test11_expected/test11.txt"),
    ) else {
        return;
    };
    // Each record has a header of five bytes, the length little-endian in the third and fourth.
    let mut records = Vec::new();
    let mut at = 0;
    while at + 5 <= data.len() {
        let len = usize::from(data[at + 3]);
        // Their header parser takes a record whose first byte is 0 as invalid.
        if data[at] == 1 {
            records.push(&data[at + 5..at + 5 + len]);
        }
        at += 5 + len;
    }
    // Their default code page knows the characters all EBCDIC pages share; others, which binary
    // numbers read as characters give here, are blanks, except the soft hyphen.
    let common = |text: &str| {
        text.replace('\u{AD}', "-")
            .replace(|c: char| !c.is_ascii(), " ")
            .trim()
            .to_owned()
    };
    let expected: Vec<Value> = expected
        .iter()
        .map(|value| strings(value, &common))
        .collect();
    let decoder = Decoder::compile(&shape, &lenient(), &format(37)).expect("compiles");
    let mut comparison = Comparison {
        extra: &["TAXPAYER_NUM"],
        compared: 0,
        wrong: Vec::new(),
    };
    for (i, (record, theirs)) in records.iter().zip(&expected).enumerate() {
        let mut out = Vec::new();
        decoder.decode(record, &mut out).expect("valid");
        let ours: Value = serde_json::from_slice(&out).expect("JSON");
        comparison.value(&i.to_string(), theirs, &strings(&ours, &common));
    }
    assert!(comparison.wrong.is_empty(), "{:#?}", comparison.wrong);
    assert!(comparison.compared > 500, "{}", comparison.compared);
}

#[test]
fn test19_display_numbers() {
    if let Some(expected) = lines("test19_display_num_expected/test19.txt") {
        check_fixed(
            "test19_display_num.cob",
            "test19_display_num/data.dat",
            expected,
            &lenient(),
            37,
            false,
        );
    }
}

#[test]
fn test25_a_counter_that_is_a_letter_is_refused() {
    if let Some(shape) = shape("test25_copybook.cob", false) {
        assert!(matches!(shape.root.kind, Kind::Object(_)));
        let problem = Decoder::compile(&shape, &lenient(), &format(37)).expect_err("no number");
        assert_eq!(problem.id(), "TXMCB0506E");
        assert!(problem.words().contains("FIELD"), "{problem:?}");
    }
}
