//! EXEC SQL that a worker answers by itself: that it does, and by what it could write.
//!
//! Not here: what statements answer (`scenarios/078-sql-reads`).

use crate::harness::Programs;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use transom_region_sql::{Qualifiers, Script, SqlConfig, SqlDatabase, Sqlite, SqliteOptions};

/// The second SELECT of a unit of work that has changed nothing, after waiting for nobody.
const TWICE: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. TWICE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  AMOUNT PIC S9(9) COMP.
       01  SHOWN  PIC 9(9).
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
           PERFORM 2 TIMES
             EXEC SQL SELECT AMOUNT INTO :AMOUNT FROM PAY
               WHERE NUMBER = 1 END-EXEC
           END-PERFORM.
           MOVE AMOUNT TO SHOWN.
           MOVE SHOWN TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.\n";

/// Processes beside this one that have mapped the database, with what `maps` says of it.
fn readers(file: &Path) -> Vec<(u32, Vec<String>)> {
    let name = file.display().to_string();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let others = numbers.filter(|pid| *pid != std::process::id());
    let found = others.filter_map(|pid| {
        let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
        let ours = maps.lines().filter(|line| line.contains(&name));
        let ours: Vec<String> = ours.map(str::to_owned).collect();
        (!ours.is_empty()).then_some((pid, ours))
    });
    found.collect()
}

/// Names of the files of the database that a process has open for writing, and how many it has.
fn open_for_writing(pid: u32, file: &Path) -> (Vec<String>, usize) {
    let name = file.display().to_string();
    let (mut writes, mut all) = (Vec::new(), 0);
    for entry in fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten() {
        let target = fs::read_link(entry.path()).unwrap_or_default();
        let target = target.display().to_string();
        if !target.starts_with(&name) {
            continue;
        }
        all += 1;
        let number = entry.file_name().into_string().unwrap();
        let info = fs::read_to_string(format!("/proc/{pid}/fdinfo/{number}")).unwrap();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = i32::from_str_radix(flags.unwrap().trim(), 8).unwrap();
        if flags & 3 != 0 {
            writes.push(target);
        }
    }
    (writes, all)
}

#[test]
fn a_worker_reads_by_itself_and_can_write_nothing_of_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sql.db");
    let options = SqliteOptions {
        file: file.clone(),
        ebcdic_order: false,
        cache_megabytes: 1,
        log_pages: 100,
        lock_wait: Duration::from_secs(30),
        back_out: true,
        qualifiers: Qualifiers::default(),
    };
    let engine = Arc::new(Sqlite::open(options.clone()).unwrap());
    let mut script = Script::on(&*engine, "ALICE").unwrap();
    let tables = "CREATE TABLE PAY (NUMBER INTEGER NOT NULL PRIMARY KEY, AMOUNT INTEGER NOT NULL); \
                  INSERT INTO PAY VALUES (1, 100);";
    let done = script.run(tables, |one| assert_eq!(one.answer.code, 0));
    assert!(done.is_ok());
    drop((script, engine));
    let config = SqlConfig::Sqlite(options);
    let programs = Programs::with(&[TWICE], |region| region.sql = SqlDatabase::new(&config));
    programs.must_say("TWICE", "000000100");
    let readers = readers(&file);
    assert!(
        !readers.is_empty(),
        "each statement was asked of the region"
    );
    for (pid, maps) in readers {
        let shared = |line: &String| line.contains(" r--s ");
        assert!(maps.iter().all(shared), "{maps:#?}");
        let (writes, all) = open_for_writing(pid, &file);
        assert_eq!(writes, Vec::<String>::new());
        assert!(all >= 4, "database, log, index, commits: {all}");
    }
    programs.stop();
}
