//! Backup, restore and forward recovery while everything dies: nothing a user was told of is lost.
//!
//! What: a region under load; the commands are killed at later and later moments until they get
//! through. Not here: what the commands do when nothing goes wrong (scenario 040).

use crate::harness::{EXE, copy_of, request, root, transom};
use crate::system::System;
use crate::tutorial::{blocks, shell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_intersystem::{AdaptersConfig, LocalAdapters, socket_path};
use transom_region_api::{Payload, Programs as _};

/// The region of scenario 040 and who adds customers to it.
struct Bank {
    dir: PathBuf,
    meeting: tempfile::TempDir,
    _copy: tempfile::TempDir,
}

impl Bank {
    fn new() -> Self {
        let (copy, dir) = copy_of(&root().join("scenarios/040-backup-and-forward-recovery"));
        Self {
            dir,
            // The path of a socket is limited.
            meeting: tempfile::tempdir_in("/tmp").unwrap(),
            _copy: copy,
        }
    }

    fn start(&self) -> System {
        let system = System::start_in(&self.dir, self.meeting.path());
        // It listens for gateways a moment after it does for terminals.
        while self.link("COUNT").is_none() {
            std::thread::sleep(Duration::from_millis(20));
        }
        system
    }

    fn link(&self, text: &str) -> Option<String> {
        link(self.meeting.path(), text)
    }

    /// Runs a command of the executable in the directory: how it ended, what it said.
    fn command(&self, args: &[&str]) -> (bool, String) {
        let (good, out, said) = transom(args, &self.dir);
        (good, out + &said)
    }

    /// Kills a command later and later, until it ends by itself; how often it was killed.
    fn until_it_gets_through(&self, args: &[&str], after_each: impl Fn()) -> u32 {
        let (mut killed, mut delay) = (0, Duration::ZERO);
        loop {
            let mut child = Command::new(EXE)
                .args(args)
                .current_dir(&self.dir)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            std::thread::sleep(delay);
            if child.try_wait().unwrap().is_none() {
                child.kill().unwrap();
                killed += 1;
            }
            let output = child.wait_with_output().unwrap();
            if output.status.success() {
                return killed;
            }
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.code().is_none(), "{args:?}: {said}");
            after_each();
            delay = delay * 5 / 4 + Duration::from_millis(2);
            assert!(killed < 100, "{args:?} does not end");
        }
    }
}

fn link(meeting: &Path, text: &str) -> Option<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let group = meeting.join("DEFAULT");
    let adapters = LocalAdapters::new(AdaptersConfig {
        socket: socket_path(&group, "SCENARIO"),
        wait: Duration::from_secs(1),
        ..AdaptersConfig::new(&group, "SCENARIO")
    });
    let commarea = format!("{text:60}").into_bytes();
    let output = runtime.block_on(async {
        tokio::time::timeout(
            Duration::from_secs(20),
            adapters.link(request("BANK", commarea)),
        )
        .await
    });
    match output.ok()?.ok()?.payload {
        Payload::Commarea(bytes) => Some(String::from_utf8_lossy(&bytes).trim().to_owned()),
        Payload::Channel { .. } => None,
    }
}

/// Adds customers until it is told to stop.
struct Load {
    stop: Arc<AtomicBool>,
    /// Whose addition was acknowledged.
    told: Arc<Mutex<BTreeSet<u32>>>,
    thread: std::thread::JoinHandle<u32>,
}

impl Load {
    fn begin(bank: &Bank, first: u32) -> Self {
        let (stop, told) = (Arc::new(AtomicBool::new(false)), Arc::default());
        let meeting = bank.meeting.path().to_owned();
        let (stopped, done): (_, Arc<Mutex<BTreeSet<u32>>>) = (stop.clone(), Arc::clone(&told));
        let thread = std::thread::spawn(move || {
            let mut number = first;
            while !stopped.load(Ordering::Relaxed) {
                let text = format!("ADD     {number:04} NAME{number:04}");
                if link(&meeting, &text).as_deref() == Some("OK") {
                    done.lock().unwrap().insert(number);
                }
                number += 1;
            }
            number
        });
        Self { stop, told, thread }
    }

    fn count(&self) -> usize {
        self.told.lock().unwrap().len()
    }

    fn reaches(&self, count: usize) {
        while self.count() < count {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn end(self) -> (BTreeSet<u32>, u32) {
        self.stop.store(true, Ordering::Relaxed);
        let next = self.thread.join().unwrap();
        let told = self.told.lock().unwrap().clone();
        (told, next)
    }
}

#[test]
fn what_was_acknowledged_comes_back_whatever_dies_in_between() {
    let bank = Bank::new();
    let region = bank.start();
    let load = Load::begin(&bank, 1);
    load.reaches(5);
    let target = bank.dir.join("kept/backup");
    std::fs::create_dir(bank.dir.join("kept")).unwrap();
    let killed = bank.until_it_gets_through(&["backup", ".", "kept/backup"], || {
        // Half a backup has no name; one that was killed right behind its end is whole.
        if target.exists() {
            assert!(target.join("backup.json").is_file());
            std::fs::remove_dir_all(&target).unwrap();
        }
    });
    println!("backup killed {killed} times");
    let at_backup = load.count();
    load.reaches(at_backup + 40);
    // The region dies in the middle of it.
    drop(region);
    let (mut told, next) = load.end();
    let region = bank.start();
    let load = Load::begin(&bank, next);
    load.reaches(10);
    let (more, _) = load.end();
    told.extend(more);
    let (stopped, said) = bank.command(&["stop", "."]);
    assert!(stopped, "{said}");
    drop(region);

    let killed = bank.until_it_gets_through(&["restore", "kept/backup", "."], || {
        let (good, said) = bank.command(&["verify", "."]);
        assert!(good, "{said}");
    });
    println!("restore killed {killed} times");
    let killed = bank.until_it_gets_through(&["forward-recover", "."], || {});
    println!("forward recovery killed {killed} times");

    let _region = bank.start();
    for number in &told {
        let found = bank.link(&format!("GET     {number:04}"));
        assert_eq!(found, Some(format!("{number:04}NAME{number:04}")));
        let through = bank.link(&format!("NAME         NAME{number:04}"));
        assert_eq!(through, found);
    }
    assert!(told.len() >= at_backup + 50);
}

/// The walk of the guide, line by line.
#[test]
fn the_guide_does_what_it_says() {
    let page = std::fs::read_to_string(root().join("docs/guides/backup.md")).unwrap();
    let bank = Bank::new();
    let dir = bank.dir.parent().unwrap();
    std::fs::rename(&bank.dir, dir.join("bank")).unwrap();
    let mut region = None;
    let mut said = String::new();
    for block in blocks(&page) {
        let words: Vec<&str> = block.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["sh", "background"] => {
                assert_eq!(block.text.trim(), "transom run bank");
                region = Some(System::start_in(&dir.join("bank"), bank.meeting.path()));
            }
            ["sh"] => {
                let (good, out) = shell(&block.text, dir);
                assert!(good, "{}\n{out}", block.text);
                said += &out;
            }
            _ => {}
        }
    }
    drop(region);
    for line in [
        "region SCENARIO running",
        "TXMBK0004I",
        "TXMBK0012I",
        "\"state\": \"running\"",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(dir.join("bank/data/store/replaced/data.mdb").is_file());
}

#[test]
fn a_backup_of_another_store_or_version_is_refused() {
    let (one, other) = (Bank::new(), Bank::new());
    for bank in [&one, &other] {
        let (good, said) = bank.command(&["idcams", ".", "--missing"]);
        assert!(good, "{said}");
    }
    let kept = one.dir.join("kept");
    let kept = kept.to_str().unwrap();
    let (good, said) = one.command(&["backup", ".", kept]);
    assert!(good, "{said}");
    assert!(said.starts_with("TXMBK0004I"), "{said}");
    let refused = |bank: &Bank, id: &str| {
        let (good, said) = bank.command(&["restore", kept, "."]);
        assert!(!good && said.starts_with(id), "{said}");
    };
    refused(&other, "TXMBK0008E");
    let manifest = Path::new(kept).join("backup.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let later = text.replace("\"transom_backup\": 2", "\"transom_backup\": 3");
    std::fs::write(&manifest, later).unwrap();
    refused(&one, "TXMBK0006E");
    std::fs::write(&manifest, &text).unwrap();
    let data = Path::new(kept).join("data.mdb");
    let mut bytes = std::fs::read(&data).unwrap();
    bytes[5_000] ^= 1;
    std::fs::write(&data, bytes).unwrap();
    refused(&one, "TXMBK0007E");
    std::fs::remove_file(&manifest).unwrap();
    refused(&one, "TXMBK0005E");
}

#[test]
fn status_and_stop_reach_the_region_of_their_directory() {
    let bank = Bank::new();
    let run = |args: &[&str]| {
        let output = Command::new(EXE)
            .args(args)
            .current_dir(&bank.dir)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), said)
    };
    assert_eq!(run(&["status", "."]).0, Some(3));
    assert_eq!(run(&["stop", "."]).0, Some(3));
    let region = bank.start();
    let (code, said) = run(&["status", ".", "--json"]);
    assert_eq!(code, Some(0));
    let told: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(told["applid"], "SCENARIO");
    assert_eq!(told["state"], "running");
    assert!(
        told["listeners"][0]
            .as_str()
            .unwrap()
            .starts_with("tn3270://")
    );
    let (code, said) = run(&["stop", ".", "--json"]);
    assert_eq!((code, said.contains("stopped")), (Some(0), true));
    region.says("TXMBK0033I");
    drop(region);
    assert_eq!(run(&["status", "."]).0, Some(3));
}
