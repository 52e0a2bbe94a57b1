//! Statements and what they do.

use crate::{BANK, read, value};
use transom_csd::{Csd, InstallError, ResourceKind};

#[test]
fn a_whole_deck() {
    let (csd, problems) = read(BANK);
    assert_eq!(problems, ["TXMCS0010I 2: DELETE: there is no group MYBANK"]);
    assert_eq!(
        csd.groups().collect::<Vec<_>>(),
        ["MYBANK", "MYBFILES", "MYBWEB"]
    );
    assert_eq!(
        csd.list("MYBLIST").unwrap(),
        ["DFH$AFLA", "MYBANK", "MYBFILES"]
    );
    let get = |name, attribute| value(&csd, "MYBANK", name, attribute);
    assert_eq!(get("MYBMENU", "DESCRIPTION"), Some("Main menu (all users)"));
    assert_eq!(get("MYBMENU", "DEFINETIME"), Some("24/05/13 12:56:44"));
    assert_eq!(get("MYBUPD", "DATALOCATION"), Some("ANY"));
    assert_eq!(get("MYBUPD", "STATUS"), Some("ENABLED"));
    assert_eq!(get("MYB1", "PROGRAM"), Some("MYBMENU"));
    assert_eq!(get("MYB1", "PRIORITY"), Some("50"));
    assert_eq!(get("MYB1", "WAITTIME"), Some("0,0,0"));
}

#[test]
fn values_over_lines_and_in_quotes() {
    let (csd, _) = read(BANK);
    assert_eq!(
        value(&csd, "MYBWEB", "MYBPIPE", "CONFIGFILE"),
        Some("/u/mybank/cics/pipelines/basicsoap12provider/request/level2/config.xml")
    );
    let text = value(&csd, "MYBFILES", "MYBACCT", "DESCRIPTION");
    assert_eq!(text, Some("Accounts, don't delete"));
    let (csd, problems) = read(" DEFINE PROGRAM(A) GROUP(G) DESCRIPTION(two\n   words)\n");
    assert_eq!(problems, [""; 0]);
    assert_eq!(value(&csd, "G", "A", "DESCRIPTION"), Some("two words"));
}

#[test]
fn defaults_come_from_the_kind() {
    let (csd, _) = read(" DEFINE TRANSACTION(ABCD) GROUP(G) PROGRAM(P)\n");
    let definition = &csd.group("G").unwrap()[0];
    assert_eq!(definition.given("PRIORITY"), None);
    assert_eq!(definition.get("PRIORITY"), Some("1"));
    assert_eq!(definition.get("TRANCLASS"), Some("DFHTCL00"));
    assert_eq!(definition.get("NOSUCH"), None);
    assert_eq!(
        definition.attributes().collect::<Vec<_>>(),
        [("PROGRAM", "P")]
    );
}

#[test]
fn jcl_around_a_deck_is_skipped() {
    let deck = "//J JOB 1,'X',\n//  CLASS=A\n//SYSIN DD *\n* comment\n\
                DEFINE PROGRAM(A) GROUP(G)\n/*\n//\n";
    let (csd, problems) = read(deck);
    assert_eq!(problems, [""; 0]);
    assert_eq!(csd.definition_count(), 1);
}

#[test]
fn sequence_numbers_are_no_text() {
    let line = format!(
        "{:<72}00010000\n",
        " DEFINE PROGRAM(A) GROUP(G) RELOAD(YES)"
    );
    let (csd, problems) = read(&line);
    assert_eq!(problems, [""; 0]);
    assert_eq!(value(&csd, "G", "A", "RELOAD"), Some("YES"));
}

#[test]
fn alter_changes_and_empties() {
    let deck = " DEFINE PROGRAM(AB1) GROUP(G) RELOAD(YES) CEDF(NO)\n\
                 DEFINE PROGRAM(AB2) GROUP(G)\n DEFINE PROGRAM(X) GROUP(G)\n\
                 ALTER PROGRAM(AB*) GROUP(G) RELOAD() STATUS(DISABLED)\n";
    let (csd, problems) = read(deck);
    assert_eq!(problems, [""; 0]);
    assert_eq!(value(&csd, "G", "AB1", "RELOAD"), Some("NO"));
    assert_eq!(value(&csd, "G", "AB1", "CEDF"), Some("NO"));
    assert_eq!(value(&csd, "G", "AB2", "STATUS"), Some("DISABLED"));
    assert_eq!(value(&csd, "G", "X", "STATUS"), Some("ENABLED"));
}

#[test]
fn delete_one_or_all() {
    let deck = " DEFINE PROGRAM(A) GROUP(G)\n DEFINE MAPSET(A) GROUP(G)\n\
                 DEFINE PROGRAM(B) GROUP(H)\n ADD GROUP(H) LIST(L)\n ADD GROUP(G) LIST(L)\n\
                 DELETE PROGRAM(A) GROUP(G)\n DELETE GROUP(H) REMOVE\n";
    let (csd, problems) = read(deck);
    assert_eq!(problems, [""; 0]);
    assert_eq!(csd.group("G").unwrap().len(), 1);
    assert_eq!(csd.group("G").unwrap()[0].kind, ResourceKind::MapSet);
    assert_eq!(csd.group("H"), None);
    assert_eq!(csd.list("L").unwrap(), ["G"]);
    let (csd, _) = read(" ADD GROUP(A) LIST(L)\n DELETE LIST(L)\n");
    assert_eq!(csd.list("L"), None);
}

#[test]
fn copy_rename_append_remove() {
    let deck = " DEFINE PROGRAM(A) GROUP(G) RELOAD(YES)\n DEFINE PROGRAM(B) GROUP(G)\n\
                 COPY GROUP(G) TO(H)\n COPY PROGRAM(A) GROUP(G) AS(C)\n\
                 RENAME PROGRAM(B) GROUP(H) AS(D)\n\
                 ADD GROUP(G) LIST(L1)\n ADD GROUP(H) LIST(L1)\n ADD GROUP(H) LIST(L2)\n\
                 APPEND LIST(L1) TO(L2)\n REMOVE GROUP(G) LIST(L1)\n";
    let (csd, problems) = read(deck);
    assert_eq!(problems, [""; 0]);
    let names = |group| {
        csd.group(group)
            .unwrap()
            .iter()
            .map(|d| d.name.as_str())
            .collect()
    };
    let (g, h): (Vec<_>, Vec<_>) = (names("G"), names("H"));
    assert_eq!((g, h), (vec!["A", "B", "C"], vec!["A", "D"]));
    assert_eq!(value(&csd, "G", "C", "RELOAD"), Some("YES"));
    assert_eq!(csd.group("H").unwrap()[0].group, "H");
    assert_eq!(csd.list("L1").unwrap(), ["H"]);
    assert_eq!(csd.list("L2").unwrap(), ["H", "G"]);
}

#[test]
fn install_takes_the_last_of_each() {
    let deck = " DEFINE PROGRAM(A) GROUP(G1) RELOAD(NO)\n DEFINE PROGRAM(B) GROUP(G1)\n\
                 DEFINE PROGRAM(A) GROUP(G2) RELOAD(YES)\n\
                 ADD GROUP(G1) LIST(L)\n ADD GROUP(GONE) LIST(L)\n ADD GROUP(G2) LIST(L)\n";
    let (csd, _) = read(deck);
    let installed = csd.install(&["DFHLIST", "L"]).unwrap();
    let names: Vec<_> = installed
        .iter()
        .map(|d| (d.name.as_str(), d.get("RELOAD")))
        .collect();
    assert_eq!(names, [("B", Some("NO")), ("A", Some("YES"))]);
    assert_eq!(csd.install(&["G1"]).unwrap().len(), 2);
    assert_eq!(
        csd.install(&["NOPE"]),
        Err(InstallError::NotFound("NOPE".to_string()))
    );
    assert_eq!(csd.install_all(), installed);
}

#[test]
fn without_lists_every_group_is_installed() {
    let (csd, _) = read(" DEFINE PROGRAM(A) GROUP(G1)\n DEFINE PROGRAM(B) GROUP(G2)\n");
    assert_eq!(csd.install_all().len(), 2);
}

#[test]
fn decks_add_up() {
    let mut csd = Csd::new();
    assert_eq!(csd.parse_deck("a.csd", " DEFINE PROGRAM(A) GROUP(G)\n"), []);
    assert_eq!(
        csd.parse_deck("b.csd", "\r\n DEFINE PROGRAM(B) GROUP(G)\r\n"),
        []
    );
    let places: Vec<_> = csd
        .group("G")
        .unwrap()
        .iter()
        .map(|d| (d.deck.as_str(), d.line))
        .collect();
    assert_eq!(places, [("a.csd", 1), ("b.csd", 2)]);
}

#[test]
fn every_kind_has_its_own_row() {
    for kind in ResourceKind::all() {
        assert_eq!(ResourceKind::by_keyword(kind.keyword()), Some(kind));
        for attribute in kind.attributes() {
            let found = kind.attribute(attribute.keyword).map(|a| a.keyword);
            assert_eq!(found, Some(attribute.keyword));
            if !attribute.default.is_empty() {
                // A default is a value the attribute takes, in normal form.
                let deck = format!(
                    " DEFINE {}(X) GROUP(G)\n {}({})\n",
                    kind.keyword(),
                    attribute.keyword,
                    attribute.default
                );
                let (csd, problems) = read(&deck);
                assert_eq!(problems, [""; 0], "{deck}");
                assert_eq!(
                    value(&csd, "G", "X", attribute.keyword),
                    Some(attribute.default)
                );
            }
        }
        let names: std::collections::BTreeSet<_> =
            kind.attributes().iter().map(|a| a.keyword).collect();
        assert_eq!(names.len(), kind.attributes().len(), "{}", kind.keyword());
    }
    assert_eq!(ResourceKind::all().count(), 34);
}

#[test]
fn what_is_typed_at_a_terminal_is_a_deck() {
    let deck = "\
CEDA DEF TRANS(PAY1) G(PAY) PROG(PAYMENU)
ceda define program(PAYMENU) g(PAY) DESCRIPTION(A menu of
 CEDA panels)
CEDAR DEF TRANS(PAY2) G(PAY)
  CEDB ADD GR(PAY) LIST(PAYLIST)
";
    let (csd, problems) = read(deck);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(
        problems[0].starts_with("TXMCS0001E 4:1: CEDAR is no command"),
        "{problems:?}"
    );
    assert_eq!(value(&csd, "PAY", "PAY1", "PROGRAM"), Some("PAYMENU"));
    let description = value(&csd, "PAY", "PAYMENU", "DESCRIPTION");
    assert_eq!(description, Some("A menu of CEDA panels"));
    assert_eq!(csd.list("PAYLIST").unwrap(), ["PAY"]);
}
