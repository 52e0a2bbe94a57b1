//! What a deck's author reads when something is wrong.

use crate::{read, value};
use transom_csd::{Csd, MAX_PROBLEMS};
use transom_messages::{Problem, Severity};

#[test]
fn an_unknown_attribute_does_not_cost_the_definition() {
    let (csd, problems) = read(" DEFINE PROGRAM(A) GROUP(G)\n   LANGAUGE(COBOL) RELOAD(YES)\n");
    assert_eq!(
        problems,
        ["TXMCS0003W 2: PROGRAM(A): LANGAUGE is no attribute; the nearest known one is LANGUAGE"]
    );
    assert_eq!(value(&csd, "G", "A", "RELOAD"), Some("YES"));
}

#[test]
fn a_wrong_value_leaves_the_default() {
    let deck = " DEFINE TRANSACTION(ABCD) GROUP(G) PROGRAM(TOOLONGNAME)\n\
                 PRIORITY(256) DUMP(MAYBE) TWASIZE(12A) DTIMOUT(NO)\n";
    let (csd, problems) = read(deck);
    assert_eq!(
        problems,
        [
            "TXMCS0005W 1: TRANSACTION(ABCD): PROGRAM(TOOLONGNAME): it has more than 8 characters",
            "TXMCS0005W 2: TRANSACTION(ABCD): PRIORITY(256): it must be a number from 0 to 255",
            "TXMCS0005W 2: TRANSACTION(ABCD): DUMP(MAYBE): it must be one of YES, NO",
            "TXMCS0005W 2: TRANSACTION(ABCD): TWASIZE(12A): it must be a number from 0 to 32767",
        ]
    );
    assert_eq!(value(&csd, "G", "ABCD", "PRIORITY"), Some("1"));
    assert_eq!(value(&csd, "G", "ABCD", "DUMP"), Some("YES"));
}

#[test]
fn names_are_checked() {
    let (csd, problems) = read(
        " DEFINE TRANSACTION(ABCDE) GROUP(G)\n DEFINE PROGRAM() GROUP(G)\n\
          DEFINE PROGRAM(A) GROUP(GROUPNAME)\n DEFINE PROGRAM(A\u{e4}) GROUP(G)\n",
    );
    assert_eq!(
        problems,
        [
            "TXMCS0004E 1: TRANSACTION(ABCDE): it has more than 4 characters",
            "TXMCS0004E 2: PROGRAM(): it is empty",
            "TXMCS0004E 3: GROUP(GROUPNAME): it has more than 8 characters",
            "TXMCS0004E 4: PROGRAM(A\u{e4}): the character '\u{e4}' is not allowed in a name",
        ]
    );
    assert_eq!(csd.definition_count(), 0);
}

#[test]
fn misspelt_commands_and_types() {
    let (csd, problems) = read(
        " DEFNE PROGRAM(A) GROUP(G)\n DEFINE PROGRAM(B) GROUP(G)\n DEFIEN PROGRAM(C) GROUP(G)\n\
          DEFINE PROGRAMM(D) GROUP(G)\n DEFINE PROGRAM(E)\n",
    );
    assert_eq!(
        problems,
        [
            "TXMCS0001E 1:2: DEFNE is no command; the nearest known one is DEFINE",
            "TXMCS0001E 3:2: DEFIEN is no command; the nearest known one is DEFINE",
            "TXMCS0002E 4: PROGRAMM is no type of resource; the nearest known one is PROGRAM",
            "TXMCS0014E 5: DEFINE needs GROUP(name)",
        ]
    );
    assert_eq!(csd.definition_count(), 1);
}

#[test]
fn a_misspelt_command_after_a_list_command_is_told_and_costs_itself_only() {
    let (csd, problems) = read(
        "CEDA ADD GROUP(PAY) LIST(PAYLIST)\n  CEDAR DEF TRANS(PAY2) GROUP(PAY) PROG(PAYMENU)\n\
         CEDA DEF TRANS(PAY3) GROUP(PAY) PROG(PAYMENU)\nCEDA COPY GROUP(PAY) TO(OLD)\n  REPLACE\n\
         DELTE GROUP(PAY)\nLIST ALL\n  OBJECTS\n  DEFIEN PROGRAM(PAYMENU) GROUP(PAY)\n",
    );
    assert_eq!(
        problems,
        [
            "TXMCS0001E 2:3: CEDAR is no command",
            "TXMCS0001E 6:1: DELTE is no command; the nearest known one is DELETE",
            "TXMCS0012I 7: LIST has no effect here",
            "TXMCS0001E 9:3: DEFIEN is no command; the nearest known one is DEFINE",
        ]
    );
    assert_eq!(csd.list("PAYLIST").unwrap(), ["PAY"]);
    assert_eq!(value(&csd, "OLD", "PAY3", "PROGRAM"), Some("PAYMENU"));
    assert_eq!(csd.definition_count(), 2);
}

#[test]
fn an_operand_that_a_list_command_does_not_know_is_told() {
    let (csd, problems) = read(
        "CEDA ADD GROUP(PAY) LISTE(PAYLIST) LIST(PAYLIST) BEF(A)\n  DEFTRANS(PAY2) GROUP(PAY) CEDAR ADD\n\
         DELETE PROGRAM(P) TRANSACTION(P) GROUP(PAY) FORCE\n",
    );
    assert_eq!(
        problems[..4],
        [
            "TXMCS0015E 1:21: ADD has no operand LISTE; the nearest known one is LIST",
            "TXMCS0015E 2:3: ADD has no operand DEFTRANS",
            "TXMCS0015E 2:29: ADD has no operand CEDAR",
            "TXMCS0015E 2:35: ADD has no operand ADD; a command begins on a line of its own",
        ]
    );
    assert!(problems.contains(&"TXMCS0015E 3:45: DELETE has no operand FORCE".to_owned()));
    assert_eq!(csd.list("PAYLIST").unwrap(), ["PAY"]);
}

#[test]
fn a_missing_parenthesis_costs_one_statement() {
    let (csd, problems) = read(
        " DEFINE PROGRAM(A) GROUP(G) DESCRIPTION(open (twice)\n DEFINE PROGRAM(B) GROUP(G)\n\
          DEFINE PROGRAM(C) GROUP(G) DESCRIPTION('open)\n DEFINE PROGRAM(D) GROUP(G) )\n",
    );
    assert_eq!(
        problems,
        [
            "TXMCS0006E 1: the value of DESCRIPTION has no closing parenthesis",
            "TXMCS0006E 3: the value of DESCRIPTION has no closing quote",
            "TXMCS0006E 4: a ) without its (",
        ]
    );
    assert_eq!(csd.definition_count(), 4);
}

#[test]
fn doubles_and_missing_things() {
    let (_, problems) = read(
        " DEFINE PROGRAM(A) GROUP(G) CEDF(YES) CEDF(NO)\n DEFINE PROGRAM(A) GROUP(G)\n\
          ALTER PROGRAM(B) GROUP(G) CEDF(NO)\n COPY GROUP(H) TO(I)\n APPEND LIST(L) TO(M)\n\
          REMOVE GROUP(G) LIST(L)\n LIST ALL\n ADD GROUP(G)\n",
    );
    assert_eq!(
        problems,
        [
            "TXMCS0008W 1: PROGRAM(A): CEDF twice; the last one counts",
            "TXMCS0011W 2: PROGRAM(A) is already in group G; the first definition stays",
            "TXMCS0009W 3: ALTER: PROGRAM(B) is not in group G",
            "TXMCS0009W 4: COPY: anything is not in group H",
            "TXMCS0009W 5: APPEND: there is no list L",
            "TXMCS0010I 6: REMOVE: there is no group G in list L",
            "TXMCS0012I 7: LIST has no effect here",
            "TXMCS0014E 8: ADD needs LIST(name)",
        ]
    );
}

#[test]
fn text_beyond_column_72_is_told() {
    let line = format!("{:<72}RELOAD(YES)\n", " DEFINE PROGRAM(A) GROUP(G)");
    let (csd, problems) = read(&line);
    assert_eq!(problems, ["TXMCS0007W 1: text after column 72 is ignored"]);
    assert_eq!(value(&csd, "G", "A", "RELOAD"), Some("NO"));
}

#[test]
fn garbage_is_bounded() {
    let deck = "FROB X(1)\n".repeat(10_000);
    let problems = Csd::new().parse_deck("test.csd", &deck);
    assert_eq!(problems.len(), MAX_PROBLEMS + 1);
    assert_eq!(
        problems[MAX_PROBLEMS].words(),
        "9500 more problems are not shown"
    );
    let value = "x".repeat(100_000);
    let (_, problems) = read(&format!(
        " DEFINE PROGRAM(A) GROUP(G)\n DESCRIPTION({value}\n{value})"
    ));
    assert!(
        problems.iter().any(|p| p.starts_with("TXMCS0007W 2")),
        "{problems:?}"
    );
    let lines = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n".repeat(1_000);
    let (_, problems) = read(&format!(
        " DEFINE PROGRAM(A) GROUP(G)\n DESCRIPTION(\n{lines})"
    ));
    assert_eq!(
        problems,
        ["TXMCS0013E 2: the value of DESCRIPTION has more than 4096 bytes"]
    );
}

#[test]
fn severity_is_the_last_letter() {
    let mut csd = Csd::new();
    let problems = csd.parse_deck("d", " LIST ALL\n DEFINE PROGRAM(A) GROUP(G) X(1)\n FROB\n");
    let severities: Vec<_> = problems.iter().map(Problem::severity).collect();
    assert_eq!(
        severities,
        [Severity::Information, Severity::Warning, Severity::Error]
    );
    assert!(
        problems[2]
            .id_first()
            .to_string()
            .starts_with("TXMCS0001E d:3:2: FROB is no command")
    );
}

#[test]
fn two_resources_in_one_statement_are_refused() {
    let (csd, problems) = read(
        " DEFINE PROGRAM(A) GROUP(G)\n DEFINE TRANSACTION(TA) GROUP(G) PROGRAM(A)\n\
         DELETE PROGRAM(A) TRANSACTION(TA) GROUP(G)\n\
         COPY PROGRAM(A) PROGRAM(B) GROUP(G) TO(H)\n",
    );
    assert_eq!(
        problems,
        [
            "TXMCS0016E 3: DELETE names one resource, not PROGRAM(A) and TRANSACTION(TA)",
            "TXMCS0016E 4: COPY names one resource, not PROGRAM(A) and PROGRAM(B)",
        ]
    );
    assert_eq!(csd.definition_count(), 2);
}
