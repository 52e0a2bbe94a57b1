//! Data written by an earlier executable are read: record store, journals, definitions, users.
//!
//! What is compared was written by that executable too (`tests/data/kept/README.md`). Not here:
//! how the formats look inside.

use crate::harness::{EXE, copy_of, root, transom};
use crate::system::System;
use std::path::{Path, PathBuf};
use std::process::Command;

fn kept() -> PathBuf {
    root().join("crates/tools/transom/tests/data/kept")
}

fn expected(name: &str) -> String {
    std::fs::read_to_string(kept().join("expected").join(name)).unwrap()
}

/// The system directory with the record store and the journals of one end.
fn system(end: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, dir) = copy_of(&kept().join("system"));
    let archive = kept().join(format!("{end}.tar.gz"));
    let unpacked = Command::new("tar")
        .arg("-C")
        .arg(&dir)
        .arg("-xzf")
        .arg(archive)
        .status()
        .unwrap();
    assert!(unpacked.success());
    (folder, dir)
}

/// The screens of a script without empty lines, times and dates.
fn screens(region: &System, dir: &Path, script: &str) -> String {
    let host = format!("localhost:{}", region.tn3270);
    let script = kept().join(script);
    let words = ["drive", "3270", &host, "--once", "--show", "--script"];
    let (good, out, said) = transom(&[&words[..], &[script.to_str().unwrap()]].concat(), dir);
    assert!(good, "{said}\n{out}\n{}", region.log());
    let mut text = String::new();
    for line in out.lines().filter_map(|l| l.strip_prefix('|')) {
        let line = line.trim_end_matches('|').trim_end();
        let line = line.strip_prefix(' ').unwrap_or(line);
        let line = line.split("TIME:  ").next().unwrap_or(line);
        let is_date = line.trim_start().get(4..5) == Some("-") && line.contains(':');
        // Options that a command has besides: a later release may have more.
        let is_choice = line.trim_start().starts_with("< ");
        if !line.is_empty() && !is_date && !is_choice {
            text += line.trim_end();
            text += "\n";
        }
    }
    text
}

#[track_caller]
fn same(what: &str, found: &str, wanted: &str) {
    let differs = wanted
        .lines()
        .zip(found.lines())
        .enumerate()
        .find(|(_, (wanted, found))| wanted != found);
    if let Some((at, (wanted, found))) = differs {
        panic!("{what}, line {}:\n- {wanted}\n+ {found}", at + 1);
    }
    assert_eq!(found.lines().count(), wanted.lines().count(), "{what}");
}

/// Reads everything the region of that end left; answers what the region said.
/// `starts` are the START requests of the last run, which are due by now.
fn everything_is_there(end: &str, starts: &[&str], scripts: &[(&str, String)]) -> String {
    let (_folder, dir) = system(end);
    let printed = |dir: &Path| {
        let statements = kept().join("print.idcams");
        let args = ["idcams", ".", "--in", statements.to_str().unwrap()];
        let (good, out, said) = transom(&args, dir);
        assert!(good, "{said}{out}");
        out
    };
    let region = System::start(&dir);
    for started in starts {
        region.says(&format!("TAKEN BY {started}"));
    }
    for (script, wanted) in scripts {
        same(script, &screens(&region, &dir, script), wanted);
    }
    let log = region.log();
    assert!(region.stop(), "it did not stop cleanly");
    same(
        "data sets",
        &printed(&dir),
        &expected(&format!("data-sets-{end}.txt")),
    );
    let (good, out, said) = transom(&["verify", "."], &dir);
    assert!(good && out.contains("no damage"), "{out}{said}");
    log
}

#[test]
fn what_a_region_left_at_its_end_is_there() {
    let scripts = [
        ("look.3270", expected("INT.txt")),
        ("definitions.3270", expected("definitions.txt")),
    ];
    let log = everything_is_there("INT", &["PAID1", "PAID2"], &scripts);
    assert!(log.contains("TXMTS0003I warm start"), "{log}");
}

#[test]
fn what_a_region_had_committed_when_it_was_killed_is_there() {
    let log = everything_is_there("KILL", &["PAID1"], &[("look.3270", expected("KILL.txt"))]);
    assert!(log.contains("TXMTS0006I emergency start"), "{log}");
}

#[test]
fn users_of_an_earlier_release_are_listed() {
    let out = Command::new(EXE)
        .args(["user", "list"])
        .arg(kept().join("system"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&out.stdout), expected("users.txt"));
}
