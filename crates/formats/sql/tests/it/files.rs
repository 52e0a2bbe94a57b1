//! Members of DCLGEN and scripts.

use transom_sql::{
    DclgenOptions, Kind, ScriptStatement, TableDefinition, dclgen, script, statement,
};

#[test]
fn a_member_of_dclgen() {
    let ddl = "CREATE TABLE PROJ.EMP_T (EMP_NO CHAR(6) NOT NULL, NAME VARCHAR(20), PAY DECIMAL(9,2) NOT NULL WITH DEFAULT, COUNT_A INTEGER)";
    let Ok(Kind::CreateTable(table)) = statement(ddl).map(|s| s.kind) else {
        panic!("no table");
    };
    let text = dclgen(
        &table,
        &DclgenOptions {
            indicators: true,
            ..DclgenOptions::default()
        },
    )
    .unwrap();
    let expected = [
        "           EXEC SQL DECLARE PROJ.EMP_T TABLE",
        "           ( EMP_NO                         CHAR(6) NOT NULL,",
        "             PAY                            DECIMAL(9, 2) NOT NULL,",
        "             COUNT_A                        INTEGER",
        "           ) END-EXEC.",
        "       01  DCLEMP-T.",
        "           10 EMP-NO               PIC X(6).",
        "           10 NAME.",
        "              49 NAME-LEN             PIC S9(4) USAGE COMP.",
        "              49 NAME-TEXT            PIC X(20).",
        "           10 PAY                  PIC S9(7)V9(2) USAGE COMP-3.",
        "           10 INDSTRUC           PIC S9(4) USAGE COMP OCCURS 4 TIMES.",
    ];
    for line in expected {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    assert!(text.lines().all(|l| l.len() <= 72), "{text}");
    // What it declares is the table again.
    let declared = text
        .split("EXEC SQL")
        .nth(1)
        .unwrap()
        .split("END-EXEC")
        .next()
        .unwrap();
    let Ok(Kind::DeclareTable(again)) = statement(declared).map(|s| s.kind) else {
        panic!("{declared}");
    };
    let shape = |t: &TableDefinition| -> Vec<_> {
        t.columns
            .iter()
            .map(|c| (c.name.clone(), c.kind, c.nullable))
            .collect()
    };
    assert_eq!(shape(&again), shape(&table));
    let prefixed = DclgenOptions {
        names: "WS-".to_owned(),
        column_suffix: true,
        ..DclgenOptions::default()
    };
    assert!(dclgen(&table, &prefixed).unwrap().contains("10 WS-EMP-NO "));
}

#[test]
fn a_script_is_cut_at_its_terminator() {
    let text = "-- first; comment\nSELECT ';' FROM T; SELECT 1 -- rest ;\nFROM U;\n--#SET TERMINATOR @\nCREATE VIEW V AS SELECT 1\n FROM T@\n/* ; */ DELETE FROM T @\n  \n";
    let found = script(text);
    let expected = [
        ("SELECT ';' FROM T", 2),
        ("SELECT 1 \nFROM U", 2),
        ("CREATE VIEW V AS SELECT 1\n FROM T", 5),
        ("DELETE FROM T", 7),
    ];
    let found: Vec<(&str, u32)> = found
        .iter()
        .map(|s| (s.text.trim_start(), s.line))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn numbers_behind_column_72_are_no_text() {
    let line = format!("{:<72}00010000\n{:<72}00020000\n", "SELECT A", "FROM T;");
    let found: Vec<ScriptStatement> = script(&line);
    assert_eq!(found.len(), 1);
    assert!(statement(&found[0].text).is_ok(), "{:?}", found[0].text);
}
