//! The share of torture that runs with every test: two minutes at most, a new seed each time.

use std::process::Command;

#[test]
#[cfg_attr(not(feature = "failpoints"), ignore = "needs --features failpoints")]
fn nothing_is_lost_or_done_twice() {
    let output = Command::new(env!("CARGO_BIN_EXE_torture"))
        .arg("--share")
        .output()
        .unwrap();
    let (said, complaints) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    // What failed comes last: logs of tests are cut.
    let failed: Vec<&str> = said.lines().filter(|l| l.contains("FAILED")).collect();
    let failed = failed.join("\n");
    assert!(
        output.status.success(),
        "{said}\n{complaints}\n{failed}\n{}",
        output.status
    );
    println!("{said}");
}

#[test]
fn what_is_asked_for_is_run() {
    let output = Command::new(env!("CARGO_BIN_EXE_torture"))
        .args(["--share", "--only", "nothing", "--seed", "42"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.starts_with("seed 42 "), "{said}");
    assert!(said.contains("torture: 0 cases, 0 failed"), "{said}");
}
