//! First panels with their choices, and messages by the names of CICS.

use super::{PAY, users};
use crate::desk::Desk;
use crate::harness::Programs;

#[test]
fn first_panels_offer_choices() {
    let programs = Programs::with(&[PAY], |_| ());
    programs.link("PAY", b"").unwrap();
    let mut desk = Desk::new(&programs);
    let verbs = desk.run("CEMT");
    assert!(
        verbs.contains("STATUS:  ENTER ONE OF THE FOLLOWING"),
        "{verbs}"
    );
    let lines: Vec<&str> = verbs.lines().map(str::trim).collect();
    assert_eq!(
        lines[2..6],
        ["Discard", "Inquire", "Perform", "Set"],
        "{verbs}"
    );
    // ENTER with the cursor on a choice takes it.
    desk.screen.set_cursor(3 * 80 + 4);
    let kinds = desk.press("ENTER");
    assert!(kinds.contains("INQUIRE"), "{kinds}");
    for kind in ["PRogram", "TErminal", "SYStem"] {
        assert!(
            kinds
                .to_ascii_uppercase()
                .contains(&kind.to_ascii_uppercase()),
            "{kind}: {kinds}"
        );
    }
    let set = desk.line("S");
    assert!(!set.to_ascii_uppercase().contains("UOWENQ"), "{set}");
    assert!(desk.line("P").contains("Shutdown"), "{}", desk.text());

    // What is not there has its line.
    let named = desk.line("I PROG(PAY,NOPE)");
    assert!(
        named.contains("Pro(PAY     )") && named.contains("Pro(NOPE    ) NOT FOUND"),
        "{named}"
    );
    assert!(named.contains("TXMMT0011E NOPE: NOT FOUND"), "{named}");
    let none = desk.line("I PROG(ZZZ*)");
    assert!(none.contains("Pro(ZZZ*    ) NOT FOUND"), "{none}");
    let none = desk.line("S PROG(NOPE) DIS");
    assert!(none.contains("Pro(NOPE    ) NOT FOUND"), "{none}");

    // Variables stand for names.
    desk.press("PF5");
    assert!(desk.text().contains("VARIABLES"), "{}", desk.text());
    desk.type_text("WHAT").tab().tab().type_text("PAY");
    desk.press("PF3");
    let by_variable = desk.line("I PROG(&WHAT)");
    assert!(by_variable.contains("Pro(PAY     )"), "{by_variable}");

    // A message that is too long for its line goes on downwards, word by word.
    let long = desk.line("FROBNICATE-EVERYTHING-AT-ONCE");
    let at = long
        .lines()
        .position(|line| line.contains("TXMMT0002E"))
        .unwrap();
    let next = long.lines().nth(at + 1).unwrap();
    assert!(next.contains("PERFORM"), "{long}");
    desk.press("PF3");

    let verbs = desk.run("CEDA");
    for verb in [
        "ENTER ONE OF THE FOLLOWING",
        "ADd",
        "Define",
        "Install",
        "View",
    ] {
        assert!(
            verbs
                .to_ascii_uppercase()
                .contains(&verb.to_ascii_uppercase()),
            "{verb}: {verbs}"
        );
    }
    desk.press("PF3");
    let looks = desk.run("CEDC");
    assert!(
        looks.contains("View") && !looks.contains("Install"),
        "{looks}"
    );
    desk.press("PF3");

    // There is no connection, and the user is told so.
    desk.run("CRTE SYSID=AOR1");
    let alone = desk.shows("TXMIS");
    assert!(alone.contains("AOR1"), "{alone}");
}

#[test]
fn messages_at_terminals_can_have_the_names_of_cics() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(folder.path());
    let programs = Programs::with(&[], |config| {
        config.users.file = Some(path);
        config.system.cics_messages = true;
    });
    let mut desk = Desk::new(&programs);
    let unknown = desk.run("NOPE");
    assert!(
        unknown.contains("DFHAC2001 TEST transaction NOPE is not recognized"),
        "{unknown}"
    );
    let ask = desk.run("CESN");
    assert!(
        ask.contains("DFHCE3520 Please type your user") && ask.contains("Signon to CICS"),
        "{ask}"
    );
    desk.press("PF3");
    let signed_on = desk.run("CESN USERID=ALICE,PS=Wonder1");
    assert!(signed_on.contains("DFHCE3549"), "{signed_on}");
    // A number of Transom's own keeps its name.
    assert!(
        desk.run("CESN USERID=ALICE,PS=wrong")
            .contains("TXMCE3530E"),
        "{}",
        desk.text()
    );
}
