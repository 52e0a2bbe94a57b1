//! Automatic journaling and forward recovery logs of files, from COBOL.

use crate::commands::program;
use crate::files::{REC, check, file, logged};
use crate::harness::Programs;
use std::path::Path;
use transom_wire::definitions::{FileJournal, Recovery};

/// Each kind of request, committed; then one that is backed out.
fn requests() -> String {
    let write = |key: &str| {
        format!(
            "MOVE '{key}data' TO REC.\nEXEC CICS WRITE FILE('JRNF') FROM(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC."
        )
    };
    let read = |options: &str| {
        format!(
            "MOVE 'K001' TO KEY-F.\nEXEC CICS READ FILE('JRNF') INTO(REC) RIDFLD(KEY-F)\n {options} RESP(RC) RESP2(RC2) END-EXEC."
        )
    };
    let steps = [
        ("W1", write("K001"), "RC = 0"),
        ("W2", write("K002"), "RC = 0"),
        ("DUP", write("K002"), "RC = 14"),
        ("READ", read(""), "RC = 0"),
        ("UPD", read("UPDATE"), "RC = 0"),
        (
            "REW",
            "MOVE 'K001new' TO REC.\nEXEC CICS REWRITE FILE('JRNF') FROM(REC)\n RESP(RC) END-EXEC.".into(),
            "RC = 0",
        ),
        (
            "DEL",
            "EXEC CICS DELETE FILE('JRNF') RIDFLD(KEY-F)\n RESP(RC) END-EXEC.\nEXEC CICS SYNCPOINT END-EXEC.".into(),
            "RC = 0",
        ),
        (
            "BROWSE",
            "EXEC CICS STARTBR FILE('JRNF') RIDFLD(KEY-F) END-EXEC.\nEXEC CICS READNEXT FILE('JRNF') INTO(REC) RIDFLD(KEY-F)\n RESP(RC) END-EXEC.\nEXEC CICS ENDBR FILE('JRNF') END-EXEC.".into(),
            "RC = 0 AND REC-KEY = 'K002'",
        ),
        ("W3", write("K003"), "RC = 0"),
        (
            "BACK",
            "EXEC CICS SYNCPOINT ROLLBACK END-EXEC.".into(),
            "1 = 1",
        ),
        // The unit of work uses the file before it changes it.
        (
            "HOLD",
            "MOVE 'K002' TO KEY-F.\nEXEC CICS READ FILE('JRNF') INTO(REC) RIDFLD(KEY-F) UPDATE\n RESP(RC) END-EXEC.".into(),
            "RC = 0",
        ),
        (
            "REW2",
            "EXEC CICS REWRITE FILE('JRNF') FROM(REC)\n RESP(RC) END-EXEC.\nEXEC CICS SYNCPOINT ROLLBACK END-EXEC.".into(),
            "RC = 0",
        ),
    ];
    program("JRNL", REC, &steps, "")
}

/// JTYPEID, prefix and data of the records of a journal.
fn records(journal: &Path) -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let bytes = std::fs::read(journal).unwrap();
    let mut rest = bytes.as_slice();
    let mut all = Vec::new();
    while let Some((head, more)) = rest.split_at_checked(8) {
        let length = u32::from_be_bytes(head[..4].try_into().unwrap()) as usize;
        let (body, more) = more.split_at(length);
        let kind = String::from_utf8_lossy(&body[20..22]).into_owned();
        let prefix = u32::from_be_bytes(body[22..26].try_into().unwrap()) as usize;
        let (prefix, data) = body[26..].split_at(prefix);
        all.push((kind, prefix.to_vec(), data.to_vec()));
        rest = more;
    }
    all
}

#[test]
fn requests_leave_records_in_the_journals_of_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let journals = folder.path().join("journals");
    let programs = Programs::with(&[&requests()], |config| {
        let mut journaled = file("JRNF", Recovery::All);
        (journaled.journal, journaled.forward_log) = (5, 6);
        journaled.journaling = [
            FileJournal::Reads,
            FileJournal::ReadUpdates,
            FileJournal::Updates,
            FileJournal::AddsBefore,
            FileJournal::AddsAfter,
            FileJournal::SyncWrites,
        ]
        .into_iter()
        .map(|what| what as u8)
        .sum();
        config.data.files = vec![journaled];
        config.data.journal_dir = Some(journals.clone());
    });
    check(&programs, &["JRNL"]);
    let journal = records(&journals.join("DFHJ05.jnl"));
    let kinds: Vec<&str> = journal.iter().map(|record| record.0.as_str()).collect();
    // Before and after each WRITE; the refused one only before. The second RO: the record STARTBR
    // found for READNEXT.
    assert_eq!(
        kinds,
        [
            "WA", "WA", "WA", "WA", "WA", "RO", "RU", "WU", "WD", "RO", "WA", "WA", "RU", "WU"
        ]
    );
    assert_eq!(journal[7].1, b"JRNF    K001");
    assert!(journal[7].2.starts_with(b"K001new"));
    let forward = records(&journals.join("DFHJ06.jnl"));
    let kinds: Vec<&str> = forward.iter().map(|record| record.0.as_str()).collect();
    assert_eq!(
        kinds,
        ["FT", "FA", "FA", "FU", "FD", "FC", "FA", "FB", "FU", "FB"]
    );
    assert_eq!(forward[0].1, b"\0\0\0\0\0\0\0\0JRNF    ");
    assert_eq!(forward[0].2, b"TEST.JRNF");
    assert_eq!(forward[1].1[..8], forward[5].1[..8], "one unit of work");
    assert_ne!(forward[5].1[..8], forward[7].1[..8]);
    assert_eq!(&forward[1].1[8..], b"JRNF    K001", "an added record, too");
    assert_eq!(&forward[3].1[8..], b"JRNF    K001");
}

/// A region dies after a commit and before its log has it on the device.
#[test]
fn a_start_says_in_the_log_what_the_last_run_could_not() {
    let folder = tempfile::tempdir().unwrap();
    let journals = folder.path().join("journals");
    let run = || {
        Programs::with(&[&requests()], |config| {
            let mut logged = file("JRNF", Recovery::All);
            logged.forward_log = 6;
            config.data.files = vec![logged];
            config.data.store = Some(folder.path().join("store"));
            config.data.journal_dir = Some(journals.clone());
        })
    };
    let programs = run();
    check(&programs, &["JRNL"]);
    drop(programs);
    let log = journals.join("DFHJ06.jnl");
    let whole = std::fs::read(&log).unwrap();
    let kinds = || -> Vec<String> { records(&log).into_iter().map(|r| r.0).collect() };
    let end = |of: usize| {
        let lengths = records(&log).into_iter();
        let length = |r: (String, Vec<u8>, Vec<u8>)| 8 + 26 + r.1.len() + r.2.len();
        lengths.take(of).map(length).sum::<usize>()
    };
    let uow = records(&log)[5].1.clone();
    std::fs::write(&log, &whole[..end(5)]).unwrap();
    assert_eq!(kinds(), ["FT", "FA", "FA", "FU", "FD"]);
    drop(run());
    let told = records(&log);
    assert_eq!((told[5].0.as_str(), &told[5].1), ("FC", &uow));
    // Once is enough.
    drop(run());
    assert_eq!(kinds().iter().filter(|kind| *kind == "FC").count(), 1);
}

#[test]
fn a_file_whose_journal_cannot_be_written_is_not_opened() {
    let steps = [(
        "READ",
        "MOVE 'K001' TO KEY-F.\nEXEC CICS READ FILE('JRNF') INTO(REC) RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.",
        "RC = 19 AND RC2 = 60",
    )];
    let programs = Programs::with(&[&program("NOJRNL", REC, &steps, "")], |config| {
        let mut journaled = file("JRNF", Recovery::BackoutOnly);
        journaled.journal = 5;
        journaled.journaling = FileJournal::Updates as u8;
        config.data.files = vec![journaled];
        config.data.journal_dir = None;
    });
    check(&programs, &["NOJRNL"]);
    logged(&programs, "TXMFC0010E");
}
