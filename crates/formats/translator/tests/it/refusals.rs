//! What the compiler would take and do otherwise is refused where it stands.

use crate::sources::{messages, program, run};

const GROUP: &str = "\
01 G.
   05 A PIC 9(3) VALUE 5.
   05 B PIC X(3) VALUE 'ABC'.";

#[test]
fn values_of_one_category_are_refused() {
    let of = |phrase: &str| {
        let out = run(&program(
            GROUP,
            &format!("    INITIALIZE G {phrase}.\n    GOBACK."),
        ));
        messages(&out).join("\n")
    };
    for category in ["NUMERIC", "ALPHANUMERIC", "NUMERIC-EDITED"] {
        let said = of(&format!("{category} TO VALUE REPLACING NUMERIC BY 3"));
        assert!(said.contains("TXMTR0031E"), "{category}: {said}");
        assert!(said.contains(&format!("{category} TO VALUE")), "{said}");
    }
    assert_eq!(of("ALL TO VALUE THEN TO DEFAULT"), "");
    assert_eq!(of("REPLACING NUMERIC DATA BY 3"), "");
}

#[test]
fn a_currency_sign_is_its_own_symbol() {
    let of = |sign: &str| {
        let text = format!(
            "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. SIGNS.\n       \
             ENVIRONMENT DIVISION.\n       CONFIGURATION SECTION.\n       SPECIAL-NAMES.\n           \
             CURRENCY SIGN IS {sign}.\n       PROCEDURE DIVISION.\n           GOBACK.\n"
        );
        messages(&run(&text)).join("\n")
    };
    assert!(of("'EUR' WITH PICTURE SYMBOL '$'").contains("TXMTR0031E"));
    assert!(of("'E' PICTURE SYMBOL 'U'").contains("TXMTR0031E"));
    assert_eq!(of("'$' PICTURE SYMBOL '$'"), "");
    assert_eq!(of("'E'"), "");
}

#[test]
fn files_of_a_sort_are_refused_where_they_cannot_be() {
    let with = |online: &str, statement: &str| {
        let body = format!("    {online}\n    {statement}.\n    GOBACK.");
        run(&program(GROUP, &body))
    };
    let of =
        |statement: &str| messages(&with("EXEC CICS SYNCPOINT END-EXEC", statement)).join("\n");
    let online = of("SORT W ON ASCENDING KEY K USING F GIVING G");
    assert!(
        online.contains("SORT with USING or GIVING and EXEC CICS"),
        "{online}"
    );
    assert!(of("SORT W ON ASCENDING KEY K INPUT PROCEDURE P\n    GIVING G").contains("TXMTR0031E"));
    assert!(of("MERGE W ON ASCENDING KEY K USING F H GIVING G").contains("MERGE with USING"));
    assert_eq!(
        of("SORT W ON ASCENDING KEY K INPUT PROCEDURE P\n    OUTPUT PROCEDURE Q ADD 1 A GIVING A"),
        ""
    );
    let batch = with("CONTINUE", "SORT W ON ASCENDING KEY K USING F H GIVING G");
    assert_eq!(messages(&batch).join("\n"), "");
    assert!(batch.cobol.contains("'TXMSORT'") && batch.cobol.contains("'S---NNN'"));
    let merged = with(
        "DISPLAY SORT-RETURN",
        "MERGE W ON ASCENDING KEY K USING F H\n    OUTPUT PROCEDURE Q",
    );
    assert!(merged.cobol.contains("'MRO-NN'"), "{}", merged.cobol);
    let files = (0..33).map(|n| format!("\n    F{n}")).collect::<String>();
    let many = with(
        "CONTINUE",
        &format!("SORT W ON ASCENDING KEY K USING {files} GIVING G"),
    );
    assert!(messages(&many).join("\n").contains("more than 32 files"));
}

#[test]
fn sql_that_is_not_done_says_why() {
    let of = |statement: &str| {
        let body = format!("    EXEC SQL {statement} END-EXEC.\n    GOBACK.");
        messages(&run(&program(GROUP, &body))).join("\n")
    };
    for (statement, why) in [
        (
            "CALL PAYROLL (:A, :B)",
            "no engine has the procedures of Db2",
        ),
        ("DESCRIBE CURSOR C1 INTO :G", "there is no CALL"),
        ("DESCRIBE PROCEDURE PAYROLL INTO :G", "there is no CALL"),
        (
            "ASSOCIATE LOCATORS (:A) WITH PROCEDURE PAYROLL",
            "there is no CALL",
        ),
        ("ALLOCATE C1 CURSOR FOR RESULT SET :A", "there is no CALL"),
        ("FREE LOCATOR :A", "a LOB is read as a whole"),
    ] {
        let said = of(statement);
        assert!(said.contains(why), "{statement}: {said}");
    }
}

#[test]
fn parameters_that_are_passed_otherwise_are_refused() {
    let of = |header: &str, picture: &str| {
        let text = format!(
            "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. CALLED.\n       \
             DATA DIVISION.\n       LINKAGE SECTION.\n       01 A {picture}.\n       \
             01 B PIC S9(4) COMP.\n       PROCEDURE DIVISION {header}.\n           GOBACK.\n"
        );
        messages(&run(&text)).join("\n")
    };
    let said = of("USING BY VALUE A BY REFERENCE B", "PIC S9(9) COMP");
    assert!(said.contains("binary item A BY VALUE"), "{said}");
    let said = of("USING A RETURNING B", "PIC X");
    assert!(said.contains("TXMTR0031E"), "{said}");
    assert_eq!(
        of("USING BY VALUE A BY REFERENCE B", "PIC S9(9) COMP-5"),
        ""
    );
    assert_eq!(of("USING BY VALUE A", "PIC X"), "");
}
