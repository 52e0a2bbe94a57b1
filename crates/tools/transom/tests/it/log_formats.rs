//! The log of a process that serves as machines read it, and what a service manager is told.

use crate::harness::{EXE, Running, copy_of, root, transom};
use serde_json::Value;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Lines of a text as JSON, each with time, level and text.
fn objects(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        for known in ["time", "level", "source", "text"] {
            assert!(value[known].is_string(), "{known}: {line}");
        }
        value
    });
    lines.collect()
}

#[test]
fn each_line_is_an_object_also_in_a_file_that_is_taken_away() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let toml = std::fs::read_to_string(dir.join("transom.toml")).unwrap();
    let more = "\n[log]\nfile = \"logs/region.log\"\n";
    std::fs::write(dir.join("transom.toml"), toml + more).unwrap();
    let server = Running::start_with(&dir, &["--log", "json"]);
    server.says("TXMXS0029W");
    let file = dir.join("logs/region.log");
    let begin = Instant::now();
    while !std::fs::read_to_string(&file).is_ok_and(|text| text.contains("TXMXS0029W")) {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    std::fs::remove_dir_all(dir.join("logs")).unwrap();
    let log = server.said();
    let told = objects(&log);
    let told = told.iter().find(|line| line["id"] == "TXMXS0029W");
    assert_eq!(told.unwrap()["level"], "warn", "{log}");
    assert!(server.stop());
    let text = std::fs::read_to_string(&file).unwrap();
    let last = objects(&text).pop().unwrap();
    assert_eq!(
        (&last["text"], &last["level"]),
        (&"stopping".into(), &"info".into())
    );
}

#[test]
fn a_service_manager_hears_of_begin_and_end() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    std::fs::write(dir.join("transom.toml"), "[region]\nAPPLID = \"SERVICE\"\n").unwrap();
    let place = dir.join("notify");
    let socket = UnixDatagram::bind(&place).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(120)))
        .unwrap();
    let heard = || {
        let mut buffer = [0; 64];
        let length = socket.recv(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    };
    let mut child = Command::new(EXE)
        .arg("run")
        .arg(dir)
        .env("NOTIFY_SOCKET", &place)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(heard(), "READY=1");
    let pid = child.id().to_string();
    Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    assert_eq!(heard(), "STOPPING=1");
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_version_begins_with_that_of_the_package() {
    let (good, said, _) = transom(&["--version"], &root());
    let begin = concat!("transom ", env!("CARGO_PKG_VERSION"));
    assert!(good && said.starts_with(begin), "{said}");
}

/// Waits for a line of a file that has all of these.
#[track_caller]
fn line_with(file: &std::path::Path, parts: &[&str]) -> String {
    let begin = Instant::now();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let found = text
            .lines()
            .find(|line| parts.iter().all(|part| line.contains(part)));
        if let Some(line) = found {
            return line.to_owned();
        }
        let late = begin.elapsed() > Duration::from_secs(60);
        assert!(!late, "no line has {parts:?}: {text}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The sample, whose program says something, with lines for `[log]`.
fn told_in(lines: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    let toml = std::fs::read_to_string(dir.join("transom.toml")).unwrap();
    std::fs::write(dir.join("transom.toml"), format!("{toml}\n[log]\n{lines}")).unwrap();
    let file = dir.join("cobol/CABASIC.cbl");
    let source = std::fs::read_to_string(&file).unwrap();
    let head = "       PROCEDURE DIVISION.\n";
    assert!(source.contains(head));
    let talk = format!("{head}       TALK.\n           DISPLAY 'SAID'.\n");
    std::fs::write(&file, source.replacen(head, &talk, 1)).unwrap();
    (folder, dir)
}

const PATH: &str = "/comm1k/mapping/CABASIC-RS2/1";
const BODY: &[u8] = b"{\"COMM1KOperation\":{\"count_out\":32}}";

#[test]
fn lines_of_a_task_say_whose_it_is_and_requests_are_in_a_file_of_their_own() {
    let (_folder, dir) = told_in("file = \"logs/region.log\"\naccess = \"logs/access.log\"\n");
    let server = Running::start(&dir);
    let (status, answer) = server.request("PUT", PATH, BODY);
    assert_eq!(status, 200, "{answer}");
    let said = line_with(&dir.join("logs/region.log"), &[" SAID task="]);
    assert!(said.ends_with(" transaction=BBO# user=CICSUSER"), "{said}");
    let task = said.split_once(" task=").unwrap().1;
    let task = task.split_once(' ').unwrap().0;
    let access = dir.join("logs/access.log");
    let line = line_with(&access, &["\"PUT "]);
    let expected = format!("\"PUT {PATH} HTTP/1.1\" 200 {} ", answer.len());
    assert!(
        line.starts_with("127.0.0.1 - - [") && line.contains(&expected),
        "{line}"
    );
    assert!(line.ends_with(&format!(" comm1k {task}")), "{line}");
    // What is no API, with a query that is nobody's business and a name that would be a line.
    let headers = [
        ("user-agent", "a\" 200 \"b"),
        ("referer", "/from?password=1"),
    ];
    let (status, _) = server.request_with("GET", "/nothing?password=1", &headers, b"");
    assert_eq!(status, 404);
    let line = line_with(&access, &["GET /nothing HTTP"]);
    assert!(line.contains(" 404 ") && line.ends_with(" - -"), "{line}");
    assert!(line.contains("\"/from\" \"a\\\" 200 \\\"b\""), "{line}");
    assert!(
        !std::fs::read_to_string(&access)
            .unwrap()
            .contains("password")
    );
    assert!(server.stop());
}

#[test]
fn requests_are_objects_where_lines_are_and_a_query_is_told_where_it_is_asked_for() {
    let lines = "format = \"JSON\"\naccess = \"logs/access.log\"\naccess_query = \"YES\"\n";
    let (_folder, dir) = told_in(lines);
    let server = Running::start(&dir);
    let path = format!("{PATH}?a=1");
    let (status, answer) = server.request("PUT", &path, BODY);
    assert_eq!(status, 200, "{answer}");
    let line = line_with(&dir.join("logs/access.log"), &["\"method\":\"PUT\""]);
    let told: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (&told["path"], &told["status"]),
        (&path.into(), &200.into())
    );
    assert_eq!(
        (&told["api"], &told["bytes"]),
        (&"comm1k".into(), &answer.len().into())
    );
    assert!(told["task"].is_u64() && told["micros"].is_u64(), "{line}");
    server.says("\"text\":\"SAID\"");
    let log = server.said();
    let said = objects(&log)
        .into_iter()
        .find(|line| line["text"] == "SAID");
    let said = said.unwrap();
    assert_eq!(
        (&said["task"], &said["transaction"], &said["user"]),
        (&told["task"], &"BBO#".into(), &"CICSUSER".into())
    );
    assert!(server.stop());
}

#[test]
fn one_file_is_not_two_logs() {
    let (_folder, dir) = told_in("file = \"a.log\"\naccess = \"a.log\"\n");
    let (good, _, said) = transom(&["run", &dir.to_string_lossy()], &root());
    assert!(!good && said.contains("TXMSI0111S"), "{said}");
}
