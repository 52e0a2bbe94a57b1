//! Reports over bad input: rules that fit nothing, very many names, clocks that went back, a region
//! that was killed in the middle of a record.

use super::{Classes, Found, ReportArgs, report};
use clap::Parser;
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use transom_monitoring::stream::{Begin, Frames};
use transom_monitoring::{Record, field};
use transom_types::{Applid, SysId};

const START: u64 = 1_795_381_507_000_000_000;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: ReportArgs,
}

thread_local! {
    /// What was printed.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A system directory with one file of these records, without its last bytes.
fn home(rules: &str, tasks: impl Iterator<Item = Record>, cut: usize) -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("transom.toml"), rules).unwrap();
    let (mut frames, mut stream, mut bytes) = (Frames::default(), Vec::new(), Vec::new());
    let applid = Applid::from_field(b"TRANSOM");
    let begin = Begin::of(applid, SysId::from_field(b"TXM1"), START, 0);
    frames.begin(&mut stream, &begin);
    for task in tasks {
        bytes.clear();
        task.put(&mut bytes);
        frames.task(&mut stream, &bytes);
    }
    stream.truncate(stream.len() - cut);
    fs::create_dir(home.path().join("monitoring")).unwrap();
    fs::write(home.path().join("monitoring/00000001.cmf"), stream).unwrap();
    home
}

fn task(user: &str, took_ns: u64) -> Record {
    let mut record = Record::default();
    record
        .set_text(field::TRAN, b"PAY1")
        .set_text(field::USERID, user.as_bytes())
        .set(field::START, START)
        .set(field::STOP, START + took_ns);
    record
}

/// What `transom report DIR --json` prints, and its error.
fn reported(dir: &Path, words: &[&str]) -> (serde_json::Value, Result<(), String>) {
    let first = ["report", dir.to_str().unwrap(), "--json"];
    let words = first.iter().chain(words);
    let args = Line::parse_from(words).args;
    SAID.take();
    let done = report(&args, |text| {
        SAID.with_borrow_mut(|said| said.push_str(text))
    });
    (serde_json::from_str(&SAID.take()).unwrap(), done)
}

#[test]
fn rules_that_fit_nothing_leave_all_tasks_to_the_class_of_the_others() {
    let rules = "[service_classes]\n\"TRANSACTION NONE*\" = \"CICSHI 0.5\"\n";
    let tasks = (0..3).map(|_| task("SMITH", 1_000_000));
    let home = home(rules, tasks, 0);
    let (report, done) = reported(home.path(), &["--by", "class"]);
    assert_eq!(done, Ok(()));
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (&rows[0]["name"], &rows[0]["tasks"]),
        (&"OTHER".into(), &3.into())
    );
}

#[test]
fn names_beyond_a_hundred_thousand_are_added_up() {
    let args = Line::parse_from(["report", "--by", "user"]).args;
    let (mut found, classes) = (Found::default(), Classes::default());
    let mut record = task("", 1_000_000);
    for n in 0..100_010 {
        record.set_text(field::USERID, format!("U{n:07}").as_bytes());
        found.take(&record, &args, &classes);
    }
    assert_eq!((found.all.tasks, found.groups.len()), (100_010, 100_001));
    assert_eq!(found.groups["(others)"].tasks, 10);
}

#[test]
fn a_clock_that_went_back_takes_no_time_from_a_report() {
    let mut back = task("SMITH", 0);
    back.set(field::STOP, START - 3_600_000_000_000);
    let home = home("", [task("SMITH", 2_000_000_000), back].into_iter(), 0);
    let (report, done) = reported(home.path(), &["--interval", "1"]);
    assert_eq!(done, Ok(()));
    assert_eq!(report["all"]["response_s"]["min"], 0.0);
    assert_eq!(report["seconds"], 2.0);
}

#[test]
fn a_region_that_was_killed_in_the_middle_of_a_record_is_reported_on_all_the_same() {
    let tasks = (0..5).map(|_| task("SMITH", 1_000_000));
    let home = home("", tasks, 7);
    let (report, done) = reported(home.path(), &[]);
    assert_eq!(report["all"]["tasks"], 4);
    assert!(done.unwrap_err().contains("TXMMN0005W"));
}
