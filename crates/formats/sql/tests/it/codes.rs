//! SQLCODEs and DSNTIAR.

use transom_sql::{Sqlca, codes, dsntiar, sqlerrmc, state, text};

#[test]
fn codes_are_sorted_and_have_states() {
    assert!(codes().windows(2).all(|pair| pair[0].code < pair[1].code));
    assert!(
        codes()
            .iter()
            .all(|c| c.state.len() == 5 && !c.text.is_empty())
    );
    for (code, expected) in [
        (100, "02000"),
        (-803, "23505"),
        (-811, "21000"),
        (-911, "40001"),
        (-913, "57033"),
        (-204, "42704"),
        (-805, "51002"),
    ] {
        assert_eq!(state(code), expected);
    }
}

#[test]
fn tokens_stand_in_their_places() {
    assert_eq!(
        text(-204, &["DSN8C10.EMP"]),
        "DSN8C10.EMP is an undefined name"
    );
    assert_eq!(
        text(-551, &["U1", "SELECT", "T"]),
        "U1 has not the privilege for the operation SELECT on the object T"
    );
    assert_eq!(text(-204, &[""; 0]), " is an undefined name");
    assert_eq!(sqlerrmc(&["A", "BC"]), b"A\xFFBC");
    assert_eq!(sqlerrmc(&["A".repeat(80)]).len(), 70);
}

#[test]
fn dsntiar_has_the_lines_of_the_message() {
    let sqlca = Sqlca {
        code: -204,
        state: "42704".to_owned(),
        tokens: vec!["DSN8C10.EMP".to_owned()],
        module: "DSNXOTL".to_owned(),
        numbers: [-500, 0, 0, -1, 0, 0],
    };
    let lines = dsntiar(&sqlca, 72);
    assert_eq!(
        lines[0],
        " DSNT408I SQLCODE = -204, ERROR:  DSN8C10.EMP IS AN UNDEFINED NAME"
    );
    assert_eq!(
        lines[1],
        " DSNT418I SQLSTATE   = 42704 SQLSTATE RETURN CODE"
    );
    assert!(lines.iter().any(|l| l.contains("X'FFFFFE0C'")));
    assert!(lines.iter().all(|l| l.chars().count() <= 72));
}
