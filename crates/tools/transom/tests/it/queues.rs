//! Temporary storage and transient data from COBOL: recovery, triggers, files, jobs.

use crate::harness::Programs;
use crate::interval::{first_seen, program, recover, transaction};
use transom_region_server::RegionConfig;
use transom_wire::definitions::{JournalKind, JournalModel, TdKind, TdQueueEntry, TdRecovery};

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
        let seen = first_seen(&programs);
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
    programs.must_say("BACKOUT", "TWO");
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
    programs.must_say("OUTPUT1", "second record");
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
        recover(config, b"SAFE");
    });
    let run = |name: &str| programs.text(name, &" ".repeat(60)).trim().to_owned();
    assert!(run("ABENDS").contains("OOPS"));
    assert_eq!(run("READS"), "QIDERR");
    assert_eq!(run("PLAIN"), "LOST", "not recoverable: written at once");
    assert_eq!(run("KEEPS"), "1");
    assert_eq!(run("READS"), "KEPT        1");
}

#[test]
fn queues_are_inquired_and_set() {
    let source = program(
        "INQUIRES",
        "01  D PIC X(20).\n01  N PIC S9(8) COMP.\n01  H PIC S9(4) COMP.\n01  V PIC S9(8) COMP.\n01  V2 PIC S9(8) COMP.\n01  T PIC X(4).\n01  QN PIC X(16).",
        "MOVE 'DATA' TO D.\nEXEC CICS WRITEQ TD QUEUE('MEMQ') FROM(D) LENGTH(4) END-EXEC.\nEXEC CICS INQUIRE TDQUEUE('MEMQ') NUMITEMS(N) TYPE(V)\n TRIGGERLEVEL(V2) ATITRANID(T) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR N NOT = 1 OR V NOT = DFHVALUE(INTRA)\n OR V2 NOT = 7 OR T NOT = 'TRG1' MOVE 'INQ TD' TO CA-TEXT.\nEXEC CICS SET TDQUEUE('MEMQ') TRIGGERLEVEL(9) DISABLED\n RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'SET TD' TO CA-TEXT.\nEXEC CICS WRITEQ TD QUEUE('MEMQ') FROM(D) LENGTH(4)\n RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(DISABLED) MOVE 'DISABLED' TO CA-TEXT.\nEXEC CICS INQUIRE TDQUEUE('CSMT') TYPE(V) RESP(RC) END-EXEC.\nIF V NOT = DFHVALUE(INDIRECT) MOVE 'INDIRECT' TO CA-TEXT.\nEXEC CICS INQUIRE TDQUEUE('NONE') RESP(RC) RESP2(RC2)\n END-EXEC.\nIF RC NOT = DFHRESP(QIDERR) OR RC2 NOT = 1\n MOVE 'QIDERR' TO CA-TEXT.\nEXEC CICS WRITEQ TS QUEUE('SAFEQ') FROM(D) LENGTH(4)\n END-EXEC.\nEXEC CICS WRITEQ TS QUEUE('PLAINQ') FROM(D) LENGTH(9)\n END-EXEC.\nEXEC CICS WRITEQ TS QUEUE('PLAINQ') FROM(D) LENGTH(4)\n END-EXEC.\nEXEC CICS SYNCPOINT END-EXEC.\nEXEC CICS INQUIRE TSQUEUE('PLAINQ') NUMITEMS(H) FLENGTH(N)\n LOCATION(V) RECOVSTATUS(V2) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR H NOT = 2 OR N NOT = 13\n OR V NOT = DFHVALUE(AUXILIARY)\n OR V2 NOT = DFHVALUE(NOTRECOVABLE) MOVE 'INQ TS' TO CA-TEXT.\nEXEC CICS INQUIRE TSQUEUE START RESP(RC) END-EXEC.\nEXEC CICS INQUIRE TSQUEUE(QN) NEXT RECOVSTATUS(V)\n RESP(RC) END-EXEC.\nIF RC NOT = 0 OR QN NOT = 'PLAINQ' MOVE 'NEXT 1' TO CA-TEXT.\nEXEC CICS INQUIRE TSQUEUE(QN) NEXT RECOVSTATUS(V)\n MAXITEMLEN(H) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR QN NOT = 'SAFEQ' OR H NOT = 4\n OR V NOT = DFHVALUE(RECOVERABLE) MOVE 'NEXT 2' TO CA-TEXT.\nEXEC CICS INQUIRE TSQUEUE(QN) NEXT RESP(RC) RESP2(RC2)\n END-EXEC.\nIF RC NOT = DFHRESP(END) OR RC2 NOT = 2\n MOVE 'END' TO CA-TEXT.\nEXEC CICS INQUIRE TSQUEUE END RESP(RC) END-EXEC.\nEXEC CICS START TRANSID('TRG1') REQID('LATER')\n AFTER HOURS(2) MINUTES(9) FROM(D) LENGTH(4)\n RESP(RC) END-EXEC.\nEXEC CICS INQUIRE REQID('LATER') TRANSID(T) LENGTH(H)\n HOURS(N) REQTYPE(V) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR T NOT = 'TRG1' OR H NOT = 4 OR N NOT = 2\n OR V NOT = DFHVALUE(START) MOVE 'REQID' TO CA-TEXT.\nEXEC CICS INQUIRE REQID('NOSUCH') RESP(RC) RESP2(RC2)\n END-EXEC.\nIF RC NOT = DFHRESP(NOTFND) OR RC2 NOT = 1\n MOVE 'NOTFND' TO CA-TEXT.\nIF CA-TEXT = SPACES MOVE 'OK' TO CA-TEXT.",
    );
    let programs = Programs::with(&[&source], |config| {
        let mut queue = TdQueueEntry::new(*b"MEMQ");
        queue.trigger_level = 7;
        queue.transid = Some("TRG1".parse().unwrap());
        config.queues.td_queues.push(queue);
        config.transactions.push(transaction("TRG1", "NONE"));
        recover(config, b"SAFE");
    });
    programs.must_say("INQUIRES", "OK");
}

/// Recoverable temporary storage queues SAFE*, and a transient data queue of each kind of recovery.
fn queues_of_each_kind(config: &mut RegionConfig) {
    recover(config, b"SAFE");
    for (name, recovery) in [
        (*b"LOGQ", TdRecovery::Logical),
        (*b"PHYQ", TdRecovery::Physical),
        (*b"MEMQ", TdRecovery::No),
    ] {
        let mut queue = TdQueueEntry::new(name);
        queue.recovery = recovery;
        config.queues.td_queues.push(queue);
    }
}

#[test]
fn recoverable_queues_outlive_the_region() {
    let writes = program(
        "WRITES",
        STORAGE,
        "MOVE 'STAYS' TO D.\nEXEC CICS WRITEQ TS QUEUE('SAFE1') FROM(D) LENGTH(5) END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('LOGQ') FROM(D) LENGTH(5) END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('PHYQ') FROM(D) LENGTH(5) END-EXEC.\nMOVE 'OK' TO CA-TEXT.",
    );
    let reads = program(
        "READS",
        "01  D PIC X(5).\n01  E PIC X(5).\n01  F PIC X(5).\n01  L PIC S9(4) COMP VALUE 5.",
        "EXEC CICS READQ TS QUEUE('SAFE1') INTO(D) LENGTH(L) ITEM(1)\n RESP(RC) END-EXEC.\nEXEC CICS READQ TD QUEUE('LOGQ') INTO(E) LENGTH(L)\n RESP(RC) END-EXEC.\nEXEC CICS READQ TD QUEUE('PHYQ') INTO(F) LENGTH(L)\n RESP(RC) END-EXEC.\nSTRING D E F DELIMITED BY SIZE INTO CA-TEXT.",
    );
    let folder = tempfile::tempdir().unwrap();
    let region = || {
        Programs::with(&[&writes, &reads], |config| {
            queues_of_each_kind(config);
            config.data.store = Some(folder.path().join("store"));
        })
    };
    let first = region();
    first.must_say("WRITES", "OK");
    drop(first);
    let second = region();
    second.must_say("READS", "STAYSSTAYSSTAYS");
}

#[test]
fn an_orderly_end_keeps_what_is_not_recoverable_and_a_kill_does_not() {
    let writes = program(
        "WRITES",
        STORAGE,
        "MOVE 'ONE' TO D.\nEXEC CICS WRITEQ TS QUEUE('AUXQ') FROM(D) LENGTH(3) END-EXEC.\nEXEC CICS WRITEQ TS QUEUE('MAINQ') MAIN FROM(D) LENGTH(3)\n END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('MEMQ') FROM(D) LENGTH(3) END-EXEC.\nMOVE 'TWO' TO D.\nEXEC CICS WRITEQ TS QUEUE('AUXQ') FROM(D) LENGTH(3) END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('MEMQ') FROM(D) LENGTH(3) END-EXEC.\nEXEC CICS START TRANSID('TEST') AFTER HOURS(9) REQID('LATER')\n FROM(D) LENGTH(3) END-EXEC.\nMOVE 80 TO L.\nEXEC CICS READQ TS QUEUE('AUXQ') INTO(D) LENGTH(L) NEXT\n END-EXEC.\nMOVE 'OK' TO CA-TEXT.",
    );
    let reads = program(
        "READS",
        "01  D PIC X(3).\n01  E PIC X(3) VALUE '---'.\n01  L PIC S9(4) COMP VALUE 3.\n01  S PIC X(3) VALUE '---'.\n01  M PIC X(3) VALUE '---'.\n01  H PIC S9(4) COMP.",
        "MOVE '---' TO D.\nEXEC CICS READQ TS QUEUE('AUXQ') INTO(D) LENGTH(L) NEXT\n RESP(RC) END-EXEC.\nEXEC CICS READQ TS QUEUE('MAINQ') INTO(M) LENGTH(L) NEXT\n RESP(RC) END-EXEC.\nEXEC CICS READQ TD QUEUE('MEMQ') INTO(E) LENGTH(L)\n RESP(RC) END-EXEC.\nEXEC CICS INQUIRE REQID('LATER') LENGTH(H) RESP(RC) END-EXEC.\nIF RC = 0 AND H = 3 MOVE 'YES' TO S.\nSTRING D M E S DELIMITED BY SIZE INTO CA-TEXT.",
    );
    let folder = tempfile::tempdir().unwrap();
    let region = || {
        Programs::with(&[&writes, &reads], |config| {
            config.queues.td_queues.push(TdQueueEntry::new(*b"MEMQ"));
            config.data.store = Some(folder.path().join("store"));
        })
    };
    let first = region();
    first.must_say("WRITES", "OK");
    first.stop();
    let second = region();
    let log = second.log.lock().unwrap().clone();
    assert!(
        log.contains("TXMTS0003I warm start: 1 temporary storage queues, 2 transient data records and 1 START"),
        "{log}"
    );
    // The place of READQ NEXT is there again too.
    second.must_say("READS", "TWO---ONEYES");
    drop(second);
    let third = region();
    third.must_say("READS", "------------");
    let log = third.log.lock().unwrap().clone();
    assert!(log.contains("TXMTS0006I emergency start"), "{log}");
}

#[test]
fn what_was_kept_and_cannot_be_read_does_not_come_back_later() {
    let writes = program(
        "WRITES",
        STORAGE,
        "MOVE 'TO BE DAMAGED' TO D.\nEXEC CICS WRITEQ TS QUEUE('AUXQ') FROM(D) LENGTH(13) END-EXEC.\nMOVE 'OK' TO CA-TEXT.",
    );
    let folder = tempfile::tempdir().unwrap();
    let region = || {
        Programs::with(&[&writes], |config| {
            config.data.store = Some(folder.path().join("store"));
        })
    };
    let first = region();
    first.must_say("WRITES", "OK");
    first.stop();
    let data = folder.path().join("store/data.mdb");
    let mut bytes = std::fs::read(&data).unwrap();
    let text = b"TO BE DAMAGED";
    let places: Vec<usize> = (0..bytes.len() - text.len())
        .filter(|at| bytes[*at..].starts_with(text))
        .collect();
    assert!(!places.is_empty());
    places.iter().for_each(|at| bytes[at + 3] ^= 1);
    std::fs::write(&data, bytes).unwrap();
    let second = region();
    let log = second.log.lock().unwrap().clone();
    assert!(log.contains("TXMTS0008E"), "{log}");
    second.stop();
    let third = region();
    let log = third.log.lock().unwrap().clone();
    assert!(log.contains("TXMTS0003I warm start"), "{log}");
    assert!(!log.contains("TXMTS0008E"), "{log}");
}

#[test]
fn a_queue_over_its_level_starts_its_task_when_the_region_starts() {
    let write = program(
        "WRITER",
        STORAGE,
        "MOVE 'RECORD' TO D.\nEXEC CICS WRITEQ TD QUEUE('TRGQ') FROM(D) LENGTH(6) END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('TRGQ') FROM(D) LENGTH(6) END-EXEC.",
    );
    let reader = program(
        "READER",
        STORAGE,
        "MOVE 80 TO L.\nEXEC CICS READQ TD QUEUE('TRGQ') INTO(D) LENGTH(L)\n END-EXEC.\nEXEC CICS WRITEQ TS QUEUE('SEEN') FROM(D) LENGTH(L) END-EXEC.",
    );
    for recovery in [TdRecovery::No, TdRecovery::Physical, TdRecovery::Logical] {
        let folder = tempfile::tempdir().unwrap();
        let region = |level| {
            Programs::with(&[&write, &reader, &seen()], |config| {
                config.transactions.push(transaction("TRG1", "READER"));
                let mut queue = TdQueueEntry::new(*b"TRGQ");
                queue.trigger_level = level;
                queue.transid = Some("TRG1".parse().unwrap());
                queue.recovery = recovery;
                config.queues.td_queues.push(queue);
                config.data.store = Some(folder.path().join("store"));
            })
        };
        let first = region(9);
        first.text("WRITER", &" ".repeat(60));
        first.stop();
        let second = region(2);
        let text = first_seen(&second);
        assert_eq!(text, "RECORD", "{recovery:?}");
    }
}

/// Calls with a letter: W writes 800 items of 32,000 bytes, C checks them, R rewrites one, D
/// deletes the queue.
fn big_queue() -> String {
    program(
        "BIGQ",
        "01  D PIC X(32000).\n01  L PIC S9(8) COMP.\n01  I PIC S9(4) COMP.\n01  K PIC 9(8).\n01  BAD PIC 9(8) VALUE 0.",
        "MOVE ALL 'abcdefg' TO D.\nMOVE 32000 TO L.\nEVALUATE CA-TEXT (1:1)\n WHEN 'W' PERFORM VARYING I FROM 1 BY 1 UNTIL I > 800\n  MOVE I TO K\n  MOVE K TO D (1:8)\n  EXEC CICS WRITEQ TS QUEUE('BIG') FROM(D) LENGTH(L)\n   RESP(RC) END-EXEC\n  IF RC NOT = 0 ADD 1 TO BAD END-IF\n END-PERFORM\n WHEN 'C' PERFORM VARYING I FROM 1 BY 1 UNTIL I > 800\n  MOVE 32000 TO L\n  EXEC CICS READQ TS QUEUE('BIG') INTO(D) LENGTH(L)\n   ITEM(I) RESP(RC) END-EXEC\n  MOVE I TO K\n  IF RC NOT = 0 OR D (1:8) NOT = K OR L NOT = 32000\n   OR D (31990:1) NOT = 'g' ADD 1 TO BAD END-IF\n END-PERFORM\n WHEN 'R' MOVE 700 TO I\n  MOVE 'NEW' TO D\n  EXEC CICS WRITEQ TS QUEUE('BIG') FROM(D) LENGTH(3)\n   ITEM(I) REWRITE RESP(RC) END-EXEC\n  IF RC NOT = 0 ADD 1 TO BAD END-IF\n  EXEC CICS READQ TS QUEUE('BIG') INTO(D) LENGTH(L)\n   ITEM(I) RESP(RC) END-EXEC\n  IF RC NOT = 0 OR L NOT = 3 ADD 1 TO BAD END-IF\n WHEN 'M' PERFORM VARYING I FROM 1 BY 1 UNTIL I > 800\n  EXEC CICS WRITEQ TS QUEUE('MAINQ') MAIN FROM(D) LENGTH(L)\n   RESP(RC) END-EXEC\n  IF RC NOT = 0 AND RC NOT = DFHRESP(NOSPACE)\n   MOVE 9999 TO BAD END-IF\n  IF RC = DFHRESP(NOSPACE) ADD 1 TO BAD END-IF\n END-PERFORM\n EXEC CICS DELETEQ TS QUEUE('MAINQ') END-EXEC\n WHEN 'D'\n  EXEC CICS DELETEQ TS QUEUE('BIG') END-EXEC\nEND-EVALUATE.\nMOVE BAD TO CA-TEXT.",
    )
}

fn statistic(programs: &Programs, group: &str, name: &str) -> u64 {
    use transom_region_api::Control as _;
    let groups = programs.region.statistics().unwrap();
    let group = groups.iter().find(|g| g.name == group).unwrap();
    let mut values = group.values.iter();
    values.find(|v| v.name == name).unwrap().value
}

#[test]
fn auxiliary_queues_go_to_disk_when_shared_storage_fills() {
    let folder = tempfile::tempdir().unwrap();
    let region = |disk_bytes| {
        Programs::with(&[&big_queue()], |config| {
            config.shared_bytes = 16 << 20;
            config.data.store = Some(folder.path().join("store"));
            config.queues.auxiliary_bytes_max = disk_bytes;
        })
    };
    let on_disk = |programs: &Programs| statistic(programs, "temporary storage", "disk_bytes");
    let call = |programs: &Programs, what: &str| programs.text("BIGQ", &format!("{what:60}"));
    let first = region(1 << 30);
    assert_eq!(call(&first, "W"), "00000000");
    assert_eq!(call(&first, "C"), "00000000");
    let disk = on_disk(&first);
    assert!(disk > 10 << 20, "{disk}");
    // Main storage has no other place.
    let refused: u64 = call(&first, "M").parse().unwrap();
    assert!((100..=800).contains(&refused), "{refused}");
    first.stop();
    let second = region(1 << 30);
    assert_eq!(call(&second, "C"), "00000000");
    assert_eq!(call(&second, "R"), "00000000");
    assert!(on_disk(&second) < disk, "one item less");
    assert_eq!(call(&second, "D"), "00000000");
    assert_eq!(on_disk(&second), 0);
    drop(second);
    let third = region(1 << 20);
    let refused: u64 = call(&third, "W").parse().unwrap();
    assert!((100..=800).contains(&refused), "{refused}");
    let at_limit = statistic(&third, "temporary storage", "times_at_disk_bytes_limit");
    assert!(at_limit > 0);
}

#[test]
fn set_tsqueue_deletes_queues() {
    let source = program(
        "DELETES",
        "01  D PIC X(4) VALUE 'DATA'.\n01  N PIC S9(8) COMP VALUE 3600.",
        "EXEC CICS WRITEQ TS QUEUE('PLAINQ') FROM(D) LENGTH(4)\n END-EXEC.\nEXEC CICS WRITEQ TS QUEUE('SAFEQ') FROM(D) LENGTH(4)\n END-EXEC.\nEXEC CICS SET TSQUEUE('PLAINQ') LASTUSEDINT(N)\n ACTION(DFHVALUE(DELETE)) RESP(RC) RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) OR RC2 NOT = 1\n MOVE 'USED' TO CA-TEXT.\nEXEC CICS SET TSQUEUE('SAFEQ') ACTION(DFHVALUE(DELETE))\n RESP(RC) RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) OR RC2 NOT = 1\n MOVE 'IN USE' TO CA-TEXT.\nEXEC CICS SYNCPOINT END-EXEC.\nEXEC CICS SET TSQNAME('SAFEQ') DELETE RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'SAFE' TO CA-TEXT.\nEXEC CICS SYNCPOINT ROLLBACK END-EXEC.\nMOVE 0 TO N.\nEXEC CICS SET TSQUEUE('PLAINQ') DELETE LASTUSEDINT(N)\n RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'PLAIN' TO CA-TEXT.\nEXEC CICS SET TSQUEUE('PLAINQ') DELETE RESP(RC) RESP2(RC2)\n END-EXEC.\nIF RC NOT = DFHRESP(NOTFND) OR RC2 NOT = 1\n MOVE 'NOTFND' TO CA-TEXT.\nEXEC CICS SET TSQNAME('SAFEQ') DELETE RESP(RC) RESP2(RC2)\n END-EXEC.\nIF RC NOT = DFHRESP(NOTFND) MOVE 'SAFE 2' TO CA-TEXT.\nEXEC CICS SET TSQUEUE('PLAINQ') RESP(RC) RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) OR RC2 NOT = 2\n MOVE 'ACTION' TO CA-TEXT.\nMOVE -1 TO N.\nEXEC CICS SET TSQUEUE('PLAINQ') DELETE LASTUSEDINT(N)\n RESP(RC) RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) OR RC2 NOT = 3\n MOVE 'NEGATIVE' TO CA-TEXT.\nIF CA-TEXT = SPACES MOVE 'OK' TO CA-TEXT.",
    );
    let programs = Programs::with(&[&source], |config| {
        recover(config, b"SAFE");
    });
    programs.must_say("DELETES", "OK");
}

#[test]
fn journals_have_models_states_and_browses() {
    let source = program(
        "JOURNALS",
        "01  D PIC X(6) VALUE 'RECORD'.\n01  N PIC S9(8) COMP.\n01  L PIC S9(8) COMP VALUE 6.\n01  T PIC S9(8) COMP.\n01  S PIC S9(8) COMP.\n01  NM PIC X(8).\n01  STR PIC X(26).",
        "EXEC CICS WAIT JOURNALNAME('AUDIT') RESP(RC) RESP2(RC2)\n END-EXEC.\nIF RC NOT = DFHRESP(JIDERR) OR RC2 NOT = 1\n MOVE 'UNKNOWN' TO CA-TEXT.\nEXEC CICS SET JOURNALNAME('AUDIT') ENABLED RESP(RC) END-EXEC.\nEXEC CICS WAIT JOURNALNAME('AUDIT') RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(NOTOPEN) MOVE 'UNWRITTEN' TO CA-TEXT.\nEXEC CICS WRITE JOURNALNAME('AUDIT') JTYPEID('AB') FROM(D)\n FLENGTH(L) REQID(N) WAIT RESP(RC) END-EXEC.\nIF RC NOT = 0 OR N NOT = 1 MOVE 'WRITE' TO CA-TEXT.\nEXEC CICS WAIT JOURNALNAME('AUDIT') REQID(N) RESP(RC)\n END-EXEC.\nIF RC NOT = 0 MOVE 'WAIT' TO CA-TEXT.\nMOVE 2 TO N.\nEXEC CICS WAIT JOURNALNAME('AUDIT') REQID(N) RESP(RC)\n RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) OR RC2 NOT = 3\n MOVE 'REQID' TO CA-TEXT.\nEXEC CICS SET JOURNALNAME('AUDIT') DISABLED RESP(RC) END-EXEC.\nEXEC CICS WRITE JOURNALNAME('AUDIT') JTYPEID('AB') FROM(D)\n FLENGTH(L) RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(NOTOPEN) MOVE 'DISABLED' TO CA-TEXT.\nEXEC CICS SET JOURNALNAME('AUDIT') RESET RESP(RC) END-EXEC.\nEXEC CICS INQUIRE JOURNALNAME('AUDIT') STATUS(S) TYPE(T)\n STREAMNAME(STR) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR S NOT = DFHVALUE(ENABLED)\n OR T NOT = DFHVALUE(MVS) OR STR NOT = 'AUDIT'\n MOVE 'INQUIRE' TO CA-TEXT.\nEXEC CICS WRITE JOURNALNUM(9) JTYPEID('AB') FROM(D)\n LENGTH(6) WAIT RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'DUMMY' TO CA-TEXT.\nEXEC CICS SET JOURNALNAME('DFHJ09') FLUSH RESP(RC)\n RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) OR RC2 NOT = 7\n MOVE 'FLUSH' TO CA-TEXT.\nEXEC CICS WRITE JOURNALNUM(11) JTYPEID('AB') FROM(D)\n LENGTH(6) RESP(RC) END-EXEC.\nEXEC CICS WRITE JOURNALNUM(12) JTYPEID('AB') FROM(D)\n LENGTH(6) RESP(RC) END-EXEC.\nMOVE 0 TO T.\nEXEC CICS INQUIRE JOURNALNAME START RESP(RC) END-EXEC.\nPERFORM UNTIL RC NOT = 0\n EXEC CICS INQUIRE JOURNALNAME(NM) NEXT STATUS(S) RESP(RC)\n  RESP2(RC2) END-EXEC\n IF RC = 0 ADD 1 TO T END-IF\nEND-PERFORM.\nIF RC NOT = DFHRESP(END) OR RC2 NOT = 2 OR T NOT = 4\n MOVE 'BROWSE' TO CA-TEXT.\nEXEC CICS INQUIRE JOURNALNAME END RESP(RC) END-EXEC.\nEXEC CICS SET JOURNALNAME('DFHLOG') ENABLED RESP(RC)\n RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) OR RC2 NOT = 3\n MOVE 'SYSTEM LOG' TO CA-TEXT.\nIF CA-TEXT = SPACES MOVE 'OK' TO CA-TEXT.",
    );
    let folder = tempfile::tempdir().unwrap();
    let journals = folder.path().join("journals");
    let region = || {
        Programs::with(&[&source], |config| {
            config.data.journal_dir = Some(journals.clone());
            let model = |journal: &str, kind, stream: &str| JournalModel {
                journal: journal.into(),
                kind,
                stream: stream.into(),
            };
            config.data.journal_models = vec![
                model("DFHJ09", JournalKind::Dummy, ""),
                model("DFHJ1+", JournalKind::Mvs, "&USERID..MERGED"),
            ];
        })
    };
    let first = region();
    first.must_say("JOURNALS", "OK");
    drop(first);
    assert!(!journals.join("DFHJ09.jnl").exists(), "TYPE(DUMMY)");
    let length = |name: &str| std::fs::metadata(journals.join(name)).unwrap().len();
    assert_eq!(length("MERGED.jnl"), 2 * length("AUDIT.jnl"));
    // A power cut in the middle of the last record.
    let audit = journals.join("AUDIT.jnl");
    let mut bytes = std::fs::read(&audit).unwrap();
    bytes.truncate(bytes.len() - 1);
    std::fs::write(&audit, &bytes).unwrap();
    let second = region();
    second.must_say("JOURNALS", "OK");
    assert!(second.log.lock().unwrap().contains("TXMJC0003W"));
}

/// Where it is set, `a_killed_region_keeps_what_is_recoverable` is the region that is killed; its
/// folder.
const VICTIM: &str = "TRANSOM_VICTIM";

fn killed_region(folder: &std::path::Path) -> Programs {
    let writes = program(
        "WRITES",
        STORAGE,
        "MOVE 'STAYS' TO D.\nEXEC CICS WRITEQ TS QUEUE('SAFE1') FROM(D) LENGTH(5) END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('LOGQ') FROM(D) LENGTH(5) END-EXEC.\nEXEC CICS START TRANSID('LATE') PROTECT AFTER SECONDS(2)\n FROM(D) LENGTH(5) END-EXEC.\nEXEC CICS SYNCPOINT END-EXEC.\nEXEC CICS WRITEQ TS QUEUE('AUXQ') FROM(D) LENGTH(5) END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('PHYQ') FROM(D) LENGTH(5) END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('MEMQ') FROM(D) LENGTH(5) END-EXEC.\nEXEC CICS WRITE JOURNALNAME('AUDIT') JTYPEID('AB') FROM(D)\n WAIT END-EXEC.\nMOVE 'LOST' TO D.\nEXEC CICS WRITEQ TS QUEUE('SAFE1') FROM(D) LENGTH(4) END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('LOGQ') FROM(D) LENGTH(4) END-EXEC.\nEXEC CICS START TRANSID('LATE') PROTECT\n FROM(D) LENGTH(4) END-EXEC.\nEXEC CICS WRITEQ TD QUEUE('CSMT') FROM('READY') LENGTH(5)\n END-EXEC.\nEXEC CICS DELAY FOR SECONDS(60) END-EXEC.",
    );
    let reads = program(
        "READS",
        "01  D PIC X(5).\n01  L PIC S9(4) COMP.\n01  I PIC S9(4) COMP.\n01  P PIC S9(4) COMP VALUE 1.\n01  Q PIC X(4).\n01  N PIC S9(4) COMP.",
        "EXEC CICS READQ TS QUEUE('SAFE1') INTO(D) LENGTH(L) ITEM(1)\n NUMITEMS(N) RESP(RC) END-EXEC.\nMOVE 5 TO L.\nEXEC CICS READQ TS QUEUE('SAFE1') INTO(D) LENGTH(L) ITEM(1)\n NUMITEMS(N) RESP(RC) END-EXEC.\nIF RC = 0 AND N = 1\n STRING D DELIMITED BY SIZE INTO CA-TEXT POINTER P.\nPERFORM VARYING I FROM 1 BY 1 UNTIL I > 3\n EVALUATE I WHEN 1 MOVE 'LOGQ' TO Q WHEN 2 MOVE 'PHYQ' TO Q\n  WHEN 3 MOVE 'MEMQ' TO Q END-EVALUATE\n PERFORM WITH TEST AFTER UNTIL RC NOT = 0\n  MOVE 5 TO L\n  MOVE SPACES TO D\n  EXEC CICS READQ TD QUEUE(Q) INTO(D) LENGTH(L) RESP(RC)\n  END-EXEC\n  IF RC = 0\n   STRING D DELIMITED BY SIZE INTO CA-TEXT POINTER P\n  END-IF\n END-PERFORM\nEND-PERFORM.\nEXEC CICS READQ TS QUEUE('AUXQ') INTO(D) LENGTH(L) ITEM(1)\n RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(QIDERR)\n STRING 'AUXQ' DELIMITED BY SIZE INTO CA-TEXT POINTER P.",
    );
    let late = program(
        "LATE",
        STORAGE,
        "MOVE 80 TO L.\nEXEC CICS RETRIEVE INTO(D) LENGTH(L) RESP(RC) END-EXEC.\nEXEC CICS WRITEQ TS QUEUE('SEEN') FROM(D) LENGTH(L) END-EXEC.",
    );
    let store = folder.join("store");
    let journals = folder.join("journals");
    let files = folder.join("td");
    Programs::with(&[&writes, &reads, &late, &seen()], move |config| {
        queues_of_each_kind(config);
        config.transactions.push(transaction("LATE", "LATE"));
        config.data.store = Some(store);
        config.data.journal_dir = Some(journals);
        config.queues.extrapartition_dir = Some(files);
    })
}

#[test]
fn a_killed_region_keeps_what_is_recoverable() {
    if let Some(folder) = std::env::var_os(VICTIM) {
        killed_region(folder.as_ref()).text("WRITES", &" ".repeat(60));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut victim = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "queues::a_killed_region_keeps_what_is_recoverable",
            "--exact",
        ])
        .env(VICTIM, folder.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let begin = std::time::Instant::now();
    while !std::fs::read_to_string(folder.path().join("td/MSGUSR"))
        .is_ok_and(|text| text.contains("READY"))
    {
        assert!(begin.elapsed() < std::time::Duration::from_secs(60));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    let region = killed_region(folder.path());
    region.must_say("READS", "STAYSSTAYSSTAYS");
    let late = first_seen(&region);
    assert_eq!(late, "STAYS");
    let journal = std::fs::read(folder.path().join("journals/AUDIT.jnl")).unwrap();
    assert!(journal.windows(5).any(|bytes| bytes == b"STAYS"));
}

#[test]
fn limits_are_settings_and_show_how_often_they_were_reached() {
    let source = program(
        "LIMITS",
        "01  D PIC X(80) VALUE 'DATA'.\n01  T PIC X(16).",
        "EXEC CICS WRITEQ TD QUEUE('MEMQ') FROM(D) LENGTH(80)\n RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'TD 1' TO CA-TEXT.\nEXEC CICS WRITEQ TD QUEUE('MEMQ') FROM(D) LENGTH(80)\n RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(NOSPACE) MOVE 'TD 2' TO CA-TEXT.\nEXEC CICS START TRANSID('TEST') AFTER HOURS(1) RESP(RC)\n END-EXEC.\nIF RC NOT = 0 MOVE 'START 1' TO CA-TEXT.\nEXEC CICS START TRANSID('TEST') AFTER HOURS(1) RESP(RC)\n END-EXEC.\nIF RC NOT = DFHRESP(IOERR) MOVE 'START 2' TO CA-TEXT.\nEXEC CICS RUN TRANSID('SLOW') CHILD(T) RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'RUN 1' TO CA-TEXT.\nEXEC CICS RUN TRANSID('SLOW') CHILD(T) RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(NOSTART) MOVE 'RUN 2' TO CA-TEXT.\nIF CA-TEXT = SPACES MOVE 'OK' TO CA-TEXT.",
    );
    let slow = program("SLOW", "", "EXEC CICS DELAY FOR MILLISECS(50) END-EXEC.");
    let programs = Programs::with(&[&source, &slow], |config| {
        config.transactions.push(transaction("SLOW", "SLOW"));
        config.queues.td_queues.push(TdQueueEntry::new(*b"MEMQ"));
        config.queues.td_memory_bytes_max = 150;
        config.queues.start_requests_max = 1;
        config.queues.children_max = 1;
    });
    programs.must_say("LIMITS", "OK");
    for (group, name, value) in [
        ("transient data", "memory_bytes_peak", 112),
        ("transient data", "memory_bytes_limit", 150),
        ("transient data", "times_at_memory_bytes_limit", 1),
        ("interval control", "requests_peak", 1),
        ("interval control", "times_at_requests_limit", 1),
        ("asynchronous services", "children_of_a_task_peak", 1),
        ("asynchronous services", "times_at_children_limit", 1),
    ] {
        assert_eq!(statistic(&programs, group, name), value, "{name}");
    }
}
