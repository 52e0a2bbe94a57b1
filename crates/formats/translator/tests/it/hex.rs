//! Hexadecimal literals that are EBCDIC characters.

use crate::sources::{Books, program};
use transom_translator::{HexLiterals, Options, Source, Translated, translate};

const DATA: &str = "\
01  NAME-1           PIC X(10) VALUE X'4040'.
01  SWITCH           PIC X VALUE X'F0'.
    88  IS-ON        VALUE X'F1'.
    88  IS-ODD       VALUE X'F3' THRU X'F9'.
01  NUM              PIC 9(4).
01  AREA-1.
    05  A-KIND       PIC X.
    05  A-COUNT      PIC 9(3).
01  MIXED.
    05  M-TEXT       PIC X(4).
    05  M-PACKED     PIC S9(5) COMP-3.
01  BIN              PIC S9(4) COMP.
01  BIN-X REDEFINES BIN.
    05  FILLER       PIC X.
    05  BIN-LOW      PIC X.
01  STREAM.
    05  FILLER       PIC X(3) VALUE X'11C150'.
    05  FILLER       PIC X(2) VALUE X'F1F2'.
01  MAPI.
    02  FILLER       PIC X(12).
    02  FLDL         COMP PIC S9(4).
    02  FLDF         PICTURE X.
    02  FILLER REDEFINES FLDF.
        03  FLDA     PICTURE X.
    02  FLDI         PIC X(8).";

fn translated(procedure: &str, hex_literals: HexLiterals) -> Translated {
    let text = program(DATA, procedure);
    let source = Source {
        name: "PROG.cbl",
        text: &text,
    };
    let options = Options {
        hex_literals,
        ..Options::default()
    };
    translate(&source, &Books::default(), &options)
}

/// Line of the first statement.
fn body_line() -> u32 {
    let before = program(DATA, "");
    before.lines().count() as u32 + 1
}

/// The statements as they come out, and the messages about them (those of DATA come first).
fn read(procedure: &str) -> (String, Vec<String>) {
    let out = translated(procedure, HexLiterals::Ebcdic);
    let text = out.cobol.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, body) = text.split_once("PROCEDURE DIVISION").unwrap();
    let problems = out.problems.iter().filter(|p| p.place.line >= body_line());
    let problems = problems.map(|p| format!("{}: {}", p.place.line, p.place_first()));
    (body.trim().to_owned(), problems.collect())
}

#[test]
fn characters_are_read_as_ebcdic() {
    for (written, meant) in [
        ("MOVE X'40' TO NAME-1", "MOVE X'20' TO NAME-1"),
        (
            "MOVE ALL X'F0' TO NAME-1 NUM",
            "MOVE ALL X'30' TO NAME-1 NUM",
        ),
        (
            "IF SWITCH = X'F1' OR X'F2' CONTINUE",
            "IF SWITCH = X'31' OR X'32' CONTINUE",
        ),
        ("IF X'F1' = SWITCH CONTINUE", "IF X'31' = SWITCH CONTINUE"),
        (
            "IF NAME-1 (1:2) = x\"C1C2\" CONTINUE",
            "IF NAME-1 (1:2) = X'4142' CONTINUE",
        ),
        (
            "INSPECT AREA-1 REPLACING ALL X'00' BY X'40'",
            "INSPECT AREA-1 REPLACING ALL X'00' BY X'20'",
        ),
        (
            "INSPECT NAME-1 CONVERTING X'C1C2C3' TO X'818283'",
            "INSPECT NAME-1 CONVERTING X'414243' TO X'616263'",
        ),
        (
            "UNSTRING NAME-1 DELIMITED BY ALL X'40' INTO M-TEXT",
            "UNSTRING NAME-1 DELIMITED BY ALL X'20' INTO M-TEXT",
        ),
        (
            "STRING M-TEXT DELIMITED BY X'6B' INTO NAME-1",
            "STRING M-TEXT DELIMITED BY X'2C' INTO NAME-1",
        ),
        ("MOVE X'C8' TO FLDA OF MAPI", "MOVE X'48' TO FLDA OF MAPI"),
        (
            "MOVE X'60' TO FLDA MOVE X'F1' TO FLDF",
            "MOVE X'2D' TO FLDA MOVE X'31' TO FLDF",
        ),
        (
            "PERFORM UNTIL SWITCH NOT EQUAL TO X'F1' CONTINUE END-PERFORM",
            "PERFORM UNTIL SWITCH NOT EQUAL TO X'31' CONTINUE END-PERFORM",
        ),
        (
            "EVALUATE A-KIND WHEN X'C1' THRU X'C9' CONTINUE END-EVALUATE",
            "EVALUATE A-KIND WHEN X'41' THRU X'49' CONTINUE END-EVALUATE",
        ),
        (
            "EVALUATE BIN ALSO SWITCH WHEN 1 ALSO X'F1' CONTINUE END-EVALUATE",
            "EVALUATE BIN ALSO SWITCH WHEN 1 ALSO X'31' CONTINUE END-EVALUATE",
        ),
        (
            "EVALUATE TRUE WHEN SWITCH = X'F1' CONTINUE END-EVALUATE",
            "EVALUATE TRUE WHEN SWITCH = X'31' CONTINUE END-EVALUATE",
        ),
        (
            "COMPUTE BIN = FUNCTION ORD (X'C1')",
            "COMPUTE BIN = FUNCTION ORD (X'41')",
        ),
        ("IF EIBAID = X'7D' CONTINUE", "IF EIBAID = X'27' CONTINUE"),
    ] {
        let (body, problems) = read(&format!("    {written}."));
        assert!(
            body.contains(&format!("{meant} .")) || body.contains(&format!("{meant}.")),
            "{body}"
        );
        assert!(problems.is_empty(), "{written}: {problems:?}");
    }
}

#[test]
fn bytes_that_are_bytes_stay_in_silence() {
    for written in [
        "MOVE X'00' TO SWITCH",
        "MOVE X'FFFF' TO NAME-1",
        "IF FLDF = X'80' OR X'82' CONTINUE",
        "IF EIBFN = X'0602' CONTINUE",
        "MOVE X'0C' TO BIN-LOW",
    ] {
        let (body, problems) = read(&format!("    {written}."));
        assert!(body.contains(written), "{body}");
        assert!(problems.is_empty(), "{written}: {problems:?}");
    }
}

#[test]
fn what_is_not_clear_stays_with_a_message() {
    for written in [
        "MOVE X'40' TO BIN-LOW",
        "MOVE X'4040' TO BIN",
        "INSPECT MIXED REPLACING ALL X'00' BY X'40'",
        "MOVE X'0D25' TO NAME-1",
        "MOVE X'C0' TO SWITCH",
        "IF SWITCH = X'91' CONTINUE",
        "MOVE X'40000000' TO NAME-1",
        "IF NAME-1 = X'4254' CONTINUE",
        "CALL 'SUB' USING BY CONTENT X'C1'",
        "EXEC CICS WRITEQ TS QUEUE(X'C1C2C3C4') FROM(NAME-1) END-EXEC",
    ] {
        let (body, problems) = read(&format!("    {written}."));
        assert!(problems.len() == 1, "{written}: {problems:?}");
        let place = format!("PROG.cbl:{}:", body_line());
        assert!(problems[0].contains(&place), "{problems:?}");
        assert!(problems[0].contains("TXMTR0044W"), "{problems:?}");
        assert!(
            written.starts_with("EXEC") || body.contains(written),
            "{body}"
        );
    }
}

#[test]
fn values_and_conditions_are_read_too() {
    let out = translated("    GOBACK.", HexLiterals::Ebcdic);
    let text = out.cobol.split_whitespace().collect::<Vec<_>>().join(" ");
    for meant in [
        "NAME-1 PIC X(10) VALUE X'2020'.",
        "SWITCH PIC X VALUE X'30'.",
        "IS-ON VALUE X'31'.",
        "IS-ODD VALUE X'33' THRU X'39'.",
        // Characters of a data stream go to the terminal as they are.
        "VALUE X'11C150'.",
        "VALUE X'F1F2'.",
    ] {
        assert!(text.contains(meant), "{meant}: {text}");
    }
    let said: Vec<_> = out
        .problems
        .iter()
        .map(|p| p.place_first().to_string())
        .collect();
    assert!(
        said[0].contains("X'11C150' stays as these bytes: a control"),
        "{said:?}"
    );
    assert!(
        said[1].contains("X'F1F2' stays as these bytes: control characters"),
        "{said:?}"
    );
    assert_eq!(said.len(), 2);
}

#[test]
fn without_the_option_each_place_is_named() {
    let out = translated("    MOVE X'40' TO NAME-1.", HexLiterals::Bytes);
    assert!(out.cobol.contains("MOVE X'40' TO"), "{}", out.cobol);
    let said = out.problems.last().unwrap().place_first().to_string();
    assert!(
        said.contains("TXMTR0045W X'40' is '@' here; EBCDIC characters would be ' '"),
        "{said}"
    );
}
