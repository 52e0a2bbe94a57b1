//! A missing tool, told or a failure: the test starts itself with the variable and without.

use std::process::Command;
use transom_needed::{REQUIRE_ALL, skipped};

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
