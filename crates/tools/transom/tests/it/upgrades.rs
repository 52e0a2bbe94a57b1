//! Upgrades while a region runs, and upgrades that somebody ends half-way.

use crate::harness::{EXE, copy_of, free_port, http, root, transom};
use crate::kept::system;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A region of an executable that is replaced.
struct Replaced(Child, u16);

impl Drop for Replaced {
    fn drop(&mut self) {
        // It may have ended.
        let _killed = self.0.kill();
        let _gone = self.0.wait();
    }
}

fn start(exe: &Path, dir: &Path) -> Replaced {
    let (port, secure) = (free_port(), free_port());
    let mut command = Command::new(exe);
    command.arg("run").arg(dir);
    command.args(["--http", &port.to_string(), "--https", &secure.to_string()]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut region = Replaced(command.spawn().unwrap(), port);
    let begin = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(region.0.try_wait().unwrap().is_none(), "it has ended");
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    region
}

/// By a process of its own: what another test starts while this one writes would hold the file open
/// for writing, and then nobody can start it.
fn copy(from: &str, to: &Path) {
    assert!(
        Command::new("cp")
            .arg(from)
            .arg(to)
            .status()
            .unwrap()
            .success()
    );
}

/// Children of a process that were started with this word.
fn children(parent: u32, word: &str) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_one = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let behind = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
        let of = behind.split_ascii_whitespace().nth(1) == Some(&parent.to_string());
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        of && String::from_utf8_lossy(&line).contains(word)
    };
    pids.filter(is_one).collect()
}

#[test]
fn a_region_keeps_its_version_when_a_package_puts_another_in_its_place() {
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    let exe = folder.path().join("transom");
    // A file of its own, which the package replaces as dpkg does: another one gets its name.
    copy(EXE, &exe);
    let region = start(&exe, &dir);
    let put = || {
        let headers = [("content-type", "application/json")];
        let body = b"{\"COMM1KOperation\":{\"count_out\":32}}";
        http(
            region.1,
            "PUT",
            "/comm1k/mapping/CABASIC-RS2/1",
            &headers,
            body,
        )
        .0
    };
    assert_eq!(put(), 200);
    let other = folder.path().join("other");
    copy("/bin/false", &other);
    std::fs::rename(&other, &exe).unwrap();
    // What starts workers ends, and is started again.
    let zygote = children(region.0.id(), "cobol-zygote");
    assert_eq!(zygote.len(), 1, "{zygote:?}");
    let mut kill = Command::new("kill");
    assert!(
        kill.args(["-9", &zygote[0].to_string()])
            .status()
            .unwrap()
            .success()
    );
    let begin = Instant::now();
    // Workers that are there already may serve until the death is noticed.
    let again = || children(region.0.id(), "cobol-zygote") != zygote && put() == 200;
    while !again() || children(region.0.id(), "cobol-zygote").is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_start_of_a_later_version_that_is_killed_loses_nothing() {
    let (_folder, dir) = system("INT");
    let port = free_port();
    for ms in [0, 20, 60, 120, 250, 500, 900] {
        let mut child = Command::new(EXE)
            .arg("run")
            .arg(&dir)
            .args(["--http", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(ms));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (good, out, said) = transom(&["verify", "."], &dir);
    assert!(good && out.contains("no damage"), "{out}{said}");
}
