//! START, RETRIEVE, CANCEL, POST from COBOL, in a real region.

use crate::harness::Programs;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_region_api::{ConfirmedOutput, Device, Logon, TerminalOutput, Terminals as _};
use transom_region_server::RegionConfig;
use transom_wire::definitions::{TerminalDefinition, TransactionEntry, TsModelEntry};

/// A program around a procedure, with RC, RC2, SCODE and SHOW to work with.
pub(crate) fn program(name: &str, storage: &str, procedure: &str) -> String {
    let mut text = format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       DATA DIVISION.\n       \
         WORKING-STORAGE SECTION.\n       01  RC PIC S9(8) COMP VALUE 0.\n       01  RC2 PIC S9(8) COMP.\n       \
         01  SCODE PIC X(2).\n       01  SHOW PIC Z(8)9.\n"
    );
    for line in storage.lines() {
        text += &format!("       {line}\n");
    }
    text += "       LINKAGE SECTION.\n       01  DFHCOMMAREA.\n           05 CA-TEXT PIC X(60).\n       \
             01  ECA PIC X(4).\n       PROCEDURE DIVISION.\n       MAIN-LINE.\n";
    for line in procedure.lines() {
        text += &format!("           {line}\n");
    }
    text + "           GOBACK.\n"
}

pub(crate) fn transaction(transid: &str, program: &str) -> TransactionEntry {
    TransactionEntry::new(transid.parse().unwrap(), program.parse().unwrap())
}

/// Temporary storage queues whose names begin so are recoverable.
pub(crate) fn recover(config: &mut RegionConfig, prefix: &[u8]) {
    let mut model = TsModelEntry::new(*b"MODEL   ", prefix);
    model.recovery = true;
    config.queues.ts_models.push(model);
}

/// What SEENPGM answers as soon as it answers anything: the first item of queue SEEN.
pub(crate) fn first_seen(programs: &Programs) -> String {
    let begin = Instant::now();
    loop {
        let text = programs.text("SEENPGM", &" ".repeat(60));
        if !text.is_empty() {
            return text;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(15),
            "{}",
            programs.log.lock().unwrap()
        );
        std::thread::sleep(Duration::from_millis(30));
    }
}

const STORAGE: &str = "01  D PIC X(60).\n01  E PIC X(60).\n01  L PIC S9(4) COMP.\n01  Q PIC X(8).\n01  N PIC S9(4) COMP.\n01  P USAGE POINTER.";

/// RETRIEVEs and writes what it got to temporary storage queue SEEN.
fn child() -> String {
    program(
        "CHILD",
        STORAGE,
        "MOVE 60 TO L.\nEXEC CICS RETRIEVE INTO(D) LENGTH(L) QUEUE(Q) RESP(RC)\n END-EXEC.\nEXEC CICS ASSIGN STARTCODE(SCODE) END-EXEC.\nIF RC = 0\n  STRING SCODE Q D (1:L) DELIMITED BY SIZE INTO E\nELSE\n  MOVE RC TO SHOW\n  STRING SCODE SHOW DELIMITED BY SIZE INTO E\nEND-IF.\nEXEC CICS WRITEQ TS QUEUE('SEEN') FROM(E) LENGTH(60) END-EXEC.\nEXEC CICS RETRIEVE INTO(D) LENGTH(L) RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(ENDDATA)\n  EXEC CICS WRITEQ TS QUEUE('SEEN') FROM(D) LENGTH(60)\n  END-EXEC.",
    )
}

fn seen() -> String {
    program(
        "SEENPGM",
        STORAGE,
        "MOVE 60 TO L.\nEXEC CICS READQ TS QUEUE('SEEN') INTO(D) LENGTH(L) ITEM(1)\n NUMITEMS(N) RESP(RC) END-EXEC.\nMOVE SPACES TO CA-TEXT.\nIF RC = 0 AND N = 1 MOVE D TO CA-TEXT.\nIF RC = 0 AND N > 1 MOVE 'TOO MANY' TO CA-TEXT.",
    )
}

fn with_child(parent: &str) -> Programs {
    Programs::with(&[parent, &child(), &seen()], |config| {
        config.transactions.push(transaction("STRT", "CHILD"));
    })
}

#[test]
fn start_hands_data_to_its_task() {
    let parent = program(
        "PARENT",
        STORAGE,
        "MOVE 'SOME DATA' TO D.\nEXEC CICS START TRANSID('STRT') FROM(D) LENGTH(9)\n QUEUE('MYQ') RESP(RC) END-EXEC.\nMOVE RC TO SHOW.\nMOVE SHOW TO CA-TEXT.",
    );
    let programs = with_child(&parent);
    assert_eq!(programs.text("PARENT", &" ".repeat(60)).trim(), "0");
    let text = first_seen(&programs);
    assert_eq!(text, "SDMYQ     SOME DATA");
}

#[test]
fn conditions_of_start_and_retrieve() {
    let parent = program(
        "PARENT",
        STORAGE,
        "EXEC CICS START TRANSID('NONE') RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(TRANSIDERR) MOVE 'TRANSID' TO CA-TEXT.\nEXEC CICS START TRANSID('STRT') TERMID('NOPE') RESP(RC)\n END-EXEC.\nIF RC NOT = DFHRESP(TERMIDERR) MOVE 'TERMID' TO CA-TEXT.\nEXEC CICS START TRANSID('STRT') SYSID('FAR1') RESP(RC)\n END-EXEC.\nIF RC NOT = DFHRESP(SYSIDERR) MOVE 'SYSID' TO CA-TEXT.\nEXEC CICS START TRANSID('STRT') INTERVAL(6000) RESP(RC)\n RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) OR RC2 NOT = 5\n  MOVE 'INTERVAL' TO CA-TEXT.\nEXEC CICS RETRIEVE INTO(D) LENGTH(L) RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(ENDDATA) MOVE 'ENDDATA' TO CA-TEXT.\nEXEC CICS CANCEL REQID('NOSUCH') RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(NOTFND) MOVE 'NOTFND' TO CA-TEXT.\nIF CA-TEXT = SPACES MOVE 'OK' TO CA-TEXT.",
    );
    let programs = with_child(&parent);
    programs.must_say("PARENT", "OK");
}

#[test]
fn a_start_for_later_can_be_cancelled() {
    let parent = program(
        "PARENT",
        STORAGE,
        "EXEC CICS START TRANSID('STRT') AFTER SECONDS(1)\n REQID('LATER') FROM(D) LENGTH(60) RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'START' TO CA-TEXT.\nEXEC CICS START TRANSID('STRT') AFTER SECONDS(1)\n REQID('LATER') FROM(D) LENGTH(60) RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(IOERR) MOVE 'TWICE' TO CA-TEXT.\nEXEC CICS CANCEL REQID('LATER') RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'CANCEL' TO CA-TEXT.\nMOVE 'SECOND' TO D.\nEXEC CICS START TRANSID('STRT') INTERVAL(1)\n FROM(D) LENGTH(6) QUEUE('Q') RESP(RC) END-EXEC.\nIF CA-TEXT = SPACES MOVE 'OK' TO CA-TEXT.",
    );
    let programs = with_child(&parent);
    let begin = Instant::now();
    programs.must_say("PARENT", "OK");
    let text = first_seen(&programs);
    assert_eq!(text, "SDQ       SECOND");
    assert!(begin.elapsed() >= Duration::from_secs(1));
}

#[test]
fn thousands_of_cancelled_starts_leave_the_others_their_time() {
    let parent = program(
        "PARENT",
        STORAGE,
        "MOVE 'KEPT' TO D.\nEXEC CICS START TRANSID('STRT') AFTER SECONDS(1)\n FROM(D) LENGTH(4) QUEUE('Q') RESP(RC) END-EXEC.\nPERFORM 3000 TIMES\n EXEC CICS START TRANSID('STRT') AFTER HOURS(9)\n  REQID('WATCHDOG') RESP(RC) END-EXEC\n IF RC NOT = 0 MOVE 'START' TO CA-TEXT END-IF\n EXEC CICS CANCEL REQID('WATCHDOG') RESP(RC) END-EXEC\n IF RC NOT = 0 MOVE 'CANCEL' TO CA-TEXT END-IF\nEND-PERFORM.\nIF CA-TEXT = SPACES MOVE 'OK' TO CA-TEXT.",
    );
    let programs = with_child(&parent);
    programs.must_say("PARENT", "OK");
    let text = first_seen(&programs);
    assert_eq!(text, "SDQ       KEPT");
}

#[test]
fn protected_starts_wait_for_the_syncpoint() {
    let parent = program(
        "PARENT",
        STORAGE,
        "MOVE 'LOST' TO D.\nEXEC CICS START TRANSID('STRT') FROM(D) LENGTH(4)\n QUEUE('Q') PROTECT RESP(RC) END-EXEC.\nEXEC CICS SYNCPOINT ROLLBACK END-EXEC.\nMOVE 'KEPT' TO D.\nEXEC CICS START TRANSID('STRT') FROM(D) LENGTH(4)\n QUEUE('Q') PROTECT RESP(RC) END-EXEC.\nEXEC CICS DELAY FOR MILLISECS(200) END-EXEC.\nEXEC CICS READQ TS QUEUE('SEEN') INTO(D) LENGTH(L)\n RESP(RC) END-EXEC.\nIF RC = DFHRESP(QIDERR) MOVE 'OK' TO CA-TEXT\nELSE MOVE 'TOO EARLY' TO CA-TEXT.",
    );
    let programs = with_child(&parent);
    programs.must_say("PARENT", "OK");
    let text = first_seen(&programs);
    assert_eq!(text, "SDQ       KEPT");
}

/// Runs PARENT in a region that ends at once; the first item of queue SEEN in the next one with the
/// same data.
fn seen_by_the_next_region(parent: &str, change: fn(&mut RegionConfig)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let region = || {
        Programs::with(&[parent, &child(), &seen()], |config| {
            config.transactions.push(transaction("STRT", "CHILD"));
            config.data.store = Some(folder.path().join("store"));
            change(config);
        })
    };
    let first = region();
    first.must_say("PARENT", "OK");
    drop(first);
    first_seen(&region())
}

#[test]
fn protected_starts_outlive_the_region() {
    let parent = program(
        "PARENT",
        STORAGE,
        "MOVE 'AFTER' TO D.\nEXEC CICS START TRANSID('STRT') FROM(D) LENGTH(5)\n QUEUE('Q') PROTECT AFTER SECONDS(3) END-EXEC.\nMOVE 'GONE' TO D.\nEXEC CICS START TRANSID('STRT') FROM(D) LENGTH(4)\n QUEUE('Q') AFTER SECONDS(3) END-EXEC.\nMOVE 'OK' TO CA-TEXT.",
    );
    assert_eq!(seen_by_the_next_region(&parent, |_| ()), "SDQ       AFTER");
}

#[test]
fn a_post_is_waited_for() {
    let source = program(
        "POSTER",
        STORAGE,
        "EXEC CICS POST AFTER SECONDS(1) SET(P) REQID('ME')\n RESP(RC) END-EXEC.\nSET ADDRESS OF ECA TO P.\nIF ECA NOT = LOW-VALUES MOVE 'POSTED' TO CA-TEXT.\nEXEC CICS WAIT EVENT ECADDR(P) RESP(RC) END-EXEC.\nIF RC = 0 AND ECA = X'40008000' AND CA-TEXT = SPACES\n  MOVE 'OK' TO CA-TEXT.",
    );
    let programs = Programs::new(&[&source]);
    let begin = Instant::now();
    programs.must_say("POSTER", "OK");
    assert!(begin.elapsed() >= Duration::from_millis(950));
}

/// A terminal nobody looks at.
struct Blind;

impl TerminalOutput for Blind {
    fn write(&self, _stream: Vec<u8>) -> bool {
        true
    }
    fn disconnect(&self) {}
    fn confirmed(&self) -> Option<&dyn ConfirmedOutput> {
        None
    }
}

#[test]
fn one_task_at_a_terminal_takes_the_data_of_all_starts() {
    let parent = program(
        "PARENT",
        "01  T PIC X(4).",
        "MOVE CA-TEXT (1:4) TO T.\nEXEC CICS START TRANSID('STRT') TERMID(T) PROTECT\n FROM('ONE') LENGTH(3) RESP(RC) END-EXEC.\nEXEC CICS START TRANSID('STRT') TERMID(T) PROTECT\n FROM('TWO') LENGTH(3) RESP(RC2) END-EXEC.\nIF RC = 0 AND RC2 = 0 MOVE 'OK' TO CA-TEXT\nELSE MOVE 'NOT STARTED' TO CA-TEXT.",
    );
    let child = program(
        "CHILD",
        "01  D PIC X(3).\n01  L PIC S9(4) COMP.\n01  E PIC X(60) VALUE SPACES.\n01  P PIC S9(4) COMP VALUE 1.",
        "EXEC CICS ASSIGN STARTCODE(SCODE) END-EXEC.\nSTRING SCODE EIBTRMID DELIMITED BY SIZE INTO E\n POINTER P.\nPERFORM UNTIL RC NOT = 0\n MOVE 3 TO L\n EXEC CICS RETRIEVE INTO(D) LENGTH(L) RESP(RC) END-EXEC\n IF RC = 0\n  STRING D DELIMITED BY SIZE INTO E POINTER P\n END-IF\nEND-PERFORM.\nEXEC CICS WRITEQ TS QUEUE('SEEN') FROM(E) LENGTH(60)\n END-EXEC.",
    );
    let programs = Programs::with(&[&parent, &child, &seen()], |config| {
        config.transactions.push(transaction("STRT", "CHILD"));
    });
    let logon = Logon {
        netname: None,
        device: Device::model_2(),
        peer: "127.0.0.1:5000".into(),
        tls: false,
        partner: None,
    };
    let session = {
        let _runtime = programs.enter();
        programs.region.logon(logon, Arc::new(Blind)).unwrap()
    };
    let terminal = session.terminal.to_string();
    let commarea = format!("{terminal:60}");
    assert_eq!(programs.text("PARENT", &commarea), "OK");
    let text = first_seen(&programs);
    assert_eq!(text, format!("SD{terminal:4}ONETWO"));
}

fn log_on(programs: &Programs, netname: &str) -> String {
    let logon = Logon {
        netname: Some(netname.into()),
        device: Device::model_2(),
        peer: "127.0.0.1:5000".into(),
        tls: false,
        partner: None,
    };
    let _runtime = programs.enter();
    let session = programs.region.logon(logon, Arc::new(Blind)).unwrap();
    session.terminal.to_string()
}

/// Starts STRT at a terminal, with PROTECT and without.
fn starts_both() -> String {
    program(
        "PARENT",
        "01  T PIC X(4).",
        "MOVE CA-TEXT (1:4) TO T.\nEXEC CICS START TRANSID('STRT') TERMID(T) PROTECT\n INTERVAL(1) FROM('SAFE') LENGTH(4) RESP(RC) END-EXEC.\nEXEC CICS START TRANSID('STRT') TERMID(T)\n INTERVAL(1) FROM('BARE') LENGTH(4) RESP(RC2) END-EXEC.\nIF RC = 0 AND RC2 = 0 MOVE 'OK' TO CA-TEXT\nELSE MOVE 'NOT STARTED' TO CA-TEXT.",
    )
}

/// Collects what it retrieves and adds it to queue SEEN.
fn collects() -> String {
    program(
        "CHILD",
        "01  D PIC X(4).\n01  L PIC S9(4) COMP.\n01  E PIC X(60) VALUE SPACES.\n01  P PIC S9(4) COMP VALUE 1.",
        "PERFORM UNTIL RC NOT = 0\n MOVE 4 TO L\n EXEC CICS RETRIEVE INTO(D) LENGTH(L) RESP(RC) END-EXEC\n IF RC = 0\n  STRING D DELIMITED BY SIZE INTO E POINTER P\n END-IF\nEND-PERFORM.\nEXEC CICS WRITEQ TS QUEUE('SEEN') FROM(E) LENGTH(60)\n END-EXEC.",
    )
}

#[test]
fn starts_wait_for_a_defined_terminal_that_is_not_logged_on() {
    let programs = Programs::with(&[&starts_both(), &collects(), &seen()], |config| {
        config.transactions.push(transaction("STRT", "CHILD"));
        let definition = TerminalDefinition::new("PRT1".parse().unwrap(), "LUPRT1");
        config.terminals.definitions.push(definition);
    });
    assert_eq!(programs.text("PARENT", &format!("{:60}", "PRT1")), "OK");
    std::thread::sleep(Duration::from_millis(1_500));
    programs.must_say("SEENPGM", "");
    assert_eq!(log_on(&programs, "LUPRT1"), "PRT1");
    let text = first_seen(&programs);
    assert!(matches!(&text[..], "SAFEBARE" | "BARESAFE"), "{text}");
}

#[test]
fn protected_starts_wait_for_the_return_of_any_terminal_and_outlive_the_region() {
    let folder = tempfile::tempdir().unwrap();
    let region = || {
        Programs::with(&[&starts_both(), &collects(), &seen()], |config| {
            config.transactions.push(transaction("STRT", "CHILD"));
            config.data.store = Some(folder.path().join("store"));
        })
    };
    let first = region();
    let terminal = log_on(&first, "LUB012");
    assert_eq!(first.text("PARENT", &format!("{terminal:60}")), "OK");
    {
        let _runtime = first.enter();
        first.region.logoff(terminal.parse().unwrap());
    }
    let begin = Instant::now();
    while !first.log.lock().unwrap().contains("TXMIC0005E") {
        assert!(begin.elapsed() < Duration::from_secs(9));
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(first);
    let second = region();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(log_on(&second, "LUB012"), terminal);
    let text = first_seen(&second);
    assert_eq!(text, "SAFE", "the other one was dropped");
}

#[test]
fn dtimout_ends_retrieve_wait_and_purgeable_waits() {
    let retrieves = program(
        "CHILD",
        "01  D PIC X(4).\n01  L PIC S9(4) COMP.",
        "PERFORM UNTIL RC NOT = 0\n MOVE 4 TO L\n EXEC CICS RETRIEVE INTO(D) LENGTH(L) WAIT RESP(RC)\n END-EXEC\nEND-PERFORM.",
    );
    let waits = program(
        "WAITS",
        "01  P USAGE POINTER.\n01  ECB PIC X(4) SYNC VALUE LOW-VALUES.\n01  N PIC S9(8) COMP VALUE 1.\n01  LST.\n 05  E1 USAGE POINTER.",
        "SET E1 TO ADDRESS OF ECB.\nSET P TO ADDRESS OF LST.\nEVALUATE CA-TEXT (1:1)\n WHEN 'X'\n  EXEC CICS WAIT EXTERNAL ECBLIST(P) NUMEVENTS(N) END-EXEC\n WHEN 'C'\n  EXEC CICS WAITCICS ECBLIST(P) NUMEVENTS(N) PURGEABLE\n  END-EXEC\n WHEN 'E'\n  EXEC CICS WAIT EVENT ECADDR(E1) END-EXEC\nEND-EVALUATE.",
    );
    let programs = Programs::with(&[&starts_both(), &retrieves, &waits], |config| {
        let mut child = transaction("STRT", "CHILD");
        child.dtimout_ms = 300;
        let mut short = transaction("WAIT", "WAITS");
        short.dtimout_ms = 300;
        config.transactions.extend([child, short]);
    });
    let terminal = log_on(&programs, "LUB013");
    assert_eq!(programs.text("PARENT", &format!("{terminal:60}")), "OK");
    let begin = Instant::now();
    while !programs.log.lock().unwrap().contains("abended AKCS") {
        assert!(begin.elapsed() < Duration::from_secs(9));
        std::thread::sleep(Duration::from_millis(20));
    }
    for kind in ["X", "C", "E"] {
        let mut request = crate::harness::request("WAITS", format!("{kind:60}").into_bytes());
        request.transid = Some("WAIT".parse().unwrap());
        let ended = programs.request(request);
        let fault = format!("{:?}", ended.unwrap_err().fault);
        assert!(fault.contains("AEXY"), "{kind}: {fault}");
    }
}

#[test]
fn a_start_with_recoverable_data_outlives_a_kill() {
    let parent = program(
        "PARENT",
        STORAGE,
        "MOVE 'AFTER' TO D.\nEXEC CICS START TRANSID('STRT') FROM(D) LENGTH(5)\n QUEUE('Q') AFTER SECONDS(2) END-EXEC.\nMOVE 'GONE' TO D.\nEXEC CICS START TRANSID('STRT') FROM(D) LENGTH(4)\n REQID('OTHER') QUEUE('Q') AFTER SECONDS(2) END-EXEC.\nMOVE 'OK' TO CA-TEXT.",
    );
    let seen = seen_by_the_next_region(&parent, |config| recover(config, b"DF"));
    assert_eq!(seen, "SDQ       AFTER");
}
