//! `transom user` on a system directory.

use crate::harness::EXE;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) fn user(dir: &Path, args: &[&str], typed: &str) -> (bool, String) {
    let (verb, rest) = args.split_first().unwrap();
    let mut child = Command::new(EXE)
        .args(["user", verb])
        .arg(dir)
        .args(rest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(typed.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stderr));
    (output.status.success(), said)
}

#[test]
fn users_are_added_listed_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    std::fs::write(dir.join("transom.toml"), "[region]\nAPPLID = \"CICSA\"\n").unwrap();
    let add = [
        "add",
        "alice",
        "--name",
        "Alice Example",
        "--group",
        "clerks",
    ];
    assert_eq!(user(dir, &add, "wonder1\n"), (true, String::new()));
    let (bad, said) = user(dir, &["add", "bob"], "much too long\n");
    assert!(!bad && said.starts_with("TXMXS0015E"), "{said}");
    let (_, listed) = user(dir, &["list"], "");
    assert_eq!(listed, "ALICE    Alice Example        CLERKS\n");
    let text = std::fs::read_to_string(dir.join("users.toml")).unwrap();
    assert!(
        text.contains("$argon2id$") && !text.contains("wonder1"),
        "{text}"
    );
    assert!(user(dir, &["password", "ALICE", "--phrase"], "a long phrase\n").0);
    assert!(user(dir, &["delete", "ALICE"], "").0);
    assert_eq!(user(dir, &["list"], ""), (true, String::new()));
}
