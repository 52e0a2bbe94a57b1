//! A log that cannot be written costs its lines and nothing else; files of a system are its user's.

use crate::harness::{Running, copy_of, root};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// More than a pipe and the queue behind it hold, at 1,000 lines a request.
const REQUESTS: usize = 150;

/// The sample; its program displays 1,000 lines at each call.
fn talkative() -> (TempDir, PathBuf) {
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    let path = dir.join("cobol/CABASIC.cbl");
    let source = std::fs::read_to_string(&path).unwrap();
    let head = "       PROCEDURE DIVISION.\n";
    assert!(source.contains(head));
    let talk = format!(
        "{head}       TALK.\n           PERFORM 1000 TIMES\n             DISPLAY '{}'\n           \
         END-PERFORM.\n",
        "0123456789".repeat(4)
    );
    std::fs::write(&path, source.replacen(head, &talk, 1)).unwrap();
    (folder, dir)
}

fn ask(server: &Running) {
    let body = b"{\"COMM1KOperation\":{\"count_out\":32}}";
    let path = "/comm1k/mapping/CABASIC-RS2/1";
    let (status, answer) = server.request("PUT", path, body);
    assert_eq!(status, 200, "{answer}");
}

#[test]
fn a_log_that_nobody_reads_stops_nothing() {
    let (_folder, dir) = talkative();
    let mut server = Running::start_to(&dir, &[], Stdio::piped());
    let mut log = server.log();
    server.wait_until_it_serves();
    (0..REQUESTS).for_each(|_| ask(&server));
    // Read again, it tells what is missing,
    let told = Arc::new(Mutex::new(String::new()));
    let kept = told.clone();
    let reader = std::thread::spawn(move || {
        let mut buffer = [0; 65_536];
        while let Ok(n @ 1..) = log.read(&mut buffer) {
            let text = String::from_utf8_lossy(&buffer[..n]);
            kept.lock().unwrap().push_str(&text);
        }
    });
    let begin = Instant::now();
    while !told.lock().unwrap().contains("TXMSI0027W ") {
        assert!(begin.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(10));
    }
    // and what is said from then on is there to the end.
    ask(&server);
    assert!(server.stop(), "it did not stop cleanly");
    reader.join().unwrap();
    let told = told.lock().unwrap();
    assert!(told.contains("\nstopping\n"), "{} bytes", told.len());
}

#[test]
fn a_log_whose_reader_is_gone_stops_nothing() {
    let (_folder, dir) = talkative();
    let mut server = Running::start_to(&dir, &[], Stdio::piped());
    server.wait_until_it_serves();
    let mut log = server.log();
    ask(&server);
    log.read_exact(&mut [0; 100]).unwrap();
    drop(log);
    (0..10).for_each(|_| ask(&server));
    assert!(server.stop(), "it did not stop cleanly");
}

#[test]
fn a_log_on_a_full_disk_stops_nothing() {
    let (_folder, dir) = talkative();
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut server = Running::start_to(&dir, &[], full.into());
    server.wait_until_it_serves();
    (0..10).for_each(|_| ask(&server));
    assert!(server.stop(), "it did not stop cleanly");
}

#[test]
fn nobody_else_may_read_the_files_of_a_system() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let server = Running::start(&dir);
    ask(&server);
    assert!(server.stop());
    let mut seen = 0;
    visit(&dir.join(".transom"), &mut |path, mode| {
        seen += 1;
        assert_eq!(mode & 0o077, 0, "{} has mode {mode:o}", path.display());
    });
    assert!(seen > 3, "{seen} files");
}

fn visit(path: &Path, look: &mut impl FnMut(&Path, u32)) {
    let meta = std::fs::symlink_metadata(path).unwrap();
    if meta.is_symlink() {
        return;
    }
    look(path, meta.permissions().mode());
    if meta.is_dir() {
        for entry in std::fs::read_dir(path).unwrap().flatten() {
            visit(&entry.path(), look);
        }
    }
}
