//! COBOL in, COMMAREA out: programs through translator, compiler, region and workers.

use crate::harness::{Programs, request};
use std::time::Duration;
use transom_region_api::{Container, ContainerData, Control as _, Fault, LinkRequest, Payload};
use transom_types::{AbendCode, ChannelName, ContainerName, Resp};

/// A program around a procedure; WS and LINKAGE entries may be given.
fn program(name: &str, storage: &str, procedure: &str) -> String {
    let mut text = format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  WS-RESP PIC S9(8) COMP.\n       01  WS-RESP2 PIC S9(8) COMP.\n"
    );
    for line in storage.lines() {
        text += &format!("       {line}\n");
    }
    text += "       LINKAGE SECTION.\n       01  DFHCOMMAREA.\n           05 CA-TEXT PIC X(40).\n       PROCEDURE DIVISION.\n";
    for line in procedure.lines() {
        text += &format!("           {line}\n");
    }
    text
}

fn abend(code: &[u8; 4]) -> String {
    format!("{:?}", Fault::Abend(AbendCode::from_field(code)))
}

#[test]
fn link_xctl_and_return_pass_the_commarea() {
    let top = program(
        "TOP",
        "",
        "EXEC CICS LINK PROGRAM('MID') COMMAREA(DFHCOMMAREA)\n     LENGTH(40) END-EXEC.\nSTRING CA-TEXT DELIMITED BY SPACE ' TOP' DELIMITED BY SIZE\n    INTO CA-TEXT.\nEXEC CICS RETURN END-EXEC.",
    );
    let mid = program(
        "MID",
        "",
        "MOVE 'MID' TO CA-TEXT.\nEXEC CICS XCTL PROGRAM('LAST') COMMAREA(DFHCOMMAREA)\n     END-EXEC.\nMOVE 'NOT REACHED' TO CA-TEXT.",
    );
    let last = program(
        "LAST",
        "",
        "STRING CA-TEXT DELIMITED BY SPACE '-LAST' DELIMITED BY SIZE\n    INTO CA-TEXT.\nGOBACK.",
    );
    let programs = Programs::new(&[&top, &mid, &last]);
    assert_eq!(programs.text("TOP", &" ".repeat(40)), "MID-LAST TOP");
}

#[test]
fn storage_is_fresh_at_every_link_and_recursion_keeps_it_apart() {
    let source = program(
        "AGAIN",
        "01  WS-COUNT PIC 9(4) VALUE 0.\n01  WS-DEPTH PIC 9.",
        "ADD 1 TO WS-COUNT.\nMOVE CA-TEXT (1:1) TO WS-DEPTH.\nIF WS-DEPTH > 0\n   SUBTRACT 1 FROM WS-DEPTH\n   MOVE WS-DEPTH TO CA-TEXT (1:1)\n   EXEC CICS LINK PROGRAM('AGAIN') COMMAREA(DFHCOMMAREA)\n   END-EXEC\nEND-IF.\nADD 1 TO WS-COUNT.\nIF WS-COUNT NOT = 2 MOVE 'STALE' TO CA-TEXT (10:5).\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::new(&[&source]);
    for _ in 0..3 {
        let text = programs.text("AGAIN", &format!("{:40}", "5"));
        assert!(!text.contains("STALE"), "{text}");
    }
}

#[test]
fn conditions_go_to_resp_to_labels_or_to_the_default_abend() {
    let resp = program(
        "RESPPGM",
        "",
        "EXEC CICS LINK PROGRAM('NOSUCH') RESP(WS-RESP)\n     RESP2(WS-RESP2) END-EXEC.\nIF WS-RESP = DFHRESP(PGMIDERR) AND EIBRESP = 27\n   MOVE 'PGMIDERR' TO CA-TEXT.\nEXEC CICS RETURN END-EXEC.",
    );
    let label = program("LABEL", "", "EXEC CICS HANDLE CONDITION PGMIDERR(NO-PROGRAM) END-EXEC.\nEXEC CICS LINK PROGRAM('NOSUCH') END-EXEC.\nMOVE 'NOT HERE' TO CA-TEXT.\nEXEC CICS RETURN END-EXEC.\n@NO-PROGRAM.\nMOVE 'HANDLED' TO CA-TEXT.\nEXEC CICS RETURN END-EXEC.").replace("           @NO-PROGRAM", "       NO-PROGRAM");
    let none = program(
        "DEFLT",
        "",
        "EXEC CICS LINK PROGRAM('NOSUCH') END-EXEC.\nMOVE 'NOT HERE' TO CA-TEXT.",
    );
    let ignore = program(
        "IGNOR",
        "",
        "EXEC CICS IGNORE CONDITION PGMIDERR END-EXEC.\nEXEC CICS LINK PROGRAM('NOSUCH') END-EXEC.\nMOVE 'WENT ON' TO CA-TEXT.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::new(&[&resp, &label, &none, &ignore]);
    let area = " ".repeat(40);
    assert_eq!(programs.text("RESPPGM", &area), "PGMIDERR");
    assert_eq!(programs.text("LABEL", &area), "HANDLED");
    assert_eq!(programs.text("DEFLT", &area), abend(b"AEI0"));
    assert_eq!(programs.text("IGNOR", &area), "WENT ON");
}

#[test]
fn labels_belong_to_the_program_that_gave_them() {
    let top = program(
        "TOPH",
        "",
        "EXEC CICS HANDLE CONDITION PGMIDERR(MINE) END-EXEC.\nCALL 'SUBH' USING DFHEIBLK DFHCOMMAREA.\nEXEC CICS LINK PROGRAM('NOSUCH') END-EXEC.\nMOVE 'NOT HERE' TO CA-TEXT.\nEXEC CICS RETURN END-EXEC.\n@MINE.\nMOVE 'TOP' TO CA-TEXT (20:3).\nEXEC CICS RETURN END-EXEC.",
    )
    .replace("           @MINE", "       MINE");
    let sub = program(
        "SUBH",
        "",
        "EXEC CICS HANDLE CONDITION PGMIDERR(SECOND-LABEL) END-EXEC.\nEXEC CICS LINK PROGRAM('NOSUCH') END-EXEC.\nMOVE 'NOT HERE' TO CA-TEXT.\nGOBACK.\n@FIRST-LABEL.\nMOVE 'WRONG' TO CA-TEXT.\nGOBACK.\n@SECOND-LABEL.\nMOVE 'SUB' TO CA-TEXT.\nGOBACK.",
    )
    .replace("           @", "       ");
    let programs = Programs::new(&[&top, &sub]);
    let text = programs.text("TOPH", &" ".repeat(40));
    assert_eq!(
        text,
        format!("{:19}TOP", "SUB"),
        "{}",
        programs.log.lock().unwrap()
    );
}

#[test]
fn program_checks_end_the_task_and_nothing_else() {
    let cases = [
        (
            "S0C7",
            "01  WS-P PIC S9(7) COMP-3.\n01  WS-PX REDEFINES WS-P PIC X(4).",
            "MOVE 'AAAA' TO WS-PX.\nADD 1 TO WS-P.",
            "ASRA",
        ),
        (
            "S0C4",
            "01  WS-A USAGE POINTER VALUE NULL.",
            "SET ADDRESS OF DFHCOMMAREA TO WS-A.\nMOVE 'X' TO CA-TEXT.",
            "ASRA",
        ),
        (
            "S0CB",
            "01  WS-Z PIC S9(4) COMP VALUE 0.",
            "COMPUTE WS-RESP = 5 / WS-Z.",
            "ASRA",
        ),
        ("NOCALL", "", "CALL 'NOWHERE' USING CA-TEXT.", "APCN"),
        (
            "OWNCODE",
            "",
            "EXEC CICS ABEND ABCODE('MINE') END-EXEC.",
            "MINE",
        ),
        (
            "LOOPER",
            "",
            "PERFORM UNTIL WS-RESP > 5\n   MOVE 1 TO WS-RESP\nEND-PERFORM.",
            "AICA",
        ),
    ];
    let sources: Vec<String> = cases.iter().map(|c| program(c.0, c.1, c.2)).collect();
    let good = program(
        "GOOD",
        "",
        "MOVE 'FINE' TO CA-TEXT.\nEXEC CICS RETURN END-EXEC.",
    );
    let stop = program("STOPPER", "", "MOVE 'STOPPED' TO CA-TEXT.\nSTOP RUN.");
    let mut all: Vec<&str> = sources.iter().map(String::as_str).collect();
    all.extend([good.as_str(), stop.as_str()]);
    let programs = Programs::new(&all);
    let area = " ".repeat(40);
    for (name, _, _, code) in &cases {
        let got = programs.text(name, &area);
        assert_eq!(
            got,
            abend(code.as_bytes().try_into().unwrap()),
            "{name}: {}",
            programs.log.lock().unwrap()
        );
        assert_eq!(programs.text("GOOD", &area), "FINE", "after {name}");
    }
    assert_eq!(programs.text("STOPPER", &area), "STOPPED");
}

#[test]
fn handle_abend_takes_program_checks_and_linked_abends() {
    let own = program("OWN", "01  WS-P PIC S9(7) COMP-3.\n01  WS-PX REDEFINES WS-P PIC X(4).\n01  WS-KEPT PIC X(4) VALUE 'OLD'.", "EXEC CICS HANDLE ABEND LABEL(SAVED) END-EXEC.\nMOVE 'KEPT' TO WS-KEPT.\nMOVE 'AAAA' TO WS-PX.\nADD 1 TO WS-P.\nMOVE 'NOT HERE' TO CA-TEXT.\nEXEC CICS RETURN END-EXEC.\n@SAVED.\nEXEC CICS ASSIGN ABCODE(CA-TEXT(1:4)) END-EXEC.\nMOVE WS-KEPT TO CA-TEXT (6:4).\nEXEC CICS RETURN END-EXEC.").replace("           @SAVED", "       SAVED");
    let outer = program(
        "OUTER",
        "",
        "EXEC CICS HANDLE ABEND PROGRAM('EXITPGM') END-EXEC.\nEXEC CICS LINK PROGRAM('INNER') COMMAREA(DFHCOMMAREA)\n     END-EXEC.\nMOVE 'NOT HERE' TO CA-TEXT.\nEXEC CICS RETURN END-EXEC.",
    );
    let inner = program("INNER", "", "EXEC CICS ABEND ABCODE('DEEP') END-EXEC.");
    let exit = program(
        "EXITPGM",
        "",
        "EXEC CICS ASSIGN ABCODE(CA-TEXT(1:4)) END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::new(&[&own, &outer, &inner, &exit]);
    let area = " ".repeat(40);
    assert_eq!(
        programs.text("OWN", &area),
        "ASRA KEPT",
        "{}",
        programs.log.lock().unwrap()
    );
    assert_eq!(
        programs.text("OUTER", &area),
        "DEEP",
        "{}",
        programs.log.lock().unwrap()
    );
}

#[test]
fn channels_carry_containers_of_any_size() {
    let source = program(
        "CHANNEL",
        "01  WS-LEN PIC S9(8) COMP.\n01  WS-NAME PIC X(16).\n01  WS-BIG PIC X(100000).",
        "EXEC CICS ASSIGN CHANNEL(WS-NAME) END-EXEC.\nMOVE 100000 TO WS-LEN.\nEXEC CICS GET CONTAINER('IN') INTO(WS-BIG) FLENGTH(WS-LEN)\n     END-EXEC.\nINSPECT WS-BIG REPLACING ALL 'a' BY 'b'.\nEXEC CICS PUT CONTAINER('OUT') FROM(WS-BIG) FLENGTH(WS-LEN)\n     CHAR END-EXEC.\nEXEC CICS DELETE CONTAINER('IN') END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::new(&[&source]);
    let name = |n: &str| ContainerName::new(n).unwrap();
    let mut ask = request("CHANNEL", Vec::new());
    let data = ContainerData::Char {
        ccsid: 819,
        bytes: vec![b'a'; 90_000],
    };
    ask.payload = Payload::Channel {
        name: ChannelName::new("ORDERS").unwrap(),
        containers: vec![Container {
            name: name("IN"),
            data,
        }],
    };
    let Payload::Channel {
        name: channel,
        containers,
    } = programs.request(ask).unwrap()
    else {
        panic!("no channel came back");
    };
    assert_eq!(channel.as_str(), "ORDERS");
    assert_eq!(containers.len(), 1, "{containers:?}");
    let ContainerData::Char { bytes, .. } = &containers[0].data else {
        panic!("not CHAR")
    };
    assert_eq!(
        (containers[0].name, bytes.len(), bytes[0]),
        (name("OUT"), 90_000, b'b')
    );
}

#[test]
fn queues_counters_and_enqueues_are_shared_by_tasks() {
    let source = program(
        "SHARED",
        "01  WS-N PIC S9(8) COMP.\n01  WS-ITEM PIC S9(4) COMP.\n01  WS-REC PIC X(8).",
        "EXEC CICS ENQ RESOURCE('ONE AT A TIME') LENGTH(13) END-EXEC.\nEXEC CICS GET COUNTER('COUNTED') VALUE(WS-N)\n     RESP(WS-RESP) END-EXEC.\nIF WS-RESP NOT = 0\n   EXEC CICS DEFINE COUNTER('COUNTED') VALUE(1) END-EXEC\n   EXEC CICS GET COUNTER('COUNTED') VALUE(WS-N) END-EXEC\nEND-IF.\nEXEC CICS WRITEQ TS QUEUE('LINES') FROM(CA-TEXT) LENGTH(8)\n     ITEM(WS-ITEM) END-EXEC.\nEXEC CICS DELAY FOR MILLISECS(2) END-EXEC.\nEXEC CICS DEQ RESOURCE('ONE AT A TIME') LENGTH(13) END-EXEC.\nMOVE WS-N TO WS-REC.\nIF WS-N NOT = WS-ITEM MOVE 'MIXED' TO CA-TEXT.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::new(&[&source]);
    let requests: Vec<LinkRequest> = (0..20)
        .map(|i| request("SHARED", format!("{i:<40}").into_bytes()))
        .collect();
    for reply in programs.all(requests) {
        let Ok(Payload::Commarea(bytes)) = &reply else {
            panic!("{reply:?}\n{}", programs.log.lock().unwrap())
        };
        assert!(
            !bytes.starts_with(b"MIXED"),
            "{}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[test]
fn a_time_limit_purges_the_task() {
    let source = program(
        "SLEEPER",
        "",
        "EXEC CICS DELAY FOR SECONDS(20) END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::new(&[&source]);
    let mut ask = request("SLEEPER", vec![b' '; 40]);
    ask.timeout = Some(Duration::from_millis(200));
    let failure = programs.request(ask).unwrap_err();
    assert_eq!(failure.fault, Fault::TimedOut, "{}", failure.text);
    let begin = std::time::Instant::now();
    while programs.region.info().unwrap().tasks > 0 && begin.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(
        programs.region.info().unwrap().tasks,
        0,
        "the task was not purged"
    );
}

#[test]
fn refusals_say_what_is_missing() {
    let good = program("GOOD", "", "EXEC CICS RETURN END-EXEC.");
    let programs = Programs::new(&[&good]);
    let missing = programs.link("ABSENT", b"").unwrap_err();
    assert_eq!(
        missing.fault,
        Fault::Refused {
            resp: Resp::PGMIDERR,
            resp2: 1
        }
    );
    assert!(missing.fault.retry_is_safe() && missing.text.starts_with("TXMPG0001E"));
    let long = programs.link("GOOD", &vec![b' '; 32_764]).unwrap_err();
    assert_eq!(
        long.fault,
        Fault::Refused {
            resp: Resp::LENGERR,
            resp2: 0
        }
    );
}

#[test]
fn the_dump_of_a_transaction_is_text() {
    let source = program(
        "DUMPER",
        "01  WS-ID PIC X(9).",
        "MOVE 'LOOK AT ME' TO CA-TEXT.\nEXEC CICS DUMP TRANSACTION DUMPCODE('TEST') FROM(CA-TEXT)\n     LENGTH(40) END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::new(&[&source]);
    assert_eq!(programs.text("DUMPER", &" ".repeat(40)), "LOOK AT ME");
    let dump = std::fs::read_dir(&programs.dumps)
        .unwrap()
        .flatten()
        .next()
        .expect("no dump file")
        .path();
    let text = std::fs::read_to_string(dump).unwrap();
    assert!(
        text.contains("TEST") && text.contains("LOOK AT ME"),
        "{text}"
    );
}
