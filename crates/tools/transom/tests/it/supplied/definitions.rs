//! CEDA, and what is not discarded.

use super::PAY;
use crate::desk::Desk;
use crate::harness::Programs;

#[test]
fn definitions_are_made_and_installed() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("user.csd");
    let theirs = " DEFINE TRANSACTION(PAYT) GROUP(PAYROLL) PROGRAM(PAY)\n";
    std::fs::write(&deck, theirs).unwrap();
    let local = folder.path().join("local.csd");
    let programs = Programs::with(&[PAY], |config| {
        config.csd.decks = vec![deck.clone()];
        config.csd.local = Some(local.clone());
    });
    let mut desk = Desk::new(&programs);
    let shown = desk.run("CEDA DISPLAY GROUP(*)");
    assert!(
        shown.contains("PAYT") && shown.contains("PAYROLL"),
        "{shown}"
    );
    desk.press("PF3");
    let changed = desk.run("CEDA DEF TRANS(PAY2) GROUP(PAYROLL) PROGRAM(PAY)");
    assert!(
        changed.contains("TXMAM0007I DEFINE SUCCESSFUL")
            && changed.contains("PROGRAM        ==>  PAY"),
        "{changed}"
    );
    // What an attribute takes stands behind it.
    assert!(changed.contains("0-32767"), "{changed}");
    // The attributes stand there to be typed over: DESCRIPTION is the first.
    desk.tab().type_text("payroll for all");
    let altered = desk.press("ENTER");
    assert!(altered.contains("TXMAM0007I ALTER SUCCESSFUL"), "{altered}");
    desk.press("PF3");
    let installed = desk.run("CEDA INSTALL TRANS(PAY2) GROUP(PAYROLL)");
    assert!(
        installed.contains("TRANSACTION(PAY2) TXMAM0008I"),
        "{installed}"
    );
    desk.press("PF3");
    assert!(
        desk.run("CEMT I TRAN(PAY2)").contains("Pro(PAY"),
        "{}",
        desk.text()
    );
    desk.press("PF3");
    let refused = desk.run("CEDC DELETE TRANS(PAY2) GROUP(PAYROLL)");
    assert!(refused.contains("TXMAM0023E"), "{refused}");
    desk.press("PF3");
    let wrong = desk.run("CEDA DEF TRANS(PAY3) PROGRAM(PAY)");
    assert!(wrong.contains("TXMCS"), "{wrong}");
    let shown = desk.line("VIEW TRANS(PAY2) GROUP(PAYROLL)");
    assert!(
        shown.contains("DESCRIPTION    : PAYROLL FOR ALL")
            || shown.contains("DESCRIPTION    : payroll for all"),
        "{shown}"
    );
    assert!(
        shown.contains("OBJECT CHARACTERISTICS") && shown.contains("+"),
        "{shown}"
    );
    assert!(desk.press("PF11").contains("RESTART"), "{}", desk.text());
    // Commands behind the entries of a list; each says what came of it.
    let list = desk.line("EXPAND GROUP(PAY*)");
    assert!(
        list.contains("ENTER COMMANDS") && list.contains("PAY2"),
        "{list}"
    );
    desk.tab()
        .type_text("COPY AS(PAY4)")
        .tab()
        .type_text("BANANA");
    let done = desk.press("ENTER");
    assert!(
        done.contains("* COPY SUCCESSFUL") && done.contains("* BANANA is not known"),
        "{done}"
    );
    assert!(desk.press("PF12").contains("PAY4"), "{}", desk.text());
    for (line, part) in [
        (
            "MOVE TRANS(PAY4) GROUP(PAYROLL) TO(OTHER)",
            "MOVE SUCCESSFUL",
        ),
        (
            "RENAME TRANS(PAY4) GROUP(OTHER) AS(PAY5)",
            "RENAME SUCCESSFUL",
        ),
        (
            "DEF TRANS(PAY6) GROUP(OTHER) PROGRAM(NOPE)",
            "DEFINE SUCCESSFUL",
        ),
        ("CHECK GROUP(OTHER)", "TXMAM0014W names the program NOPE"),
        ("DELETE TRANS(PAY6) GROUP(OTHER)", "DELETE SUCCESSFUL"),
        ("ADD GROUP(OTHER) LIST(MINE)", "ADD SUCCESSFUL"),
        ("DISPLAY LIST(*)", "MINE     OTHER"),
        ("INSTALL LIST(MINE)", "TRANSACTION(PAY5) TXMAM0008I"),
        ("APPEND LIST(MINE) TO(YOURS)", "APPEND SUCCESSFUL"),
        ("REMOVE GROUP(OTHER) LIST(MINE)", "REMOVE SUCCESSFUL"),
        ("LOCK GROUP(OTHER)", "LOCK SUCCESSFUL"),
        ("DELETE TRANS(NONE) GROUP(OTHER)", "TXMCS0010I"),
        ("INSTALL TRANS(PAY2)", "TXMAM0024E"),
        ("DEFINE GROUP(X)", "TXMAM0025E"),
    ] {
        let shown = desk.line(line);
        assert!(shown.contains(part), "{line}: {shown}");
    }
    assert!(
        desk.press("PF1").contains("APPEND LIST(a)"),
        "{}",
        desk.text()
    );
    // Locked by the user who is nobody in particular: somebody else is kept out.
    let text = std::fs::read_to_string(&local).unwrap();
    std::fs::write(
        &local,
        text.replace("* locked by CICSUSER", "* locked by ALICE"),
    )
    .unwrap();
    let locked = desk.line("DELETE TRANS(PAY5) GROUP(OTHER)");
    assert!(
        locked.contains("TXMAM0013E OTHER is locked by ALICE"),
        "{locked}"
    );
    assert_eq!(std::fs::read_to_string(&deck).unwrap(), theirs);
    let written = std::fs::read_to_string(&local).unwrap();
    assert!(
        written.contains("DEFINE TRANSACTION(PAY2)") && !written.contains("PAY3"),
        "{written}"
    );
}

#[test]
fn what_the_region_needs_is_not_discarded() {
    let programs = Programs::new(&[]);
    let mut desk = Desk::new(&programs);
    desk.run("CEMT I PROG(DFHEMTP)");
    for (line, why) in [
        ("DISCARD PROGRAM(DFHEMTP)", "INVREQ 1"),
        ("DISCARD PROGRAM(DFHSNP)", "INVREQ 1"),
        ("DISCARD TRANSACTION(CSMI)", "INVREQ 4"),
        ("DISCARD TRANSACTION(CEMT)", "INVREQ 4"),
    ] {
        let said = desk.line(line);
        assert!(said.contains(why), "{said}");
    }
}
