//! Terminal control beyond plain SEND and RECEIVE: reads of the screen, structured fields, keys,
//! the user area, other terminals. COBOL in, screens out.

use crate::harness::Programs;
use crate::terminals::{User, checked, program, transactions};
use std::time::{Duration, Instant};
use transom_datastream::Aid;
use transom_region_api::{Attention, Terminals as _};
use transom_types::TermId;
use transom_wire::definitions::{TerminalDefinition, TerminalKind, UpperCase};

/// A screen of two fields: NAME: at (2,1) and an input field behind it with the cursor.
const STREAM: &str = "01  WS-STREAM.\n    05 FILLER PIC X(3) VALUE X'11C150'.\n    05 FILLER PIC X(2) VALUE X'1DF0'.\n    05 FILLER PIC X(5) VALUE 'NAME:'.\n    05 FILLER PIC X(3) VALUE X'1D4013'.\n01  WS-IN PIC X(2500).\n01  WS-LEN PIC S9(4) COMP.\n";

fn terminal(name: &str, netname: &str) -> TerminalDefinition {
    TerminalDefinition::new(TermId::new(name).unwrap(), netname)
}

#[test]
fn a_program_reads_the_whole_screen_and_parts_of_the_input() {
    let source = checked(
        "READPGM",
        STREAM,
        "MOVE 1 TO WS-STEP.\nMOVE 2500 TO WS-LEN.\nEXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.\nEXEC CICS SEND FROM(WS-STREAM) LENGTH(13) ERASE INVITE\n   END-EXEC.\nEXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN)\n   MAXLENGTH(5) NOTRUNCATE RESP(RC) END-EXEC.\nIF RC NOT = 0 OR WS-LEN NOT = 5 OR EIBCOMPL NOT = LOW-VALUE\n   OR WS-IN (4:2) NOT = 'Sm' GO TO BAD.\nMOVE 2 TO WS-STEP.\nMOVE 2500 TO WS-LEN.\nEXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) RESP(RC)\n   END-EXEC.\nIF RC NOT = 0 OR WS-IN (1:WS-LEN) NOT = 'ith'\n   OR EIBCOMPL NOT = HIGH-VALUE GO TO BAD.\nMOVE 3 TO WS-STEP.\nMOVE 2500 TO WS-LEN.\nEXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) BUFFER\n   RESP(RC) END-EXEC.\nIF RC NOT = 0 OR WS-LEN NOT = 1922 GO TO BAD.\nMOVE 4 TO WS-STEP.\nIF WS-IN (81:2) NOT = X'1DF0' OR WS-IN (83:5) NOT = 'NAME:'\n   OR WS-IN (90:5) NOT = 'Smith' GO TO BAD.\nMOVE 5 TO WS-STEP.\nMOVE 100 TO WS-LEN.\nEXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) BUFFER\n   RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(LENGERR) OR WS-LEN NOT = 1922 GO TO BAD.\nMOVE 6 TO WS-STEP.\nEXEC CICS SEND FROM(WS-STREAM) LENGTH(13) ERASE\n   LAST DEFRESP RESP(RC) END-EXEC.\nIF RC NOT = 0 GO TO BAD.",
    );
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
    let source = checked(
        "CASEPGM",
        STREAM,
        "MOVE 1 TO WS-STEP.\nEXEC CICS RECEIVE INTO(WS-IN) MAXLENGTH(8) ASIS\n   LENGTH(WS-LEN) END-EXEC.\nIF WS-IN (1:8) NOT = 'CASE ABC' GO TO BAD.\nMOVE 2 TO WS-STEP.\nEXEC CICS CONVERSE FROM(WS-STREAM) FROMLENGTH(13) ERASE\n   INTO(WS-IN) MAXLENGTH(20) TOLENGTH(WS-LEN) END-EXEC.\nIF WS-IN (4:3) NOT = 'ABC' GO TO BAD.\nMOVE 3 TO WS-STEP.\nEXEC CICS CONVERSE FROM(WS-STREAM) FROMFLENGTH(13) ERASE\n   CTLCHAR('C') DEFRESP ASIS\n   INTO(WS-IN) MAXFLENGTH(20) TOFLENGTH(RC2) END-EXEC.\nIF WS-IN (4:3) NOT = 'abc' OR RC2 NOT = 6 GO TO BAD.",
    );
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("CASE", "CASEPGM")]);
        config.terminals.upper_case = UpperCase::Yes;
    });
    let mut user = User::logon(&programs, None);
    user.types("case abc");
    user.press("ENTER");
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
    let source = checked(
        "QUERYPGM",
        "01  WS-QUERY PIC X(5) VALUE X'000501FF02'.\n01  WS-LIST PIC X(7) VALUE X'000701FF030086'.\n01  WS-SCREEN.\n    05 FILLER PIC X(6) VALUE X'000D4000F1C3'.\n    05 FILLER PIC X(3) VALUE X'11C150'.\n    05 FILLER PIC X(4) VALUE X'E3C5E7E3'.\n01  WS-IN PIC X(500).\n01  WS-LEN PIC S9(4) COMP VALUE 500.\nCOPY DFHAID.",
        "MOVE 1 TO WS-STEP.\nEXEC CICS CONVERSE FROM(WS-QUERY) FROMLENGTH(5) STRFIELD\n   INTO(WS-IN) TOLENGTH(WS-LEN) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR EIBAID NOT = DFHSTRF GO TO BAD.\nIF WS-IN (3:2) NOT = X'8180' GO TO BAD.\nMOVE 2 TO WS-STEP.\nMOVE 500 TO WS-LEN.\nEXEC CICS CONVERSE FROM(WS-LIST) FROMLENGTH(7) STRFIELD\n   INTO(WS-IN) TOLENGTH(WS-LEN) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR WS-IN (3:2) NOT = X'8186' GO TO BAD.\nMOVE 3 TO WS-STEP.\nEXEC CICS SEND FROM(WS-SCREEN) LENGTH(13) STRFIELD\n   RESP(RC) END-EXEC.\nIF RC NOT = 0 GO TO BAD.\nEXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.",
    );
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
    let mut storage = "01  WS-KEY PIC X(8).\n01  WS-IN PIC X(80).\n01  WS-LEN PIC S9(4) COMP.\n01  WS-POS PIC 9(5).\n01  WS-LINE PIC X(30).\n01  WS-CURS.\n    05 FILLER PIC X(4) VALUE X'11D27D13'.\n    05 FILLER PIC X(3) VALUE X'114040'.\n    05 WS-SHOWN PIC X(30).\n".to_owned();
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
            "MOVE 80 TO WS-LEN.\nEXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.\n{handle}MOVE 'FIRST' TO WS-KEY.\nGO TO SHOW-KEY.\n{labels}@SHOW-KEY.\nMOVE EIBCPOSN TO WS-POS.\nMOVE SPACES TO WS-SHOWN.\nSTRING 'KEY ' WS-KEY ' AT ' WS-POS DELIMITED BY SIZE\n   INTO WS-SHOWN.\nEXEC CICS SEND FROM(WS-CURS) LENGTH(37) ERASE END-EXEC.\nMOVE 80 TO WS-LEN.\nEXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.\nMOVE 'NONE' TO WS-KEY.\nGO TO SHOW-KEY."
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
    user.types("KEYS");
    user.press("ENTER");
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
    let source = checked(
        "AREAPGM",
        "01  WS-P USAGE POINTER.\n01  WS-N PIC S9(4) COMP.",
        "MOVE 1 TO WS-STEP.\nEXEC CICS ADDRESS TCTUA(WS-P) END-EXEC.\nEXEC CICS ASSIGN TCTUALENG(WS-N) END-EXEC.\nIF WS-N NOT = 40 GO TO BAD.\nMOVE 2 TO WS-STEP.\nEXEC CICS INQUIRE TERMINAL(EIBTRMID) USERAREALEN(WS-N)\n   RESP(RC) END-EXEC.\nIF RC NOT = 0 OR WS-N NOT = 40 GO TO BAD.\nSET ADDRESS OF DFHCOMMAREA TO WS-P.\nIF CA-COUNT NOT NUMERIC MOVE 0 TO CA-COUNT.\nADD 1 TO CA-COUNT.\nIF CA-COUNT = 3\n   EXEC CICS ABEND ABCODE('THRD') END-EXEC\nEND-IF.\nMOVE 'COUNT ' TO WS-OUT.\nMOVE CA-COUNT TO WS-OUT (7:4).\nGO TO THE-END.",
    );
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
    let source = checked(
        "OTHERPGM",
        "01  WS-TERM PIC X(4).\n01  WS-SYS PIC X(4).\n01  WS-VALUE PIC S9(8) COMP.\n01  WS-KIND PIC S9(8) COMP.",
        "MOVE 1 TO WS-STEP.\nEXEC CICS EXTRACT TCT NETNAME('LUOTHER1') TERMID(WS-TERM)\n   SYSID(WS-SYS) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR WS-TERM NOT = 'HER1' OR WS-SYS NOT = SPACES\n   GO TO BAD.\nEXEC CICS EXTRACT TCT NETNAME('NOSUCHLU') TERMID(WS-TERM)\n   RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) GO TO BAD.\nMOVE 2 TO WS-STEP.\nEXEC CICS INQUIRE TERMINAL('P001') ACQSTATUS(WS-VALUE)\n   DEVICE(WS-KIND) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR WS-VALUE NOT = DFHVALUE(RELEASED)\n   OR WS-KIND NOT = DFHVALUE(LUTYPE3) GO TO BAD.\nEXEC CICS SET TERMINAL('P001') ACQUIRED RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) GO TO BAD.\nMOVE 3 TO WS-STEP.\nEXEC CICS SET TERMINAL('P001') OUTSERVICE NOATI\n   CREATE TERMPRIORITY(9) RESP(RC) END-EXEC.\nIF RC NOT = 0 GO TO BAD.\nEXEC CICS INQUIRE NETNAME('PRT00001')\n   CREATESESS(WS-VALUE) TERMPRIORITY(WS-KIND)\n   RESP(RC) END-EXEC.\nIF RC NOT = 0 OR WS-VALUE NOT = DFHVALUE(CREATE)\n   OR WS-KIND NOT = 9 GO TO BAD.\nMOVE 4 TO WS-STEP.\nEXEC CICS ISSUE COPY TERMID('NONE') RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(TERMIDERR) GO TO BAD.\nEXEC CICS ISSUE RESET RESP(RC) END-EXEC.\nIF RC NOT = 0 GO TO BAD.\nMOVE 5 TO WS-STEP.\nEXEC CICS ISSUE COPY TERMID('HER1') WAIT RESP(RC) END-EXEC.\nIF RC NOT = 0 GO TO BAD.\nEXEC CICS WAIT SIGNAL RESP(RC) END-EXEC.\nIF RC NOT = 0 OR EIBSIG NOT = HIGH-VALUE GO TO BAD.\nEXEC CICS ISSUE DISCONNECT RESP(RC) END-EXEC.\nIF RC NOT = 0 GO TO BAD.",
    );
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
    let talk = program(
        "TALKPGM",
        "01  WS-IN PIC X(40).\n01  WS-LEN PIC S9(4) COMP VALUE 40.\n01  WS-AREA.\n    05 WS-NUM PIC 9(4) VALUE 7.\n    05 WS-TXT PIC X(36) VALUE 'KEPT'.",
        "EXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.\nEXEC CICS SEND TEXT FROM('TALKING') LENGTH(7) ERASE FREEKB\n  END-EXEC.\nMOVE 40 TO WS-LEN.\nEXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.\nEXEC CICS RETURN TRANSID('NEXT') COMMAREA(WS-AREA)\n   LENGTH(40) END-EXEC.",
    );
    let next = checked(
        "NEXTPGM",
        "",
        "MOVE 1 TO WS-STEP.\nIF EIBCALEN NOT = 40 OR CA-COUNT NOT = 7 OR\n  CA-TEXT NOT = 'KEPT' GO TO BAD.",
    );
    let started = program(
        "ATIPGM",
        "01  WS-OUT PIC X(20).\n01  WS-CODE PIC XX.",
        "EXEC CICS ASSIGN STARTCODE(WS-CODE) END-EXEC.\nSTRING 'STARTED ' EIBTRNID ' ' WS-CODE DELIMITED BY SIZE\n   INTO WS-OUT.\nEXEC CICS SEND TEXT FROM(WS-OUT) LENGTH(15) FREEKB END-EXEC.\nIF EIBTRNID = 'ATI1'\n   EXEC CICS SEND TEXT FROM(WS-OUT) LENGTH(15) ERASE\n      FREEKB END-EXEC\nEND-IF.\nEXEC CICS RETURN END-EXEC.",
    );
    let starter = checked(
        "STRTPGM",
        "",
        "MOVE 1 TO WS-STEP.\nEXEC CICS START TRANSID('ATI1') TERMID('LKER') RESP(RC)\n   END-EXEC.\nIF RC NOT = 0 GO TO BAD.\nMOVE 2 TO WS-STEP.\nEXEC CICS START TRANSID('ATI2') TERMID('LKER') RESP(RC)\n   END-EXEC.\nIF RC NOT = 0 GO TO BAD.\nMOVE 3 TO WS-STEP.\nEXEC CICS START TRANSID('ATI1') TERMID('NONE') RESP(RC)\n   END-EXEC.\nIF RC NOT = DFHRESP(TERMIDERR) GO TO BAD.",
    );
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
