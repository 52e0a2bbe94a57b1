//! Temporary storage and transient data from COBOL: recovery, triggers, files, jobs.

use crate::harness::Programs;
use crate::interval::{program, transaction, wait_for};
use transom_region_core::definitions::{TdKind, TdQueueEntry, TdRecovery, TsModelEntry};

const STORAGE: &str = "01  D PIC X(80).\n01  L PIC S9(4) COMP.\n01  N PIC S9(4) COMP.";

/// Answers the number of items of temporary storage queue SEEN.
fn counter() -> String {
    program(
        "COUNTER",
        STORAGE,
        "MOVE 80 TO L.\nEXEC CICS READQ TS QUEUE('SEEN') INTO(D) LENGTH(L) ITEM(1)\n NUMITEMS(N) RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 0 TO N.\nMOVE N TO SHOW.\nMOVE SHOW TO CA-TEXT.",
    )
}

#[test]
fn the_third_record_starts_one_task() {
    let write = program(
        "WRITER",
        STORAGE,
        "MOVE 'RECORD' TO D.\nMOVE 6 TO L.\nEXEC CICS WRITEQ TD QUEUE('TRGQ') FROM(D) LENGTH(L)\n RESP(RC) END-EXEC.\nMOVE RC TO SHOW.\nMOVE SHOW TO CA-TEXT.",
    );
    let reader = program(
        "READER",
        STORAGE,
        "PERFORM UNTIL RC NOT = 0\n MOVE 80 TO L\n EXEC CICS READQ TD QUEUE('TRGQ') INTO(D) LENGTH(L)\n  RESP(RC) END-EXEC\n IF RC = 0 ADD 1 TO N END-IF\nEND-PERFORM.\nIF RC NOT = DFHRESP(QZERO) MOVE 99 TO N.\nMOVE N TO SHOW.\nEXEC CICS ASSIGN STARTCODE(SCODE) END-EXEC.\nSTRING SCODE SHOW DELIMITED BY SIZE INTO D.\nEXEC CICS WRITEQ TS QUEUE('SEEN') FROM(D) LENGTH(20) END-EXEC.",
    );
    for recovery in [TdRecovery::No, TdRecovery::Physical, TdRecovery::Logical] {
        let programs = Programs::with(&[&write, &reader, &counter(), &seen()], |config| {
            config.transactions.push(transaction("TRG1", "READER"));
            let mut queue = TdQueueEntry::new(*b"TRGQ");
            queue.trigger_level = 3;
            queue.transid = Some("TRG1".parse().unwrap());
            queue.recovery = recovery;
            config.queues.td_queues.push(queue);
        });
        for _ in 0..3 {
            assert_eq!(programs.text("WRITER", &" ".repeat(60)).trim(), "0");
        }
        let seen = wait_for(&programs, "SEENPGM", |text| !text.is_empty());
        assert_eq!(seen, "QD        3", "{recovery:?}");
        assert_eq!(programs.text("COUNTER", &" ".repeat(60)).trim(), "1");
    }
}

/// Answers the first item of queue SEEN.
fn seen() -> String {
    program(
        "SEENPGM",
        STORAGE,
        "MOVE 80 TO L.\nEXEC CICS READQ TS QUEUE('SEEN') INTO(D) LENGTH(L) ITEM(1)\n RESP(RC) END-EXEC.\nMOVE SPACES TO CA-TEXT.\nIF RC = 0 MOVE D (1:L) TO CA-TEXT.",
    )
}

#[test]
fn a_rolled_back_write_is_never_read() {
    let source = program(
        "BACKOUT",
        STORAGE,
        "MOVE 'ONE' TO D.\nEXEC CICS WRITEQ TD QUEUE('LOGQ') FROM(D) LENGTH(3) END-EXEC.\nEXEC CICS SYNCPOINT ROLLBACK END-EXEC.\nEXEC CICS READQ TD QUEUE('LOGQ') INTO(D) LENGTH(L)\n RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(QZERO)\n MOVE 'NOT EMPTY' TO CA-TEXT\n GOBACK.\nMOVE 'TWO' TO D.\nEXEC CICS WRITEQ TD QUEUE('LOGQ') FROM(D) LENGTH(3) END-EXEC.\nEXEC CICS SYNCPOINT END-EXEC.\nMOVE 80 TO L.\nEXEC CICS READQ TD QUEUE('LOGQ') INTO(D) LENGTH(L)\n END-EXEC.\nEXEC CICS SYNCPOINT ROLLBACK END-EXEC.\nMOVE SPACES TO D.\nMOVE 80 TO L.\nEXEC CICS READQ TD QUEUE('LOGQ') INTO(D) LENGTH(L)\n END-EXEC.\nMOVE D (1:L) TO CA-TEXT.",
    );
    let programs = Programs::with(&[&source], |config| {
        let mut queue = TdQueueEntry::new(*b"LOGQ");
        queue.recovery = TdRecovery::Logical;
        config.queues.td_queues.push(queue);
    });
    assert_eq!(programs.text("BACKOUT", &" ".repeat(60)), "TWO");
}

#[test]
fn files_and_jobs() {
    let source = program(
        "OUTPUT1",
        STORAGE,
        "MOVE 'FIRST LINE' TO D.\nEXEC CICS WRITEQ TD QUEUE('OUTQ') FROM(D) LENGTH(80) END-EXEC.\nMOVE 'SECOND' TO D.\nEXEC CICS WRITEQ TD QUEUE('OUTQ') FROM(D) LENGTH(80) END-EXEC.\nMOVE 'HELLO' TO D.\nEXEC CICS WRITEQ TD QUEUE('CSMT') FROM(D) LENGTH(5) END-EXEC.\nMOVE '//TRNRPT00 JOB ''TRAN REPORT''' TO D.\nEXEC CICS WRITEQ TD QUEUE('JOBS') FROM(D) LENGTH(80) END-EXEC.\nMOVE '//STEP1 EXEC PROC=TRANREPT' TO D.\nEXEC CICS WRITEQ TD QUEUE('JOBS') FROM(D) LENGTH(80) END-EXEC.\nMOVE '/*EOF' TO D.\nEXEC CICS WRITEQ TD QUEUE('JOBS') FROM(D) LENGTH(80) END-EXEC.\nEXEC CICS READQ TD QUEUE('INQ ') INTO(D) LENGTH(L)\n RESP(RC) END-EXEC.\nMOVE 80 TO L.\nEXEC CICS READQ TD QUEUE('INQ ') INTO(D) LENGTH(L)\n RESP(RC) END-EXEC.\nMOVE D (1:L) TO CA-TEXT.",
    );
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("td");
    std::fs::create_dir_all(&files).unwrap();
    std::fs::write(files.join("INPUT"), "one\nsecond record\n").unwrap();
    let programs = Programs::with(&[&source], |config| {
        let queue = |name, kind, ddname: &str| {
            let mut queue = TdQueueEntry::new(name);
            queue.kind = kind;
            queue.ddname = ddname.into();
            queue
        };
        config.queues.extrapartition_dir = Some(files.clone());
        config.queues.td_queues = vec![
            queue(*b"OUTQ", TdKind::Output, "OUTFILE"),
            queue(*b"INQ ", TdKind::Input, "INPUT"),
            queue(*b"JOBS", TdKind::Reader, "INREADER"),
        ];
    });
    assert_eq!(programs.text("OUTPUT1", &" ".repeat(60)), "second record");
    let text = |name: &str| std::fs::read_to_string(files.join(name)).unwrap();
    assert_eq!(text("OUTFILE"), "FIRST LINE\nSECOND\n");
    assert_eq!(text("MSGUSR"), "HELLO\n");
    assert_eq!(
        text("jobs/JOB00001.jcl"),
        "//TRNRPT00 JOB 'TRAN REPORT'\n//STEP1 EXEC PROC=TRANREPT\n"
    );
}

#[test]
fn recoverable_temporary_storage_is_backed_out_after_an_abend() {
    let abends = program(
        "ABENDS",
        STORAGE,
        "MOVE 'LOST' TO D.\nEXEC CICS WRITEQ TS QUEUE('SAFE1') FROM(D) LENGTH(4) END-EXEC.\nEXEC CICS WRITEQ TS QUEUE('PLAIN') FROM(D) LENGTH(4) END-EXEC.\nEXEC CICS ABEND ABCODE('OOPS') END-EXEC.",
    );
    let keeps = program(
        "KEEPS",
        STORAGE,
        "MOVE 'KEPT' TO D.\nEXEC CICS WRITEQ TS QUEUE('SAFE1') FROM(D) LENGTH(4)\n ITEM(N) END-EXEC.\nMOVE N TO SHOW.\nMOVE SHOW TO CA-TEXT.",
    );
    let reads = program(
        "READS",
        STORAGE,
        "MOVE 80 TO L.\nEXEC CICS READQ TS QUEUE('SAFE1') INTO(D) LENGTH(L)\n NUMITEMS(N) NEXT RESP(RC) END-EXEC.\nIF RC = DFHRESP(QIDERR) MOVE 'QIDERR' TO CA-TEXT GOBACK.\nMOVE N TO SHOW.\nSTRING D (1:L) SHOW DELIMITED BY SIZE INTO CA-TEXT.",
    );
    let plain = program(
        "PLAIN",
        STORAGE,
        "MOVE 80 TO L.\nEXEC CICS READQ TS QUEUE('PLAIN') INTO(D) LENGTH(L)\n RESP(RC) END-EXEC.\nMOVE D (1:L) TO CA-TEXT.",
    );
    let programs = Programs::with(&[&abends, &keeps, &reads, &plain], |config| {
        let mut model = TsModelEntry::new(*b"SAFE    ", b"SAFE");
        model.recovery = true;
        config.queues.ts_models.push(model);
    });
    let run = |name: &str| programs.text(name, &" ".repeat(60)).trim().to_owned();
    assert!(run("ABENDS").contains("OOPS"));
    assert_eq!(run("READS"), "QIDERR");
    assert_eq!(run("PLAIN"), "LOST", "not recoverable: written at once");
    assert_eq!(run("KEEPS"), "1");
    assert_eq!(run("READS"), "KEPT        1");
}
