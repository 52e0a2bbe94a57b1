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
fn files_of_a_sort_are_refused() {
    let of = |statement: &str| {
        let out = run(&program(GROUP, &format!("    {statement}.\n    GOBACK.")));
        messages(&out).join("\n")
    };
    assert!(of("SORT W ON ASCENDING KEY K USING F GIVING G").contains("SORT with USING"));
    assert!(
        of("SORT W ON ASCENDING KEY K INPUT PROCEDURE P\n    GIVING G")
            .contains("SORT with GIVING")
    );
    assert!(of("MERGE W ON ASCENDING KEY K USING F H GIVING G").contains("TXMTR0031E"));
    assert_eq!(
        of("SORT W ON ASCENDING KEY K INPUT PROCEDURE P\n    OUTPUT PROCEDURE Q ADD 1 A GIVING A"),
        ""
    );
}
