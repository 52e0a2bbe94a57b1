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
pub(crate) fn system(end: &str) -> (tempfile::TempDir, PathBuf) {
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

/// Data, log and checkpoint of a store.
fn logged(dir: &Path) -> Vec<Vec<u8>> {
    let names = ["data.mdb", "log.0", "log.1", "checkpoint"];
    let read = |name| std::fs::read(dir.join("data/store").join(name)).unwrap();
    names.map(read).into()
}

/// Writes another format where a store says its own.
fn reformat(dir: &Path, from: u8, to: u8) {
    let data = dir.join("data/store/data.mdb");
    let mut bytes = std::fs::read(&data).unwrap();
    let now = [&b"format\0\0\0"[..], &[from]].concat();
    let places: Vec<usize> = (0..bytes.len() - now.len())
        .filter(|at| bytes[*at..].starts_with(&now))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at + now.len() - 1] = to;
    }
    std::fs::write(&data, bytes).unwrap();
}

#[test]
fn a_store_of_a_later_release_is_refused_and_loses_nothing() {
    let (_folder, dir) = system("INT");
    reformat(&dir, 2, 3);
    let before = logged(&dir);
    for command in [["run", "."], ["verify", "."]] {
        let (good, out, said) = transom(&command, &dir);
        let text = "a later one: their format is 3, this one knows 2";
        assert!(!good && (said + &out).contains(text), "{command:?}");
    }
    assert!(logged(&dir) == before, "it was changed");
    // For the release that wrote it, everything is there.
    reformat(&dir, 3, 2);
    let (good, out, said) = transom(&["verify", "."], &dir);
    assert!(good && out.contains("no damage"), "{out}{said}");
}

#[test]
fn a_database_of_a_later_release_is_refused() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    std::fs::write(
        dir.join("transom.toml"),
        "[region]\nAPPLID = \"LATER\"\n[sql]\n",
    )
    .unwrap();
    std::fs::write(dir.join("one.sql"), "CREATE TABLE ONE (A INTEGER);\n").unwrap();
    let run = ["sql", ".", "--in", "one.sql"];
    let (good, out, said) = transom(&run, dir);
    assert!(good, "{out}{said}");
    let change = "import glob, sqlite3
[file] = [f for f in glob.glob('**/*.db', recursive=True, include_hidden=True)]
with sqlite3.connect(file) as db:
    db.execute(\"UPDATE transom_system SET value = '2' WHERE key = 'format'\")
";
    let mut python = Command::new("python3");
    let python = python.args(["-c", change]).current_dir(dir).output();
    let python = python.unwrap();
    assert!(python.status.success(), "{python:?}");
    for command in [&run[..], &["run", "."]] {
        let (good, out, said) = transom(command, dir);
        let text = "its layout is 2, 1 is asked for";
        assert!(!good && (said + &out).contains(text), "{command:?}");
    }
}

#[test]
fn a_backup_of_a_later_release_is_refused() {
    let (_folder, dir) = system("INT");
    let (good, out, said) = transom(&["backup", ".", "kept"], &dir);
    assert!(good, "{out}{said}");
    let manifest = dir.join("kept/backup.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let later = text.replace("\"transom_backup\": 2", "\"transom_backup\": 3");
    assert_ne!(text, later);
    std::fs::write(&manifest, later).unwrap();
    let before = logged(&dir);
    let (good, out, said) = transom(&["restore", "kept", "."], &dir);
    assert!(
        !good && (said + &out).contains("later version"),
        "{manifest:?}"
    );
    assert!(logged(&dir) == before, "it was changed");
}
