//! Shapes of programs: divisions that are missing, nesting, declaratives, free format.

use crate::sources::{body, lines, messages, program, run, run_with};

#[test]
fn a_program_without_data_division() {
    let source = "       ID DIVISION.\n       PROGRAM-ID. PROG.\n       PROCEDURE DIVISION.\n           \
                  EXEC CICS RETURN END-EXEC.\n";
    let all = lines(&run(source)).join(" ");
    let order = [
        "PROGRAM-ID. PROG.",
        "DATA DIVISION.",
        "WORKING-STORAGE SECTION.",
        "01 TXM-BRANCH PIC S9(9) COMP-5.",
        "LINKAGE SECTION.",
        "01 DFHEIBLK.",
        "02 EIBRLDBK PIC X(1).",
        "01 DFHCOMMAREA PIC X(1).",
        "PROCEDURE DIVISION USING DFHEIBLK DFHCOMMAREA .",
        "CALL 'TXMENTRY' USING TXM-NAME RETURNING TXM-BRANCH END-CALL .",
        "CALL 'TXMEXEC' USING TXM-D0001",
    ];
    let mut from = 0;
    for part in order {
        let at = all[from..].find(part);
        from += at.unwrap_or_else(|| panic!("{part} not found in order in {all}"));
    }
}

#[test]
fn generated_data_stands_between_the_users_sections() {
    let source = "       ID DIVISION.\n       PROGRAM-ID. PROG.\n       DATA DIVISION.\n       \
                  LOCAL-STORAGE SECTION.\n       01 L PIC X.\n       LINKAGE SECTION.\n       01 K PIC X.\n\
                  \x20      PROCEDURE DIVISION.\n           EXEC CICS RETURN END-EXEC.\n";
    let out = run(source);
    let all = lines(&out).join(" ");
    let working = all.find("WORKING-STORAGE SECTION. 01 TXM-BRANCH").unwrap();
    let local = all.find("LOCAL-STORAGE SECTION. 01 L PIC X.").unwrap();
    let linkage = all.find("LINKAGE SECTION. 01 DFHEIBLK.").unwrap();
    assert!(working < local && local < linkage);
    assert!(out.programs[0].has_local_storage);
}

#[test]
fn plain_cobol_stays_as_it_is() {
    let source = program("01 A PIC X.", "P1.\n    MOVE 'X' TO A.\n    GOBACK.");
    let out = run(&source);
    let plain: Vec<String> = source.lines().map(|l| l.trim().to_owned()).collect();
    let same: Vec<String> = lines(&out);
    assert_eq!(same, plain);
    assert!(!out.programs[0].uses_cics);
}

#[test]
fn labels_branch_after_every_command() {
    let source = program(
        "01 A PIC X(8).",
        "    EXEC CICS HANDLE CONDITION PGMIDERR(NO-PROG) ERROR(OTHERS-1) END-EXEC\n    \
             EXEC CICS HANDLE ABEND LABEL(NO-PROG) END-EXEC\n    \
             EXEC CICS LINK PROGRAM(A) END-EXEC.\nNO-PROG.\n    GOBACK.\nOTHERS-1.\n    GOBACK.",
    );
    let out = run(&source);
    assert_eq!(out.programs[0].labels, ["NO-PROG", "OTHERS-1"]);
    let go = "GO TO NO-PROG OTHERS-1 DEPENDING ON TXM-BRANCH";
    let text = body(&out);
    assert_eq!(
        text.matches(go).count(),
        4,
        "entry and three commands: {text}"
    );
    assert!(text.starts_with(&format!("{go} .")), "{text}");
    assert!(text.contains(&format!("TXM-D0003 A RETURNING TXM-BRANCH END-CALL {go}.")));
}

#[test]
fn entry_follows_declaratives() {
    let source = program(
        "01 A PIC X.",
        "DECLARATIVES.\nD-1 SECTION.\n    USE AFTER ERROR PROCEDURE ON INPUT.\nD-2.\n    CONTINUE.\n\
         END DECLARATIVES.\nMAIN-1 SECTION.\n    EXEC CICS RETURN END-EXEC.",
    );
    let all = lines(&run(&source)).join(" ");
    assert!(all.contains(
        "END DECLARATIVES. TXM-ENTRY-SECTION SECTION. TXM-ENTRY. CALL 'TXMENTRY' USING TXM-NAME \
         RETURNING TXM-BRANCH END-CALL . MAIN-1 SECTION. CALL 'TXMEXEC'"
    ));
}

#[test]
fn nested_programs_share_the_outer_eib() {
    let source = "       ID DIVISION.\n       PROGRAM-ID. OUTER1.\n       PROCEDURE DIVISION.\n           \
                  CALL 'INNER1'.\n           GOBACK.\n       ID DIVISION.\n       PROGRAM-ID. INNER1.\n       \
                  PROCEDURE DIVISION.\n           DISPLAY EIBTRNID\n           \
                  EXEC CICS RETURN END-EXEC.\n       END PROGRAM INNER1.\n       END PROGRAM OUTER1.\n       \
                  ID DIVISION.\n       PROGRAM-ID. THIRD.\n       PROCEDURE DIVISION.\n           GOBACK.\n";
    let out = run(source);
    let programs: Vec<_> = out
        .programs
        .iter()
        .map(|p| (p.name.as_str(), p.nested_in, p.uses_cics))
        .collect();
    assert_eq!(
        programs,
        [
            ("OUTER1", None, true),
            ("INNER1", Some(0), true),
            ("THIRD", None, false)
        ]
    );
    let all = lines(&out).join(" ");
    assert!(all.contains("01 TXM-EIB-POINTER GLOBAL POINTER."));
    assert!(all.contains("SET TXM-EIB-POINTER TO ADDRESS OF DFHEIBLK"));
    assert!(all.contains("SET ADDRESS OF DFHEIBLK TO TXM-EIB-POINTER"));
    assert_eq!(all.matches("USING DFHEIBLK DFHCOMMAREA").count(), 1);
}

#[test]
fn free_format_is_seen_or_said() {
    let text = "identification division.\nprogram-id. prog.\nPROCEDURE DIVISION.\n  *> a comment\n  \
                exec cics return end-exec. *> more\n";
    assert!(body(&run(text)).starts_with("CALL 'TXMEXEC' USING TXM-D0001"));
    let said = format!("      >>SOURCE FORMAT IS FREE\n{text}");
    assert!(body(&run(&said)).starts_with("CALL 'TXMEXEC' USING TXM-D0001"));
}

#[test]
fn commands_stand_where_any_statement_may() {
    let source = program(
        "01 A PIC X(8).\n01 R PIC S9(8) COMP.",
        "    IF A = 'X' EXEC CICS SYNCPOINT END-EXEC ELSE EXEC CICS SYNCPOINT ROLLBACK END-EXEC \
         END-IF\n    EVALUATE R\n    WHEN DFHRESP(NORMAL)\n    WHEN DFHRESP (NOTFND) EXEC CICS\n    \
         RETURN END-EXEC\n    WHEN DFHVALUE(ENABLED) CONTINUE END-EVALUATE.",
    );
    let out = run(&source);
    let text = body(&out);
    assert!(
        text.starts_with("IF A = 'X' CALL 'TXMEXEC' USING TXM-D0001"),
        "{text}"
    );
    assert!(
        text.contains("END-CALL ELSE CALL 'TXMEXEC' USING TXM-D0002"),
        "{text}"
    );
    assert!(text.contains("WHEN 0 WHEN 13 CALL"), "{text}");
    assert!(text.contains("WHEN 23 CONTINUE END-EVALUATE."), "{text}");
}

#[test]
fn lines_map_back_to_the_users_files() {
    let source = program(
        "01 A PIC X.",
        "    MOVE 'A' TO A.\n    COPY TWO.\n    GOBACK.",
    );
    let out = run_with(
        &source,
        &[(
            "TWO",
            "           MOVE 'B' TO A.\n           MOVE 'C' TO A.\n",
        )],
    );
    let place = |needle: &str| {
        let at = out.cobol.lines().position(|l| l.contains(needle)).unwrap() + 1;
        let origin = out.line_map.origin(at as u32).unwrap();
        (origin.file.to_owned(), origin.line, origin.copied_from)
    };
    assert_eq!(place("'A'"), ("PROG.cbl".to_owned(), 7, vec![]));
    assert_eq!(
        place("'C'"),
        (
            "copy/TWO.cpy".to_owned(),
            2,
            vec![("PROG.cbl".to_owned(), 8)]
        )
    );
    assert_eq!(place("GOBACK"), ("PROG.cbl".to_owned(), 9, vec![]));
    assert_eq!(out.line_map.len(), out.cobol.lines().count());
    assert!(out.line_map.origin(0).is_none());
}

#[test]
fn sql_and_other_languages_are_named_not_lost() {
    let source = program(
        "EXEC SQL INCLUDE SQLCA END-EXEC.\nEXEC SQL DECLARE T TABLE (A CHAR(1)) END-EXEC.\n01 A PIC X.",
        "    EXEC SQL SELECT A INTO :A FROM T END-EXEC.\n    EXEC DLI TERM END-EXEC.",
    );
    let out = run(&source);
    assert_eq!(
        messages(&out),
        ["PROG.cbl:10:12: TXMTR0030E EXEC DLI TERM is not translated",]
    );
    assert!(lines(&out).contains(&"05 SQLCODE PIC S9(9) COMP-5.".to_owned()));
    assert_eq!(out.coverage.untranslated.len(), 1);
    assert!(
        body(&out).starts_with("CALL 'TXMEXEC' USING TXM-D0001 A SQLCA"),
        "{}",
        body(&out)
    );
}

#[test]
fn a_copybook_among_the_programs_is_no_error() {
    let out = run("           EXEC CICS RETURN END-EXEC.\n       COPY NOWHERE.\n");
    assert_eq!(
        messages(&out),
        [
            "PROG.cbl:1: TXMTR0007I the file holds no program (no PROGRAM-ID) and is taken for a copybook"
        ]
    );
    assert!(out.programs.is_empty() && !out.has_errors());
    assert_eq!(out.cobol, "");
}

#[test]
fn a_label_in_two_sections_is_the_one_of_its_handle() {
    let source = program(
        "01 A PIC X(8).",
        "ONE SECTION.\nO-1.\n    EXEC CICS HANDLE CONDITION ERROR(OUT-1) END-EXEC.\nOUT-1.\n    EXIT.\n\
         TWO SECTION.\nT-1.\n    EXEC CICS HANDLE CONDITION ERROR(T-1) END-EXEC.\nOUT-1.\n    EXIT.",
    );
    let out = run(&source);
    assert_eq!(out.programs[0].labels, ["OUT-1 OF ONE", "T-1"]);
    assert!(body(&out).contains("GO TO OUT-1 OF ONE T-1 DEPENDING ON TXM-BRANCH"));
}

#[test]
fn slack_bytes_stand_where_zos_has_them() {
    let out = run(&program(
        "01 R.\n  05 A PIC X.\n  05 G OCCURS 2.\n    10 H.\n      15 N PIC S9(4) COMP SYNC RIGHT.\n\
               88 NONE VALUE 0.\n    10 C PIC X.\n  66 ALL-R RENAMES A THRU G.\n01 S PIC S9(9) SYNCHRONIZED COMP.",
        "    GOBACK.",
    ));
    let all = lines(&out).join(" ");
    assert!(
        all.contains(
            "01 R. 05 A PIC X. 05 FILLER PIC X(1). 05 G OCCURS 2. 10 H. 15 N PIC S9(4) COMP. \
             88 NONE VALUE 0. 10 C PIC X. 10 FILLER PIC X(1). 66 ALL-R RENAMES A THRU G. \
             01 S PIC S9(9) COMP."
        ),
        "{all}"
    );
}

#[test]
fn a_record_whose_slack_is_not_known_is_refused() {
    let out = run(&program(
        "01 R.\n  05 A PIC X(.\n  05 N PIC S9(4) COMP SYNC.",
        "    GOBACK.",
    ));
    assert!(
        messages(&out)[0].contains("TXMTR0026E"),
        "{:?}",
        messages(&out)
    );
    assert!(
        messages(&out)[0].starts_with("PROG.cbl:6:"),
        "{:?}",
        messages(&out)
    );
}

#[test]
fn a_program_that_is_only_data_tells_where_they_are() {
    let table = program(
        "01 RATES PIC X(9) VALUE 'ABC'.\n01 MORE PIC X.",
        "    GOBACK.",
    );
    assert_eq!(
        body(&run(&table)),
        "CALL 'TXMTABLE' USING RATES END-CALL. GOBACK."
    );
    for source in [
        program("01 RATES PIC X.", "    MOVE 'B' TO RATES.\n    GOBACK."),
        program(
            "01 RATES PIC X.\nLINKAGE SECTION.\n01 L PIC X.",
            "    GOBACK.",
        ),
        program("01 FILLER PIC X.", "    GOBACK."),
    ] {
        assert!(!run(&source).cobol.contains("TXMTABLE"), "{source}");
    }
}
