//! A missing tool or file, told or a failure: each test starts itself, with the variables and
//! without.

use std::path::Path;
use std::process::Command;
use transom_needed::{FIXTURES, REQUIRE_ALL, fixture, fixtures, skipped};

const INSIDE: &str = "TRANSOM_NEEDED_INSIDE";

#[test]
fn a_missing_tool_is_told_or_fails() {
    if std::env::var_os(INSIDE).is_some() {
        return skipped("s3271 is not installed");
    }
    let run = |value: Option<&str>| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--nocapture", "a_missing_tool"])
            .env(INSIDE, "1")
            .env_remove(REQUIRE_ALL);
        if let Some(value) = value {
            command.env(REQUIRE_ALL, value);
        }
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(text).unwrap())
    };
    for value in [None, Some("0")] {
        let (good, text) = run(value);
        assert!(
            good && text.contains("skipped: s3271 is not installed"),
            "{text}"
        );
    }
    let (good, text) = run(Some("1"));
    assert!(
        !good && text.contains("s3271 is not installed, and TRANSOM_REQUIRE_ALL=1 wants"),
        "{text}"
    );
}

#[test]
fn missing_test_data_are_told_or_fail() {
    if std::env::var_os(INSIDE).is_some() {
        println!("{:?} {:?}", fixtures("there"), fixture("there/none"));
        return;
    }
    let data = tempfile::tempdir().unwrap();
    std::fs::create_dir(data.path().join("there")).unwrap();
    let run = |folder: &Path, required: &str| {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--nocapture", "missing_test_data"])
            .env(INSIDE, "1")
            .env(FIXTURES, folder)
            .env(REQUIRE_ALL, required)
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(text).unwrap())
    };
    let (good, text) = run(data.path(), "0");
    assert!(good && text.contains("no fixtures (there/none)"), "{text}");
    assert!(!text.contains("no fixtures (there)"), "{text}");
    let (good, text) = run(data.path(), "1");
    assert!(
        !good && text.contains("no fixtures (there/none), and TRANSOM_REQUIRE_ALL=1"),
        "{text}"
    );
    std::fs::write(data.path().join("there/none"), "now it is").unwrap();
    let (good, text) = run(data.path(), "1");
    assert!(good && text.contains("there\") Some(["), "{text}");
    let (good, text) = run(&data.path().join("nowhere"), "1");
    assert!(!good && text.contains("no fixtures (there), and"), "{text}");
}
