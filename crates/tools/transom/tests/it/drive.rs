//! `transom drive 3270` and `transom drive` as processes: Ctrl-C and exit codes.

use crate::harness::EXE;
use std::io::{Read, Write};
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

#[test]
fn http_replies_that_fail_end_with_1_and_the_first_reasons() {
    let drive = |reply: &'static str, more: &[&str]| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for mut socket in listener.incoming().flatten() {
                std::thread::spawn(move || {
                    let mut buffer = [0; 4096];
                    while socket.read(&mut buffer).is_ok_and(|n| n > 0) {
                        let _gone = socket.write_all(reply.as_bytes());
                    }
                });
            }
        });
        let fixed = "--quiet --clients 2 --think 5ms --ramp-up 0 --warm-up 0 --duration 1s";
        let run = Command::new(EXE)
            .args(["drive", &url])
            .args(fixed.split(' '))
            .args(more)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        (run.status.code(), said)
    };
    let good = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";
    assert_eq!(
        drive(good, &["--expect", "hello"]),
        (Some(0), String::new())
    );
    let bad = "HTTP/1.1 404 Not Found\r\ncontent-length: 15\r\n\r\nno such\nservice";
    let (code, said) = drive(bad, &[]);
    assert_eq!(code, Some(1), "{said}");
    let (first, reason) = said.split_once('\n').unwrap();
    assert!(first.starts_with("TXMDR0009E with 2 clients "), "{said}");
    assert!(first.ends_with(" and 0 replies were good"), "{said}");
    assert_eq!(reason, "  status 404 Not Found: no such service\n");
    let help = Command::new(EXE)
        .args(["drive", "--help"])
        .output()
        .unwrap();
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    assert!(help.contains("The exit code is 0 when each step"), "{help}");
}
