//! POINTERs of four bytes: what is written, what must come out.

use crate::sources::{body, lines, messages, program, run};

const DATA: &str = "01 G.\n   05 P USAGE IS POINTER VALUE NULL.\n   05 Q POINTER OCCURS 3.\n\
                    01 F FUNCTION-POINTER.\n01 PP PROCEDURE-POINTER.\n01 X PIC X(9).\n01 I INDEX.\n\
                    LINKAGE SECTION.\n01 L PIC X(9).";
const LOW: &str = "IF TXM-POINTER-HIGH NOT = 0 CALL 'TXMHIGH' END-IF MOVE TXM-POINTER-LOW TO";

fn statements(procedure: &str) -> String {
    let out = run(&program(DATA, &format!("    {procedure}\n    GOBACK.")));
    assert_eq!(messages(&out), Vec::<String>::new());
    let body = body(&out);
    body.strip_suffix(" GOBACK.").unwrap_or(&body).to_owned()
}

fn refusal(procedure: &str) -> String {
    let out = run(&program(DATA, &format!("    {procedure}\n    GOBACK.")));
    messages(&out).join("\n")
}

#[test]
fn descriptions() {
    let out = lines(&run(&program(
        DATA,
        "    SET P TO ADDRESS OF X.\n    GOBACK.",
    )));
    for line in [
        "05 P PIC X(4) COMP-X VALUE 0.",
        "05 Q PIC X(4) COMP-X OCCURS 3.",
        "01 F PIC X(4) COMP-X.",
        "01 PP PROCEDURE-POINTER.",
    ] {
        assert!(out.iter().any(|l| l == line), "{line}: {out:#?}");
    }
    let all = out.join(" ");
    assert!(
        all.contains("WORKING-STORAGE SECTION. 01 TXM-POINTER POINTER."),
        "{all}"
    );
}

#[test]
fn a_group_hands_its_usage_down() {
    let data = "01 G USAGE POINTER.\n   05 A.\n   05 B OCCURS 2.\n01 X PIC X.";
    let out = lines(&run(&program(data, "    SET A TO NULL.\n    GOBACK."))).join(" ");
    assert!(
        out.contains("01 G. 05 A PIC X(4) COMP-X. 05 B OCCURS 2 PIC X(4) COMP-X."),
        "{out}"
    );
}

#[test]
fn initialize_passes_pointers() {
    let data =
        "01 G.\n   05 P POINTER VALUE NULL.\n   05 N PIC 9.\n   05 T POINTER OCCURS 4 TIMES.";
    let out = lines(&run(&program(data, "    INITIALIZE G.\n    GOBACK."))).join(" ");
    for part in [
        "05 TXM-STORAGE-1. 06 FILLER PIC X(4) COMP-X VALUE 0. \
         05 P REDEFINES TXM-STORAGE-1 PIC X(4) COMP-X.",
        "05 TXM-STORAGE-3. 06 FILLER PIC X(4) COMP-X OCCURS 4 TIMES. \
         05 T REDEFINES TXM-STORAGE-3 PIC X(4) COMP-X OCCURS 4 TIMES.",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let odo = "01 G.\n   05 N PIC 9.\n   05 P POINTER OCCURS 1 TO 5 DEPENDING ON N.";
    let out = run(&program(odo, "    INITIALIZE G.\n    GOBACK."));
    assert_eq!(
        messages(&out),
        [
            "PROG.cbl:7:11: TXMTR0064E pointer P with OCCURS DEPENDING ON stands in a file with \
          INITIALIZE or MOVE CORRESPONDING"
        ]
    );
}

#[test]
fn set() {
    for (written, expected) in [
        ("SET P TO NULL.", "MOVE 0 TO P.".to_owned()),
        (
            "SET P Q(1) TO Q (2).",
            "MOVE Q (2) TO P MOVE Q (2) TO Q(1).".to_owned(),
        ),
        (
            "SET P OF G TO ADDRESS OF X.",
            format!("SET TXM-POINTER TO ADDRESS OF X {LOW} P OF G."),
        ),
        (
            "SET ADDRESS OF L TO Q(I).",
            "MOVE 0 TO TXM-POINTER-HIGH MOVE Q(I) TO TXM-POINTER-LOW SET ADDRESS OF L TO \
             TXM-POINTER."
                .to_owned(),
        ),
        ("SET P UP BY 4.", "COMPUTE P = P + 4.".to_owned()),
        (
            "SET P DOWN BY LENGTH OF X.",
            "COMPUTE P = P - LENGTH OF X.".to_owned(),
        ),
        // Nothing of four bytes.
        (
            "SET ADDRESS OF L TO ADDRESS OF X.",
            "SET ADDRESS OF L TO ADDRESS OF X.".to_owned(),
        ),
        (
            "SET ADDRESS OF L TO NULL.",
            "SET ADDRESS OF L TO NULL.".to_owned(),
        ),
        ("SET PP TO ENTRY 'X'.", "SET PP TO ENTRY 'X'.".to_owned()),
        ("SET I UP BY 1.", "SET I UP BY 1.".to_owned()),
    ] {
        assert_eq!(statements(written), expected, "{written}");
    }
}

#[test]
fn conditions() {
    let kept = format!("SET TXM-POINTER TO ADDRESS OF L {LOW} TXM-ADDRESS-1 ");
    for (written, expected) in [
        ("IF P = NULL GOBACK.", "IF P = 0 GOBACK.".to_owned()),
        (
            "IF NULLS NOT EQUAL TO Q(2) AND Q (I) IS NOT = NULLS GOBACK.",
            "IF 0 NOT EQUAL TO Q(2) AND Q (I) IS NOT = 0 GOBACK.".to_owned(),
        ),
        (
            "IF ADDRESS OF L = NULL GOBACK.",
            "IF ADDRESS OF L = NULL GOBACK.".to_owned(),
        ),
        ("IF PP = NULL GOBACK.", "IF PP = NULL GOBACK.".to_owned()),
        (
            "IF X = 'A' AND P = ADDRESS OF L GOBACK.",
            format!("{kept}IF X = 'A' AND P = TXM-ADDRESS-1 GOBACK."),
        ),
        (
            "EVALUATE TRUE ALSO P WHEN X = 'A' ALSO NULL GOBACK END-EVALUATE.",
            "EVALUATE TRUE ALSO P WHEN X = 'A' ALSO 0 GOBACK END-EVALUATE.".to_owned(),
        ),
        (
            "EVALUATE P WHEN ADDRESS OF L GOBACK END-EVALUATE.",
            format!("{kept}EVALUATE P WHEN TXM-ADDRESS-1 GOBACK END-EVALUATE."),
        ),
        (
            "PERFORM UNTIL P = NULL SET P TO NULL END-PERFORM.",
            "PERFORM UNTIL P = 0 MOVE 0 TO P END-PERFORM.".to_owned(),
        ),
    ] {
        assert_eq!(statements(written), expected, "{written}");
    }
}

#[test]
fn calls() {
    let kept = format!("SET TXM-POINTER TO ADDRESS OF L {LOW} TXM-ADDRESS-1 ");
    let back = "MOVE 0 TO TXM-POINTER-HIGH MOVE TXM-ADDRESS-1 TO TXM-POINTER-LOW SET ADDRESS OF L \
                TO TXM-POINTER";
    for (written, expected) in [
        (
            "CALL 'S' USING P BY CONTENT X.",
            "CALL 'S' USING P BY CONTENT X.".to_owned(),
        ),
        (
            "CALL 'S' USING ADDRESS OF L X.",
            format!("{kept}CALL 'S' USING TXM-ADDRESS-1 X END-CALL {back}."),
        ),
        (
            "CALL 'S' USING X ADDRESS OF L RETURNING I END-CALL MOVE 'A' TO X.",
            format!(
                "{kept}CALL 'S' USING X TXM-ADDRESS-1 RETURNING I END-CALL {back} MOVE 'A' TO X."
            ),
        ),
        (
            "CALL 'S' USING BY CONTENT ADDRESS OF L BY VALUE P.",
            format!("{kept}CALL 'S' USING BY CONTENT TXM-ADDRESS-1 BY VALUE P."),
        ),
    ] {
        assert_eq!(statements(written), expected, "{written}");
    }
}

#[test]
fn storage_of_the_program_itself() {
    assert_eq!(
        statements("ALLOCATE 80 CHARACTERS RETURNING P FREE P."),
        format!(
            "ALLOCATE 80 CHARACTERS RETURNING TXM-POINTER {LOW} P MOVE 0 TO TXM-POINTER-HIGH \
             MOVE P TO TXM-POINTER-LOW FREE TXM-POINTER MOVE 0 TO P."
        )
    );
}

#[test]
fn what_cannot_be_said_exactly_is_refused() {
    for (written, expected) in [
        (
            "SET P TO PP.",
            "PROG.cbl:15:12: TXMTR0060E SET P TO PP is not supported",
        ),
        (
            "SET F TO ENTRY 'X'.",
            "PROG.cbl:15:12: TXMTR0060E SET F TO ENTRY 'X' is not supported",
        ),
        (
            "CALL F USING X.",
            "PROG.cbl:15:12: TXMTR0060E F is a FUNCTION-POINTER: CALL through it is not supported",
        ),
        (
            "PERFORM UNTIL P = ADDRESS OF L SET P TO NULL END-PERFORM.",
            "PROG.cbl:15:30: TXMTR0061E ADDRESS OF L is compared with a pointer in a condition \
             that is computed again and again",
        ),
        (
            "CALL 'S' USING ADDRESS OF L ON EXCEPTION GOBACK END-CALL.",
            "PROG.cbl:15:40: TXMTR0062E ADDRESS OF L is passed by reference to a CALL that has ON \
             EXCEPTION",
        ),
    ] {
        assert_eq!(refusal(written), expected, "{written}");
    }
    let source = program(DATA, "    GOBACK.").replace(
        "DIVISION.\n           GOBACK",
        "DIVISION USING BY VALUE P.\n           GOBACK",
    );
    assert_eq!(
        messages(&run(&source)),
        ["PROG.cbl:14:42: TXMTR0063E pointer P is taken BY VALUE"]
    );
}
