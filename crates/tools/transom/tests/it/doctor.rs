//! `transom doctor`: the place a region runs at.

use crate::harness::{EXE, Running, copy_of, root};
use serde_json::Value;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

/// Its exit code and what it says of each check.
fn doctor(dir: &Path) -> (i32, Value) {
    let mut command = Command::new(EXE);
    let said = command
        .arg("doctor")
        .arg(dir)
        .arg("--json")
        .output()
        .unwrap();
    let all = serde_json::from_slice(&said.stdout);
    let all = all.unwrap_or_else(|_| String::from_utf8_lossy(&said.stderr).into());
    (said.status.code().unwrap(), all)
}

/// Lines of a check, `state: text`.
fn lines(all: &Value, check: &str) -> Vec<String> {
    let checks = all["checks"].as_array().unwrap().iter();
    let found = checks.filter(|seen| seen["check"] == check);
    let text = |seen: &Value| format!("{}: {}", seen["state"], seen["text"]).replace('"', "");
    found.map(text).collect()
}

#[test]
fn a_port_that_is_taken_and_a_setting_that_is_unknown_are_faults() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let toml = format!("[terminals]\nport = {port}\nprot = 1\n");
    std::fs::write(folder.path().join("transom.toml"), toml).unwrap();
    let (code, all) = doctor(folder.path());
    assert_eq!(code, 8, "{all}");
    let ports = lines(&all, "ports");
    let begin = format!("fault: {port} of terminals is taken by ");
    assert!(ports[0].starts_with(&begin), "{ports:?}");
    let settings = lines(&all, "settings");
    assert!(
        settings[0].starts_with("fault: transom.toml:3:1: "),
        "{settings:?}"
    );
    drop(taken);
    std::fs::write(folder.path().join("transom.toml"), "").unwrap();
    let (code, all) = doctor(folder.path());
    assert_eq!((code, &all["faults"]), (4, &0.into()), "{all}");
}

#[test]
fn a_region_that_runs_is_well_and_what_is_no_directory_is_told() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let server = Running::start(&dir);
    let (_, all) = doctor(&dir);
    assert_eq!(lines(&all, "store"), ["ok: a region has it open"]);
    assert!(
        lines(&all, "ports")
            .iter()
            .all(|line| line.starts_with("ok: ")),
        "{all}"
    );
    assert!(server.stop());
    let (_, all) = doctor(&dir);
    let store = lines(&all, "store");
    assert!(
        store[0].ends_with("whose pages belong together"),
        "{store:?}"
    );
    let (code, said) = doctor(&dir.join("cobol"));
    assert_eq!(code, 16);
    assert!(said.as_str().unwrap().starts_with("TXMSI0005E "), "{said}");
}
