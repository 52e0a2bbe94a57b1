//! Builds that are interrupted, shared between system directories, or go on while a region runs.

use crate::harness::{EXE, transom};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(120);

fn program(name: &str, body: &str) -> String {
    format!(
        "       IDENTIFICATION DIVISION.
       PROGRAM-ID. {name}.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WS-THIRD PIC X(8) VALUE 'THIRD'.
       01 WS-TEXT PIC X(30) VALUE 'ALL OF THEM CAME'.
       PROCEDURE DIVISION.
{body}           GOBACK.
"
    )
}

/// A system directory whose first program needs the others.
fn system(dir: &Path, settings: &str) {
    for folder in ["cobol", "plt"] {
        fs::create_dir_all(dir.join(folder)).unwrap();
    }
    fs::write(dir.join("transom.toml"), settings).unwrap();
    let plt = "         DFHPLT TYPE=INITIAL,SUFFIX=I1
         DFHPLT TYPE=ENTRY,PROGRAM=DFHDELIM
         DFHPLT TYPE=ENTRY,PROGRAM=ZFIRST
         DFHPLT TYPE=FINAL
";
    fs::write(dir.join("plt/DFHPLTI1.plt"), plt).unwrap();
    let first = "           EXEC CICS LINK PROGRAM('YSECOND') END-EXEC
           CALL WS-THIRD
           EXEC CICS WRITE OPERATOR TEXT(WS-TEXT) END-EXEC
";
    for (name, body) in [
        ("ZFIRST", first),
        ("YSECOND", ""),
        ("THIRD", ""),
        ("AOTHER", ""),
    ] {
        let path = dir.join(format!("cobol/{name}.cbl"));
        fs::write(path, program(name, body)).unwrap();
    }
}

fn modules(dir: &Path) -> usize {
    let all = fs::read_dir(dir.join(".transom/modules"));
    let links = all.into_iter().flatten().flatten();
    // A build that was killed may leave one that has not got its name yet.
    let named = |path: &Path| path.is_symlink() && path.extension().is_some_and(|e| e == "so");
    links.filter(|entry| named(&entry.path())).count()
}

/// Sources that the journal of a build has.
fn noted(dir: &Path) -> usize {
    let journal = fs::read_to_string(dir.join(".transom/build.journal")).unwrap_or_default();
    journal.lines().filter(|line| !line.is_empty()).count()
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn start(command: &str, dir: &Path) -> Child {
    let log = File::create(dir.join("log")).unwrap();
    let mut start = Command::new(EXE);
    start.args([command, "."]).current_dir(dir);
    start.stdout(Stdio::null()).stderr(log).spawn().unwrap()
}

/// A region that is killed when the test ends.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _killed = self.0.kill();
        let _gone = self.0.wait();
    }
}

#[test]
fn a_build_that_was_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    system(dir, "");
    let mut build = Killed(start("build", dir));
    until("a program is compiled", || noted(dir) > 0);
    build.0.kill().unwrap();
    build.0.wait().unwrap();
    let kept = noted(dir);
    assert!(kept < 4, "it was over before it was killed");
    let (good, out, said) = transom(&["build", "."], dir);
    assert!(good, "{said}");
    let wanted = format!("4 programs, {} compiled", 4 - kept);
    assert!(out.contains(&wanted), "{wanted}: {out}");
    assert_eq!(modules(dir), 4);
    let (_, out, _) = transom(&["build", "."], dir);
    assert!(out.contains("4 programs, 0 compiled"), "{out}");
    // A module that is not whole is compiled again.
    let module = fs::canonicalize(dir.join(".transom/modules/THIRD.so")).unwrap();
    let half = fs::read(&module).unwrap();
    fs::write(&module, &half[..half.len() / 2]).unwrap();
    let (_, out, _) = transom(&["build", "."], dir);
    assert!(out.contains("4 programs, 1 compiled"), "{out}");
}

#[test]
fn another_system_directory_takes_what_one_has_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let settings = format!("[cobol]\nmodule_store = \"{}\"\n", store.display());
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    for dir in [&one, &other] {
        system(dir, &settings);
    }
    let (_, out, said) = transom(&["build", "."], &one);
    assert!(out.contains("4 programs, 4 compiled\n"), "{out} {said}");
    fs::write(
        other.join("cobol/THIRD.cbl"),
        program("THIRD", "           DISPLAY 'X'\n"),
    )
    .unwrap();
    let (_, out, said) = transom(&["build", "."], &other);
    assert!(
        out.contains("4 programs, 1 compiled, 3 taken"),
        "{out} {said}"
    );
    assert_eq!(modules(&other), 4);
    let mut open = fs::metadata(&store).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut open, 0o777);
    fs::set_permissions(&store, open).unwrap();
    fs::remove_dir_all(other.join(".transom")).unwrap();
    let (_, out, said) = transom(&["build", "."], &other);
    assert!(out.contains("4 programs, 4 compiled\n"), "{out}");
    assert!(said.contains("TXMSI0096W"), "{said}");
}

/// Another file is another version to a build, whatever it holds.
#[test]
fn another_version_compiles_only_what_it_translates_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    system(dir, "");
    let (_, out, said) = transom(&["build", "."], dir);
    assert!(out.contains("4 programs, 4 compiled\n"), "{out} {said}");
    let state = dir.join(".transom/build.json");
    let before = fs::read_to_string(&state).unwrap();
    let link = |name: &str| fs::read_link(dir.join(format!(".transom/modules/{name}.so"))).unwrap();
    let modules = ["ZFIRST", "THIRD"].map(link);
    let other = dir.join("other-transom");
    fs::copy(EXE, &other).unwrap();
    let build = |command: &str| {
        let output = Command::new(&other)
            .args([command, "."])
            .current_dir(dir)
            .output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let out = build("build");
    assert!(out.contains("4 programs, 0 compiled\n"), "{out}");
    assert_eq!(["ZFIRST", "THIRD"].map(link), modules);
    // It was all translated: what is known is that of the other version.
    let after = fs::read_to_string(&state).unwrap();
    assert_ne!(before, after);
    assert!(build("build").contains("4 programs, 0 compiled\n"));
    // As a version leaves it that translates one of them otherwise.
    let mut known: serde_json::Value = serde_json::from_str(&before).unwrap();
    known["sources"]["cobol/THIRD.cbl"]["made_of"] = "other".into();
    fs::write(&state, known.to_string()).unwrap();
    let out = build("build");
    assert!(out.contains("4 programs, 1 compiled\n"), "{out}");
    assert_ne!(link("THIRD"), modules[1]);
}

#[test]
fn check_does_not_compile_again_what_did_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    system(dir, "");
    let check = |path: &str| {
        let mut check = Command::new(EXE);
        check
            .args(["check", "."])
            .current_dir(dir)
            .env("PATH", path);
        let output = check.output().unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let path = std::env::var("PATH").unwrap();
    let (good, said) = check(&path);
    assert!(good, "{said}");
    // Without a compiler what is known is still known, and what changed is not.
    assert!(check("/nowhere").0);
    fs::write(
        dir.join("cobol/THIRD.cbl"),
        program("THIRD", "           DISPLAY 'X'\n"),
    )
    .unwrap();
    let (good, said) = check("/nowhere");
    assert!(!good && said.contains("cobc"), "{said}");
}

#[test]
fn a_region_runs_programs_before_all_are_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let settings =
        "[region]\nPLTPI = \"I1\"\n[terminals]\nport = 0\n[cobol]\nbuild = \"BACKGROUND\"\n";
    let settings = settings.replace(
        "port = 0",
        &format!("port = {}", crate::harness::free_port()),
    );
    system(dir, &settings);
    // Killed as soon as one program is compiled; the next start goes on.
    let mut region = Killed(start("run", dir));
    until("a program is compiled", || modules(dir) > 0);
    region.0.kill().unwrap();
    region.0.wait().unwrap();
    let _region = Killed(start("run", dir));
    let log = || fs::read_to_string(dir.join("log")).unwrap();
    until("all are compiled", || log().contains("TXMSI0095I"));
    until("the programs ran", || log().contains("ALL OF THEM CAME"));
    let said = log();
    assert!(said.contains("without 0 that have errors"), "{said}");
    assert_eq!(modules(dir), 4);
    until("it is written down", || noted(dir) == 0);
}
