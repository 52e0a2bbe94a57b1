//! Records and LOAD statements as DSNTIAUL and UNLOAD write them, and damaged ones.

use transom_copybook::CodePage;
use transom_sql::{Column, Name, TableDefinition, Type};
use transom_unload::{Characters, Layout, Resume, Style, Unload, Value, Wrong, load_statement};

fn ebcdic() -> Characters {
    Characters::Page(CodePage::by_ccsid(37).unwrap())
}

fn table(columns: &[(&str, Type, bool)]) -> TableDefinition {
    let column = |(name, kind, nullable): &(&str, Type, bool)| Column {
        name: (*name).to_owned(),
        kind: *kind,
        nullable: *nullable,
        ..Column::default()
    };
    TableDefinition {
        name: Name {
            qualifier: Some("DSN8C10".to_owned()),
            name: "EMP".to_owned(),
        },
        columns: columns.iter().map(column).collect(),
        ..TableDefinition::default()
    }
}

fn emp() -> TableDefinition {
    table(&[
        ("EMPNO", Type::Char(6), false),
        ("LASTNAME", Type::VarChar(15), false),
        ("EDLEVEL", Type::SmallInt, true),
        ("SALARY", Type::decimal(9, 2), true),
        ("HIREDATE", Type::Date, true),
    ])
}

/// What DSNTIAUL writes to SYSPUNCH, as it came from z/OS in jobs of others.
const DSNTIAUL: &str = "
  LOAD DATA LOG NO INDDN SYSREC00 RESUME YES NOCOPYPEND INTO TABLE
      \"DSN8C10\".\"EMP\"
   (
   EMPNO                                  POSITION(       1         )
   CHAR(                      6) ,
   LASTNAME                               POSITION(       7         )
   VARCHAR                       ,
   EDLEVEL                                POSITION(      24         )
   SMALLINT
                 NULLIF(      26)='?',
   SALARY                                 POSITION(      27:      31)
   DECIMAL
                 NULLIF(      32)='?',
   HIREDATE                               POSITION(      33         )
   DATE EXTERNAL(            10)
                 NULLIF(      43)='?'
   )
";

/// EBCDIC.
fn e(text: &str) -> Vec<u8> {
    let (bytes, lost) = CodePage::by_ccsid(37).unwrap().encode(text);
    assert_eq!(lost, 0);
    bytes
}

fn haas() -> Vec<u8> {
    let mut record = e("000010");
    record.extend([0, 4]);
    record.extend(e("HAAS"));
    record.extend([0; 11]);
    record.extend([0, 18, 0]);
    record.extend([0x00, 0x52, 0x75, 0x00, 0x0D, 0]);
    record.extend(e("1965-01-01"));
    record.push(0);
    record
}

fn values() -> Vec<Value> {
    vec![
        Value::Text("000010".to_owned()),
        Value::Text("HAAS".to_owned()),
        Value::Integer(18),
        Value::Decimal {
            digits: -5_275_000,
            precision: 31,
            scale: 2,
        },
        Value::Text("1965-01-01".to_owned()),
    ]
}

fn layout(text: &str, table: &TableDefinition) -> Layout {
    let load = load_statement(text).unwrap();
    Layout::new(&load.tables[0], table, ebcdic(), load.ieee).unwrap()
}

#[test]
fn a_record_of_dsntiaul_is_read() {
    assert_eq!(load_statement(DSNTIAUL).unwrap().resume, Resume::Add);
    let layout = layout(DSNTIAUL, &emp());
    assert_eq!(layout.length(), Some(43));
    assert_eq!(layout.read(&haas()).unwrap(), values());
    let mut nulls = haas();
    nulls[25] = 0x6F;
    nulls[26..32].copy_from_slice(&[0, 0, 0, 0, 0, 0x6F]);
    let read = layout.read(&nulls).unwrap();
    assert_eq!((&read[2], &read[3]), (&Value::Null, &Value::Null));
    assert_eq!(read[4], values()[4]);
}

/// The UNLOAD utility: a header of two bytes, null bytes in front, records that are no row of it.
#[test]
fn a_record_of_unload_is_read() {
    let text = "TEMPLATE U1 DSN('A.B.C') DISP(OLD,CATLG)
LOAD DATA INDDN SYSREC LOG NO REPLACE
     STATISTICS TABLE(ALL) INDEX(ALL) UPDATE ALL
     ENFORCE NO SORTKEYS 42
 EBCDIC CCSID(00037,00000,00000)
 INTO TABLE \"DSN8C10\".\"EMP\"
 WHEN(00001:00002) = X'0003' IGNOREFIELDS YES
 ( \"EMPNO   \" POSITION(00003:00008) CHAR(006)
 , \"EDLEVEL \" POSITION(00010:00011) SMALLINT
                          NULLIF(00009)=X'FF'
 , \"SALARY  \" POSITION(00013:00017) DECIMAL PACKED
                          NULLIF(00012)=X'FF'
 , NOTHING POSITION(*) CHAR(2)
 , \"LASTNAME\" POSITION(*) VARCHAR
 )
";
    let layout = layout(text, &emp());
    assert_eq!(load_statement(text).unwrap().resume, Resume::Replace);
    let columns: Vec<&str> = layout.columns().map(|(name, _)| name).collect();
    assert_eq!(columns, ["EMPNO", "EDLEVEL", "SALARY", "LASTNAME"]);
    let mut record = vec![0, 3];
    record.extend(e("000020"));
    record.extend([0, 0xFF, 0xFE, 0xFF, 0, 0, 0, 0, 0]);
    record.extend(e("??"));
    record.extend([0, 3]);
    record.extend(e("LEE"));
    assert!(layout.takes(&record));
    let read = layout.read(&record).unwrap();
    let text = |text: &str| Value::Text(text.to_owned());
    let wanted = [text("000020"), Value::Integer(-2), Value::Null, text("LEE")];
    assert_eq!(read, wanted);
    record[1] = 4;
    assert!(!layout.takes(&record));
}

#[test]
fn damaged_records_say_their_field() {
    let layout = layout(DSNTIAUL, &emp());
    let wrong = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut record = haas();
        change(&mut record);
        let Wrong { field, what } = layout.read(&record).unwrap_err();
        format!("{field}: {what}")
    };
    assert_eq!(
        wrong(&|r| r[28] = 0x7B),
        "SALARY: X'00527B000D': a digit of it is no digit"
    );
    assert_eq!(
        wrong(&|r| r[30] = 0x01),
        "SALARY: X'0052750001': its sign is no sign of a packed number"
    );
    assert_eq!(
        wrong(&|r| r[7] = 16),
        "LASTNAME: its length is 16, and 15 at most"
    );
    assert_eq!(wrong(&|r| r.truncate(30)), "SALARY: the record ends in it");
    assert_eq!(wrong(&|r| r.clear()), "EMPNO: the record ends in it");
}

#[test]
fn numbers_as_characters_and_floats_are_read() {
    let table = table(&[
        ("A", Type::Integer, false),
        ("B", Type::decimal(7, 2), false),
        ("C", Type::decimal(5, 2), false),
        ("D", Type::Double, false),
        ("E", Type::CharBit(2), false),
    ]);
    let text = "LOAD INTO TABLE EMP (A INTEGER EXTERNAL(5), B DECIMAL EXTERNAL(8,2), C DECIMAL ZONED, D FLOAT, E)";
    let mut record = e("  -42 0012345");
    record.extend([0xF1, 0xF2, 0xF3, 0xF4, 0xD5]);
    record.extend([0xC1, 0x1F, 0, 0, 0, 0, 0, 0, 0xDE, 0xAD]);
    let decimal = |digits, scale| Value::Decimal {
        digits,
        precision: 31,
        scale,
    };
    let read = layout(text, &table).read(&record).unwrap();
    let wanted = [
        decimal(-42, 0),
        decimal(12345, 2),
        decimal(-12345, 2),
        Value::Double(-1.9375),
        Value::Bytes(vec![0xDE, 0xAD]),
    ];
    assert_eq!(read, wanted);
    let ieee = text.replace("LOAD", "LOAD FLOAT(IEEE)");
    record[18..26].copy_from_slice(&(-1.9375_f64).to_be_bytes());
    assert_eq!(layout(&ieee, &table).read(&record).unwrap(), wanted);
    record[..5].copy_from_slice(&e("4 2.."));
    assert_eq!(
        layout(text, &table).read(&record).unwrap_err().what,
        "'4 2..' is no number"
    );
}

#[test]
fn what_is_not_done_is_said_with_its_line() {
    let said = |text: &str| {
        let load = load_statement(text);
        let laid = load.and_then(|load| {
            Layout::new(&load.tables[0], &emp(), ebcdic(), false).map(|layout| layout.length())
        });
        laid.map_or_else(
            |p| p.place_first().to_string(),
            |length| format!("{length:?}"),
        )
    };
    for (text, wanted) in [
        (
            "LOAD INTO TABLE EMP\n (EMPNO, NOBODY CHAR(3))",
            "2:1: TXMSQ0014E LOAD cannot be run: there is no column NOBODY in DSN8C10.EMP",
        ),
        (
            "LOAD INTO TABLE EMP (EMPNO POSITION(1:4) CHAR(6))",
            "1:1: TXMSQ0013E LOAD cannot be run: field EMPNO: POSITION says 4 bytes, its type says 6",
        ),
        (
            "LOAD INTO TABLE EMP (EMPNO CHAR(6), EMPNO CHAR(6))",
            "1:1: TXMSQ0013E LOAD cannot be run: field EMPNO is there twice",
        ),
        (
            "LOAD FORMAT DELIMITED INTO TABLE EMP",
            "1:1: TXMSQ0013E LOAD cannot be run: FORMAT is not done",
        ),
        (
            "LOAD\nCONTINUEIF(72)='X' INTO TABLE EMP",
            "2:1: TXMSQ0013E LOAD cannot be run: CONTINUEIF is not done",
        ),
        (
            "LOAD INTO TABLE EMP (EMPNO GRAPHIC(3))",
            "1:1: TXMSQ0013E LOAD cannot be run: a field of type GRAPHIC is not done",
        ),
        (
            "LOAD INTO TABLE EMP (EMPNO DEFAULTIF(1)='?')",
            "1:1: TXMSQ0013E LOAD cannot be run: a field of type DEFAULTIF is not done",
        ),
        (
            "LOAD INTO TABLE EMP (EMPNO CHAR(6) DEFAULTIF(1)='?')",
            "1:1: TXMSQ0013E LOAD cannot be run: DEFAULTIF is not done",
        ),
        (
            "LOAD INTO TABLE EMP (EMPNO CHAR(6) NULLIF(1)='x",
            "1:1: TXMSQ0013E LOAD cannot be run: a quote is not closed on its line",
        ),
        (
            "LOAD INTO TABLE EMP (EMPNO CHAR(6)",
            "1:1: TXMSQ0013E LOAD cannot be run: , is expected",
        ),
        (
            "UNLOAD TABLESPACE A.B",
            "1:1: TXMSQ0013E LOAD cannot be run: LOAD is expected",
        ),
        ("", "1:1: TXMSQ0013E LOAD cannot be run: LOAD is expected"),
        ("LOAD INTO TABLE EMP", "None"),
        ("LOAD INTO TABLE EMP (EMPNO, LASTNAME)", "Some(23)"),
    ] {
        assert_eq!(said(text), wanted, "{text}");
    }
}

/// Any text and any record end in an answer.
#[test]
fn damage_anywhere_is_answered() {
    for at in 0..DSNTIAUL.len() {
        for with in ["", "(", "'", "99999999999", "POSITION(0)"] {
            let text = format!("{}{with}{}", &DSNTIAUL[..at], &DSNTIAUL[at + 1..]);
            if let Ok(load) = load_statement(&text) {
                let layout = Layout::new(&load.tables[0], &emp(), ebcdic(), false);
                let _read = layout.map(|layout| layout.read(&haas()));
            }
        }
    }
    let layout = layout(DSNTIAUL, &emp());
    for at in 0..haas().len() {
        for byte in 0..=255 {
            let mut record = haas();
            record[at] = byte;
            let _read = layout.read(&record);
        }
        assert!(layout.read(&haas()[..at]).is_err());
    }
}

#[test]
fn what_is_written_is_read_again() {
    let table = table(&[
        ("EMPNO", Type::Char(6), false),
        ("LASTNAME", Type::VarChar(15), false),
        ("EDLEVEL", Type::SmallInt, true),
        ("SALARY", Type::decimal(9, 2), true),
        ("HIREDATE", Type::Date, true),
        ("# X", Type::BigInt, false),
        ("SHARE", Type::Double, true),
        ("STAMP", Type::Timestamp(6), false),
        ("BITS", Type::VarCharBit(3), true),
    ]);
    let mut row = values();
    row.extend([
        Value::Integer(-9_000_000_000),
        Value::Double(0.1),
        Value::Text("2024-02-29-08.30.00.123456".to_owned()),
        Value::Null,
    ]);
    for (style, characters) in [
        (Style::Dsntiaul, ebcdic()),
        (Style::Unload, ebcdic()),
        (Style::Dsntiaul, Characters::Utf8),
    ] {
        let unload = Unload::new(&table, style, characters).unwrap();
        let mut record = Vec::new();
        unload.record(&row, &mut record).unwrap();
        let text = unload.control(&table.name);
        let load = load_statement(&text).unwrap();
        assert_eq!(load.tables[0].name, table.name);
        let layout = Layout::new(&load.tables[0], &table, characters, false).unwrap();
        assert_eq!(
            (layout.length(), record.len()),
            (Some(unload.length()), unload.length())
        );
        assert_eq!(layout.read(&record).unwrap(), row, "{text}");
    }
    let unload = Unload::new(&emp(), Style::Dsntiaul, ebcdic()).unwrap();
    let mut record = Vec::new();
    unload.record(&values(), &mut record).unwrap();
    assert_eq!(record, haas());
    let mut lost = values();
    lost[1] = Value::Text("HAAS\u{20ac}".to_owned());
    let wrong = unload.record(&lost, &mut Vec::new()).unwrap_err();
    assert_eq!(
        wrong.what,
        "SQLCODE -330: '\u{20ac}' is not in the code page"
    );
}
