//! A worker that is stopped (SIGSTOP, a debugger, a machine that swaps) while its task holds a
//! record, a resource, and perhaps a lock of shared memory.
//!
//! What: others wait as long as they may and no longer, the rest of the region goes on, the task is
//! seen and can be ended, and a worker that goes on later does no harm. Programs and definitions
//! are those of scenarios 049 and 055.

use crate::harness::{copy_of, request, root};
use crate::system::System;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use transom_intersystem::{AdaptersConfig, LocalAdapters, socket_path};
use transom_region_api::{Payload, Programs as _};

/// A machine that does much else takes its time.
const PATIENCE: Duration = Duration::from_secs(120);

struct Region {
    system: System,
    meeting: PathBuf,
    _folders: [tempfile::TempDir; 2],
}

/// What program HOLDER answers, or the abend code.
fn link(meeting: &Path, what: &str, transid: &str) -> String {
    run(meeting, "HOLDER", what, transid)
}

/// What a program answers behind the letter it was given, or the abend code.
fn run(meeting: &Path, program: &str, what: &str, transid: &str) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let group = meeting.join("DEFAULT");
    let adapters = LocalAdapters::new(AdaptersConfig {
        socket: socket_path(&group, "SCENARIO"),
        wait: PATIENCE,
        ..AdaptersConfig::new(&group, "SCENARIO")
    });
    let mut asked = request(program, format!("{what:60}").into_bytes());
    asked.transid = Some(transid.parse().unwrap());
    match runtime.block_on(adapters.link(asked)) {
        Ok(output) => match output.payload {
            Payload::Commarea(bytes) => String::from_utf8_lossy(&bytes[1..]).trim().to_owned(),
            Payload::Channel { .. } => "a channel".to_owned(),
        },
        Err(failure) => format!("{:?}", failure.fault),
    }
}

impl Region {
    fn start() -> Self {
        let region = Self::of("049-stopped-worker");
        region.until("F", "0000");
        region
    }

    fn of(scenario: &str) -> Self {
        let (copy, dir) = copy_of(&root().join("scenarios").join(scenario));
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        Self {
            system: System::start_in(&dir, folder.path()),
            meeting: folder.path().to_owned(),
            _folders: [copy, folder],
        }
    }

    fn ask(&self, what: &str) -> String {
        link(&self.meeting, what, "HOLD")
    }

    /// As a task that waits for two seconds at most.
    fn ask_briefly(&self, what: &str) -> String {
        link(&self.meeting, what, "SHRT")
    }

    /// Asks again and again until the answer has this.
    fn until(&self, what: &str, wanted: &str) {
        let begin = Instant::now();
        loop {
            let answer = self.ask(what);
            if answer.contains(wanted) {
                return;
            }
            let log = self.system.log();
            assert!(begin.elapsed() < PATIENCE, "{what}: {answer}, {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Begins a task that holds, and stops its worker: the one that is busy.
    fn hold(&self) -> (std::thread::JoinHandle<String>, u32) {
        let meeting = self.meeting.clone();
        let held = std::thread::spawn(move || link(&meeting, "H", "HOLD"));
        self.until("I", "HOLD");
        (held, self.stop_the_busy_one())
    }

    /// The one that used most of a while that grows until there is no doubt: others may just have
    /// been made, and on a machine that does much else nobody gets much of the processor.
    fn stop_the_busy_one(&self) -> u32 {
        let begin = Instant::now();
        let workers = || children(self.system.pid()).into_iter().flat_map(children);
        let before: HashMap<u32, u64> = workers().map(|pid| (pid, ticks(pid))).collect();
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let used = |pid| ticks(pid).saturating_sub(*before.get(&pid).unwrap_or(&0));
            let mut used: Vec<(u64, u32)> = workers().map(|pid| (used(pid), pid)).collect();
            used.sort_unstable_by(|one, other| other.cmp(one));
            let next = used.get(1).map_or(0, |second| second.0);
            match used.first() {
                Some((most, pid)) if *most >= 30 && *most >= 4 * next => {
                    signal(*pid, "-STOP");
                    return *pid;
                }
                _ => assert!(begin.elapsed() < PATIENCE, "nobody is busy: {used:?}"),
            }
        }
    }

    /// Until the operator was told something, so often; answers all of the log.
    fn until_told(&self, what: &str, times: usize) -> String {
        let begin = Instant::now();
        loop {
            let log = self.system.log();
            if log.matches(what).count() >= times {
                return log;
            }
            assert!(begin.elapsed() < PATIENCE, "{what}: {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Others meet what the stopped task holds, and nothing else.
    fn others_go_on(&self) {
        assert_eq!(self.ask("R"), "OLD", "the change is not committed");
        assert_eq!(self.ask("N"), "0055", "ENQBUSY");
        let begin = Instant::now();
        let (record, resource) = (self.ask_briefly("U"), self.ask_briefly("E"));
        assert!(record.contains("AKCS"), "{record}");
        assert!(resource.contains("AKCS"), "{resource}");
        assert!(begin.elapsed() < PATIENCE);
        assert_eq!(self.ask("I"), "HOLD", "the operator sees the task");
    }
}

fn children(parent: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{parent}/task"));
    let texts = threads.into_iter().flatten().flatten();
    let texts = texts.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    let all: String = texts.collect();
    let numbers = all.split_ascii_whitespace();
    numbers.filter_map(|pid| pid.parse().ok()).collect()
}

/// CPU time of a process in hundredths of a second.
fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let behind = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
    let words = behind.split_ascii_whitespace().skip(11).take(2);
    words.filter_map(|word| word.parse::<u64>().ok()).sum()
}

fn signal(pid: u32, name: &str) {
    let pid = pid.to_string();
    assert!(
        Command::new("kill")
            .args([name, &pid])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn a_worker_that_is_stopped_holds_up_who_needs_what_it_holds() {
    let region = Region::start();
    // It goes on: nothing has happened to it.
    let (held, pid) = region.hold();
    region.others_go_on();
    signal(pid, "-CONT");
    region.ask("G");
    assert_eq!(held.join().unwrap(), "DONE");
    assert_eq!(
        (region.ask("R"), region.ask("N")),
        ("NEW".into(), "0000".into())
    );
}

#[test]
fn a_task_whose_worker_is_stopped_can_be_ended() {
    let region = Region::start();
    // PURGE ends it when it goes on; what it had changed is backed out.
    let (held, pid) = region.hold();
    assert_eq!(region.ask("P"), "0000");
    region.others_go_on();
    signal(pid, "-CONT");
    let ended = held.join().unwrap();
    assert!(ended.contains("Abend"), "{ended}");
    assert_eq!(
        (region.ask("R"), region.ask("N")),
        ("OLD".into(), "0000".into())
    );
    assert_eq!(region.ask_briefly("U"), "OLD");
    // FORCEPURGE ends it as it is.
    let (held, pid) = region.hold();
    region.others_go_on();
    assert_eq!(region.ask("K"), "0000");
    let ended = held.join().unwrap();
    assert!(ended.contains("Abend"), "{ended}");
    assert_eq!(
        (region.ask("R"), region.ask("N")),
        ("OLD".into(), "0000".into())
    );
    assert_eq!(region.ask_briefly("U"), "OLD");
    assert_eq!(ticks(pid), 0, "the process is gone");
    assert_ne!(region.ask("I"), "HOLD");
}

/// A program that takes all memory of the machine costs workers, not the region.
#[test]
fn where_memory_is_short_workers_are_ended_first() {
    let region = Region::start();
    let points = |pid: u32| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).unwrap();
        text.trim().parse::<i32>().unwrap()
    };
    let own = points(std::process::id());
    assert_eq!(points(region.system.pid()), own);
    let zygote = children(region.system.pid())[0];
    let workers = children(zygote);
    assert!(!workers.is_empty());
    for pid in workers {
        assert!(points(pid) >= own.max(500), "{pid}");
    }
}

/// Who starts workers and tells of their deaths: without it tasks would wait for ever.
#[test]
fn a_zygote_that_is_stopped_is_replaced_when_it_is_needed() {
    let region = Region::start();
    let zygote = children(region.system.pid())[0];
    signal(zygote, "-STOP");
    // Workers that are there go on.
    assert_eq!(region.ask("N"), "0000");
    for worker in children(zygote) {
        signal(worker, "-KILL");
    }
    let log = region.until_told("TXMWK0005S", 1);
    let told = format!("TXMWK0025W the COBOL zygote, process {zygote}, has told nothing");
    assert!(log.contains(&told), "{log}");
    region.until("N", "0000");
    assert_ne!(children(region.system.pid()), [zygote]);
}

/// Begins a task that keeps the QR token, stops its worker, and begins one that needs the token.
fn hold_the_token(region: &Region) -> (u32, [std::thread::JoinHandle<String>; 2]) {
    let begin = |program: &'static str| {
        let meeting = region.meeting.clone();
        std::thread::spawn(move || run(&meeting, program, " ", "CSMI"))
    };
    let oper = |what| run(&region.meeting, "OPER", what, "CSMI");
    let held = begin("HOLDQR");
    let since = Instant::now();
    while oper("I") != "RUNNING" {
        assert!(since.elapsed() < PATIENCE, "{}", region.system.log());
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = region.stop_the_busy_one();
    (pid, [held, begin("NEEDQR")])
}

#[test]
fn a_stopped_holder_of_the_qr_token_is_told_of_and_can_be_ended() {
    let region = Region::of("055-stopped-holder-of-qr");
    let oper = |what| run(&region.meeting, "OPER", what, "CSMI");
    // It goes on: nothing has happened to it.
    let (pid, [held, needs]) = hold_the_token(&region);
    let log = region.until_told("TXMWK0023W", 1);
    let told = format!("(CSMI, HOLDQR) does not go on: its worker, process {pid}, is stopped.");
    assert!(log.contains(&told), "{log}");
    assert!(
        log.contains("Waiting: 1 for the QR token it holds"),
        "{log}"
    );
    assert!(!needs.is_finished(), "nobody else has the token");
    assert_eq!(oper("I"), "RUNNING", "who needs no token goes on");
    signal(pid, "-CONT");
    region.until_told("TXMWK0024I", 1);
    assert_eq!(oper("G"), "0000");
    assert!(held.join().unwrap().contains("ONE"));
    assert!(needs.join().unwrap().contains("AN"));
    // It does not: FORCEPURGE ends it, and the token goes on to who waits.
    let (_, [held, needs]) = hold_the_token(&region);
    region.until_told("TXMWK0023W", 2);
    assert!(!needs.is_finished());
    assert_eq!(oper("K"), "0000");
    let ended = held.join().unwrap();
    assert!(ended.contains("Abend"), "{ended}");
    assert!(needs.join().unwrap().contains("AN"));
    assert_eq!(oper("E"), "0000", "what it had enqueued upon is free");
}
