//! Zoned and packed items that hold blanks, low-values and letters: what each statement makes of
//! them, under ZONEDATA(MIG), ZONEDATA(PFD) and NUMCHECK.

use crate::harness::Programs;

/// Items: letter, description, bytes.
const ITEMS: &[(char, &str, usize)] = &[
    ('U', "9(5)", 5),
    ('S', "S9(5)", 5),
    ('T', "S9(5) SIGN TRAILING SEPARATE", 6),
    ('K', "S9(5) COMP-3", 3),
    ('V', "9(5) COMP-3", 3),
];

/// Statements by a letter; the result is in RESULT.
const STATEMENTS: &[(char, &str)] = &[
    (
        'M',
        "MOVE {i} TO PACKED MOVE PACKED TO EDITED MOVE EDITED TO RESULT",
    ),
    (
        'B',
        "MOVE {i} TO BINARY-1 MOVE BINARY-1 TO EDITED MOVE EDITED TO RESULT",
    ),
    ('D', "MOVE {i} TO ZONED MOVE ZONED-X TO RESULT"),
    ('E', "MOVE {i} TO EDITED MOVE EDITED TO RESULT"),
    (
        'A',
        "ADD 1 TO {i} MOVE {i} TO PACKED MOVE PACKED TO EDITED MOVE EDITED TO RESULT",
    ),
    (
        'C',
        "COMPUTE PACKED = {i} * 2 MOVE PACKED TO EDITED MOVE EDITED TO RESULT",
    ),
    (
        'Z',
        "IF {i} = 0 MOVE 'ZERO' TO RESULT ELSE MOVE 'NOT' TO RESULT END-IF",
    ),
    (
        'P',
        "IF {i} > PACKED MOVE 'MORE' TO RESULT ELSE MOVE 'NOT' TO RESULT END-IF",
    ),
    (
        'N',
        "IF {i} NUMERIC MOVE 'YES' TO RESULT ELSE MOVE 'NO' TO RESULT END-IF",
    ),
    ('I', "MOVE ENTRY-OF({i} + 1) TO RESULT"),
];

fn program() -> String {
    let (mut data, mut code) = (String::new(), String::new());
    for (letter, picture, _) in ITEMS {
        data += &format!("       01 ITEM-{letter} REDEFINES AREA-1 PIC {picture}.\n");
        for (kind, statement) in STATEMENTS {
            code += &format!("           IF CA-ITEM = '{letter}' AND CA-KIND = '{kind}'\n");
            let statement = statement.replace("{i}", &format!("ITEM-{letter}"));
            let statement = statement.replace(" TO ", "\n           TO ");
            let statement = statement.replace(" MOVE ", "\n           MOVE ");
            code += &format!("           {statement}.\n");
        }
    }
    format!(
        "       IDENTIFICATION DIVISION.
       PROGRAM-ID. ZTABLE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 AREA-1 PIC X(6).
{data}       01 PACKED PIC S9(7) COMP-3 VALUE 0.
       01 BINARY-1 PIC S9(8) COMP.
       01 ZONED PIC 9(7).
       01 ZONED-X REDEFINES ZONED PIC X(7).
       01 EDITED PIC -(7)9.
       01 ENTRIES.
          05 ENTRY-OF PIC 9(3) OCCURS 100.
       01 I PIC S9(4) COMP.
       LINKAGE SECTION.
       01 DFHCOMMAREA.
          05 CA-ITEM PIC X.
          05 CA-KIND PIC X.
          05 CA-BYTES PIC X(6).
          05 RESULT PIC X(12).
       PROCEDURE DIVISION.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 100
              MOVE I TO ENTRY-OF(I)
           END-PERFORM
           MOVE CA-BYTES TO AREA-1.
{code}           EXEC CICS RETURN END-EXEC.
"
    )
}

/// What an item with these bytes gives in these statements.
fn results(programs: &Programs, item: char, bytes: &[u8], kinds: &str) -> Vec<String> {
    let run = |kind: char| {
        let mut area = format!("{item}{kind}").into_bytes();
        area.extend_from_slice(bytes);
        area.resize(20, b' ');
        match programs.link("ZTABLE", &area) {
            Ok(reply) => reply[8..]
                .iter()
                .map(|b| char::from(*b))
                .collect::<String>(),
            Err(failure) => format!("{:?} {}", failure.fault, failure.text),
        }
    };
    let short = |text: String| match text.contains("ASRA") {
        true if text.contains("not numeric") => "ASRA".to_owned(),
        true => text,
        false => text.trim().to_owned(),
    };
    kinds.chars().map(run).map(short).collect()
}

#[track_caller]
fn must(programs: &Programs, item: char, bytes: &[u8], expected: &str) {
    let mut kinds: String = STATEMENTS.iter().map(|(kind, _)| kind).collect();
    // A negative number is no subscript.
    let negative = expected.ends_with('-');
    if negative {
        kinds.pop();
    }
    let mut found = results(programs, item, bytes, &kinds);
    if negative {
        found.push("-".to_owned());
    }
    let found = found.join(" ");
    assert_eq!(found, expected, "{item} {}", bytes.escape_ascii());
}

#[test]
fn each_statement_reads_digits_as_the_mainframe_does() {
    let programs = Programs::new(&[&program()]);
    let must = |item, bytes: &[u8], expected| must(&programs, item, bytes, expected);
    // MOVE to packed, binary, zoned, edited; ADD 1; COMPUTE * 2; = 0; > 0; NUMERIC; subscript.
    must('U', b"00012", "12 12 0000012 12 13 24 NOT MORE YES 013");
    must('U', b"     ", "0 0 0000000 0 1 0 ZERO NOT NO 001");
    must('U', b"\0\0\0\0\0", "0 0 0000000 0 1 0 ZERO NOT NO 001");
    must('U', b"   12", "12 12 0000012 12 13 24 NOT MORE NO 013");
    must('U', b"0 0 5", "5 5 0000005 5 6 10 NOT MORE NO 006");
    // J is X'D1' and a is X'81' on the mainframe: both are the digit 1.
    must('U', b"000Ja", "11 11 0000011 11 12 22 NOT MORE NO 012");
    must('S', b"00012", "12 12 0000012 12 13 24 NOT MORE YES 013");
    must('S', b"   12", "12 12 0000012 12 13 24 NOT MORE NO 013");
    must('S', b"   1K", "-12 -12 0000012 -12 -11 -24 NOT NOT NO -");
    // S is X'E2', a good sign; b is X'82', none.
    must('S', b"0001S", "12 12 0000012 12 13 24 NOT MORE NO 013");
    must(
        'S',
        b"0001b",
        "ASRA ASRA 0000012 12 ASRA ASRA ASRA ASRA NO ASRA",
    );
    must(
        'S',
        b"     ",
        "ASRA ASRA 0000000 0 ASRA ASRA ASRA ASRA NO ASRA",
    );
    must(
        'S',
        b"\0\0\0\0\0",
        "ASRA ASRA 0000000 0 ASRA ASRA ASRA ASRA NO ASRA",
    );
    must('T', b"   12+", "12 12 0000012 12 13 24 NOT MORE NO 013");
    must('T', b"00012-", "-12 -12 0000012 -12 -11 -24 NOT NOT YES -");
    must(
        'T',
        b"00012 ",
        "ASRA ASRA ASRA ASRA ASRA ASRA ASRA ASRA NO ASRA",
    );
    must(
        'T',
        b"      ",
        "ASRA ASRA ASRA ASRA ASRA ASRA ASRA ASRA NO ASRA",
    );
    must(
        'K',
        b"\x00\x01\x2C",
        "12 12 0000012 12 13 24 NOT MORE YES 013",
    );
    let all = "ASRA ASRA ASRA ASRA ASRA ASRA ASRA ASRA NO ASRA";
    must('K', b"   ", all);
    must('K', b"\0\0\0", all);
    must('V', b"   ", all);
    must('V', b"\0\0\0", all);
    must(
        'V',
        b"\x00\x01\x2F",
        "12 12 0000012 12 13 24 NOT MORE YES 013",
    );
    // No digit in the right half of a period (X'4B'): zoned items carry it on.
    must(
        'U',
        b"12.50",
        "ASRA ASRA 0012\u{db}50 ASRA ASRA ASRA ASRA ASRA NO ASRA",
    );
}

#[test]
fn a_sign_that_is_none_goes_along_and_is_found_later() {
    let programs = Programs::new(&[&cobol!("numbers/NOSIGN")]);
    // The amount of a payment that nobody sent: it must never count as 0.
    assert_eq!(programs.text("NOSIGN", &" ".repeat(40)), "000000");
    let with = |kind: &str| programs.text("NOSIGN", &format!("{kind:<40}"));
    assert!(with("ADD").contains("ASRA"), "{}", with("ADD"));
    assert!(with("IF").contains("ASRA"), "{}", with("IF"));
    assert_eq!(with("UNSIGNED"), "0000001");
}

#[test]
fn operands_of_all_kinds_are_read_alike() {
    let programs = Programs::new(&[&cobol!("numbers/BLANKS")]);
    // Each letter is a statement that gave what it should; see the program.
    assert_eq!(
        programs.text("BLANKS", &" ".repeat(40)),
        "ABCDEFGHIJKLMNOPQ"
    );
}

#[test]
fn compiler_options_change_it() {
    let with = |word: &str| Programs::with(&[&program()], |c| c.zygote.1.push(word.into()));
    let characters = with("zonedata=PFD");
    assert_eq!(
        results(&characters, 'U', b"     ", "ZNA"),
        ["NOT", "NO", "1"]
    );
    assert_eq!(
        results(&characters, 'U', b"00000", "ZNA"),
        ["ZERO", "YES", "1"]
    );
    let checked = with("numcheck=ABD");
    let kinds = "MDAZNI";
    let all = ["ASRA", "ASRA", "ASRA", "ASRA", "NO", "ASRA"];
    assert_eq!(results(&checked, 'U', b"   12", kinds), all);
    let all = ["12", "0000012", "13", "NOT", "YES", "013"];
    assert_eq!(results(&checked, 'U', b"00012", kinds), all);
}

const CHARACTERS: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. CHARS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  X4 PIC X(4).
       01  N4 PIC 9(4).
       01  S6 PIC S9(4)V99.
       01  S6X REDEFINES S6 PIC X(6).
       01  P5 PIC S9(5) COMP-3.
       01  B4 PIC S9(4) COMP.
       01  D COMP-2.
       01  E5 PIC -(5)9.
       01  Z4 PIC ZZZ9.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 GIVEN PIC X(4).
           05 SAID PIC X(36).
       PROCEDURE DIVISION.
           MOVE GIVEN TO X4.
           MOVE SPACES TO SAID.
           MOVE X4 TO N4.
           MOVE N4 TO SAID(2:4).
           MOVE X4 TO S6.
           MOVE S6X TO SAID(7:6).
           MOVE X4 TO Z4.
           MOVE Z4 TO SAID(14:4).
           MOVE X4 TO B4.
           MOVE B4 TO E5.
           MOVE E5 TO SAID(19:6).
           MOVE X4 TO D.
           MOVE D TO E5.
           MOVE E5 TO SAID(26:6).
           MOVE X4(2:2) TO P5.
           MOVE P5 TO Z4.
           MOVE Z4 TO SAID(33:4).
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn characters_are_the_digits_of_a_whole_number() {
    let programs = Programs::new(&[CHARACTERS]);
    let of = |text: &str| programs.text("CHARS", &format!("{text:<40}"));
    assert_eq!(of("  12"), "  12 0012 00120{   12     12     12    1");
    assert_eq!(of("12  "), "12   1200 12000{ 1200   1200   1200   20");
    assert_eq!(of(" 1 2"), " 1 2 0102 01020{  102    102    102   10");
    assert_eq!(of("-12 "), "-12  0120 01200{  120    120    120   12");
    assert_eq!(of("ABcd"), "ABcd 1234 12340{ 1234   1234   1234   23");
    assert_eq!(of(""), "     0000 00000{    0      0      0    0");
    // A decimal point is no digit: ED, CVB and ZAP want some.
    assert!(of("1.50").contains("ASRA"), "{}", of("1.50"));
}
