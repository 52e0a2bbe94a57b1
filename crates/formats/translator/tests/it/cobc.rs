//! What comes out compiles, and runs as the user wrote it. Skipped where cobc is not installed.

use crate::sources::Books;
use std::path::{Path, PathBuf};
use std::process::Command;
use transom_translator::{Options, Source, Translated, translate};

const PROGRAMS: &[&str] = &[
    "asksub", "handles", "pointers", "channels", "nested", "declared", "nodata", "freefm",
    "queues", "files", "screens", "literals",
];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn have_cobc() -> bool {
    let found = Command::new("cobc")
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success());
    if !found {
        transom_needed::skipped("cobc is not installed");
    }
    found
}

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn translated(name: &str) -> Translated {
    let text = std::fs::read_to_string(data(&format!("{name}.cbl"))).unwrap();
    let record =
        "           05  :P:-KEY          PIC X(6).\n           05  :P:-TEXT         PIC X(74).\n";
    let ending = "           EXEC CICS RETURN\n      * from a copybook\n           END-EXEC.\n";
    let books = Books::of(&[("RECORD", record), ("ENDING", ending)]);
    let file = format!("{name}.cbl");
    let out = translate(
        &Source {
            name: &file,
            text: &text,
        },
        &books,
        &Options::default(),
    );
    assert!(!out.has_errors(), "{name}: {:#?}", out.problems);
    out
}

/// Writes the COBOL and answers its path.
fn written(folder: &Path, name: &str, out: &Translated) -> PathBuf {
    let path = folder.join(format!("{name}.cob"));
    std::fs::write(&path, &out.cobol).unwrap();
    path
}

#[test]
fn a_dozen_programs_compile() {
    if !have_cobc() {
        return;
    }
    let folder = folder("compile");
    for name in PROGRAMS {
        let out = translated(name);
        let source = written(&folder, name, &out);
        let so = folder.join(format!("{name}.so"));
        let run = Command::new("cobc")
            .current_dir(&folder)
            .arg("-m")
            .args(&out.compiler_flags)
            .arg("-o")
            .args([&so, &source])
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        let problems = out.map_compiler_output(&source.to_string_lossy(), &stderr);
        assert!(run.status.success() && so.exists(), "{name}:\n{stderr}");
        assert!(problems.is_empty(), "{name}: {problems:#?}");
    }
}

/// Runs a program between a COBOL driver and a stub of the run time that answers `script`.
fn output(name: &str, script: &str) -> String {
    let folder = folder(&format!("run-{name}{script}"));
    let out = translated(name);
    let source = written(&folder, name, &out);
    let stub = folder.join("stub.o");
    let driver = folder.join("driver.cob");
    std::fs::copy(data("driver.cob"), &driver).unwrap();
    let binary = folder.join(name);
    let cobc = |args: &[&str], files: &[&Path]| {
        let run = Command::new("cobc")
            .current_dir(&folder)
            .args(args)
            .args(files)
            .output();
        let run = run.unwrap();
        assert!(
            run.status.success(),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
    };
    let flags: Vec<&str> = out.compiler_flags.iter().map(String::as_str).collect();
    cobc(&["-c", "-o", "stub.o"], &[&data("stub.c")]);
    let mut args = vec!["-x", "-o", name];
    args.extend(flags);
    cobc(&args, &[&driver, &source, &stub]);
    let program = out.programs[0].name.as_str();
    let run = Command::new(binary)
        .arg(program)
        .env("TXM_SCRIPT", script)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(
        run.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&run.stderr)
    );
    text
}

#[test]
fn arguments_arrive_and_return_code_stays() {
    if !have_cobc() {
        return;
    }
    // Entry, ASSIGN and LINK go on, RETURN asks to leave.
    assert_eq!(
        output("asksub", "000-").lines().collect::<Vec<_>>(),
        [
            "entry [ASKSUB]",
            "line 23 flags 1 [        ] 0 0",
            "line 30 flags 0 [SUBPROG] [   ] 3",
            "line 38 flags 2",
            "back \0\0\0*                    |",
            "count +0000000042 rc +000000007",
        ]
    );
}

#[test]
fn a_branch_goes_to_its_label() {
    if !have_cobc() {
        return;
    }
    let back = |script: &str| {
        let text = output("handles", script);
        assert!(!text.contains("NOT REACHED"), "{text}");
        text.lines()
            .find(|l| l.starts_with("back"))
            .unwrap_or_default()
            .trim_end()
            .to_owned()
    };
    assert_eq!(back("0001-"), "back PGMIDERR                |");
    assert_eq!(back("0002-"), "back ERROR                   |");
    // TXMENTRY resumes the program after an abend, without running it from the start.
    assert_eq!(back("3-"), "back ABENDED                 |");
}

#[test]
fn nested_programs_see_eib_and_commarea() {
    if !have_cobc() {
        return;
    }
    let text = output("nested", "0000-");
    assert!(text.contains("back OUTER       TRN1"), "{text}");
    assert!(text.contains("entry [NESTED]\nentry [INNER]\n"), "{text}");
}

#[test]
fn declaratives_do_not_run_at_entry() {
    if !have_cobc() {
        return;
    }
    let text = output("declared", "0-");
    assert!(text.contains("back DECLARED"), "{text}");
}
