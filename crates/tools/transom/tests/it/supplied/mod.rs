//! Supplied transactions at a terminal of a real region: keys in, screens out.

mod definitions;
mod master;
mod panels;

use crate::desk::Desk;
use crate::harness::Programs;
use std::time::{Duration, Instant};
use transom_security::{PasswordRules, Secret, User, UserFile};
use transom_types::TdQueueName;
use transom_wire::definitions::TdQueueEntry;

fn users(folder: &std::path::Path) -> std::path::PathBuf {
    let path = folder.join("users.toml");
    let alice = User {
        userid: "ALICE".into(),
        ..User::default()
    };
    let file = UserFile::new(&path, PasswordRules::default());
    file.put(&alice, &Secret::password(b"Wonder1"), false)
        .unwrap();
    path
}

const PAY: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAY.
       PROCEDURE DIVISION.
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn good_morning_sign_on_and_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(folder.path());
    let programs = Programs::with(&[], |config| {
        config.users.file = Some(path);
        config.users.greeting = "Good morning from the region".into();
    });
    let mut desk = Desk::new(&programs);
    let first = desk.text();
    assert!(first.contains("Good morning from the region"), "{first}");
    assert!(first.contains("APPLID TEST"), "{first}");

    let ask = desk.type_text("CESN").press("ENTER");
    assert!(ask.contains("TXMCE3520I"), "{ask}");
    desk.type_text("alice").tab().tab().type_text("wrong");
    let refused = desk.press("ENTER");
    assert!(
        refused.contains("TXMCE3530E") && !refused.contains("wrong"),
        "{refused}"
    );
    // What is typed next is the password, and stays dark.
    desk.type_text("Wonder1");
    assert!(!desk.text().contains("Wonder1"), "{}", desk.text());
    let done = desk.press("ENTER");
    assert!(done.contains("TXMCE3549I"), "{done}");
    let off = desk.run("CESF");
    assert!(off.contains("TXMCE3590I"), "{off}");
    let off = desk.type_text("CESF").press("ENTER");
    assert!(off.contains("TXMCE3592I"), "{off}");

    let done = desk.run("CESN USERID=ALICE,PS=Wonder1");
    assert!(done.contains("TXMCE3549I"), "{done}");
    desk.run("CESF LOGOFF");
    desk.ended();
    let log = programs.log.lock().unwrap().clone();
    assert!(!log.contains("onder1"), "{log}");
}

const ADD: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. SHOUT.
       DATA DIVISION.
       LINKAGE SECTION.
       01 DFHCOMMAREA PIC X(5).
       PROCEDURE DIVISION.
           MOVE 'LOUD!' TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn command_interpreter_runs_commands() {
    let programs = Programs::new(&[ADD]);
    let mut desk = Desk::new(&programs);
    let about = desk.run("CECI WRITEQ TS Q(NAMES) FROM('ALICE')");
    assert!(about.contains("ABOUT TO EXECUTE"), "{about}");
    assert!(
        about.contains("EXEC CICS WRITEQ TS") && about.contains("QUEUE( 'NAMES' )"),
        "{about}"
    );
    let done = desk.press("ENTER");
    assert!(done.contains("COMMAND EXECUTION COMPLETE"), "{done}");
    assert!(done.contains("RESPONSE: NORMAL"), "{done}");

    let again = |desk: &mut Desk<'_>, line: &str| {
        desk.screen.home().unwrap();
        desk.screen.erase_eof().unwrap();
        desk.type_text(line).press("ENTER");
        desk.press("ENTER")
    };
    let read = again(&mut desk, "READQ TS Q(NAMES) INTO(&WHO) ITEM(1)");
    assert!(read.contains("INTO( 'ALICE' )"), "{read}");
    let variables = desk.press("PF5");
    assert!(
        variables.contains("WHO") && variables.contains("ALICE"),
        "{variables}"
    );
    desk.press("PF3");
    let missing = again(&mut desk, "READQ TS Q(NAMES) INTO ITEM(9)");
    assert!(missing.contains("RESPONSE: ITEMERR"), "{missing}");
    let eib = desk.press("PF4");
    assert!(
        eib.contains("EIBRESP    X'0000001A'") && eib.contains("'CECI'"),
        "{eib}"
    );
    // The line that was typed was all of the input.
    assert!(eib.contains("EIBEOC     X'FF'"), "{eib}");
    desk.press("ENTER");
    let linked = again(&mut desk, "LINK PROGRAM(SHOUT) COMMAREA('quiet') LENGTH(5)");
    assert!(linked.contains("COMMAREA( 'LOUD!' )"), "{linked}");
    let shown = again(&mut desk, "INQUIRE PROGRAM(SHOUT)");
    assert!(shown.contains("STATUS( ENABLED )"), "{shown}");
    let wrong = again(&mut desk, "READQ TS FISH");
    assert!(wrong.contains("TXMCI0023E 3 messages"), "{wrong}");
    let all = desk.press("PF9");
    assert!(
        all.contains("TXMCI0003E READQ TS has no option FISH"),
        "{all}"
    );
    desk.press("ENTER");
    // ASSIGN answers what was asked for and nothing else.
    let assigned = again(&mut desk, "ASSIGN APPLID USERID SCRNHT");
    assert!(
        assigned.contains("APPLID( 'TEST' )")
            && assigned.contains("SCRNHT( +0000000024 )")
            && assigned.contains("RESPONSE: NORMAL"),
        "{assigned}"
    );
    let checked = desk.line("? READQ TS QUEUE(NAMES)");
    assert!(
        checked.contains("COMMAND SYNTAX CHECK") && checked.contains("< ITEM() >"),
        "{checked}"
    );
    // A command kept under a name, and the samples.
    desk.screen.home().unwrap();
    desk.screen.erase_eof().unwrap();
    desk.type_text("ASSIGN SYSID")
        .tab()
        .tab()
        .type_text("&WHO2");
    desk.press("ENTER");
    let kept = desk.line("&WHO2");
    assert!(kept.contains("ASSIGN SYSID"), "{kept}");
    assert!(
        desk.line("&DFHW").contains("FROM( &DFHC )"),
        "{}",
        desk.text()
    );
    assert!(desk.press("ENTER").contains("NORMAL"), "{}", desk.text());
    // What the user would see.
    desk.line("SEND TEXT FROM('GOOD NEWS') ERASE FREEKB");
    let sent = desk.press("ENTER");
    assert!(
        sent.contains("GOOD NEWS") && !sent.contains("STATUS"),
        "{sent}"
    );
    let back = desk.press("ENTER");
    assert!(back.contains("COMMAND EXECUTION COMPLETE"), "{back}");
    let again_sent = desk.press("PF6");
    assert!(
        again_sent.contains("GOOD NEWS") && !again_sent.contains("STATUS"),
        "{again_sent}"
    );
    desk.press("ENTER");
    assert!(desk.press("PF1").contains("HELP"), "{}", desk.text());
    desk.press("ENTER");
    let ended = desk.press("PF3");
    assert!(ended.contains("TXMCI0020I"), "{ended}");
    let checked = desk.run("CECS DELAY FOR SECONDS(5)");
    assert!(checked.contains("TXMCI0022I"), "{checked}");
}

#[test]
fn queue_browser_messages_and_operator() {
    let programs = Programs::with(&[], |config| {
        let queue = TdQueueEntry::new(TdQueueName::new(*b"LOGQ"));
        config.queues.td_queues.push(queue);
    });
    let mut desk = Desk::new(&programs);
    for name in ["ALICE", "BOB", "CAROL"] {
        desk.run(&format!("CECI WRITEQ TS Q(NAMES) FROM({name})"));
        desk.press("ENTER");
        desk.press("PF3");
    }
    let shown = desk.run("CEBR NAMES");
    assert!(
        shown.contains("CEBR  TSQ NAMES")
            && shown.contains("SYSID TST1 REC     1 OF     3    COL     1 OF     5"),
        "{shown}"
    );
    let lines: Vec<&str> = shown.lines().map(str::trim).collect();
    assert!(lines[2].contains("**  TOP OF QUEUE  **"), "{shown}");
    assert_eq!(
        lines[3..6],
        ["00001 ALICE", "00002 BOB", "00003 CAROL"],
        "{shown}"
    );
    assert!(lines[6].contains("**  BOTTOM OF QUEUE  **"), "{shown}");
    assert!(lines[21].starts_with("PF4 : VIEW TOP"), "{shown}");
    let found = desk.type_text("FIND /caR").press("ENTER");
    assert!(
        found.contains("REC     3 OF") && !found.contains("ALICE"),
        "{found}"
    );
    // The record found is in the second line; the keys are those of CICS.
    assert_eq!(
        found.lines().nth(3).unwrap().trim(),
        "00003 CAROL",
        "{found}"
    );
    assert!(desk.press("PF6").contains("TXMBR0004E"), "{}", desk.text());
    assert!(
        desk.press("PF4").contains("REC     1 OF"),
        "{}",
        desk.text()
    );
    assert!(
        desk.press("PF11").contains("REC     3 OF"),
        "{}",
        desk.text()
    );
    assert!(
        desk.press("PF10").contains("REC     1 OF"),
        "{}",
        desk.text()
    );
    assert!(
        desk.press("PF5").contains("BOTTOM OF QUEUE"),
        "{}",
        desk.text()
    );
    assert!(
        desk.press("PF9").contains("COL     1 OF     5"),
        "{}",
        desk.text()
    );
    assert!(desk.press("PF1").contains("FIND /text"), "{}", desk.text());
    assert!(
        desk.press("ENTER").contains("00001 ALICE"),
        "{}",
        desk.text()
    );
    let hex = desk.type_text("TOP").press("ENTER");
    assert!(hex.contains("ALICE"), "{hex}");
    let hex = desk.press("PF2");
    assert!(hex.contains("414C494345"), "{hex}");
    let purged = desk.type_text("PURGE").press("ENTER");
    assert!(purged.contains("TXMBR0007I"), "{purged}");
    desk.press("PF3");

    for (queue, record) in [("LOGQ", "first"), ("LOGQ", "second")] {
        desk.run(&format!("CECI WRITEQ TD Q({queue}) FROM({record})"));
        desk.press("ENTER");
        desk.press("PF3");
    }
    desk.run("CEBR NAMES");
    let got = desk.type_text("GET LOGQ").press("ENTER");
    assert!(
        got.contains("TXMBR0005I 2 records") && got.contains("00002 second"),
        "{got}"
    );
    let put = desk.type_text("PUT LOGQ").press("ENTER");
    assert!(put.contains("TXMBR0005I 2 records"), "{put}");
    let other = desk.type_text("QUEUE OTHERS").press("ENTER");
    assert!(other.contains("TXMBR0002I"), "{other}");
    let got = desk.type_text("G LOGQ").press("ENTER");
    assert!(got.contains("REC     1 OF     2"), "{got}");
    let shifted = desk.type_text("COLUMN 3").press("ENTER");
    assert!(shifted.contains("00001 rst"), "{shifted}");
    let lined = desk.type_text("LINE 2").press("ENTER");
    assert!(lined.contains("REC     2 OF     2"), "{lined}");
    let missing = desk.type_text("GET NOPE").press("ENTER");
    assert!(missing.contains("TXMBR0006E GET: QIDERR"), "{missing}");
    desk.press("PF3");

    let page = desk.run("CMAC PG00");
    assert!(
        page.contains("TXMPG0001E") && page.contains("TXMPG0026E"),
        "{page}"
    );
    desk.press("PF3");
    let page = desk.run("CMAC TXMPG0021E");
    assert!(page.contains("Explanation: A task was to begin"), "{page}");
    desk.press("PF3");
    let page = desk.run("CMAC ASRA");
    assert!(page.contains("ASRA program check"), "{page}");
    desk.press("PF3");
    for (typed, id) in [
        ("TXMPG0021", "TXMPG0021E"),
        ("DFHAC2001", "TXMAC2001E"),
        ("ac2206e", "TXMAC2206E"),
    ] {
        let page = desk.run(&format!("CMAC {typed}"));
        assert!(page.contains(id) && page.contains("Explanation:"), "{page}");
        desk.press("PF3");
    }
    let sent = desk.run("CWTO the tape is empty");
    assert!(sent.contains("TXMCW0002I"), "{sent}");
    let until = Instant::now() + Duration::from_secs(10);
    while !programs.log.lock().unwrap().contains("the tape is empty") {
        assert!(Instant::now() < until, "nothing in the log");
        std::thread::sleep(Duration::from_millis(10));
    }
}
