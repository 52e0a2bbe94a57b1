//! Regions that root starts in a directory of somebody else.

use crate::harness::{EXE, Running, copy_of, root};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// Of no account.
const SOMEBODY: u32 = 60_997;

/// Gives a folder and all in it to somebody.
fn give(folder: &Path, to: &str) {
    let done = Command::new("chown").args(["-R", to]).arg(folder).status();
    assert!(done.unwrap().success());
}

/// Whether this is root and somebody can start the executable.
fn possible() -> bool {
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        println!("skipped: this test is not run by root");
        return false;
    }
    let started = Command::new(EXE).uid(SOMEBODY).arg("--version").output();
    let starts = started.is_ok_and(|output| output.status.success());
    if !starts {
        println!("skipped: the executable lies where only root reaches it");
    }
    starts
}

/// User of a process, and what it may do besides.
fn user_of(pid: u32) -> (u32, String) {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let value = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().to_owned()
    };
    (value("Uid:").parse().unwrap(), value("CapEff:"))
}

#[test]
fn a_region_that_root_starts_is_its_directory_s_owner() {
    if !possible() {
        return;
    }
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    give(folder.path(), &format!("{SOMEBODY}:{SOMEBODY}"));
    let server = Running::start(&dir);
    let told = format!("TXMSI0090I root goes on as {SOMEBODY}, whose ");
    assert!(server.said().contains(&told), "{}", server.said());
    // Ports below 1024 are all that is left of root.
    assert_eq!(
        user_of(server.pid()),
        (SOMEBODY, "0000000000000400".to_owned())
    );
    assert!(!server.said().contains("TXMWK0017I"), "{}", server.said());
    let body = b"{\"COMM1KOperation\":{\"count_out\":32}}";
    let (status, reply) = server.request("PUT", "/comm1k/mapping/CABASIC-RS2/1", body);
    assert_eq!(status, 200, "{reply}");
    assert!(server.stop());
    let data = std::fs::metadata(dir.join("data/store/data.mdb")).unwrap();
    assert_eq!((data.uid(), data.gid()), (SOMEBODY, SOMEBODY));
    // What another command of root makes is the owner's, too.
    let verify = Command::new(EXE).arg("verify").arg(&dir).output().unwrap();
    assert!(verify.status.success(), "{verify:?}");
    let made = std::fs::metadata(dir.join("data/store/sums")).unwrap();
    assert_eq!(made.uid(), SOMEBODY);
    // Who is named counts before the owner.
    let toml = std::fs::read_to_string(dir.join("transom.toml")).unwrap();
    let of = |user: &str| toml.replacen("[region]\n", &format!("[region]\nuser = \"{user}\"\n"), 1);
    std::fs::write(dir.join("transom.toml"), of("no-such-account")).unwrap();
    let refused = Command::new(EXE).arg("run").arg(&dir).output().unwrap();
    let text = String::from_utf8_lossy(&refused.stderr);
    assert!(
        text.contains("TXMSI0091E root cannot go on as no-such-account"),
        "{text}"
    );
    std::fs::write(dir.join("transom.toml"), of("root")).unwrap();
    let server = Running::start(&dir);
    assert_eq!(user_of(server.pid()).0, 0);
    assert!(server.said().contains("TXMWK0017I"), "{}", server.said());
    assert!(server.stop());
}
