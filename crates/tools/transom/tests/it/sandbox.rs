//! What a program cannot do to the machine it runs on, nor to the region's own files.
//!
//! A program in C stands for what a hundred authors of COBOL could reach by a CALL or a wild
//! branch: it makes the system calls itself. Not here: authority to use resources (`authority`).

use crate::files::logged_times;
use crate::harness::{Programs, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// CALLs of what libcob and the C library have and the region has not.
fn caller(name: &str, call: &str) -> String {
    format!(
        "       IDENTIFICATION DIVISION.
       PROGRAM-ID. {name}.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-COMMAND PIC X(60) VALUE 'touch made-by-a-program'.
       01  WS-NAME PIC X(8) VALUE 'system'.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
           {call}.
           EXEC CICS RETURN END-EXEC.\n"
    )
}

/// Compiles the program in C; `false`: there is no compiler.
fn probe(dir: &Path) -> bool {
    let source = root().join("crates/tools/transom/tests/data/PROBE.c");
    let modules = dir.join(".transom/modules");
    std::fs::create_dir_all(&modules).unwrap();
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(modules.join("PROBE.so"))
        .arg(source)
        .output();
    let good = compiled.is_ok_and(|output| output.status.success());
    if !good {
        transom_needed::skipped("no C compiler");
    }
    good
}

#[test]
fn routines_of_the_c_library_are_no_programs() {
    let calls = [
        ("CALLSYS", "CALL 'SYSTEM' USING WS-COMMAND"),
        ("CALLLOW", "CALL WS-NAME USING WS-COMMAND"),
        ("CALLFORK", "CALL 'CBL_GC_FORK'"),
        ("CALLFILE", "CALL 'CBL_DELETE_FILE' USING WS-COMMAND"),
        ("CALLKILL", "CALL 'kill' USING BY VALUE 1 BY VALUE 9"),
        ("CALLOURS", "CALL 'txm_dispatch'"),
        (
            "CALLEXC",
            "CALL WS-NAME USING WS-COMMAND
             ON EXCEPTION MOVE 'NONE' TO DFHCOMMAREA END-CALL",
        ),
        (
            "CALLGOOD",
            "MOVE 'abc' TO WS-COMMAND
             CALL 'CBL_TOUPPER' USING WS-COMMAND BY VALUE 3
             MOVE WS-COMMAND TO DFHCOMMAREA",
        ),
    ];
    let sources: Vec<String> = calls.iter().map(|(n, c)| caller(n, c)).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let programs = Programs::new(&sources);
    for (name, _) in &calls[..6] {
        assert_eq!(
            programs.text(name, &" ".repeat(60)),
            "Abend(AbendCode(APCN))",
            "{name}"
        );
    }
    programs.must_say("CALLEXC", "NONE");
    programs.must_say("CALLGOOD", "ABC");
    logged_times(&programs, "the called program SYSTEM is not available", 1);
    let made = ["made-by-a-program"].map(|name| Path::new(name).exists());
    assert_eq!(made, [false]);
    programs.stop();
}

/// A file of the operating system, made and read.
const FILES: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. OSFILES.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT MADE ASSIGN TO 'made-by-a-program'
             ORGANIZATION LINE SEQUENTIAL FILE STATUS IS WS-MADE.
           SELECT KNOWN ASSIGN TO '/etc/passwd'
             ORGANIZATION LINE SEQUENTIAL FILE STATUS IS WS-KNOWN.
       DATA DIVISION.
       FILE SECTION.
       FD  MADE.
       01  MADE-REC PIC X(80).
       FD  KNOWN.
       01  KNOWN-REC PIC X(80).
       WORKING-STORAGE SECTION.
       01  WS-MADE PIC XX.
       01  WS-KNOWN PIC XX.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
           OPEN OUTPUT MADE.
           OPEN INPUT KNOWN.
           STRING WS-MADE WS-KNOWN DELIMITED BY SIZE INTO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.\n";

#[test]
fn files_of_the_operating_system_are_closed_to_programs() {
    let programs = Programs::new(&[FILES]);
    programs.must_say("OSFILES", "3737");
    programs.stop();
    let open = |config: &mut transom_region_server::RegionConfig| {
        config.zygote.1.push("system_calls=YES".into());
    };
    let open = Programs::with(&[FILES], open);
    let said = open.text("OSFILES", &" ".repeat(60));
    let _made = std::fs::remove_file("made-by-a-program");
    assert_eq!(said, "0000", "{}", open.log.lock().unwrap());
    open.stop();
}

#[test]
fn a_worker_reaches_nothing_but_its_tasks() {
    let (mut dir, mut there) = (PathBuf::new(), false);
    let nothing = caller("NOTHING", "CONTINUE");
    let programs = Programs::with(&[&nothing], |config| {
        dir = config.module_dir.ancestors().nth(2).unwrap().to_owned();
        there = probe(&dir);
        for file in ["users.toml", "server.xml"] {
            std::fs::write(dir.join(file), "secret").unwrap();
        }
    });
    if !there {
        return;
    }
    let mut area = dir.to_string_lossy().into_owned().into_bytes();
    area.resize(1_000, 0);
    let reply = programs.link("PROBE", &area).unwrap();
    let said = String::from_utf8_lossy(&reply);
    let said = said.trim_end_matches('\0');
    let refused = [
        "users",
        "server",
        "made",
        "passwords",
        "environ",
        "execve",
        "fork",
        "socket",
        "ptrace",
        "kill",
        "uring",
        "shrink",
        "waits",
        "owner",
        "hangup",
        "option",
        "places",
        "limits",
    ];
    for step in refused {
        assert!(said.contains(&format!("{step}=")), "{step}: {said}");
        assert!(!said.contains(&format!("{step}=0")), "{step}: {said}");
    }
    // Its own user, no core, no variables; what programs need is there.
    for step in ["root=0", "core=0", "home=0", "dump=0", "own=0"] {
        assert!(said.contains(step), "{step}: {said}");
    }
    assert!(!dir.join("made").exists() && dir.join(".transom/dumps/own").exists());
    programs.stop();
}
