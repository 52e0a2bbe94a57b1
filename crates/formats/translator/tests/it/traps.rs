//! Each trap seen in real applications: what is written, what must come out.

use crate::sources::{body, lines, messages, program, run, run_with};

const DATA: &str = "01 WS-A PIC X(8).\n01 WS-R PIC S9(8) COMP.\n01 WS-L PIC S9(4) COMP.";
const RETURN: &str = "CALL 'TXMEXEC' USING TXM-D0001 RETURNING TXM-BRANCH END-CALL \
                      IF TXM-BRANCH < 0 GOBACK END-IF";

#[test]
fn exec_inside_a_literal_is_text() {
    let out = run(&program(
        DATA,
        "    DISPLAY 'EXEC CICS RETURN END-EXEC'.\n    GOBACK.",
    ));
    assert_eq!(body(&out), "DISPLAY 'EXEC CICS RETURN END-EXEC'. GOBACK.");
    assert_eq!(out.coverage.uses.len(), 0);
}

#[test]
fn comments_inside_a_block_and_any_case() {
    let source = program(
        DATA,
        "    Exec Cics\n@    RETURN TRANSID('XX')\n    end-exec.",
    )
    .replace("       @", "      *");
    let out = run(&source);
    assert_eq!(out.coverage.uses.len(), 0, "the command is commented out");
    assert_eq!(
        messages(&out),
        ["PROG.cbl:9:12: TXMTR0012E EXEC CICS without a command"]
    );
    let source = program(
        DATA,
        "    Exec Cics Return\n@    a comment's text\n    End-Exec.",
    )
    .replace("       @", "      *");
    assert_eq!(body(&run(&source)), format!("{RETURN}."));
}

#[test]
fn sequence_numbers_and_columns_73_to_80_are_dropped() {
    let line = |n: u32, text: &str| format!("{n:06}{text:<66}MARK{n:04}\n");
    let source: String = [
        " IDENTIFICATION DIVISION.",
        " PROGRAM-ID. PROG.",
        " PROCEDURE DIVISION.",
        "     EXEC CICS RETURN END-EXEC.",
    ]
    .iter()
    .zip(1..)
    .map(|(text, n)| line(n * 100, text))
    .collect();
    let out = run(&source);
    assert_eq!(body(&out), format!("{RETURN}."));
    assert!(!out.cobol.contains("MARK"));
}

#[test]
fn commarea_may_come_from_replacing() {
    let source = "       ID DIVISION.\n       PROGRAM-ID. PROG.\n       DATA DIVISION.\n       \
                  LINKAGE SECTION.\n       COPY AREA REPLACING MY-AREA BY DFHCOMMAREA.\n       \
                  PROCEDURE DIVISION.\n           EXEC CICS RETURN END-EXEC.\n";
    let out = run_with(
        source,
        &[("AREA", "       01  MY-AREA.\n           05 X PIC X(5).\n")],
    );
    assert!(out.programs[0].has_commarea);
    let text = lines(&out).join("\n");
    assert!(text.contains("01 DFHCOMMAREA.\n05 X PIC X(5)."), "{text}");
    assert!(!text.contains("01 DFHCOMMAREA PIC X(1)"), "{text}");
    assert_eq!(out.dependencies, ["copy/AREA.cpy"]);
}

#[test]
fn procedure_division_using_is_completed_once() {
    for (written, wanted) in [
        ("PROCEDURE DIVISION.", "USING DFHEIBLK DFHCOMMAREA"),
        (
            "PROCEDURE DIVISION USING DFHCOMMAREA.",
            "USING DFHEIBLK DFHCOMMAREA",
        ),
        (
            "PROCEDURE DIVISION USING DFHEIBLK DFHCOMMAREA.",
            "USING DFHEIBLK DFHCOMMAREA",
        ),
        (
            "PROCEDURE DIVISION USING PARM.",
            "USING DFHEIBLK DFHCOMMAREA PARM",
        ),
    ] {
        let source = program(
            "01 WS-A PIC X.\nLINKAGE SECTION.\n01 PARM PIC X.",
            "    EXEC CICS RETURN END-EXEC.",
        )
        .replace("PROCEDURE DIVISION.", written);
        let all = lines(&run(&source)).join(" ");
        let header = all
            .split_once("PROCEDURE DIVISION ")
            .unwrap()
            .1
            .split('.')
            .next()
            .unwrap();
        assert_eq!(header.trim(), wanted, "{written}");
    }
}

#[test]
fn exec_in_a_copybook() {
    let source = program(DATA, "    COPY ENDIT.\n    GOBACK.");
    let book = "           EXEC CICS RETURN\n           END-EXEC.\n";
    let out = run_with(&source, &[("ENDIT", book)]);
    assert_eq!(body(&out), format!("{RETURN}. GOBACK."));
    assert_eq!(out.coverage.uses[0].file, "copy/ENDIT.cpy");
    assert_eq!(out.coverage.uses[0].line, 1);
}

#[test]
fn cards_become_flags() {
    let cards = "       CBL CICS('SP,EDF,DLI')\n       PROCESS NODYNAM,NSYMBOL(NATIONAL),TRUNC(BIN),\
                 SSRANGE\n";
    let out = run(&format!("{cards}{}", program(DATA, "    GOBACK.")));
    assert!(
        out.compiler_flags
            .contains(&"-fno-binary-truncate".to_owned())
    );
    assert!(out.compiler_flags.contains(&"-fec=EC-BOUND".to_owned()));
    assert!(!out.cobol.contains("NSYMBOL"));
    let plain = run(&program(DATA, "    GOBACK."));
    assert!(
        plain
            .compiler_flags
            .contains(&"-fbinary-truncate".to_owned())
    );
    assert_eq!(messages(&plain), Vec::<String>::new());
}

#[test]
fn addresses_go_through_pointers() {
    let source = program(
        "01 WS-P POINTER.\nLINKAGE SECTION.\n01 AREA-1 PIC X(9).",
        "    EXEC CICS GETMAIN SET(ADDRESS OF AREA-1) FLENGTH(900) END-EXEC\n    \
             EXEC CICS GETMAIN SET(WS-P) FLENGTH(900) END-EXEC.",
    );
    assert_eq!(
        body(&run(&source)),
        "SET TXM-P01 TO ADDRESS OF AREA-1 CALL 'TXMEXEC' USING TXM-D0001 TXM-P01 TXM-K0001 \
         RETURNING TXM-BRANCH END-CALL SET ADDRESS OF AREA-1 TO TXM-P01 \
         CALL 'TXMEXEC' USING TXM-D0002 WS-P TXM-K0001 RETURNING TXM-BRANCH END-CALL."
    );
}

#[test]
fn lengths_literals_and_expressions() {
    let source = program(
        DATA,
        "    EXEC CICS LINK PROGRAM('SUB') COMMAREA(WS-A) LENGTH(LENGTH OF WS-A)\n    \
             RESP(WS-R) END-EXEC\n    \
             EXEC CICS LINK PROGRAM(\"SUB\") COMMAREA(WS-A(2:3)) LENGTH(WS-L - 1) END-EXEC.",
    );
    let out = run(&source);
    assert_eq!(
        body(&out),
        "CALL 'TXMEXEC' USING TXM-D0001 TXM-K0001 WS-A BY CONTENT LENGTH OF WS-A BY REFERENCE \
         WS-R RETURNING TXM-BRANCH END-CALL COMPUTE TXM-N01 = WS-L - 1 CALL 'TXMEXEC' USING \
         TXM-D0002 TXM-K0002 WS-A(2:3) TXM-N01 RETURNING TXM-BRANCH END-CALL."
    );
    let text = lines(&out).join("\n");
    assert!(
        text.contains("01 TXM-K0001 PIC X(3) VALUE 'SUB'."),
        "{text}"
    );
    assert!(
        text.contains("01 TXM-K0002 PIC X(3) VALUE \"SUB\"."),
        "{text}"
    );
    assert!(text.contains("01 TXM-N01 PIC S9(18) COMP-5."), "{text}");
}

#[test]
fn a_length_that_the_command_writes_back_works_on_a_copy() {
    let source = program(
        DATA,
        "    EXEC CICS READ FILE('F') INTO(WS-A) RIDFLD(WS-L) LENGTH(LENGTH OF WS-A) END-EXEC.",
    );
    let out = run(&source);
    assert_eq!(
        messages(&out).iter().filter(|m| m.contains("E ")).count(),
        0
    );
    assert!(body(&out).starts_with("COMPUTE TXM-N01 = LENGTH OF WS-A CALL 'TXMEXEC'"));
}

#[test]
fn tabs_go_to_column_eight_or_four() {
    let source = program(DATA, "\tMOVE 'X' TO WS-A.").replace("       \tMOVE", "\tMOVE");
    assert_eq!(body(&run(&source)), "MOVE 'X' TO WS-A.");
    // Eight would push the last word past column 72, four keeps it.
    let late = "           MOVE WS-A TO\t\t\t\t\tWS-B.";
    let source = format!(
        "{}{late}\n",
        program("01 WS-A PIC X.\n01 WS-B PIC X.", "    GOBACK.")
    );
    assert!(body(&run(&source)).ends_with("MOVE WS-A TO WS-B."));
}

#[test]
fn program_id_without_period_and_comment_entries() {
    let source = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. PROG\n       AUTHOR. J. O'NEIL.\n\
                  \x20      INSTALLATION. HERE\n           DON'T PANIC.\n       REMARKS.\n\
                  \x20        ------ PCT ENTRY ------\n         TRANSID=PROG,PROGRAM=PROG\n       ENVIRONMENT DIVISION.\n\
                  \x20      PROCEDURE DIVISION.\n           GOBACK.\n";
    let out = run(source);
    assert_eq!(
        lines(&out).join(" "),
        "IDENTIFICATION DIVISION. PROGRAM-ID. PROG . ENVIRONMENT DIVISION. PROCEDURE DIVISION. \
         GOBACK."
    );
    assert_eq!(
        messages(&out),
        ["PROG.cbl:2:8: TXMTR0006W PROGRAM-ID has no closing period; one is assumed"]
    );
    assert_eq!(out.programs[0].name, "PROG");
}

#[test]
fn areas_of_maps_begin_as_low_values() {
    let map = "01 MENUI.\n   02 FILLER PIC X(12).\n   02 CODEL COMP PIC S9(4).\n   02 CODEF PICTURE X.\n   \
               02 FILLER REDEFINES CODEF.\n     03 CODEA PICTURE X.\n   02 CODEI PIC X(4).\n\
               01 MENUO REDEFINES MENUI.\n   02 FILLER PIC X(12).\n   02 FILLER PIC X(7).";
    let text = lines(&run(&program(map, "    GOBACK."))).join(" ");
    assert!(
        text.contains("01 MENUI VALUE LOW-VALUES. 02 FILLER"),
        "{text}"
    );
    assert_eq!(text.matches("VALUE LOW-VALUES").count(), 1, "{text}");
    // What has values of its own keeps them.
    let other = "01 HEAD.\n   02 FILLER PIC X(12).\n   02 T PIC X(4) VALUE 'LINE'.";
    let text = lines(&run(&program(other, "    GOBACK."))).join(" ");
    assert!(!text.contains("LOW-VALUES"), "{text}");
}

#[test]
fn names_that_only_cobc_reserves() {
    let source = program(
        "01 COL PIC 9.\n01 WS-X PIC X.\n01 C PIC X(16).\n01 CH PIC X(16).",
        "TIMESTAMP SECTION.\n    MOVE 1 TO COL.",
    );
    let flags = run(&source).compiler_flags;
    assert!(flags.contains(&"-fnot-reserved=C".to_owned()));
    assert!(flags.contains(&"-fnot-reserved=CH".to_owned()));
    assert!(flags.contains(&"-fnot-reserved=COL".to_owned()));
    assert!(flags.contains(&"-fnot-reserved=TIMESTAMP".to_owned()));
    assert!(
        !flags
            .iter()
            .any(|f| f.ends_with("=SECTION") || f.ends_with("=UNSIGNED"))
    );
}

#[test]
fn copybooks_of_the_user_win_over_supplied_ones() {
    let source = program("COPY DFHAID.", "    IF EIBAID = DFHPF3 GOBACK.");
    let out = run(&source);
    assert!(lines(&out).contains(&"02 DFHPF3 PIC X(1) VALUE '3'.".to_owned()));
    assert_eq!(out.dependencies, ["supplied/DFHAID.cpy"]);
    let own = "       01  DFHAID.\n           02  DFHPF3 PIC X VALUE X'F3'.\n";
    let out = run_with(&source, &[("DFHAID", own)]);
    assert!(lines(&out).contains(&"02 DFHPF3 PIC X VALUE X'F3'.".to_owned()));
    assert_eq!(out.dependencies, ["copy/DFHAID.cpy"]);
}

#[test]
fn a_copybook_that_is_not_supplied_says_why() {
    let out = run(&program("COPY DFHMSRCA. COPY DFHQQQ.", "    GOBACK."));
    let said: Vec<String> = out.problems.iter().map(|p| p.words().to_owned()).collect();
    assert_eq!(
        said,
        [
            "copybook DFHMSRCA of IBM is not supplied: there are no magnetic slot readers",
            "copybook DFHQQQ of IBM is not supplied: what it describes is not there",
        ]
    );
    assert_eq!(out.missing, ["DFHMSRCA", "DFHQQQ"]);
}

#[test]
fn continued_literals_and_words() {
    let first = format!("{:<72}", "           DISPLAY 'ABC");
    let source = format!(
        "{}{first}\n      -    'DEF' WS-\n      -    A.\n",
        program(DATA, "    CONTINUE.")
    );
    let blanks = " ".repeat(72 - "           DISPLAY 'ABC".len());
    let text = run(&source).cobol;
    assert!(
        text.contains(&format!("DISPLAY 'ABC{blanks}DEF'\n")),
        "{text}"
    );
    assert!(text.contains(" WS-A\n"), "{text}");
}

#[test]
fn debugging_lines_need_debugging_mode() {
    let source =
        program(DATA, "    DISPLAY 'E'.\n@    DISPLAY 'D'.").replace("       @", "      D");
    assert_eq!(body(&run(&source)), "DISPLAY 'E'.");
    let debug = source.replace(
        "       DATA DIVISION.",
        "       ENVIRONMENT DIVISION.\n       CONFIGURATION SECTION.\n       SOURCE-COMPUTER. X WITH \
         DEBUGGING MODE.\n       DATA DIVISION.",
    );
    assert_eq!(body(&run(&debug)), "DISPLAY 'E'. DISPLAY 'D'.");
}

#[test]
fn maps_without_an_area_use_the_symbolic_map() {
    let source = program(
        "01 MAP1I.\n   02 X PIC X.\n01 MAP1O REDEFINES MAP1I.\n   02 Y PIC X.",
        "    EXEC CICS SEND MAP('MAP1') MAPSET('S') END-EXEC\n    \
             EXEC CICS SEND MAP('MAP1') MAPSET('S') MAPONLY END-EXEC\n    \
             EXEC CICS RECEIVE MAP('MAP1') MAPSET('S') END-EXEC\n    \
             EXEC CICS RECEIVE MAP('MAP2') MAPSET('S') END-EXEC.",
    );
    let text = body(&run(&source));
    let calls: Vec<&str> = text.split(" RETURNING TXM-BRANCH END-CALL").collect();
    assert_eq!(
        calls[0],
        "CALL 'TXMEXEC' USING TXM-D0001 TXM-K0001 TXM-K0002 MAP1O"
    );
    assert_eq!(
        calls[1].trim(),
        "CALL 'TXMEXEC' USING TXM-D0002 TXM-K0001 TXM-K0002"
    );
    assert_eq!(
        calls[2].trim(),
        "CALL 'TXMEXEC' USING TXM-D0003 TXM-K0001 TXM-K0002 MAP1I"
    );
    assert_eq!(
        calls[3].trim(),
        "CALL 'TXMEXEC' USING TXM-D0004 TXM-K0003 TXM-K0002"
    );
}

#[test]
fn long_literals_fit_into_lines_of_cobc() {
    let long = "A''".repeat(200);
    let source = format!(
        "identification division.\nprogram-id. p.\ndata division.\nworking-storage section.\n\
         01 a pic x(400) value '{long}'.\nPROCEDURE DIVISION.\nexec cics write operator \
         text('{long}') end-exec.\n"
    );
    let out = run(&source);
    assert_eq!(messages(&out), Vec::<String>::new());
    assert!(out.cobol.lines().all(|l| l.len() < 512));
    assert!(out.cobol.contains("PIC X(400) VALUE"));
    // Joined again, both literals are whole.
    let joined = lines(&out).join(" ").replace("' & '", "");
    assert_eq!(joined.matches(&long).count(), 2, "{joined}");
}

#[test]
fn a_section_called_process_is_no_card() {
    let out = run(&program(DATA, "PROCESS SECTION.\n    GOBACK."));
    assert_eq!(body(&out), "PROCESS SECTION. GOBACK.");
}

#[test]
fn characters_outside_the_code_page() {
    let out = run(&program(DATA, "    DISPLAY '\u{e4} \u{20ac}'.").replace("\\u", ""));
    assert_eq!(
        messages(&out),
        ["PROG.cbl:9:20: TXMTR0008W \u{20ac} is not in ISO 8859-1 and becomes ?"]
    );
    let bytes = out.cobol_bytes();
    assert!(bytes.windows(5).any(|w| w == b"'\xe4 ?'"));
}
