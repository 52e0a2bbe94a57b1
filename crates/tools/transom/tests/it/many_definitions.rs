//! CEMT and CEDA among more definitions than a screen, or ten thousand rows, can hold.

use crate::desk::Desk;
use crate::harness::Programs;
use std::fmt::Write as _;
use transom_types::ProgramName;
use transom_wire::definitions::ProgramEntry;

#[test]
fn cemt_finds_and_pages_through_any_number() {
    let programs = Programs::with(&[], |config| {
        let many = (0..11_000).map(|number| {
            let name = ProgramName::new(&format!("P{number:05}")).unwrap();
            let mut entry = ProgramEntry::new(name, "");
            entry.enabled = number != 10_990;
            entry
        });
        config.programs.extend(many);
    });
    let mut desk = Desk::new(&programs);
    // What a word selects is found wherever it stands.
    let disabled = desk.run("CEMT I PROG(P*) DIS");
    assert!(
        disabled.contains("Pro(P10990") && !disabled.contains("Pro(P00000"),
        "{disabled}"
    );
    let nobody = desk.line("I PROG(P*) FROBNICATED");
    assert!(nobody.contains("TXMMT0007E"), "{nobody}");
    // Forward and back through the same pages.
    let mut seen = vec![desk.line("I PROG(P*)")];
    assert!(seen[0].contains("Pro(P00000"), "{}", seen[0]);
    for key in ["PF11", "PF8", "PF11"] {
        seen.push(desk.press(key));
    }
    let names = |text: &str| {
        let names = text.split("Pro(").skip(1).map(|rest| rest[..6].to_owned());
        names.collect::<Vec<_>>()
    };
    let back = desk.press("PF10");
    assert_eq!(names(&back), names(&seen[2]));
    desk.press("PF7");
    assert_eq!(names(&desk.press("PF10")), names(&seen[0]));
    let first = names(&seen[0]);
    assert_eq!(names(&seen[1])[0], format!("P{:05}", first.len()));
}

#[test]
fn ceda_pages_through_a_group_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("user.csd");
    let mut text = String::new();
    for number in 0..900 {
        let described = "A DESCRIPTION AS LONG AS ONE CAN BE: FIFTY-EIGHT CHARACTERS";
        writeln!(text, " DEFINE PROGRAM(P{number:05}) GROUP(BIG)").unwrap();
        writeln!(text, "        DESCRIPTION({})", &described[..58]).unwrap();
    }
    std::fs::write(&deck, text).unwrap();
    let programs = Programs::with(&[], |config| config.csd.decks = vec![deck.clone()]);
    let mut desk = Desk::new(&programs);
    let first = desk.run("CEDA DISPLAY GROUP(BIG)");
    assert!(first.contains("P00000") && first.contains("+"), "{first}");
    let mut shown = first;
    for _ in 0..60 {
        shown = desk.press("PF11");
    }
    assert!(shown.contains("P00899"), "{shown}");
    // A command behind a definition far down is for that definition.
    desk.tab().type_text("VIEW");
    let sheet = desk.press("ENTER");
    assert!(sheet.contains("PROGRAM(P00899)"), "{sheet}");
    desk.press("PF12");
    for _ in 0..60 {
        shown = desk.press("PF10");
    }
    assert!(shown.contains("P00000"), "{shown}");
}
