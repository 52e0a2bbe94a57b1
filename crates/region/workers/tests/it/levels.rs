//! LINK, XCTL, RETURN, CALL, HANDLE: levels and storage.

use crate::support::Region;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("levels::link_gives_fresh_storage", link_gives_fresh_storage),
    ("levels::xctl", xctl),
    (
        "levels::return_from_a_called_program",
        return_from_a_called_program,
    ),
    (
        "levels::called_programs_keep_storage_within_a_level",
        called_programs,
    ),
    ("levels::cancel", cancel),
    ("levels::recursion", recursion),
    ("levels::recursion_without_end", recursion_without_end),
    ("levels::handle_abend", handle_abend),
    (
        "levels::handle_abend_of_a_lower_level",
        handle_abend_of_a_lower_level,
    ),
    ("levels::big_storage_is_fresh_too", big_storage),
    (
        "levels::numeric_literals_keep_their_value",
        numeric_literals,
    ),
    ("levels::signs_survive_a_move", signs),
    ("levels::local_storage", local_storage),
    ("levels::contained_programs", contained_programs),
];

fn link_gives_fresh_storage() {
    let region = Region::start(|_| ());
    for _ in 0..3 {
        assert_eq!(region.normal("LINKER", "0010xxxxxxxxxx"), "0022ECHOEDKEEP");
    }
}

fn xctl() {
    let region = Region::start(|_| ());
    assert_eq!(region.normal("XCTLER", "W         "), "OWN AREA");
    assert_eq!(region.normal("XCTLER", "C         "), "CSAME AREA");
}

fn return_from_a_called_program() {
    let region = Region::start(|_| ());
    assert_eq!(region.normal("NESTED", "R            "), "RGOOD        ");
    assert_eq!(region.normal("NESTED", "R            "), "RGOOD        ");
}

fn called_programs() {
    let region = Region::start(|_| ());
    // Three calls at the first level, three at the second from 1 again, then the fourth at the
    // first.
    assert_eq!(region.normal("NESTED", "C    00000000"), "D    00030004");
    assert_eq!(region.normal("NESTED", "C    00000000"), "D    00030004");
}

fn cancel() {
    let region = Region::start(|_| ());
    assert_eq!(region.normal("NESTED", "X    00000000"), "X    00030001");
}

fn recursion() {
    let region = Region::start(|_| ());
    for _ in 0..3 {
        assert_eq!(region.normal("RECA", "0009000000"), "0000000045");
    }
}

fn recursion_without_end() {
    let region = Region::start(|_| ());
    let (code, text) = region.abend("RECA", "9000000000");
    assert_eq!(code, "APCT", "{text}");
    assert!(text.contains("is active 64 times"), "{text}");
    assert_eq!(region.normal("RECA", "0002000000"), "0000000003");
}

fn handle_abend() {
    let region = Region::start(|_| ());
    assert_eq!(region.normal("HANDLER", " h"), "[MINE by command]DIRTY");
    assert_eq!(region.normal("HANDLER", " p"), "[MINE by command]EXIT");
    assert_eq!(region.normal("HANDLER", " c"), "COND");
}

fn handle_abend_of_a_lower_level() {
    let region = Region::start(|_| ());
    assert_eq!(region.normal("HANDLER", " A"), "[MYAB by command]DIRTY");
    let text = region.normal("HANDLER", " S");
    assert!(
        text.starts_with("[ASRA S0C4") && text.ends_with("DIRTY"),
        "{text}"
    );
    assert_eq!(region.normal("HANDLER", " N"), "AFTER");
}

/// Arithmetic scales literals in place, half of each in the storage that is put back.
fn numeric_literals() {
    let region = Region::start(|_| ());
    for program in ["LOAN", "LOANBIG"] {
        for _ in 0..5 {
            assert_eq!(region.normal(program, "xxxxxx"), "008584", "{program}");
        }
    }
}

/// A MOVE takes any bytes as digits, and the sign wherever it stands.
fn signs() {
    let region = Region::start(|_| ());
    let moved = region.normal("SIGNS", &"x".repeat(25));
    assert_eq!(moved, "-1234-1234-1234-1234-1030");
}

fn big_storage() {
    let region = Region::start(|_| ());
    for _ in 0..3 {
        assert_eq!(region.normal("BIGWS", "0600 "), "0598 ");
    }
}

/// The outer program has no commands, so nothing stops it at its start.
fn contained_programs() {
    let region = Region::start(|_| ());
    for _ in 0..3 {
        assert_eq!(region.normal("OUTER", "0100    "), "0112HELL");
    }
}

fn local_storage() {
    let region = Region::start(|_| ());
    for _ in 0..50 {
        assert_eq!(region.normal("LOCALS", "0003"), "0010");
    }
}
