//! `transom drive 3270` as a process: Ctrl-C and exit code.

use crate::harness::EXE;
use std::net::TcpListener;
use std::process::{Command, Stdio};

#[test]
fn ctrl_c_ends_a_run_and_keeps_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("idle.3270"), "# nothing\n").unwrap();
    let host = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = host.local_addr().unwrap().to_string();
    let words =
        "--script idle.3270 --terminals 2,3 --ramp-each 1ms --settle 0 --duration 10m --quiet";
    let run = Command::new(EXE)
        .args(["drive", "3270", &address])
        .args(words.split(' '))
        .args(["--json", "run.json"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Both terminals wait for a host that says nothing.
    let _terminals = (host.accept().unwrap(), host.accept().unwrap());
    let pid = run.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(sent.success());
    let ended = run.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("TXMDR0007E"), "{said}");
    let shown = String::from_utf8_lossy(&ended.stdout);
    assert!(shown.contains("ended early"), "{shown}");
    let written = std::fs::read_to_string(folder.path().join("run.json")).unwrap();
    assert!(written.contains("\"interrupted\": true"), "{written}");
    assert!(written.contains("\"terminals\": 2") && !written.contains("\"terminals\": 3"));
}
