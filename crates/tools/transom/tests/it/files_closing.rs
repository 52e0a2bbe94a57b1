//! Closing and disabling files that tasks use, from COBOL.

use crate::files::{file, logged_times, times_logged};
use crate::harness::{Programs, request};
use crate::queues::statistic;
use std::time::{Duration, Instant};
use transom_region_api::{LinkFailure, Payload};
use transom_wire::definitions::Recovery;

/// Uses CUST for two seconds: `B` browses, `U` rewrites a record, `F` browses for 20 seconds, `W`
/// writes one of LOGF, which is not recoverable. `S` fills both.
const USER: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. USER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 REC-KEY PIC X(4).
           05 FILLER PIC X(36).
       01  KEY-F PIC X(4) VALUE 'K001'.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 HOW PIC X.
           05 ANS PIC X(4).
           05 FILLER PIC X(55).
       PROCEDURE DIVISION.
           EVALUATE HOW
             WHEN 'S'
               MOVE 'K001' TO REC
               EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)
               END-EXEC
               MOVE 'K002' TO REC
               EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)
               END-EXEC
             WHEN 'U'
               EXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-F)
               UPDATE END-EXEC
               EXEC CICS REWRITE FILE('CUST') FROM(REC) END-EXEC
               DISPLAY 'USES THE FILE'
               EXEC CICS DELAY FOR SECONDS(2) END-EXEC
             WHEN 'W'
               MOVE 'K009' TO REC
               EXEC CICS WRITE FILE('LOGF') FROM(REC) RIDFLD(REC-KEY)
               END-EXEC
               DISPLAY 'USES THE FILE'
               EXEC CICS DELAY FOR SECONDS(2) END-EXEC
             WHEN OTHER
               EXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F) END-EXEC
               EXEC CICS READNEXT FILE('CUST') INTO(REC)
               RIDFLD(KEY-F) END-EXEC
               DISPLAY 'USES THE FILE'
               IF HOW = 'F'
                 EXEC CICS DELAY FOR SECONDS(20) END-EXEC
               END-IF
               EXEC CICS DELAY FOR SECONDS(2) END-EXEC
               EXEC CICS READNEXT FILE('CUST') INTO(REC)
               RIDFLD(KEY-F) END-EXEC
               EXEC CICS ENDBR FILE('CUST') END-EXEC
           END-EVALUATE.
           MOVE 'DONE' TO ANS.
           EXEC CICS RETURN END-EXEC.
";

/// Sets CUST: `W` closed, `N` closed without waiting, `F` closed by force, `D` disabled without
/// waiting, `O` open, `L` LOGF closed; `I` browses it itself and closes it then; `R` reads. Answers
/// RESP, RESP2, status.
const SETTER: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. SETTER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC PIC X(40).
       01  KEY-F PIC X(4) VALUE 'K001'.
       01  RC PIC S9(8) COMP VALUE 0.
       01  RC2 PIC S9(8) COMP VALUE 0.
       01  ST-O PIC S9(8) COMP.
       01  ST-E PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 HOW PIC X.
           05 ANS PIC 9(3).
           05 ANS2 PIC 9(3).
           05 STATUS-O PIC X(3).
           05 STATUS-E PIC X(3).
           05 FILLER PIC X(47).
       PROCEDURE DIVISION.
           EVALUATE HOW
             WHEN 'W'
               EXEC CICS SET FILE('CUST') CLOSED
               RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'N'
               EXEC CICS SET FILE('CUST') CLOSED NOWAIT
               RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'F'
               EXEC CICS SET FILE('CUST') CLOSED BUSY(DFHVALUE(FORCE))
               RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'D'
               EXEC CICS SET FILE('CUST') DISABLED NOWAIT
               RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'O'
               EXEC CICS SET FILE('CUST') OPEN ENABLED
               RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'L'
               EXEC CICS SET FILE('LOGF') CLOSED
               RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'I'
               EXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F) END-EXEC
               EXEC CICS SET FILE('CUST') CLOSED
               RESP(RC) RESP2(RC2) END-EXEC
             WHEN 'R'
               EXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-F)
               RESP(RC) RESP2(RC2) END-EXEC
           END-EVALUATE.
           MOVE RC TO ANS.
           MOVE RC2 TO ANS2.
           EXEC CICS INQUIRE FILE('CUST') OPENSTATUS(ST-O)
             ENABLESTATUS(ST-E) END-EXEC.
           EVALUATE ST-O
             WHEN DFHVALUE(OPEN) MOVE 'OPN' TO STATUS-O
             WHEN DFHVALUE(CLOSED) MOVE 'CLO' TO STATUS-O
             WHEN DFHVALUE(CLOSEREQUEST) MOVE 'REQ' TO STATUS-O
           END-EVALUATE.
           EVALUATE ST-E
             WHEN DFHVALUE(ENABLED) MOVE 'ENA' TO STATUS-E
             WHEN DFHVALUE(DISABLED) MOVE 'DIS' TO STATUS-E
             WHEN DFHVALUE(UNENABLED) MOVE 'UNE' TO STATUS-E
             WHEN DFHVALUE(UNENABLING) MOVE 'UNG' TO STATUS-E
             WHEN DFHVALUE(DISABLING) MOVE 'DIG' TO STATUS-E
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
";

fn run(programs: &Programs, program: &str, how: char) -> String {
    let commarea = format!("{how}{}", " ".repeat(59)).into_bytes();
    match programs.all(vec![request(program, commarea)]).remove(0) {
        Ok(Payload::Commarea(bytes)) => String::from_utf8_lossy(&bytes[1..13]).trim().to_owned(),
        Ok(_) => "a channel".to_owned(),
        Err(LinkFailure { fault, .. }) => format!("{fault:?}"),
    }
}

/// What the user answers, and those who come while it runs.
fn while_used(programs: &Programs, how: char, others: &str) -> (String, Vec<String>) {
    const IN_USE: &str = "USES THE FILE";
    let before = times_logged(programs, IN_USE);
    std::thread::scope(|scope| {
        let user = scope.spawn(|| run(programs, "USER", how));
        logged_times(programs, IN_USE, before + 1);
        let answers = others.chars().map(|how| run(programs, "SETTER", how));
        let answers = answers.collect();
        (user.join().unwrap(), answers)
    })
}

#[test]
fn files_are_closed_when_nobody_uses_them_any_more() {
    let programs = Programs::with(&[USER, SETTER], |config| {
        config.data.files = vec![
            file("CUST", Recovery::BackoutOnly),
            file("LOGF", Recovery::None),
        ];
    });
    assert_eq!(run(&programs, "USER", 'S'), "DONE");
    assert_eq!(run(&programs, "SETTER", 'I'), "016021OPNENA");
    // A browse goes on while others are refused; the last one out closes the file.
    let (user, others) = while_used(&programs, 'B', "NRO");
    assert_eq!(others[0], "000000REQUNG");
    assert_eq!(others[1], "019060REQUNG", "not for new users");
    assert_eq!(others[2], "016002REQUNG", "not opened again meanwhile");
    assert_eq!(user, "DONE");
    assert_eq!(run(&programs, "SETTER", ' '), "000000CLOUNE");
    assert_eq!(run(&programs, "SETTER", 'O'), "000000OPNENA");
    // A change that is not committed is a use; the command waits.
    let began = Instant::now();
    let (user, others) = while_used(&programs, 'U', "W");
    assert_eq!(
        (user.as_str(), others[0].as_str()),
        ("DONE", "000000CLOUNE")
    );
    assert!(began.elapsed() > Duration::from_millis(1_800));
    run(&programs, "SETTER", 'O');
    let (user, others) = while_used(&programs, 'U', "DR");
    assert_eq!(others, ["000000OPNDIG", "084050OPNDIG"]);
    assert_eq!(user, "DONE");
    assert_eq!(run(&programs, "SETTER", ' '), "000000OPNDIS");
    run(&programs, "SETTER", 'O');
    // FORCE ends the task.
    let began = Instant::now();
    let (user, others) = while_used(&programs, 'F', "F");
    assert!(user.contains("AKC3"), "{user}");
    assert_eq!(others, ["000000CLOUNE"]);
    assert!(began.elapsed() < Duration::from_secs(10));
    // A record written to a file that is not recoverable is done with.
    let began = Instant::now();
    let (user, _) = while_used(&programs, 'W', "L");
    assert_eq!(user, "DONE");
    assert!(began.elapsed() < Duration::from_secs(4));
}

/// Reads a record, then stores to nowhere: its worker is replaced.
const STRAY: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. STRAY.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC PIC X(40).
       01  KEY-F PIC X(4) VALUE 'K001'.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       01  NOWHERE PIC X(8).
       PROCEDURE DIVISION.
           EXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-F) END-EXEC
           SET ADDRESS OF NOWHERE TO NULL
           MOVE 'X' TO NOWHERE
           EXEC CICS RETURN END-EXEC.
";

/// Each worker has a place among the readers of the store from its first READ on, until it is freed
/// for it: LMDB has 4,096.
#[test]
fn places_of_readers_are_those_of_workers_that_live() {
    let folder = tempfile::tempdir().unwrap();
    let programs = Programs::with(&[USER, STRAY], |config| {
        config.data.store = Some(folder.path().join("store"));
        config.data.files = vec![
            file("CUST", Recovery::BackoutOnly),
            file("LOGF", Recovery::None),
        ];
    });
    assert_eq!(run(&programs, "USER", 'S'), "DONE");
    for _ in 0..120 {
        let ended = programs.link("STRAY", &[b' '; 60]);
        assert!(matches!(ended, Err(LinkFailure { .. })), "{ended:?}");
    }
    // A caller hears of the end of its task before the end of the worker is counted.
    let begin = Instant::now();
    while statistic(&programs, "COBOL workers", "ended") < 119 {
        assert!(begin.elapsed() < Duration::from_secs(60), "workers end");
        std::thread::sleep(Duration::from_millis(10));
    }
    let places = statistic(&programs, "store readers", "peak");
    assert!((1..60).contains(&places), "{places}");
    programs.stop();
}
