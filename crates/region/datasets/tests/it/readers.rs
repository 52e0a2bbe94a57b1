//! Processes that read the store beside the region: what they see while it goes on, what they hold
//! up, and what they cannot reach.

use crate::{PLACES, places, read_only};
use std::io::{BufRead, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use transom_datasets::{LocalOptions, LocalStore, open_local};
use transom_recovery::*;

const FOLDER: &str = "TRANSOM_TEST_READERS_FOLDER";
const RECORDS: u32 = 2_000;
const MEGABYTE: u64 = 1 << 20;

fn open(folder: &Path) -> LocalStore {
    let options = LocalOptions {
        log_bytes: 1 << 20,
        ..LocalOptions::default()
    };
    let store = open_local(folder, options, Settings::default()).unwrap();
    wait(store.define("file/A")).unwrap();
    store
}

/// Every record says its round; a checkpoint follows, after which pages of the one before are free.
fn round(store: &LocalStore, number: u32) {
    let text = format!("round {number:06} {}", "x".repeat(200)).into_bytes();
    let put = |key: u32| Write::new("file/A", key.to_be_bytes(), Change::Put(text.clone()));
    wait(store.write_now(None, (0..RECORDS).map(put).collect(), Wait::No)).unwrap();
    wait(store.checkpoint()).unwrap();
}

/// The child: begins a read of all records, says so, and goes on when it is told to.
fn read_slowly(folder: &Path) {
    let store = read_only(folder);
    let (mut seen, mut first) = (0, Vec::new());
    let mut visit = |_: &[u8], record: &[u8]| {
        if seen == 0 {
            first = record.to_vec();
            println!("reading");
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).unwrap();
        }
        assert_eq!(record, first, "record {seen}");
        seen += 1;
    };
    let all = Scan {
        from: std::ops::Bound::Unbounded,
        prefix: &[],
        direction: Direction::Forward,
        limit: usize::MAX,
        bytes_max: usize::MAX,
    };
    assert_eq!(store.visit("file/A", all, &mut visit), Ok(true));
    println!("saw {seen} of {}", String::from_utf8_lossy(&first[..12]));
}

struct Reader {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Reader {
    /// One that is in the middle of its read.
    fn start(test: &str, folder: &Path, places: Option<&str>) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture"])
            .env(FOLDER, folder)
            .envs(places.map(|places| (PLACES, places)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let reading = lines.by_ref().map_while(Result::ok);
        assert!(reading.into_iter().any(|line| line.ends_with("reading")));
        Self { child, lines }
    }

    /// Goes on; what it saw.
    fn finish(mut self) -> String {
        self.child.stdin.take().unwrap().write_all(b"go\n").unwrap();
        let mut lines = self.lines.by_ref().map_while(Result::ok);
        let saw = lines
            .find(|line| line.starts_with("saw "))
            .unwrap_or_default();
        let _rest = lines.last();
        assert!(self.child.wait().unwrap().success());
        saw
    }
}

fn readers(store: &LocalStore) -> LimitStat {
    let limits = store.stats().limits;
    let found = limits.into_iter().find(|l| l.name == "store readers");
    found.unwrap()
}

fn file_bytes(folder: &Path) -> u64 {
    std::fs::metadata(folder.join("data.mdb")).unwrap().len()
}

#[test]
fn who_is_stopped_while_he_reads_sees_his_state_to_the_end() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return read_slowly(folder.as_ref());
    }
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    (0..4).for_each(|number| round(&store, number));
    let test = "readers::who_is_stopped_while_he_reads_sees_his_state_to_the_end";
    let places = places(&store);
    let reader = Reader::start(test, folder.path(), Some(&places));
    let utility = Reader::start(test, folder.path(), None);
    assert_eq!(readers(&store).now, 1);
    // Others come and go meanwhile; his pages stay.
    for number in 4..12 {
        let other = Reader::start(
            test,
            folder.path(),
            Some(&places)
                .filter(|_| number % 2 == 0)
                .map(|p| p.as_str()),
        );
        round(&store, number);
        let before = number - 1;
        assert_eq!(
            other.finish(),
            format!("saw {RECORDS} of round {before:06}")
        );
    }
    for reader in [reader, utility] {
        assert_eq!(reader.finish(), format!("saw {RECORDS} of round 000003"));
    }
    let figures = readers(&store);
    assert_eq!((figures.now, figures.peak), (0, 2));
    // Nobody is left: pages are used again, and the file stays as long as it is.
    round(&store, 12);
    let before = file_bytes(folder.path());
    (13..30).for_each(|number| round(&store, number));
    let after = file_bytes(folder.path());
    assert!(after <= before + MEGABYTE, "{before} bytes, then {after}");
}

#[test]
fn who_is_killed_while_he_reads_holds_up_nothing() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return read_slowly(folder.as_ref());
    }
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    (0..8).for_each(|number| round(&store, number));
    let before = file_bytes(folder.path());
    let test = "readers::who_is_killed_while_he_reads_holds_up_nothing";
    for number in 8..24 {
        let places = (number % 2 == 0).then(|| places(&store));
        let mut reader = Reader::start(test, folder.path(), places.as_deref());
        reader.child.kill().unwrap();
        reader.child.wait().unwrap();
        round(&store, number);
    }
    let after = file_bytes(folder.path());
    assert!(after <= before + MEGABYTE, "{before} bytes, then {after}");
    assert_eq!(readers(&store).now, 0);
}

/// Programs run in processes that read the store: what the region itself relies on is not there.
#[test]
fn a_reader_maps_neither_locks_nor_places_of_others() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let store = read_only(folder.as_ref());
        assert_eq!(store.get("file/A", b"no such key"), Ok(None));
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let ours = maps
            .lines()
            .filter(|l| l.contains(".mdb") || l.contains("memfd:readers"));
        ours.for_each(|line| println!("map {line}"));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    round(&store, 0);
    let child = Command::new(std::env::current_exe().unwrap())
        .args([
            "readers::a_reader_maps_neither_locks_nor_places_of_others",
            "--exact",
        ])
        .arg("--nocapture")
        .env(FOLDER, folder.path())
        .env(PLACES, places(&store))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout);
    let maps: Vec<_> = text.lines().filter_map(|l| l.split_once("map ")).collect();
    assert_eq!(maps.len(), 2, "{text}");
    for (_, line) in maps {
        let mut words = line.split_whitespace();
        let (range, rights) = (words.next().unwrap(), words.next().unwrap());
        let (low, high) = range.split_once('-').unwrap();
        let at = |text| u64::from_str_radix(text, 16).unwrap();
        match line.ends_with("/data.mdb") {
            true => assert_eq!(rights, "r--s"),
            false => {
                assert!(line.contains("memfd:readers"), "{line}");
                // A page; all of it is four of the largest.
                assert!(at(high) - at(low) <= 1 << 16, "{line}");
            }
        }
    }
}
