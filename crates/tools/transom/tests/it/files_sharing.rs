//! Options of record level sharing from COBOL: who waits for whom, and what files without it
//! answer; damaged records.

use crate::commands::program;
use crate::files::{REC, check, file, logged, on_disk};
use crate::harness::{Programs, request};
use transom_region_api::{LinkFailure, Payload};
use transom_types::TransId;
use transom_wire::definitions::Recovery;

/// Refusals of a file without record level sharing.
fn refusals() -> String {
    let read = |options: &str| {
        format!(
            "MOVE 'K001' TO KEY-F.\nEXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-F)\n {options} RESP(RC) RESP2(RC2) END-EXEC."
        )
    };
    let browse = |command: &str, options: &str| {
        format!(
            "EXEC CICS {command} FILE('CUST') INTO(REC) RIDFLD(KEY-F)\n {options} RESP(RC) RESP2(RC2) END-EXEC."
        )
    };
    let steps = [
        ("CONSIST", read("CONSISTENT"), "RC = 16 AND RC2 = 52"),
        ("REPEAT", read("REPEATABLE"), "RC = 16 AND RC2 = 53"),
        ("NOSUSP", read("UPDATE NOSUSPEND"), "RC = 16 AND RC2 = 55"),
        ("UNCOMM", read("UNCOMMITTED"), "RC = 13"),
        ("EIBDS", read(""), "EIBDS = 'CUST' AND EIBRSRCE = 'CUST'"),
        ("XRBA", read("XRBA"), "RC = 16 AND RC2 = 59"),
        ("RBA", read("RBA"), "RC = 16 AND RC2 = 51"),
        ("NEXTNO", browse("READNEXT", ""), "RC = 16 AND RC2 = 34"),
        ("PREVNO", browse("READPREV", ""), "RC = 16 AND RC2 = 41"),
        (
            "WRITE",
            "MOVE 'K001one' TO REC.\nEXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC.\nEXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F)\n END-EXEC.".into(),
            "RC = 0",
        ),
        (
            "NEXTUPD",
            browse("READNEXT", "UPDATE TOKEN(TOK)"),
            "RC = 16 AND RC2 = 54",
        ),
        (
            "NEXTCON",
            browse("READNEXT", "CONSISTENT"),
            "RC = 16 AND RC2 = 52",
        ),
        (
            "FIRSTUPD",
            "EXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-F)\n KEYLENGTH(0) GENERIC UPDATE RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 0 AND REC-KEY = 'K001'",
        ),
        (
            "DELALL",
            "EXEC CICS DELETE FILE('CUST') RIDFLD(KEY-F)\n KEYLENGTH(0) GENERIC RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 16 AND RC2 = 42",
        ),
    ];
    program("NOSHARE", REC, &steps, "")
}

/// Updates in a browse, with TOKEN.
fn browse_updates() -> String {
    let next = "EXEC CICS READNEXT FILE('SHAR') INTO(REC) RIDFLD(KEY-F)\n UPDATE TOKEN(TOK) RESP(RC) RESP2(RC2) END-EXEC.";
    let rewrite =
        "EXEC CICS REWRITE FILE('SHAR') FROM(REC) TOKEN(TOK)\n RESP(RC) RESP2(RC2) END-EXEC.";
    let steps = [
        (
            "FILL",
            "PERFORM VARYING NUM FROM 1 BY 1 UNTIL NUM > 4
 MOVE 'B00' TO REC-KEY MOVE NUM TO SHOW
 MOVE SHOW (9:1) TO REC-KEY (4:1)
 MOVE 'old' TO REC-DATA
 EXEC CICS WRITE FILE('SHAR') FROM(REC) RIDFLD(REC-KEY)
 END-EXEC
END-PERFORM.
EXEC CICS SYNCPOINT END-EXEC.".to_owned(),
            "1 = 1",
        ),
        (
            "START",
            "MOVE 'B001' TO KEY-F.\nEXEC CICS STARTBR FILE('SHAR') RIDFLD(KEY-F) END-EXEC.".into(),
            "1 = 1",
        ),
        ("N1", next.into(), "RC = 0 AND REC-KEY = 'B001' AND TOK > 0"),
        (
            "R1",
            format!("MOVE 'new' TO REC-DATA.\n{rewrite}"),
            "RC = 0",
        ),
        ("N2", next.into(), "RC = 0 AND REC-KEY = 'B002'"),
        ("N3", format!("MOVE TOK TO TOK2.\n{next}"), "RC = 0 AND REC-KEY = 'B003'"),
        (
            "GONE2",
            "EXEC CICS REWRITE FILE('SHAR') FROM(REC) TOKEN(TOK2)\n RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 16 AND RC2 = 47",
        ),
        (
            "D3",
            "EXEC CICS DELETE FILE('SHAR') TOKEN(TOK)\n RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 0",
        ),
        (
            "P1",
            "EXEC CICS READPREV FILE('SHAR') INTO(REC) RIDFLD(KEY-F)\n UPDATE TOKEN(TOK) RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 0 AND REC-KEY = 'B002'",
        ),
        (
            "ENDED",
            format!("EXEC CICS ENDBR FILE('SHAR') END-EXEC.\n{rewrite}"),
            "RC = 16 AND RC2 = 47",
        ),
        (
            "COMMIT",
            "EXEC CICS SYNCPOINT END-EXEC.\nMOVE 'B001' TO KEY-F.\nEXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)\n REPEATABLE RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 0 AND REC-DATA = 'new'",
        ),
        (
            "DEL3",
            "MOVE 'B003' TO KEY-F.\nEXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)\n CONSISTENT RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 13 AND RC2 = 80",
        ),
    ];
    program("BRUPD", REC, &steps, "")
}

/// `W` changes record K001 and commits after two seconds; `H` reads it REPEATABLE and ends after
/// two, `O` for update and through another file of the data set; the others read it: `U`
/// uncommitted, `C` consistent, `N` consistent without waiting, `L` for update without waiting, `D`
/// by READINTEG.
const SHARER: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. SHARER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 REC-KEY PIC X(4).
           05 REC-DATA PIC X(36).
       01  KEY-F PIC X(4) VALUE 'K001'.
       01  RC PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 HOW PIC X.
           05 ANS PIC 9(4).
           05 ANS-DATA PIC X(10).
           05 FILLER PIC X(45).
       PROCEDURE DIVISION.
           EVALUATE HOW
             WHEN 'W'
               MOVE 'K001old' TO REC
               EXEC CICS WRITE FILE('SHAR') FROM(REC) RIDFLD(KEY-F)
               RESP(RC) END-EXEC
               EXEC CICS SYNCPOINT END-EXEC
               EXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)
               UPDATE END-EXEC
               MOVE 'new' TO REC-DATA
               EXEC CICS REWRITE FILE('SHAR') FROM(REC) END-EXEC
               DISPLAY 'HAS WRITTEN'
               EXEC CICS DELAY FOR SECONDS(2) END-EXEC
             WHEN 'H'
               EXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)
               REPEATABLE RESP(RC) END-EXEC
               DISPLAY 'HAS READ'
               EXEC CICS DELAY FOR SECONDS(2) END-EXEC
             WHEN 'O'
               EXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)
               UPDATE RESP(RC) END-EXEC
               EXEC CICS READ FILE('OTHR') INTO(REC) RIDFLD(KEY-F)
               CONSISTENT RESP(RC) END-EXEC
               DISPLAY 'HAS READ BOTH'
               EXEC CICS DELAY FOR SECONDS(2) END-EXEC
             WHEN 'U'
               EXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)
               UNCOMMITTED RESP(RC) END-EXEC
             WHEN 'C'
               EXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)
               CONSISTENT RESP(RC) END-EXEC
             WHEN 'N'
               EXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)
               CONSISTENT NOSUSPEND RESP(RC) END-EXEC
             WHEN 'L'
               EXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)
               UPDATE NOSUSPEND RESP(RC) END-EXEC
             WHEN 'D'
               EXEC CICS READ FILE('SHAR') INTO(REC) RIDFLD(KEY-F)
               RESP(RC) END-EXEC
           END-EVALUATE.
           MOVE RC TO ANS.
           MOVE REC-DATA TO ANS-DATA.
           EXEC CICS RETURN END-EXEC.
";

fn all(programs: &Programs, hows: &str) -> Vec<String> {
    let ask = |how: char| {
        let mut request = request("SHARER", format!("{how}{}", " ".repeat(59)).into_bytes());
        request.transid = Some(TransId::from_field(b"LONG"));
        request
    };
    let text = |result| match result {
        Ok(Payload::Commarea(bytes)) => String::from_utf8_lossy(&bytes[1..15]).trim().to_owned(),
        Ok(_) => "a channel".to_owned(),
        Err(LinkFailure { fault, .. }) => format!("{fault:?}"),
    };
    let answers = programs.all(hows.chars().map(ask).collect());
    answers.into_iter().map(text).collect()
}

#[test]
fn readers_wait_for_what_others_have_changed() {
    let sources = [&refusals()[..], &browse_updates(), SHARER];
    let programs = Programs::with(&sources, |config| {
        let mut shared = file("SHAR", Recovery::BackoutOnly);
        shared.rls = true;
        let mut other = shared.clone();
        other.name = transom_types::FileName::from_field(b"OTHR");
        config.data.files = vec![file("CUST", Recovery::BackoutOnly), shared, other];
        let transaction = transom_wire::definitions::TransactionEntry::new(
            TransId::from_field(b"LONG"),
            transom_types::ProgramName::from_field(b"SHARER"),
        );
        config.transactions.push(transaction);
    });
    check(&programs, &["NOSHARE", "BRUPD"]);
    logged(&programs, "TXMFC0008E");
    let (others, writer) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| all(&programs, "W"));
        logged(&programs, "HAS WRITTEN");
        (all(&programs, "UNCD"), writer.join().unwrap())
    });
    assert_eq!(writer, ["0000new"]);
    assert_eq!(others[0], "0000old", "UNCOMMITTED");
    assert!(others[1].starts_with("0101"), "NOSUSPEND: {}", others[1]);
    assert_eq!(others[2], "0000new", "CONSISTENT waits");
    assert_eq!(others[3], "0000old", "READINTEG(UNCOMMITTED)");
    let (others, holder) = std::thread::scope(|scope| {
        let holder = scope.spawn(|| all(&programs, "H"));
        logged(&programs, "HAS READ");
        (all(&programs, "LU"), holder.join().unwrap())
    });
    assert_eq!(holder, ["0000new"]);
    assert!(others[0].starts_with("0101"), "kept: {}", others[0]);
    assert_eq!(others[1], "0000new");
    assert_eq!(all(&programs, "L"), ["0000new"], "free again");
    let (others, holder) = std::thread::scope(|scope| {
        let holder = scope.spawn(|| all(&programs, "O"));
        logged(&programs, "HAS READ BOTH");
        (all(&programs, "L"), holder.join().unwrap())
    });
    assert_eq!(holder, ["0000new"]);
    assert!(
        others[0].starts_with("0101"),
        "the read through another file took the lock away: {}",
        others[0]
    );
}

#[test]
fn a_damaged_record_is_an_error_and_the_others_are_read() {
    let write = "MOVE 'D001' TO REC-KEY. MOVE 'to be damaged' TO REC-DATA.
EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)
 END-EXEC.
MOVE 'D002' TO REC-KEY. MOVE 'whole' TO REC-DATA.
EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)
 RESP(RC) END-EXEC.";
    let read = |key: &str, options: &str| {
        format!(
            "MOVE '{key}' TO KEY-F.\nEXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-F)\n {options} RESP(RC) RESP2(RC2) END-EXEC."
        )
    };
    let ioerr = "RC = 17 AND RC2 = 120";
    let steps = [
        ("WHOLE", read("D002", ""), "RC = 0 AND REC-DATA = 'whole'"),
        ("DAMAGED", read("D001", ""), ioerr),
        ("UPDATE", read("D001", "UPDATE"), ioerr),
        (
            "NEXT",
            "EXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.".into(),
            ioerr,
        ),
        ("STILL", read("D002", ""), "RC = 0"),
    ];
    let sources = [
        program("FILLER", REC, &[("WRITE", write, "RC = 0")], ""),
        program("LOOKER", REC, &steps, ""),
    ];
    let sources = [sources[0].as_str(), sources[1].as_str()];
    let folder = tempfile::tempdir().unwrap();
    let programs = Programs::with(&sources, on_disk(folder.path()));
    check(&programs, &["FILLER"]);
    programs.stop();
    let data = folder.path().join("store/data.mdb");
    let mut bytes = std::fs::read(&data).unwrap();
    let text = b"D001to be damaged";
    let places: Vec<usize> = (0..bytes.len() - text.len())
        .filter(|at| bytes[*at..].starts_with(text))
        .collect();
    assert!(!places.is_empty());
    places.iter().for_each(|at| bytes[at + 6] ^= 1);
    std::fs::write(&data, bytes).unwrap();
    let programs = Programs::with(&sources, on_disk(folder.path()));
    check(&programs, &["LOOKER"]);
    logged(&programs, "TXMFC0003E");
    logged(&programs, "`transom verify`");
}
