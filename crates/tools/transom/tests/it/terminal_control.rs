//! Terminal control beyond plain SEND and RECEIVE: reads of the screen, structured fields, keys,
//! the user area, other terminals. COBOL in, screens out.

use crate::harness::Programs;
use crate::terminals::{User, program, transactions};
use std::time::{Duration, Instant};
use transom_datastream::Aid;
use transom_region_api::{Attention, Terminals as _};
use transom_types::TermId;
use transom_wire::definitions::{TerminalDefinition, TerminalKind, UpperCase};

fn terminal(name: &str, netname: &str) -> TerminalDefinition {
    TerminalDefinition::new(TermId::new(name).unwrap(), netname)
}

#[test]
fn a_program_reads_the_whole_screen_and_parts_of_the_input() {
    let source = cobol!("terminal_control/READPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("READ", "READPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("READ");
    user.press("ENTER");
    user.shows("NAME:");
    user.types("Smith");
    user.press("ENTER");
    user.shows("ALL IS WELL");
}

#[test]
fn upper_case_is_for_those_who_want_it() {
    let source = cobol!("terminal_control/CASEPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("CASE", "CASEPGM")]);
        config.terminals.upper_case = UpperCase::Yes;
    });
    let mut user = User::logon(&programs, None);
    user.enters("case abc");
    for _ in 0..2 {
        user.shows("NAME:");
        user.types("abc");
        user.press("ENTER");
        user.wait("the next screen", |screen| !screen.is_locked());
    }
    user.shows("ALL IS WELL");
}

#[test]
fn structured_fields_go_both_ways() {
    let source = cobol!("terminal_control/QUERYPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("QUER", "QUERYPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("QUER");
    user.press("ENTER");
    user.shows("TEXT");
    user.press("ENTER");
    user.shows("ALL IS WELL");
}

/// Waits for a key after key and shows what EIBAID and HANDLE AID made of it.
fn keys() -> String {
    let mut storage = "01  WS-KEY PIC X(8).
01  WS-IN PIC X(80).
01  WS-LEN PIC S9(4) COMP.
01  WS-POS PIC 9(5).
01  WS-LINE PIC X(30).
01  WS-CURS.
    05 FILLER PIC X(4) VALUE X'11D27D13'.
    05 FILLER PIC X(3) VALUE X'114040'.
    05 WS-SHOWN PIC X(30).\n"
        .to_owned();
    let mut handle = String::new();
    let mut labels = String::new();
    for key in key_names() {
        handle += &format!("EXEC CICS HANDLE AID {key}(K-{key}) END-EXEC.\n");
        labels += &format!("@K-{key}.\nMOVE '{key}' TO WS-KEY.\nGO TO SHOW-KEY.\n");
    }
    storage += "COPY DFHAID.";
    program(
        "KEYSPGM",
        &storage,
        &format!(
            "MOVE 80 TO WS-LEN.
EXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.
{handle}MOVE 'FIRST' TO WS-KEY.
GO TO SHOW-KEY.
{labels}@SHOW-KEY.
MOVE EIBCPOSN TO WS-POS.
MOVE SPACES TO WS-SHOWN.
STRING 'KEY ' WS-KEY ' AT ' WS-POS DELIMITED BY SIZE
   INTO WS-SHOWN.
EXEC CICS SEND FROM(WS-CURS) LENGTH(37) ERASE END-EXEC.
MOVE 80 TO WS-LEN.
EXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.
MOVE 'NONE' TO WS-KEY.
GO TO SHOW-KEY."
        ),
    )
}

fn key_names() -> Vec<String> {
    let mut names: Vec<String> = ["ENTER", "CLEAR", "PA1", "PA2", "PA3"]
        .map(str::to_owned)
        .to_vec();
    names.extend((1..=24).map(|n| format!("PF{n}")));
    names
}

#[test]
fn every_key_has_its_label_and_cursor() {
    let programs = Programs::with(&[&keys()], |config| {
        transactions(config, &[("KEYS", "KEYSPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.enters("KEYS");
    user.shows("KEY FIRST    AT 00004");
    for name in key_names() {
        let short = Aid::from_name(&name).is_some_and(Aid::is_short_read);
        user.press(&name);
        // The stream puts the cursor at X'E27D', position 1213 (of 1920); short reads carry no
        // cursor.
        let at = if short { 0 } else { 1213 };
        user.shows(&format!("KEY {name:8} AT {at:05}"));
    }
}

#[test]
fn a_terminal_keeps_its_user_area_between_tasks() {
    let source = cobol!("terminal_control/AREAPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("AREA", "AREAPGM")]);
        let mut defined = terminal("UA01", "LUAREA01");
        defined.user_area_bytes = 40;
        defined.upper_case = UpperCase::TransactionId;
        config.terminals.definitions.push(defined);
    });
    let mut user = User::logon(&programs, Some("LUAREA01"));
    user.types("AREA");
    user.press("ENTER");
    user.shows("COUNT 0001");
    user.enters("AREA");
    user.shows("COUNT 0002");
    user.enters("AREA");
    user.shows("abended THRD");
    // The user area is no recoverable resource, and it outlives the session of a defined terminal.
    {
        let _runtime = programs.enter();
        programs.region.logoff(user.terminal);
    }
    let mut user = User::logon(&programs, Some("LUAREA01"));
    user.types("AREA");
    user.press("ENTER");
    user.shows("COUNT 0004");
}

#[test]
fn other_terminals_are_found_copied_and_waited_for() {
    let source = cobol!("terminal_control/OTHERPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("OTHR", "OTHERPGM")]);
        let mut printer = terminal("P001", "PRT00001");
        printer.kind = TerminalKind::Printer;
        config.terminals.definitions.push(printer);
    });
    let mut other = User::logon(&programs, Some("LUOTHER1"));
    other.shows("===>");
    other.types("to be copied");
    let shown = other.text();
    assert!(shown.contains("to be copied"), "{shown}");
    let mut user = User::logon(&programs, None);
    user.types("OTHR");
    user.press("ENTER");
    let begin = Instant::now();
    while !user
        .screen
        .contains("to be copied", &transom_copybook::codepage::CP037.to_char)
    {
        other.look();
        user.look();
        let log = programs.log.lock().unwrap().clone();
        assert!(
            begin.elapsed() < Duration::from_secs(10),
            "{}\n{log}",
            user.text()
        );
    }
    {
        let _runtime = programs.enter();
        let region = &programs.region;
        region.attention(user.terminal, Attention::Attn);
    }
    user.shows("ALL IS WELL");
    user.wait("the end of the session", |_| true);
    assert!(*user.received.disconnected.lock().unwrap());
    // The one that was copied works on.
    other.press("ENTER");
    other.shows("transaction TO is not recognized");
}

#[test]
fn started_tasks_wait_for_their_terminal_and_leave_its_conversation_alone() {
    let talk = cobol!("terminal_control/TALKPGM");
    let next = cobol!("terminal_control/NEXTPGM");
    let started = cobol!("terminal_control/ATIPGM");
    let starter = cobol!("terminal_control/STRTPGM");
    let programs = Programs::with(&[&talk, &next, &started, &starter], |config| {
        transactions(
            config,
            &[
                ("TALK", "TALKPGM"),
                ("NEXT", "NEXTPGM"),
                ("ATI1", "ATIPGM"),
                ("ATI2", "ATIPGM"),
                ("STRT", "STRTPGM"),
            ],
        );
    });
    let mut talker = User::logon(&programs, Some("LUTALKER"));
    talker.shows("===>");
    talker.types("TALK");
    talker.press("ENTER");
    talker.shows("TALKING");
    let mut other = User::logon(&programs, None);
    other.shows("===>");
    other.types("STRT");
    other.press("ENTER");
    other.shows("ALL IS WELL");
    // The task has the terminal; the two that were started wait.
    talker.look();
    assert!(!talker.text().contains("STARTED"), "{}", talker.text());
    talker.press("ENTER");
    talker.shows("STARTED ATI2 S");
    // The conversation goes on with what RETURN said.
    talker.press("ENTER");
    talker.shows("ALL IS WELL");
}
