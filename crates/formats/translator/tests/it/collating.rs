//! The order of characters of z/OS in programs: each shape of ENVIRONMENT DIVISION, compiled and
//! run. Expected orders are those of IBM's chart of code page 037.

use crate::sources::Books;
use std::path::Path;
use std::process::Command;
use transom_translator::{Options, Source, Translated, translate};

const DATA: &str = "\
\x20      DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  ALL-KEYS   PIC X(12) VALUE '1A a.Z9z~-{b'.
       01  KEYS REDEFINES ALL-KEYS.
           05  E OCCURS 12 ASCENDING KEY K INDEXED BY I.
               10  K  PIC X.
       01  S          PIC X VALUE '1'.
           88  BELOW-DIGITS VALUE 'a' THRU 'Z'.
       01  N          PIC 9(4).
       01  G-1.
           05  FILLER PIC X(2) VALUE 'A'.
           05  FILLER PIC 9(2) VALUE 12.
       01  G-2        PIC X(8) VALUE '1A12'.
";

const PROCEDURE: &str = "\
\x20      PROCEDURE DIVISION.
           SORT E ASCENDING KEY K.
           DISPLAY ALL-KEYS.
           SEARCH ALL E AT END DISPLAY 'LOST'
               WHEN K (I) = '9' DISPLAY 'FOUND'.
           IF S > 'Z' AND S > 'a' AND NOT BELOW-DIGITS DISPLAY 'IF'.
           IF G-1 < G-2 AND G-2 > G-1 DISPLAY 'GROUPS'.
           IF S < HIGH-VALUES AND S > LOW-VALUES AND ' ' < '-'
               DISPLAY 'ENDS'.
           MOVE HIGH-VALUES TO S.
           IF S = X'FF' DISPLAY 'HIGH'.
           MOVE LOW-VALUES TO S.
           IF S = X'00' DISPLAY 'LOW'.
           MOVE 'M' TO S.
           EVALUATE S WHEN 'A' THRU '9' DISPLAY 'EVALUATE'
           END-EVALUATE.
           DISPLAY FUNCTION MAX ('a' '1' 'Z')
               FUNCTION MIN ('a' '1' 'Z').
           MOVE FUNCTION ORD-MAX ('a' '1' 'Z') TO N.
           DISPLAY N.
";

const ANSWER: &str = " .-ab~z{AZ19\nFOUND\nIF\nGROUPS\nENDS\nHIGH\nLOW\nEVALUATE\n1a\n0002\n";

fn translated(front: &str, more: &str) -> Translated {
    let text = format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. PROG.\n{front}{DATA}{PROCEDURE}{more}\
         \x20          STOP RUN.\n"
    );
    let options = Options {
        ebcdic_order: true,
        ..Options::default()
    };
    let source = Source {
        name: "PROG.cbl",
        text: &text,
    };
    translate(&source, &Books::default(), &options)
}

/// What a program displays.
fn displayed(name: &str, out: &Translated) -> Option<String> {
    if Command::new("cobc").arg("--version").output().is_err() {
        transom_needed::skipped("cobc is not installed");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collating");
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join(format!("{name}.cob")), folder.join(name));
    std::fs::write(&source, out.cobol_bytes()).unwrap();
    let mut flags = out.compiler_flags.clone();
    // Macros for functions that only workers have.
    while let Some(macros) = flags.iter().position(|f| f == "-A") {
        flags.drain(macros..macros + 2);
    }
    // With it cobc leaves files behind.
    flags.retain(|f| f != "-g");
    let made = made_output(
        Command::new("cobc")
            .arg("-x")
            .args(flags)
            .arg("-o")
            .args([&program, &source]),
    );
    assert!(made.0, "{name}: {}\n{}", made.1, out.cobol);
    let run = Command::new(&program).output().unwrap();
    Some(String::from_utf8_lossy(&run.stdout).into_owned())
}

fn made_output(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), text)
}

#[test]
fn programs_of_each_shape_sort_as_on_zos() {
    let environment = "       ENVIRONMENT DIVISION.\n";
    let section = "       CONFIGURATION SECTION.\n";
    let source = "       SOURCE-COMPUTER. IBM-370.\n";
    let shapes = [
        ("NOTHING", String::new()),
        ("DIVISION", environment.to_owned()),
        ("SECTION", format!("{environment}{section}")),
        ("SOURCE", format!("{environment}{section}{source}")),
        (
            "OBJECT",
            format!("{environment}{section}{source}       OBJECT-COMPUTER. IBM-370.\n"),
        ),
        (
            "EMPTY",
            format!("{environment}{section}       OBJECT-COMPUTER.\n"),
        ),
        (
            "NAMES",
            format!(
                "{environment}{section}{source}       SPECIAL-NAMES.\n           C01 IS TOP-OF-PAGE.\n"
            ),
        ),
        (
            "NONAMES",
            format!("{environment}{section}       SPECIAL-NAMES.\n       INPUT-OUTPUT SECTION.\n"),
        ),
        (
            "FILES",
            format!("{environment}       INPUT-OUTPUT SECTION.\n       FILE-CONTROL.\n"),
        ),
    ];
    for (name, front) in shapes {
        let out = translated(&front, "");
        assert!(out.problems.is_empty(), "{name}: {:?}", out.problems);
        if let Some(text) = displayed(name, &out) {
            assert_eq!(text, ANSWER, "{name}: {}", out.cobol);
        }
    }
}

#[test]
fn names_of_special_names_have_the_order_too() {
    let front = "       ENVIRONMENT DIVISION.\n       CONFIGURATION SECTION.\n       SPECIAL-NAMES.\n\
                 \x20          ALPHABET OWN IS NATIVE\n           ALPHABET DIGITS-FIRST IS '0' THRU '9'\n\
                 \x20          CLASS HEXADECIMAL IS 'A' THRU 'F' '0' THRU '9'\n\
                 \x20          CLASS WIDE IS 'I' THRU 'J'\n\
                 \x20          SYMBOLIC CHARACTERS BLANK-CHAR LETTER-A\n\
                 \x20              ARE 65 194.\n";
    let more = "           SORT E DESCENDING KEY K COLLATING SEQUENCE OWN.\n           DISPLAY ALL-KEYS.\n\
                \x20          SORT E ASCENDING KEY K\n               COLLATING SEQUENCE DIGITS-FIRST.\n           DISPLAY ALL-KEYS.\n\
                \x20          IF 'C7' IS HEXADECIMAL AND '}' IS WIDE DISPLAY 'CLASS'.\n\
                \x20          DISPLAY '[' BLANK-CHAR LETTER-A ']'.\n";
    let out = translated(front, more);
    assert!(out.problems.is_empty(), "{:?}", out.problems);
    if let Some(text) = displayed("SPECIAL", &out) {
        let own = "91ZA{z~ba-. \n19 .-ab~z{AZ\nCLASS\n[ A]\n";
        assert_eq!(text, format!("{ANSWER}{own}"), "{}", out.cobol);
    }
}

#[test]
fn a_sequence_of_its_own_stays() {
    let front = "       ENVIRONMENT DIVISION.\n       CONFIGURATION SECTION.\n\
                 \x20      OBJECT-COMPUTER. IBM-370 PROGRAM COLLATING SEQUENCE IS ASCII-1.\n\
                 \x20      SPECIAL-NAMES.\n           ALPHABET ASCII-1 IS STANDARD-1.\n";
    let out = translated(front, "");
    assert!(!out.cobol.contains("TXM-EBCDIC037"), "{}", out.cobol);
    if let Some(text) = displayed("OWN", &out) {
        assert!(text.starts_with(" -.19AZabz{~\n"), "{text}");
    }
}

#[test]
fn literals_compare_with_each_other_as_on_zos() {
    let more = "\
\x20          IF 'A' < '1' AND 'a' < 'A' AND ' ' < '.' DISPLAY 'LESS'.
           IF '1' NOT < 'Z' AND 'AB' > 'A' AND NOT 'A' > 'A '
               DISPLAY 'MORE'.
           IF '1' IS GREATER THAN OR EQUAL TO 'Z' AND 'A' LESS 'B'
               DISPLAY 'WORDS'.
           EVALUATE TRUE WHEN '1' < 'A' DISPLAY 'ASCII'
               WHEN OTHER DISPLAY 'EBCDIC'
           END-EVALUATE.
           IF 'A' < '1' OR S = 'Q' DISPLAY 'MIXED'.
           IF S = 'A' OR < 'B' OR 'A' = 'B' DISPLAY 'ITEMS'.
";
    let out = translated("", more);
    assert!(out.problems.is_empty(), "{:?}", out.problems);
    if let Some(text) = displayed("LITERALS", &out) {
        let wanted = format!("{ANSWER}LESS\nMORE\nWORDS\nEBCDIC\nMIXED\n");
        assert_eq!(text, wanted, "{}", out.cobol);
    }
}

#[test]
fn comparisons_of_literals_that_go_on_are_refused() {
    let more = "\
\x20          IF 'A' < 'B' OR 'C' DISPLAY 'X'.
           IF 'A' < 'B' AND > 'C' DISPLAY 'X'.
           EVALUATE 'M' WHEN 'A' THRU 'Z' DISPLAY 'X' END-EVALUATE.
           IF 'A' < 'B' OR 'C' < 'D' DISPLAY 'X'.
";
    let out = translated("", more);
    let said: Vec<&str> = out.problems.iter().map(|p| p.words()).collect();
    let go_on = "a comparison of two literals goes on behind AND or OR; write it out";
    let range = "EVALUATE compares a literal with a range of literals; write an IF";
    assert_eq!(said, [go_on, go_on, range]);
}
