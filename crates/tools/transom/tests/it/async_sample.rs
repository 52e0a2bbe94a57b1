//! IBM's credit card application: one task that links to five services, and one that runs them as
//! children. Both answer the same, the second one sooner.
//!
//! Needs TRANSOM_ASYNC, a checkout of cicsdev/cics-async-api-credit-card-application-example, and
//! s3270; without one of them it says so and ends.

use crate::import::{Imported, checkout};
use crate::s3270::S3270;
use crate::terminal_samples::Region;
use std::path::Path;
use std::time::{Duration, Instant};

/// As the resources of its bundle name them.
const DEFINED: &[(&str, &str)] = &[
    ("ACCA", "ASYNCPNT"),
    ("SCCA", "SEQPNT"),
    ("ICCK", "CRDTCHK"),
    ("STUS", "CSSTATS2"),
    ("GETA", "GETADDR"),
    ("GETN", "GETNAME"),
    ("GETP", "GETPOL"),
    ("SPND", "GETSPND"),
    ("UPDB", "UPDCSDB"),
    ("", "CSSTATUS"),
    ("APLY", "APPLY"),
];

/// What the pipeline of the web service does: a container in, a container out.
const APPLY: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. APPLY.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  TYPED.
           05 PIC X(5).
           05 HOW PIC X(5).
           05 WHO PIC X(4).
       01  L PIC S9(4) COMP VALUE 14.
       01  TOKEN PIC X(16).
       01  CHAN PIC X(16).
       01  STATE PIC S9(8) COMP.
       01  REPLY.
           05 SCORE PIC X(3).
           05 NAME PIC X(80).
           05 PLACE PIC X(80).
           05 CODE-OF PIC X(8).
           05 RANK-OF PIC X(8).
           05 RESULT PIC X(7).
       01  LINE-OUT PIC X(79).
       PROCEDURE DIVISION.
           EXEC CICS RECEIVE INTO(TYPED) LENGTH(L) END-EXEC.
           IF HOW = 'ASYNC'
             EXEC CICS PUT CONTAINER('ASYNCPNT') CHANNEL('IN')
                  FROM(WHO) END-EXEC
             EXEC CICS RUN TRANSID('ACCA') CHANNEL('IN')
                  CHILD(TOKEN) END-EXEC
           ELSE
             EXEC CICS PUT CONTAINER('SEQPNT') CHANNEL('IN')
                  FROM(WHO) END-EXEC
             EXEC CICS RUN TRANSID('SCCA') CHANNEL('IN')
                  CHILD(TOKEN) END-EXEC
           END-IF.
           EXEC CICS FETCH CHILD(TOKEN) CHANNEL(CHAN)
                COMPSTATUS(STATE) END-EXEC.
           IF STATE NOT = DFHVALUE(NORMAL)
             EXEC CICS ABEND ABCODE('CHLD') END-EXEC
           END-IF.
           IF HOW = 'ASYNC'
             EXEC CICS GET CONTAINER('ASYNCPNT') CHANNEL(CHAN)
                  INTO(REPLY) END-EXEC
           ELSE
             EXEC CICS GET CONTAINER('SEQPNT') CHANNEL(CHAN)
                  INTO(REPLY) END-EXEC
           END-IF.
           STRING SCORE '/' NAME(1:14) '/' PLACE(1:31) '/' CODE-OF '/'
             RANK-OF '/' RESULT DELIMITED BY SIZE INTO LINE-OUT.
           EXEC CICS SEND TEXT FROM(LINE-OUT) ERASE FREEKB END-EXEC.
           EXEC CICS RETURN END-EXEC.
";

fn define(dir: &Path) {
    let mut deck = String::new();
    for (transaction, program) in DEFINED {
        deck += &format!("DEFINE PROGRAM({program}) GROUP(AS)\n");
        if !transaction.is_empty() {
            deck += &format!("DEFINE TRANSACTION({transaction}) GROUP(AS) PROGRAM({program})\n");
        }
    }
    std::fs::create_dir_all(dir.join("csd")).unwrap();
    std::fs::write(dir.join("csd/async.csd"), deck).unwrap();
    std::fs::write(dir.join("cobol/APPLY.cbl"), APPLY).unwrap();
}

/// Types a transaction, and does not wait for its end.
fn begin(terminal: &mut S3270, typed: &str) {
    terminal.clear();
    terminal.act(&format!("String(\"{typed}\")"));
    terminal.act("Enter()");
}

fn shows(terminal: &mut S3270, text: &str) -> bool {
    terminal.screen().join("\n").contains(text)
}

/// What is there in the end, and how long that took.
fn wait_for(terminal: &mut S3270, text: &str) -> Duration {
    let begin = Instant::now();
    while !shows(terminal, text) {
        if begin.elapsed() > Duration::from_secs(90) {
            terminal.expect(text);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    begin.elapsed()
}

#[test]
fn children_find_what_links_find_and_sooner() {
    let Some(checkout) = checkout("TRANSOM_ASYNC") else {
        return;
    };
    let system = Imported::of(&checkout, &["--suggested"]);
    define(&system.dir());
    let region = Region::start(&system.dir());
    let terminal = || S3270::connect("3279-2-E", &format!("localhost:{}", region.port));
    let (mut first, mut second) = (terminal(), terminal());

    begin(&mut first, "SCCA 0002");
    begin(&mut second, "ACCA 0001");
    let steps = "ACC#0001 ICCK(Y) GETN(Y) GETA(Y) STUS(Y) UPDB(Y) RESULT-SUCCESS";
    let took = wait_for(&mut second, steps);
    assert!(!shows(&mut first, "SUCCESS"), "five services in turn");
    // A score takes 5 seconds, and what depends on it 3.
    assert!(took > Duration::from_secs(7), "{took:?}");
    let steps = "ACC#0002 ICCK(Y) GETN(Y) GETA(Y) STUS(Y) UPDB(Y) RESULT-SUCCESS";
    wait_for(&mut first, steps);

    // As web services, whose reply is a container.
    begin(&mut first, "APLY ASYNC0001");
    begin(&mut second, "APLY LINKS0002");
    let ada = "998/PRADEEP GOHIL /1 HURSLEY PARK, WINCHESTER, UK /SO21 2JN/VERY VIP/SUCC";
    wait_for(&mut first, ada);
    let joe = "537/JOE BLOGS     /123 HIGH STREET, LONDON, UK    /S14 4WG /REGULAR /SUCC";
    wait_for(&mut second, joe);
}
