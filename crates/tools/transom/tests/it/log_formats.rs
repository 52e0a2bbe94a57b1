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
