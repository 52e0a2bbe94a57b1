//! Users who share a region: whose authority counts, whose screen is whose, what a user who leaves
//! leaves behind.

use crate::harness::Programs;
use crate::terminals::{PATIENCE, User, program, transactions};
use std::time::Duration;
use transom_copybook::codepage::CP037;
use transom_datastream::Command;
use transom_region_api::Terminals as _;
use transom_security::{PasswordRules, Secret, User as Operator, UserFile};

/// Users with the password `secret`; the numbers are minutes without input.
fn users(folder: &std::path::Path, all: &[(&str, u32)]) -> std::path::PathBuf {
    let path = folder.join("users.toml");
    let file = UserFile::new(&path, PasswordRules::default());
    for (userid, minutes) in all {
        let user = Operator {
            userid: (*userid).into(),
            timeout_minutes: *minutes,
            ..Operator::default()
        };
        file.put(&user, &Secret::password(b"secret"), false)
            .unwrap();
    }
    path
}

const TEXT: &str = "01  WS-IN PIC X(20) VALUE SPACES.\n01  WS-LEN PIC S9(4) COMP VALUE 20.\n01  WS-OUT PIC X(40) VALUE SPACES.\n01  WS-NO PIC S9(8) COMP.\n01  WS-USER PIC X(8).";
/// Reads a transaction code and a name.
const READ: &str = "EXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.";

#[test]
fn a_task_started_at_a_terminal_is_its_users() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(folder.path(), &[("ALICE", 0), ("BOB", 0)]);
    let kick = program(
        "KICKPGM",
        TEXT,
        &format!(
            "{READ}\nEXEC CICS START TRANSID('WHOM') TERMID(WS-IN(6:4))\n    END-EXEC.\nEXEC CICS SEND TEXT FROM('KICKED') LENGTH(6) ERASE\n    FREEKB END-EXEC.\nEXEC CICS RETURN END-EXEC."
        ),
    );
    let whom = cobol!("strangers/WHOMPGM");
    let programs = Programs::with(&[&kick, &whom], |config| {
        config.users.file = Some(path);
        transactions(config, &[("KICK", "KICKPGM"), ("WHOM", "WHOMPGM")]);
    });
    let mut alice = User::logon(&programs, Some("LUALICE1"));
    alice.enters("CESN USERID=ALICE,PS=secret");
    alice.shows("TXMCE3549I");
    let mut bob = User::logon(&programs, Some("LUBOB001"));
    bob.enters("CESN USERID=BOB,PS=secret");
    bob.shows("TXMCE3549I");
    bob.press("CLEAR");
    bob.wait("an empty screen", |screen| !screen.is_locked());
    bob.enters("KICK ICE1");
    bob.shows("KICKED");
    alice.shows("THIS IS ALICE");
}

#[test]
fn a_task_of_a_session_that_is_over_does_not_touch_the_next_one() {
    let late = cobol!("strangers/LATEPGM");
    let outcome = cobol!("strangers/OUTCOME");
    let programs = Programs::with(&[&late, &outcome], |config| {
        transactions(config, &[("LATE", "LATEPGM")]);
    });
    let mut first = User::logon(&programs, Some("LUSAME01"));
    first.types("LATE");
    first.press("ENTER");
    std::thread::sleep(Duration::from_millis(200));
    {
        let _runtime = programs.enter();
        programs.region.logoff(first.terminal);
    }
    let mut second = User::logon(&programs, Some("LUSAME01"));
    assert_eq!(first.terminal, second.terminal);
    let begin = std::time::Instant::now();
    let said = loop {
        let said = programs.text("OUTCOME", &format!("{:40}", "0000"));
        if !said.contains("NOT YET") || begin.elapsed() > Duration::from_secs(10) {
            break said;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    second.look();
    assert!(!second.text().contains("SECRET"), "{}", second.text());
    assert!(said.contains("TERMERR"), "{said}");
}

#[test]
fn a_purged_copy_lets_go_of_the_other_terminal() {
    let copy = cobol!("strangers/COPYPGM");
    let kill = cobol!("strangers/KILLPGM");
    let programs = Programs::with(&[&copy, &kill], |config| {
        transactions(config, &[("COPY", "COPYPGM")]);
    });
    let mut other = User::logon(&programs, Some("LUOTHER1"));
    let mut user = User::logon(&programs, Some("LUUSER01"));
    user.types("COPY");
    user.press("ENTER");
    // It is asked for its screen and does not answer: it does not look.
    let (begin, asked) = (std::time::Instant::now(), [Command::ReadBuffer.byte()]);
    let is_asked = || {
        let records = other.received.records.lock().unwrap();
        records.iter().any(|record| *record == asked)
    };
    while !is_asked() {
        assert!(begin.elapsed() < PATIENCE, "nobody asks for the screen");
        std::thread::sleep(Duration::from_millis(2));
    }
    let said = programs.text("KILLPGM", &format!("{:40}", "0000ER01"));
    assert_eq!(said, "0000PURGED");
    user.shows("TXMAC2206E");
    other.received.records.lock().unwrap().clear();
    other.types("NONE");
    other.press("ENTER");
    other.shows("transaction NONE is not recognized");
}

#[test]
fn a_screen_is_shown_to_its_own_user_and_to_whom_a_rule_lets() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(
        folder.path(),
        &[("ALICE", 0), ("BOB", 0), ("CAROL", 0), ("CICSUSER", 0)],
    );
    let copy = cobol!("strangers/COPYPGM-2");
    let programs = Programs::with(&[&copy], |config| {
        config.users.file = Some(path);
        let rules = &mut config.users.rules;
        rules.set("SURROGATE ALICE.DFHCOPY", "CAROL READ").unwrap();
        transactions(config, &[("COPY", "COPYPGM")]);
    });
    let mut alice = User::logon(&programs, Some("LUALICE1"));
    alice.enters("CESN USERID=ALICE,PS=secret");
    alice.shows("TXMCE3549I");
    for (terminal, user, seen) in [
        ("LUBOB001", Some("BOB"), false),
        ("LUCAROL1", Some("CAROL"), true),
        ("LUALICE2", Some("ALICE"), true),
        ("LUNOBODY", None, false),
    ] {
        let mut other = User::logon(&programs, Some(terminal));
        if let Some(user) = user {
            other.enters(&format!("CESN USERID={user},PS=secret"));
            other.shows("TXMCE3549I");
        }
        other.press("CLEAR");
        other.wait("an empty screen", |screen| !screen.is_locked());
        other.types("COPY");
        other.press("ENTER");
        let (begin, wanted) = (
            std::time::Instant::now(),
            if seen { "SEEN" } else { "NOT FOR YOU" },
        );
        while !other.screen.contains(wanted, &CP037.to_char) {
            alice.look();
            other.look();
            assert!(
                begin.elapsed() < Duration::from_secs(10),
                "{user:?} {}",
                other.text()
            );
        }
    }
}

#[test]
fn data_that_looks_like_a_paging_command_is_the_programs() {
    let form = cobol!("strangers/FORMPGM");
    let echo = program(
        "ECHOPGM",
        TEXT,
        &format!(
            "{READ}\nSTRING 'GOT ' WS-IN DELIMITED BY SIZE INTO WS-OUT.\nEXEC CICS SEND TEXT FROM(WS-OUT) ERASE FREEKB END-EXEC.\nEXEC CICS RETURN END-EXEC."
        ),
    );
    let programs = Programs::with(&[&form, &echo], |config| {
        transactions(config, &[("FORM", "FORMPGM"), ("ECHO", "ECHOPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.enters("FORM");
    user.wait("an empty form", |screen| {
        !screen.is_locked() && !screen.contains("FORM", &CP037.to_char)
    });
    user.types("C/O SMITH");
    user.press("ENTER");
    user.shows("GOT C/O SMITH");
}

#[test]
fn pages_of_a_user_who_was_signed_off_are_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(folder.path(), &[("ALICE", 2)]);
    let stock = crate::paging::stock(
        "STOCKPGM",
        "EXEC CICS SEND PAGE END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::with(&[&stock], |config| {
        config.users.file = Some(path);
        config.users.idle_minute = Duration::from_millis(500);
        transactions(config, &[("STOK", "STOCKPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.enters("CESN USERID=ALICE,PS=secret");
    user.shows("TXMCE3549I");
    user.enters("STOK");
    user.shows("STOCK PAGE  1");
    user.shows("Type a transaction");
    user.types("P/2");
    user.press("ENTER");
    user.shows("TXMTP4104E");
}

#[test]
fn many_starts_that_cannot_run_are_told_one_by_one() {
    let asks = cobol!("strangers/ASKSPGM");
    let kick = cobol!("strangers/KICKPGM");
    let programs = Programs::with(&[&asks, &kick], |config| {
        transactions(config, &[("ASKS", "ASKSPGM"), ("GONE", "NOSUCH")]);
    });
    let mut user = User::logon(&programs, Some("LUUSER01"));
    user.enters("ASKS");
    user.shows("WAITING");
    let said = programs.text("KICKPGM", &format!("{:40}", "0000ER01"));
    assert_eq!(said, "9000ER01");
    user.press("ENTER");
    user.shows("TXMAC2016E");
    user.shows("THE END");
    assert_eq!(
        programs.text("KICKPGM", &format!("{:40}", "0000NONE")),
        "0000NONE"
    );
}

#[test]
fn programs_of_the_region_are_not_linked_to_from_outside() {
    let programs = Programs::new(&[]);
    for program in ["DFHEDAP", "DFHEMTP", "DFHECIP", "DFHEDFBR", "DFHSNP"] {
        let said = programs.text(program, "S");
        assert!(
            said.contains("PGMIDERR") || said.contains("Resp(27)"),
            "{said}"
        );
    }
}
