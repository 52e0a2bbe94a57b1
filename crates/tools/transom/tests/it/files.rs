//! Files from COBOL in a real region: records, browses, units of work, locks, restarts.

use crate::commands::program;
use crate::harness::Programs;
use std::path::Path;
use transom_region_core::definitions::{FileEntry, Recovery};
use transom_region_core::region::{DataConfig, RegionConfig};
use transom_types::ProgramName;

/// A keyed file of 40-byte records with 4-byte keys, made at its first use.
fn file(name: &str, recovery: Recovery) -> FileEntry {
    let dsname = format!("TEST.{name}");
    let mut entry =
        FileEntry::new(ProgramName::from_field(name.as_bytes()), &dsname).with_all_operations();
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
fn on_disk(folder: &Path) -> impl FnOnce(&mut RegionConfig) {
    let store = Some(folder.join("store"));
    move |config| {
        config.data = DataConfig {
            store,
            map_bytes: 1 << 30,
            files: files(),
            ..DataConfig::default()
        };
    }
}

fn check(programs: &Programs, names: &[&str]) {
    for name in names {
        let got = programs.text(name, &" ".repeat(60));
        assert_eq!(got, "OK", "{name}: {}", programs.log.lock().unwrap());
    }
}

const REC: &str = "01  REC.\n    05 REC-KEY PIC X(4).\n    05 REC-DATA PIC X(36).\n\
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
                "PERFORM VARYING NUM FROM 1 BY 1 UNTIL NUM > 9\n MOVE 'K00' TO REC-KEY MOVE NUM TO SHOW\n MOVE SHOW (9:1) TO REC-KEY (4:1)\n EXEC CICS WRITE FILE('CUST') FROM(REC) RIDFLD(REC-KEY)\n RESP(RC) RESP2(RC2) END-EXEC\nEND-PERFORM.\nEXEC CICS SYNCPOINT END-EXEC.",
                "RC = 0",
            ),
            (
                "TOKENS",
                "MOVE 'K001' TO KEY-F.\nEXEC CICS READ FILE('CUST') INTO(REC) UPDATE TOKEN(TOK)\n RIDFLD(KEY-F) END-EXEC.\nMOVE 'K002' TO KEY-F.\nEXEC CICS READ FILE('CUST') INTO(REC) UPDATE TOKEN(TOK2)\n RIDFLD(KEY-F) END-EXEC.\nMOVE 'K001byt' TO REC.\nEXEC CICS REWRITE FILE('CUST') FROM(REC) TOKEN(TOK)\n RESP(RC) RESP2(RC2) END-EXEC.",
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
                "MOVE 'K004' TO KEY-F.\nEXEC CICS SYNCPOINT ROLLBACK END-EXEC.\nEXEC CICS READ FILE('CUST') INTO(REC) UPDATE\n RIDFLD(KEY-F) END-EXEC.\nEXEC CICS UNLOCK FILE('CUST') RESP(RC) RESP2(RC2) END-EXEC.",
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
