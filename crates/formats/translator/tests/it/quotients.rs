//! Literals behind quotients become expressions; others stay as they are.

use crate::sources::{program, run};

const DATA: &str = "\
01 A PIC S9(5).
01 B PIC S9(5).
01 T.
   05 C PIC S9(5) OCCURS 5.";

fn written(statement: &str) -> String {
    let out = run(&program(DATA, &format!("    {statement}\n    GOBACK.")));
    assert!(out.problems.is_empty(), "{statement}: {:?}", out.problems);
    let text = out.cobol.replace('\n', " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let from = text.find("COMPUTE").or_else(|| text.find("IF ")).unwrap();
    let to = text.rfind("GOBACK").unwrap();
    text[from..to]
        .trim()
        .trim_end_matches('.')
        .trim()
        .to_owned()
}

#[test]
fn literals_behind_quotients_are_expressions() {
    for (source, wanted) in [
        ("A = A / B * 100", "A = A / B * ( 100 + ZERO )"),
        (
            "A = (A / B) * 1.5 - 7",
            "A = (A / B) * ( 1.5 + ZERO ) - ( 7 + ZERO )",
        ),
        ("A = A / 3 / 4", "A = A / 3 / ( 4 + ZERO )"),
        ("A = A ** 2 + 1", "A = ( 0 + ZERO ) + A ** 2 + ( 1 + ZERO )"),
        (
            "A = A / C OF T (1) * 2",
            "A = A / C OF T (1) * ( 2 + ZERO )",
        ),
        (
            "A = A / FUNCTION MAX(1 2) + 3",
            "A = A / FUNCTION MAX(1 2) + ( 3 + ZERO )",
        ),
        ("A = A * (1 / 4)", "A = A * ( ( 1 + ZERO ) / 4)"),
    ] {
        assert_eq!(
            written(&format!("COMPUTE {source}.")),
            format!("COMPUTE {wanted}")
        );
    }
}

#[test]
fn other_literals_stay() {
    for source in [
        "COMPUTE A = 100 * A / B",
        "COMPUTE A = A * 100 / 3",
        "COMPUTE A = A / C(B + 1)",
        "COMPUTE A = A / B * C(B + 1)",
        "COMPUTE A = A / FUNCTION MAX(B + 1 2)",
        "COMPUTE A = A / B ADD 1 TO B",
    ] {
        assert_eq!(written(&format!("{source}.")), source);
    }
    assert_eq!(
        written("IF A / B > 5 AND A + 1 = B CONTINUE END-IF."),
        "IF A / B + ( 0 + ZERO ) > 5 AND A + 1 = B CONTINUE END-IF"
    );
}
