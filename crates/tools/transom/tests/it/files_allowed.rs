//! What the definition of a file allows, from COBOL: operations, data sets that are not there,
//! INQUIRE and SET of it all.

use crate::commands::program;
use crate::files::{REC, check, file, logged};
use crate::harness::Programs;
use transom_types::FileName;
use transom_wire::definitions::{Enablement, FileEntry, Recovery};

fn entry(name: &str, change: impl FnOnce(&mut FileEntry)) -> FileEntry {
    let mut entry = file(name, Recovery::None);
    change(&mut entry);
    entry
}

fn files() -> Vec<FileEntry> {
    let mut only_read = FileEntry::new(FileName::from_field(b"ONLYREAD"), "TEST.ONLYREAD");
    (only_read.key_length, only_read.record_size) = (4, 40);
    vec![
        only_read,
        entry("NODATA", |f| (f.key_length, f.record_size) = (0, 0)),
        entry("BADNAME", |f| f.dsname = "NOT A NAME".into()),
        entry("REMOTE", |f| f.remote_system = "OTHR".parse().unwrap()),
        entry("OFF", |f| f.status = Enablement::Disabled),
        entry("UNEN", |f| f.status = Enablement::Unenabled),
        entry("PLAIN", |_| ()),
    ]
}

fn steps() -> String {
    let read = |options: &str, file: &str| {
        format!(
            "MOVE 'K001' TO KEY-F.\nEXEC CICS READ FILE('{file}') INTO(REC) RIDFLD(KEY-F)\n {options} RESP(RC) RESP2(RC2) END-EXEC."
        )
    };
    let reads = |file, holds| (file, read("", file), holds);
    let refused = "RC = 16 AND RC2 = 20";
    let refuses = |command, operands| {
        let text = format!(
            "EXEC CICS {command} FILE('ONLYREAD') {operands}\n RESP(RC) RESP2(RC2) END-EXEC."
        );
        (command, text, refused)
    };
    let inquire = "EXEC CICS INQUIRE FILE('PLAIN') READINTEG(ST1) RLSACCESS(ST2)\n STRINGS(ST3) DSNAME(DSN) OPENSTATUS(ST4) BROWSE(ST5)\n RESP(RC) RESP2(RC2) END-EXEC.";
    let steps: Vec<(&str, String, &str)> = vec![
        reads("ONLYREAD", "RC = 13"),
        ("UPDATE", read("UPDATE", "ONLYREAD"), refused),
        refuses("WRITE", "FROM(REC)\n RIDFLD(KEY-F)"),
        refuses("REWRITE", "FROM(REC)"),
        refuses("DELETE", "RIDFLD(KEY-F)"),
        refuses("STARTBR", "RIDFLD(KEY-F)"),
        reads("NODATA", "RC = 19 AND RC2 = 60"),
        reads("BADNAME", "RC = 19 AND RC2 = 60"),
        reads("REMOTE", "RC = 53 AND RC2 = 130"),
        reads("OFF", "RC = 84 AND RC2 = 50"),
        reads("UNEN", "RC = 19 AND RC2 = 60"),
        (
            "ENABLE",
            "EXEC CICS SET FILE('UNEN') ENABLED RESP(RC) END-EXEC.".into(),
            "RC = 0",
        ),
        ("ENABLED", read("", "UNEN"), "RC = 13"),
        reads("PLAIN", "RC = 13"),
        (
            "SETOPEN",
            "EXEC CICS SET FILE('PLAIN') RLS RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 16 AND RC2 = 2",
        ),
        (
            "SET",
            "EXEC CICS SET FILE('PLAIN') CLOSED RLS REPEATABLE\n STRINGS(7) NOTBROWSABLE DSNAME('TEST.OTHER')\n RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 0",
        ),
        (
            "INQUIRE",
            inquire.into(),
            "ST1 = DFHVALUE(REPEATABLE) AND ST2 = DFHVALUE(RLS) AND ST3 = 7 AND DSN = 'TEST.OTHER' AND ST4 = DFHVALUE(CLOSED) AND ST5 = DFHVALUE(NOTBROWSABLE)",
        ),
        (
            "BROWSE",
            "EXEC CICS INQUIRE FILE START END-EXEC.
MOVE 0 TO NUM. MOVE 0 TO RC.
PERFORM UNTIL RC NOT = 0
 EXEC CICS INQUIRE FILE(NAME) NEXT OPENSTATUS(ST4)
 RESP(RC) RESP2(RC2) END-EXEC
 IF RC = 0 ADD 1 TO NUM END-IF
END-PERFORM.".into(),
            "RC = 83 AND RC2 = 2 AND NUM = 7",
        ),
        (
            "END",
            "EXEC CICS INQUIRE FILE END RESP(RC) END-EXEC.".into(),
            "RC = 0",
        ),
        (
            "NOFILE",
            "EXEC CICS INQUIRE FILE('NOFILE') OPENSTATUS(ST4)\n RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 12 AND RC2 = 1",
        ),
        (
            "SETNO",
            "EXEC CICS SET FILE('NOFILE') CLOSED\n RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 12 AND RC2 = 18",
        ),
        (
            "SETREM",
            "EXEC CICS SET FILE('REMOTE') CLOSED\n RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 16 AND RC2 = 1",
        ),
        (
            "OPENBAD",
            "EXEC CICS SET FILE('NODATA') OPEN\n RESP(RC) RESP2(RC2) END-EXEC.".into(),
            "RC = 17 AND RC2 = 17",
        ),
    ];
    let storage = format!(
        "{REC}\n01  ST1 PIC S9(8) COMP.\n01  ST2 PIC S9(8) COMP.\n01  ST3 PIC S9(8) COMP.\n\
         01  ST4 PIC S9(8) COMP.\n01  ST5 PIC S9(8) COMP.\n01  DSN PIC X(44).\n01  NAME PIC X(8)."
    );
    program("ALLOWED", &storage, &steps, "")
}

#[test]
fn a_file_does_what_its_definition_allows() {
    let programs = Programs::with(&[&steps()], |config| config.data.files = files());
    check(&programs, &["ALLOWED"]);
    logged(&programs, "data set TEST.NODATA: ");
}
