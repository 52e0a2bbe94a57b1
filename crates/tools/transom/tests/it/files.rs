//! Files from COBOL in a real region: records, browses, units of work, locks, restarts.

use crate::commands::program;
use crate::harness::{Programs, request};
use std::path::Path;
use transom_region_api::Programs as _;
use transom_region_server::{DataConfig, RegionConfig};
use transom_types::{FileName, ProgramName};
use transom_wire::definitions::{FileEntry, Recovery};

/// A keyed file of 40-byte records with 4-byte keys, made at its first use.
pub(crate) fn file(name: &str, recovery: Recovery) -> FileEntry {
    let dsname = format!("TEST.{name}");
    let mut entry =
        FileEntry::new(FileName::from_field(name.as_bytes()), &dsname).with_all_operations();
    (entry.key_length, entry.record_size) = (4, 40);
    entry.recovery = recovery;
    entry
}

fn files() -> Vec<FileEntry> {
    vec![
        file("CUST", Recovery::BackoutOnly),
        file("LOGF", Recovery::None),
    ]
}

/// Two files in a store in memory.
fn in_memory(config: &mut RegionConfig) {
    config.data.files = files();
}

/// Two files in a store on disk.
pub(crate) fn on_disk(folder: &Path) -> impl FnOnce(&mut RegionConfig) {
    let store = Some(folder.join("store"));
    move |config| {
        config.data = DataConfig {
            store,
            map_bytes: 1 << 30,
            files: files(),
            define_missing: true,
            ..DataConfig::default()
        };
    }
}

pub(crate) fn check(programs: &Programs, names: &[&str]) {
    for name in names {
        programs.must_say(name, "OK");
    }
}

/// Waits until the region has said something: lines of workers come by themselves.
pub(crate) fn logged(programs: &Programs, text: &str) {
    logged_times(programs, text, 1);
}

/// What the log says of `text`.
pub(crate) fn times_logged(programs: &Programs, text: &str) -> usize {
    programs.log.lock().unwrap().matches(text).count()
}

/// Waits until it was said so many times.
pub(crate) fn logged_times(programs: &Programs, text: &str, times: usize) {
    let begin = std::time::Instant::now();
    while times_logged(programs, text) < times {
        let log = || programs.log.lock().unwrap().clone();
        assert!(begin.elapsed().as_secs() < 20, "{text}: {}", log());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

pub(crate) const REC: &str = "01  REC.\n    05 REC-KEY PIC X(4).\n    05 REC-DATA PIC X(36).\n\
                   01  KEY-F PIC X(4).\n01  LEN PIC S9(4) COMP.\n01  NUM PIC S9(4) COMP.\n\
                   01  TOK PIC S9(8) COMP.\n01  TOK2 PIC S9(8) COMP.";

/// Writes, reads, rewrites and deletes; every condition of the four.
fn records() -> String {
    program(
        "RECS",
        REC,
        &[
            (
                "NEW",
                "MOVE 'K001first' TO REC.\nEXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0",
            ),
            (
                "DUPREC",
                "EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 14 AND RC2 = 150",
            ),
            (
                "WRONGKEY",
                "MOVE 'K009' TO KEY-F.\nEXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 16 AND RC2 = 23",
            ),
            (
                "LONG",
                "MOVE 41 TO LEN.\nEXEC CICS WRITE FILE('CUST') FROM(REC) LENGTH(LEN)\n RIDFLD(REC-KEY) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 22 AND RC2 = 12",
            ),
            (
                "READ",
                "MOVE SPACES TO REC. MOVE 'K001' TO KEY-F. MOVE 40 TO LEN.\nEXEC CICS READ FILE('CUST') INTO(REC) LENGTH(LEN)\n RIDFLD(KEY-F) KEYLENGTH(4) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0 AND REC-DATA = 'first' AND LEN = 40 AND EIBRSRCE = 'CUST'",
            ),
            (
                "SHORT",
                "MOVE 6 TO LEN. MOVE ALL '*' TO REC.\nEXEC CICS READ FILE('CUST') INTO(REC) LENGTH(LEN)\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 22 AND RC2 = 11 AND LEN = 40 AND REC (1:8) = 'K001fi**'",
            ),
            (
                "NOTFND",
                "MOVE 'NONE' TO KEY-F.\nEXEC CICS READ FILE('CUST') INTO(REC)\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 13 AND RC2 = 80",
            ),
            (
                "KEYLEN",
                "EXEC CICS READ FILE('CUST') INTO(REC) KEYLENGTH(3)\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 16 AND RC2 = 26",
            ),
            (
                "NOFILE",
                "EXEC CICS READ FILE('NOFILE') INTO(REC)\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 12 AND RC2 = 1",
            ),
            (
                "GENERIC",
                "MOVE 'K0' TO KEY-F.\nEXEC CICS READ FILE('CUST') INTO(REC) KEYLENGTH(2) GENERIC\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0 AND REC-KEY = 'K001'",
            ),
            (
                "GENLONG",
                "EXEC CICS READ FILE('CUST') INTO(REC) KEYLENGTH(4) GENERIC\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 16 AND RC2 = 25",
            ),
            (
                "GTEQ",
                "MOVE 'A' TO KEY-F.\nEXEC CICS READ FILE('CUST') INTO(REC) GTEQ\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0 AND REC-KEY = 'K001'",
            ),
            (
                "NOHELD",
                "EXEC CICS REWRITE FILE('CUST') FROM(REC)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 16 AND RC2 = 30",
            ),
            (
                "NODEL",
                "EXEC CICS DELETE FILE('CUST') RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 16 AND RC2 = 31",
            ),
            (
                "UPDATE",
                "MOVE 'K001' TO KEY-F.\nEXEC CICS READ FILE('CUST') INTO(REC) UPDATE\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0",
            ),
            (
                "TWICE",
                "EXEC CICS READ FILE('CUST') INTO(REC) UPDATE\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 16 AND RC2 = 28",
            ),
            (
                "KEYCHG",
                "MOVE 'K002' TO REC-KEY.\nEXEC CICS REWRITE FILE('CUST') FROM(REC)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 16 AND RC2 = 46",
            ),
            (
                "REWRITE",
                "MOVE 'K001second' TO REC.\nEXEC CICS REWRITE FILE('CUST') FROM(REC)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0",
            ),
            (
                "OWN",
                "MOVE SPACES TO REC.\nEXEC CICS READ FILE('CUST') INTO(REC)\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0 AND REC-DATA = 'second'",
            ),
            (
                "ROLLBACK",
                "EXEC CICS SYNCPOINT ROLLBACK RESP(RC) END-EXEC.\nEXEC CICS READ FILE('CUST') INTO(REC)\n RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 13",
            ),
            (
                "MANY",
                "PERFORM VARYING NUM FROM 1 BY 1 UNTIL NUM > 9
 MOVE 'K00' TO REC-KEY MOVE NUM TO SHOW
 MOVE SHOW (9:1) TO REC-KEY (4:1)
 EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)
 RESP(RC) RESP2(RC2) END-EXEC
END-PERFORM.
EXEC CICS SYNCPOINT END-EXEC.",
                "RC = 0",
            ),
            (
                "TOKENS",
                "MOVE 'K001' TO KEY-F.
EXEC CICS READ FILE('CUST') INTO(REC) UPDATE TOKEN(TOK)
 RIDFLD(KEY-F) END-EXEC.
MOVE 'K002' TO KEY-F.
EXEC CICS READ FILE('CUST') INTO(REC) UPDATE TOKEN(TOK2)
 RIDFLD(KEY-F) END-EXEC.
MOVE 'K001byt' TO REC.
EXEC CICS REWRITE FILE('CUST') FROM(REC) TOKEN(TOK)
 RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0 AND TOK NOT = TOK2",
            ),
            (
                "TOKGONE",
                "EXEC CICS REWRITE FILE('CUST') FROM(REC) TOKEN(TOK)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 16 AND RC2 = 47",
            ),
            (
                "TOKDEL",
                "EXEC CICS DELETE FILE('CUST') TOKEN(TOK2)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0",
            ),
            (
                "DELETE",
                "MOVE 'K003' TO KEY-F.\nEXEC CICS DELETE FILE('CUST') RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0",
            ),
            (
                "GONE",
                "EXEC CICS DELETE FILE('CUST') RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 13 AND RC2 = 80",
            ),
            (
                "DELMANY",
                "MOVE 'K0' TO KEY-F. MOVE 0 TO NUM.\nEXEC CICS DELETE FILE('CUST') RIDFLD(KEY-F) GENERIC\n KEYLENGTH(2) NUMREC(NUM) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0 AND NUM = 7",
            ),
            (
                "UNLOCK",
                "MOVE 'K004' TO KEY-F.
EXEC CICS SYNCPOINT ROLLBACK END-EXEC.
EXEC CICS READ FILE('CUST') INTO(REC) UPDATE
 RIDFLD(KEY-F) END-EXEC.
EXEC CICS UNLOCK FILE('CUST') RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0",
            ),
            (
                "UNLOCKED",
                "EXEC CICS REWRITE FILE('CUST') FROM(REC)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 16 AND RC2 = 30",
            ),
            (
                "SET",
                "EXEC CICS READ FILE('CUST') SET(ADDRESS OF LK-AREA)\n LENGTH(LEN) RIDFLD(KEY-F) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0 AND LEN = 40 AND LK-AREA (1:4) = 'K004'",
            ),
            (
                "CLEAN",
                "MOVE 'K0' TO KEY-F.\nEXEC CICS DELETE FILE('CUST') RIDFLD(KEY-F) GENERIC\n KEYLENGTH(2) NUMREC(NUM) END-EXEC.",
                "NUM = 9",
            ),
        ],
        "",
    )
}

#[test]
fn records_are_written_read_rewritten_and_deleted() {
    let programs = Programs::with(&[&records()], in_memory);
    check(&programs, &["RECS", "RECS"]);
    let folder = tempfile::tempdir().unwrap();
    let programs = Programs::with(&[&records()], on_disk(folder.path()));
    check(&programs, &["RECS", "RECS"]);
}

/// Browses in both directions, several at a time, repositioned, generic.
fn browses() -> String {
    let next =
        "EXEC CICS READNEXT FILE('CUST') INTO(REC) RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.";
    let prev =
        "EXEC CICS READPREV FILE('CUST') INTO(REC) RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.";
    let start = "EXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.";
    let end = "EXEC CICS ENDBR FILE('CUST') RESP(RC) RESP2(RC2) END-EXEC.";
    let set = |key: &str, rest: &str| format!("MOVE '{key}' TO KEY-F.\n{rest}");
    let high = |rest: &str| format!("MOVE HIGH-VALUES TO KEY-F.\n{rest}");
    let many = |rest: &str, n: u32| {
        format!(
            "PERFORM {n} TIMES\n {}\nEND-PERFORM.",
            rest.trim_end_matches('.')
        )
    };
    let is = |key: &str| format!("RC = 0 AND KEY-F = '{key}' AND REC-KEY = '{key}'");
    let steps: Vec<(&str, String, String)> = vec![
        ("FILL", "PERFORM VARYING NUM FROM 10 BY 1 UNTIL NUM > 99
 MOVE 'B0' TO REC-KEY MOVE NUM TO SHOW
 MOVE SHOW (8:2) TO REC-KEY (3:2)
 EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)
 RESP(RC) RESP2(RC2) END-EXEC
END-PERFORM.
EXEC CICS SYNCPOINT END-EXEC.".into(), "RC = 0".into()),
        ("START", set("B010", start), "RC = 0".into()),
        ("AGAIN", start.into(), "RC = 16 AND RC2 = 33".into()),
        ("N1", next.into(), is("B010")),
        ("N2", next.into(), is("B011")),
        ("N3", many(next, 80), is("B091")),
        ("P1", prev.into(), is("B091")),
        ("P2", prev.into(), is("B090")),
        ("N4", next.into(), is("B090")),
        ("JUMP", set("B050", next), is("B050")),
        ("JUMPGT", set("A", next), is("B010")),
        ("LAST", set("B099", next), is("B099")),
        ("EOF", next.into(), "RC = 20 AND RC2 = 90".into()),
        ("BACK", prev.into(), is("B099")),
        ("FIRST", set("B010", prev), is("B010")),
        ("BOF", prev.into(), "RC = 20 AND RC2 = 90".into()),
        ("END", end.into(), "RC = 0".into()),
        ("ENDED", end.into(), "RC = 16 AND RC2 = 35".into()),
        ("NOSTART", next.into(), "RC = 16 AND RC2 = 34".into()),
        ("BEYOND", set("ZZZZ", start), "RC = 13 AND RC2 = 80".into()),
        ("HIGH", high(start), "RC = 0".into()),
        ("HIGHP", prev.into(), is("B099")),
        ("HIGHP2", prev.into(), is("B098")),
        ("TOHIGH", high(next), "RC = 20".into()),
        ("HIGHEND", end.into(), "RC = 0".into()),
        ("GAP", set("B0105", start).replace("'B0105'", "'B01'"), "RC = 0".into()),
        ("GAPPREV", prev.into(), "RC = 13 AND RC2 = 80".into()),
        ("GAPEND", end.into(), "RC = 0".into()),
        ("TWO", "MOVE 'B020' TO KEY-F. MOVE 'B030' TO KEY2-F.
EXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F)
 REQID(1) END-EXEC.
EXEC CICS STARTBR FILE('CUST') RIDFLD(KEY2-F)
 REQID(2) END-EXEC.
EXEC CICS READNEXT FILE('CUST') INTO(REC) RIDFLD(KEY-F)
 REQID(1) END-EXEC.
EXEC CICS READNEXT FILE('CUST') INTO(REC) RIDFLD(KEY2-F)
 REQID(2) END-EXEC.
EXEC CICS READNEXT FILE('CUST') INTO(REC) RIDFLD(KEY-F)
 REQID(1)
 RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND KEY-F = 'B021' AND KEY2-F = 'B030'".into()),
        ("RESET", "MOVE 'B070' TO KEY-F.
EXEC CICS RESETBR FILE('CUST') RIDFLD(KEY-F)
 REQID(1) EQUAL
 RESP(RC) RESP2(RC2) END-EXEC.
EXEC CICS READNEXT FILE('CUST') INTO(REC) RIDFLD(KEY-F)
 REQID(1)
 RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND KEY-F = 'B070'".into()),
        ("RESETNO", "MOVE 'NONE' TO KEY-F.\nEXEC CICS RESETBR FILE('CUST') RIDFLD(KEY-F)\n REQID(1) EQUAL\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 13".into()),
        ("SYNC", "EXEC CICS SYNCPOINT END-EXEC.\nEXEC CICS READNEXT FILE('CUST') INTO(REC) RIDFLD(KEY-F)\n REQID(2)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 16 AND RC2 = 34".into()),
        ("GENERIC", "MOVE 'B05' TO KEY-F.\nEXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F) KEYLENGTH(3)\n GENERIC EQUAL RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0".into()),
        ("GENNEXT", next.into(), is("B050")),
        ("GENPREV", prev.into(), "RC = 16 AND RC2 = 24".into()),
        ("GENNEW", "MOVE 'B07' TO KEY-F.\nEXEC CICS READNEXT FILE('CUST') INTO(REC) RIDFLD(KEY-F)\n KEYLENGTH(3) RESP(RC) RESP2(RC2) END-EXEC.".into(), is("B070")),
        ("GENGO", next.into(), is("B071")),
        ("GENEND", end.into(), "RC = 0".into()),
        ("GENNO", "MOVE 'X' TO KEY-F.\nEXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F) KEYLENGTH(1)\n GENERIC EQUAL RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 13".into()),
        ("LOWEST", "EXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F) KEYLENGTH(0)\n GENERIC RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0".into()),
        ("LOWEST2", next.into(), is("B010")),
        ("OWNNEW", "MOVE 'B010A' TO REC. MOVE 'B01A' TO REC-KEY.\nEXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0".into()),
        ("OWNSEEN", many(next, 10), is("B01A")),
        ("CLEAN", "EXEC CICS SYNCPOINT ROLLBACK END-EXEC.
MOVE 'B0' TO KEY-F.
EXEC CICS DELETE FILE('CUST') RIDFLD(KEY-F) GENERIC
 KEYLENGTH(2) NUMREC(NUM) RESP(RC) RESP2(RC2) END-EXEC.".into(), "NUM = 90".into()),
    ];
    let steps: Vec<(&str, &str, &str)> = steps
        .iter()
        .map(|(name, commands, holds)| (*name, commands.as_str(), holds.as_str()))
        .collect();
    program(
        "BROWSE",
        &format!("{REC}\n01  KEY2-F PIC X(4)."),
        &steps,
        "",
    )
}

#[test]
fn browses_go_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let source = browses();
    let programs = Programs::with(&[&source], on_disk(folder.path()));
    check(&programs, &["BROWSE", "BROWSE"]);
    let programs = Programs::with(&[&source], in_memory);
    check(&programs, &["BROWSE"]);
}

/// Writes `CA-TEXT (2:4)` as a key of CUST and LOGF and ends as `CA-TEXT (1:1)` says.
const WRITER: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. WRITER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC PIC X(40).
       01  ZERO-N PIC 9(4) VALUE 0.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 HOW PIC X.
           05 KEY-F PIC X(4).
           05 FILLER PIC X(55).
       PROCEDURE DIVISION.
           MOVE KEY-F TO REC.
           EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(KEY-F)
           END-EXEC.
           EXEC CICS WRITE FILE('LOGF') FROM(REC) RIDFLD(KEY-F)
           END-EXEC.
           EVALUATE HOW
             WHEN 'A' EXEC CICS ABEND ABCODE('OOPS') END-EXEC
             WHEN 'R' EXEC CICS SYNCPOINT ROLLBACK END-EXEC
             WHEN 'S' EXEC CICS SYNCPOINT END-EXEC
                      EXEC CICS ABEND ABCODE('LATE') END-EXEC
             WHEN 'K' CALL 'raise' USING BY VALUE 9
             WHEN 'W' DISPLAY 'WRITTEN'
                      EXEC CICS DELAY FOR SECONDS(20) END-EXEC
           END-EVALUATE.
           EXEC CICS RETURN END-EXEC.
";

/// Answers `Y` or `N` for the key `CA-TEXT (2:4)` in CUST, then in LOGF.
const READER: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. READER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC PIC X(40).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 ANS PIC X.
           05 KEY-F PIC X(4).
           05 ANS2 PIC X.
           05 FILLER PIC X(54).
       PROCEDURE DIVISION.
           EXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-F) NOHANDLE
           END-EXEC.
           IF EIBRESP = 0 MOVE 'Y' TO ANS ELSE MOVE 'N' TO ANS.
           EXEC CICS READ FILE('LOGF') INTO(REC) RIDFLD(KEY-F) NOHANDLE
           END-EXEC.
           IF EIBRESP = 0 MOVE 'Y' TO ANS2 ELSE MOVE 'N' TO ANS2.
           EXEC CICS RETURN END-EXEC.
";

fn read_back(programs: &Programs, key: &str) -> String {
    let got = programs.text("READER", &format!(" {key}{}", " ".repeat(55)));
    format!(
        "{}{}",
        got.get(..1).unwrap_or("?"),
        got.get(5..6).unwrap_or("?")
    )
}

fn run_writer(programs: &Programs, how: char, key: &str) -> String {
    programs.text("WRITER", &format!("{how}{key}{}", " ".repeat(55)))
}

#[test]
fn units_of_work_end_with_their_task() {
    let folder = tempfile::tempdir().unwrap();
    {
        let programs = Programs::with(&[WRITER, READER], on_disk(folder.path()));
        run_writer(&programs, ' ', "C001");
        assert_eq!(
            read_back(&programs, "C001"),
            "YY",
            "{}",
            programs.log.lock().unwrap()
        );
        assert!(run_writer(&programs, 'A', "C002").contains("OOPS"));
        assert_eq!(
            read_back(&programs, "C002"),
            "NY",
            "LOGF is not recoverable"
        );
        run_writer(&programs, 'R', "C003");
        assert_eq!(read_back(&programs, "C003"), "NY");
        assert!(run_writer(&programs, 'S', "C004").contains("LATE"));
        assert_eq!(
            read_back(&programs, "C004"),
            "YY",
            "committed before the abend"
        );
        run_writer(&programs, 'K', "C005");
        assert_eq!(read_back(&programs, "C005"), "NY", "the worker was killed");
        // Not committed when the region goes away.
        let _never = programs.region.link(request("WRITER", b"WC006".to_vec()));
        logged(&programs, "WRITTEN");
        assert_eq!(read_back(&programs, "C006"), "NY", "others do not see it");
        programs.stop();
    }
    let programs = Programs::with(&[WRITER, READER], on_disk(folder.path()));
    for (key, there) in [
        ("C001", "YY"),
        ("C002", "NY"),
        ("C004", "YY"),
        ("C006", "NY"),
    ] {
        assert_eq!(read_back(&programs, key), there, "{key} after the restart");
    }
}

/// Reads `KEY-1` of CUST for update, waits a second when `HOW` says so, then `KEY-2`, and rewrites
/// the last. Answers the conditions.
const UPDATER: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. UPDATER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 REC-KEY PIC X(4).
           05 REC-N PIC 9(8).
           05 FILLER PIC X(28).
       01  RC PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 HOW PIC X.
           05 KEY-1 PIC X(4).
           05 KEY-2 PIC X(4).
           05 ANS PIC 9(4).
           05 FILLER PIC X(47).
       PROCEDURE DIVISION.
           IF HOW = 'N'
             EXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-1) UPDATE
               NOSUSPEND RESP(RC) END-EXEC
             MOVE RC TO ANS
             EXEC CICS RETURN END-EXEC
           END-IF.
           EXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-1) UPDATE
           END-EXEC.
           IF REC-N NOT NUMERIC MOVE 0 TO REC-N.
           IF HOW = 'H'
             DISPLAY 'HOLDS THE RECORD'
             EXEC CICS DELAY FOR SECONDS(3) END-EXEC
           END-IF.
           IF KEY-2 NOT = SPACES
             EXEC CICS DELAY FOR SECONDS(1) END-EXEC
             EXEC CICS REWRITE FILE('CUST') FROM(REC) END-EXEC
             EXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-2) UPDATE
             END-EXEC
           END-IF.
           IF REC-N NOT NUMERIC MOVE 0 TO REC-N.
           ADD 1 TO REC-N.
           MOVE REC-N (5:4) TO ANS.
           EXEC CICS REWRITE FILE('CUST') FROM(REC) END-EXEC.
           EXEC CICS RETURN END-EXEC.
";

fn update(how: char, first: &str, second: &str) -> transom_region_api::LinkRequest {
    let commarea = format!("{how}{first:4}{second:4}{}", " ".repeat(51));
    let mut request = request("UPDATER", commarea.into_bytes());
    request.transid = Some(transom_types::TransId::from_field(b"SHRT"));
    request
}

fn answers(
    results: Vec<Result<transom_region_api::Payload, transom_region_api::LinkFailure>>,
) -> Vec<String> {
    let text = |result| match result {
        Ok(transom_region_api::Payload::Commarea(bytes)) => {
            String::from_utf8_lossy(&bytes[9..13]).into_owned()
        }
        Ok(_) => "a channel".to_owned(),
        Err(transom_region_api::LinkFailure { fault, .. }) => format!("{fault:?}"),
    };
    results.into_iter().map(text).collect()
}

#[test]
fn records_are_locked() {
    let programs = Programs::with(&[WRITER, UPDATER], |config| {
        in_memory(config);
        config.data.files[0].rls = true;
        // Waits of two seconds end with AFCV.
        let mut short = transom_wire::definitions::TransactionEntry::new(
            transom_types::TransId::from_field(b"SHRT"),
            ProgramName::from_field(b"UPDATER"),
        );
        (short.dtimout_ms, short.spurge) = (2_000, true);
        config.transactions.push(short);
    });
    for key in ["L001", "L002"] {
        run_writer(&programs, ' ', key);
    }
    // Many tasks add one each; no update is lost.
    let requests = (0..20).map(|_| update(' ', "L001", "")).collect();
    let mut got = answers(programs.all(requests));
    got.sort();
    let wanted: Vec<String> = (1..=20).map(|n| format!("{n:04}")).collect();
    assert_eq!(got, wanted, "{}", programs.log.lock().unwrap());
    // NOSUSPEND answers at once; who waits longer than DTIMOUT ends with AFCV.
    let (got, holder) = std::thread::scope(|scope| {
        let holder = scope.spawn(|| answers(programs.all(vec![update('H', "L001", "")])));
        logged(&programs, "HOLDS THE RECORD");
        let others = vec![update('N', "L001", ""), update(' ', "L001", "")];
        (answers(programs.all(others)), holder.join().unwrap())
    });
    assert_eq!(holder, ["0021"]);
    assert_eq!(got[0], "0101", "RECORDBUSY");
    assert!(got[1].contains("AFCV"), "{got:?}");
    // A deadlock ends one of the two.
    let got = answers(programs.all(vec![
        update(' ', "L001", "L002"),
        update(' ', "L002", "L001"),
    ]));
    let dead = got.iter().filter(|text| text.contains("AFCW")).count();
    assert_eq!(dead, 1, "{got:?}");
    // And nothing is locked afterwards.
    let got = answers(programs.all(vec![update('N', "L001", ""), update('N', "L002", "")]));
    assert_eq!(got, ["0000", "0000"]);
}

/// Opening, closing, enabling, attributes; INQUIRE of all of it.
fn file_states() -> String {
    let inquire = "EXEC CICS INQUIRE FILE('CUST') OPENSTATUS(ST-O)\n ENABLESTATUS(ST-E) KEYLENGTH(ST-K) RECORDSIZE(ST-R)\n DSNAME(ST-D) ADD(ST-A) TYPE(ST-T)\n RESP(RC) RESP2(RC2) END-EXEC.";
    let read = "MOVE 'K' TO KEY-F.\nEXEC CICS READ FILE('CUST') INTO(REC) RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.";
    let steps: Vec<(&str, String, &str)> = vec![
        ("FIRST", inquire.into(), "RC = 0 AND ST-O = DFHVALUE(CLOSED) AND ST-E = DFHVALUE(ENABLED) AND ST-D = 'TEST.CUST' AND ST-A = DFHVALUE(ADDABLE)"),
        ("FIRSTREF", read.into(), "RC = 13"),
        ("OPENED", inquire.into(), "ST-O = DFHVALUE(OPEN) AND ST-K = 4 AND ST-R = 40 AND ST-T = DFHVALUE(KSDS)"),
        ("BUSY", "EXEC CICS SET FILE('CUST') NOTADDABLE\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 16 AND RC2 = 2"),
        ("CLOSE", "EXEC CICS SET FILE('CUST') CLOSED RESP(RC) END-EXEC.".into(), "RC = 0"),
        ("CLOSED", inquire.into(), "ST-O = DFHVALUE(CLOSED) AND ST-E = DFHVALUE(UNENABLED)"),
        ("NOTOPEN", read.into(), "RC = 19 AND RC2 = 60"),
        ("NOADD", "EXEC CICS SET FILE('CUST') NOTADDABLE NOTBROWSABLE\n RESP(RC) END-EXEC.".into(), "RC = 0"),
        ("ENABLE", format!("EXEC CICS SET FILE('CUST') ENABLED RESP(RC) END-EXEC.\n{read}"), "RC = 13"),
        ("NOWRITE", "EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 16 AND RC2 = 20"),
        ("NOBROWSE", "EXEC CICS STARTBR FILE('CUST') RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 16 AND RC2 = 20"),
        ("DISABLE", format!("EXEC CICS SET FILE('CUST') CLOSED DISABLED ADDABLE\n BROWSABLE RESP(RC) END-EXEC.\n{read}"), "RC = 84 AND RC2 = 50"),
        ("OPEN", format!("EXEC CICS SET FILE('CUST') OPEN ENABLED RESP(RC) END-EXEC.\n{inquire}"), "ST-O = DFHVALUE(OPEN) AND ST-E = DFHVALUE(ENABLED)"),
        ("UNKNOWN", "EXEC CICS SET FILE('NOFILE') OPEN\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 12 AND RC2 = 18"),
        ("ALL", "MOVE 0 TO NUM.
EXEC CICS INQUIRE FILE START END-EXEC.
PERFORM UNTIL RC = 83
 EXEC CICS INQUIRE FILE(ST-F) NEXT RESP(RC) END-EXEC
 IF RC = 0 ADD 1 TO NUM END-IF
END-PERFORM.
EXEC CICS INQUIRE FILE END RESP(RC) END-EXEC.".into(), "RC = 0 AND NUM = 2"),
        ("JOURNAL", "MOVE 'first record' TO REC.
EXEC CICS WRITE JOURNALNAME('AUDIT') JTYPEID('AB') FROM(REC)
 FLENGTH(40) PREFIX(KEY-F) PFXLENG(4) REQID(TOK)
 RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND TOK = 1"),
        ("JWAIT", "EXEC CICS WAIT JOURNALNAME('AUDIT') REQID(TOK)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("JNUM", "EXEC CICS WRITE JOURNALNUM(3) JTYPEID('AB') FROM(REC)\n LENGTH(40) WAIT RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("JLONG", "EXEC CICS WRITE JOURNALNAME('AUDIT') JTYPEID('AB') FROM(REC)\n FLENGTH(9999999) RESP(RC) END-EXEC.".into(), "RC = 22"),
        ("JLOG", "EXEC CICS WRITE JOURNALNAME('DFHLOG') JTYPEID('AB')\n FROM(REC) FLENGTH(40) RESP(RC) END-EXEC.".into(), "RC = 16"),
    ];
    let storage = format!(
        "{REC}\n01  ST-O PIC S9(8) COMP.\n01  ST-E PIC S9(8) COMP.\n01  ST-K PIC S9(8) COMP.\n\
         01  ST-R PIC S9(8) COMP.\n01  ST-D PIC X(44).\n01  ST-A PIC S9(8) COMP.\n\
         01  ST-T PIC S9(8) COMP.\n01  ST-F PIC X(8)."
    );
    program("STATES", &storage, &steps, "")
}

#[test]
fn files_are_opened_closed_and_inquired_and_journals_written() {
    let folder = tempfile::tempdir().unwrap();
    let journals = folder.path().join("journals");
    let programs = Programs::with(&[&file_states()], |config| {
        in_memory(config);
        config.data.journal_dir = Some(journals.clone());
    });
    check(&programs, &["STATES"]);
    let bytes = std::fs::read(journals.join("AUDIT.jnl")).unwrap();
    assert_eq!(
        &bytes[28..34],
        b"AB\0\0\0\x04",
        "type, length of the prefix"
    );
    assert_eq!(&bytes[34..50], b"K   first record");
    assert!(journals.join("DFHJ03.jnl").is_file());
}

/// A KSDS with a path whose keys are not unique and one whose are, an ESDS and an RRDS.
fn other_organizations() -> String {
    let write = |key: &str, name: &str| {
        format!(
            "MOVE '{key}' TO REC-KEY. MOVE '{name}' TO REC-DATA.\nEXEC CICS WRITE FILE('BASE') FROM(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC."
        )
    };
    let next = "EXEC CICS READNEXT FILE('BYNAME') INTO(REC) RIDFLD(NAME-F)\n RESP(RC) RESP2(RC2) END-EXEC.";
    let prev = next.replace("READNEXT", "READPREV");
    let prev = prev.as_str();
    let esds = |command: &str, kind: &str| {
        format!(
            "EXEC CICS {command} FILE('ESDS') INTO(REC) RIDFLD(RBA-F)\n {kind} RESP(RC) RESP2(RC2) END-EXEC."
        )
    };
    let rrds = |command: &str| esds(command, "RRN").replace("'ESDS'", "'RRDS'");
    let steps: Vec<(&str, String, &str)> = vec![
        ("W1", write("0001", "SMITH     U1"), "RC = 0"),
        ("INHIBIT", "EXEC CICS WRITE FILE('INHIBIT') FROM(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 16 AND RC2 = 20"),
        ("INHIBITR", "EXEC CICS READ FILE('INHIBIT') INTO(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 13"),
        ("W2", write("0002", "SMITH     U2"), "RC = 0"),
        ("W3", write("0003", "JONES     U3"), "RC = 0"),
        ("W4", write("0004", "ADAMS     U1"), "RC = 14 AND RC2 = 150"),
        ("DUPKEY", "MOVE 'SMITH' TO NAME-F.\nEXEC CICS READ FILE('BYNAME') INTO(REC) RIDFLD(NAME-F)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 15 AND RC2 = 140 AND REC-KEY = '0001'"),
        ("UNIQUE", "MOVE 'U2' TO KEY-F.\nEXEC CICS READ FILE('BYUSER') INTO(REC) RIDFLD(KEY-F)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND REC-KEY = '0002'"),
        ("START", "MOVE 'A' TO NAME-F.\nEXEC CICS STARTBR FILE('BYNAME') RIDFLD(NAME-F)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("N1", next.into(), "RC = 0 AND REC-KEY = '0003' AND NAME-F = 'JONES'"),
        ("N2", next.into(), "RC = 15 AND REC-KEY = '0001' AND NAME-F = 'SMITH'"),
        ("N3", next.into(), "RC = 0 AND REC-KEY = '0002'"),
        ("N4", next.into(), "RC = 20"),
        ("ARRIVAL", "EXEC CICS ENDBR FILE('BYNAME') END-EXEC.
MOVE '0000' TO REC-KEY. MOVE 'SMITH     U0' TO REC-DATA.
EXEC CICS WRITE FILE('BASE') FROM(REC) RIDFLD(REC-KEY)
 END-EXEC.
MOVE 'SMITH' TO NAME-F.
EXEC CICS STARTBR FILE('BYNAME') RIDFLD(NAME-F) END-EXEC.
PERFORM 3 TIMES
 EXEC CICS READNEXT FILE('BYNAME') INTO(REC) RIDFLD(NAME-F)
 RESP(RC) RESP2(RC2) END-EXEC
END-PERFORM.".into(), "RC = 0 AND REC-KEY = '0000'"),
        ("UPDATE", "EXEC CICS SYNCPOINT END-EXEC.
MOVE 'JONES' TO NAME-F.
EXEC CICS READ FILE('BYNAME') INTO(REC) RIDFLD(NAME-F) UPDATE
 END-EXEC.
MOVE 'BROWN     U9' TO REC-DATA.
EXEC CICS REWRITE FILE('BYNAME') FROM(REC)
 RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("MOVED", "EXEC CICS READ FILE('BYNAME') INTO(REC) RIDFLD(NAME-F)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 13"),
        ("BACK", "EXEC CICS SYNCPOINT ROLLBACK END-EXEC.\nEXEC CICS READ FILE('BYNAME') INTO(REC) RIDFLD(NAME-F)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("ESDS1", "MOVE 'first' TO REC.\nEXEC CICS WRITE FILE('ESDS') FROM(REC) RIDFLD(RBA-F) RBA\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND RBA-F = 0"),
        ("ESDS2", "MOVE 'second' TO REC.\nEXEC CICS WRITE FILE('ESDS') FROM(REC) RIDFLD(RBA-F) RBA\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND RBA-F = 40"),
        ("ESDSR", "EXEC CICS READ FILE('ESDS') INTO(REC) RIDFLD(RBA-F) RBA\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND REC (1:6) = 'second'"),
        ("ESDSD", "EXEC CICS DELETE FILE('ESDS') RIDFLD(RBA-F) RBA\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 16 AND RC2 = 21"),
        ("ESDSB", "MOVE 0 TO RBA-F.
EXEC CICS STARTBR FILE('ESDS') RIDFLD(RBA-F) RBA END-EXEC.
EXEC CICS READNEXT FILE('ESDS') INTO(REC) RIDFLD(RBA-F) RBA
 END-EXEC.
EXEC CICS READNEXT FILE('ESDS') INTO(REC) RIDFLD(RBA-F) RBA
 RESP(RC) END-EXEC.".into(), "RC = 0 AND RBA-F = 40"),
        ("OTHERRID", "EXEC CICS READNEXT FILE('ESDS') INTO(REC) RIDFLD(RBA-F)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 21"),
        ("RRDS7", "MOVE 7 TO RBA-F. MOVE 'slot 7' TO REC.\nEXEC CICS WRITE FILE('RRDS') FROM(REC) RIDFLD(RBA-F) RRN\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("RRDSDUP", "EXEC CICS WRITE FILE('RRDS') FROM(REC) RIDFLD(RBA-F) RRN\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 14"),
        ("RRDSB", "MOVE 1 TO RBA-F.
EXEC CICS STARTBR FILE('RRDS') RIDFLD(RBA-F) RRN GTEQ
 RESP(RC) RESP2(RC2) END-EXEC.
EXEC CICS READNEXT FILE('RRDS') INTO(REC) RIDFLD(RBA-F) RRN
 RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND RBA-F = 7"),
        ("RRDSDEL", "EXEC CICS DELETE FILE('RRDS') RIDFLD(RBA-F) RRN\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("ESDSHIGH", "EXEC CICS ENDBR FILE('ESDS') END-EXEC.\nMOVE HIGH-VALUES TO RBA-X.\nEXEC CICS STARTBR FILE('ESDS') RIDFLD(RBA-F) RBA\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("ESDSP1", esds("READPREV", "RBA"), "RC = 0 AND RBA-F = 40"),
        ("ESDSP2", esds("READPREV", "RBA"), "RC = 0 AND RBA-F = 0"),
        ("ESDSBOF", esds("READPREV", "RBA"), "RC = 20"),
        ("ESDSN1", esds("READNEXT", "RBA"), "RC = 0 AND RBA-F = 0"),
        ("ESDSJUMP", format!("MOVE 40 TO RBA-F.\n{}", esds("READNEXT", "RBA")), "RC = 0 AND RBA-F = 40"),
        ("ESDSKIND", esds("READNEXT", "XRBA").replace("RBA-F", "XRBA-F"), "RC = 16 AND RC2 = 37"),
        ("XRBAW", "EXEC CICS ENDBR FILE('ESDS') END-EXEC.
MOVE 'third' TO REC.
EXEC CICS WRITE FILE('ESDS') FROM(REC) RIDFLD(XRBA-F) XRBA
 RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND XRBA-F = 80"),
        ("XRBAR", "EXEC CICS READ FILE('ESDS') INTO(REC) RIDFLD(XRBA-F) XRBA\n UPDATE RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND REC (1:5) = 'third'"),
        ("ESDSSHRT", "MOVE 39 TO LEN.\nEXEC CICS REWRITE FILE('ESDS') FROM(REC) LENGTH(LEN)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 22 AND RC2 = 12"),
        ("XRBAHIGH", "EXEC CICS UNLOCK FILE('ESDS') END-EXEC.
MOVE HIGH-VALUES TO XRBA-X.
EXEC CICS STARTBR FILE('ESDS') RIDFLD(XRBA-F) XRBA
 END-EXEC.
EXEC CICS READPREV FILE('ESDS') INTO(REC) RIDFLD(XRBA-F) XRBA
 RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0 AND XRBA-F = 80"),
        ("RRDS39", "MOVE 3 TO RBA-F.
EXEC CICS WRITE FILE('RRDS') FROM(REC) RIDFLD(RBA-F) RRN
 END-EXEC.
MOVE 9 TO RBA-F.
EXEC CICS WRITE FILE('RRDS') FROM(REC) RIDFLD(RBA-F) RRN
 END-EXEC.
MOVE 5 TO RBA-F.
EXEC CICS STARTBR FILE('RRDS') RIDFLD(RBA-F) RRN EQUAL
 REQID(5) RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 13"),
        ("RRDSHIGH", "EXEC CICS ENDBR FILE('RRDS') END-EXEC.\nMOVE HIGH-VALUES TO RBA-X.\nEXEC CICS STARTBR FILE('RRDS') RIDFLD(RBA-F) RRN\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("RRDSP1", rrds("READPREV"), "RC = 0 AND RBA-F = 9"),
        ("RRDSP2", rrds("READPREV"), "RC = 0 AND RBA-F = 3"),
        ("RRDSN1", rrds("READNEXT"), "RC = 0 AND RBA-F = 3"),
        ("RRDSJUMP", format!("MOVE 4 TO RBA-F.\n{}", rrds("READNEXT")), "RC = 0 AND RBA-F = 9"),
        ("RRDSEOF", rrds("READNEXT"), "RC = 20"),
        ("PATHHIGH", "EXEC CICS SYNCPOINT END-EXEC.\nMOVE HIGH-VALUES TO NAME-F.\nEXEC CICS STARTBR FILE('BYNAME') RIDFLD(NAME-F)\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 0"),
        ("PATHP1", prev.into(), "RC = 15 AND REC-KEY = '0001'"),
        ("PATHP2", prev.into(), "RC = 15 AND REC-KEY = '0002'"),
        ("PATHP3", prev.into(), "RC = 0 AND REC-KEY = '0000'"),
        ("PATHP4", prev.into(), "RC = 0 AND REC-KEY = '0003'"),
        ("PATHBOF", prev.into(), "RC = 20"),
        ("KSDSRBA", "EXEC CICS READ FILE('BASE') INTO(REC) RIDFLD(RBA-F) RBA\n RESP(RC) RESP2(RC2) END-EXEC.".into(), "RC = 16 AND RC2 = 51"),
    ];
    let storage = format!(
        "{REC}\n01  NAME-F PIC X(10).\n01  RBA-F PIC S9(8) COMP.\n\
         01  RBA-X REDEFINES RBA-F PIC X(4).\n01  XRBA-F PIC S9(18) COMP.\n\
         01  XRBA-X REDEFINES XRBA-F PIC X(8)."
    );
    program("OTHERS", &storage, &steps, "")
}

#[test]
fn paths_entry_sequenced_and_relative_files() {
    use transom_datasets::{
        AlternateIndex, Cluster, DatasetName, Datasets, Organization, PathEntry,
    };
    let name = |text: &str| DatasetName::new(text).unwrap();
    let store: std::sync::Arc<dyn transom_recovery::UowStore> =
        std::sync::Arc::new(transom_datasets::MemoryStore::in_memory(1 << 24));
    let define = async {
        let datasets = Datasets::open(store.clone()).await.unwrap();
        let base = Cluster::ksds(name("T.BASE"), 0, 4, 40);
        datasets.define_cluster(base).await.unwrap();
        for (index, offset, length, unique) in [("T.NAME", 4, 10, false), ("T.USER", 14, 4, true)] {
            let definition =
                AlternateIndex::new(name(index), name("T.BASE"), offset, length, unique);
            datasets.define_index(definition).await.unwrap();
            let path = PathEntry::new(name(&format!("{index}.PATH")), name(index));
            datasets.define_path(path).await.unwrap();
        }
        for (entry, organization) in [
            ("T.ESDS", Organization::Esds),
            ("T.RRDS", Organization::Rrds),
        ] {
            let cluster = Cluster::new(name(entry), organization, 40);
            datasets.define_cluster(cluster).await.unwrap();
        }
        let mut inhibited = Cluster::ksds(name("T.INHIBIT"), 0, 4, 40);
        inhibited.extra.inhibited = true;
        datasets.define_cluster(inhibited).await.unwrap();
    };
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(define);
    let programs = Programs::with(&[&other_organizations()], |config| {
        let all = [
            ("BASE", "T.BASE"),
            ("BYNAME", "T.NAME.PATH"),
            ("BYUSER", "T.USER.PATH"),
            ("ESDS", "T.ESDS"),
            ("RRDS", "T.RRDS"),
            ("INHIBIT", "T.INHIBIT"),
        ];
        config.data.files = all
            .iter()
            .map(|(file, dsname)| {
                let name = FileName::from_field(file.as_bytes());
                let mut entry = FileEntry::new(name, dsname).with_all_operations();
                entry.recovery = Recovery::BackoutOnly;
                entry
            })
            .collect();
        config.data.opened = Some(transom_region_server::StoreHandle(store.clone()));
    });
    check(&programs, &["OTHERS"]);
}
