//! What a test does without a tool that `scripts/setup test` installs, or without outside test
//! data: it says so and ends, or fails where TRANSOM_REQUIRE_ALL=1.
//!
//! Why: a green run on a bare machine proves less than it says. Only tests use it. Not here:
//! applications that an environment variable names.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};

/// The variable that makes a missing tool or file a failure.
pub const REQUIRE_ALL: &str = "TRANSOM_REQUIRE_ALL";

/// The variable that names the folder of outside test data; without it, `../shared/fixtures`
/// beside the checkout.
pub const FIXTURES: &str = "TRANSOM_FIXTURES";

/// Says that a test is skipped.
///
/// # Panics
/// When all tools are required.
pub fn skipped(reason: impl std::fmt::Display) {
    assert!(!required(), "{}", told(&reason));
    println!("skipped: {reason}");
}

/// A folder of the outside test data; says so and gives `None` where it is missing.
///
/// # Panics
/// When all is required, and there is outside test data, but not this folder.
pub fn fixtures(folder: &str) -> Option<PathBuf> {
    found(folder, Path::is_dir)
}

/// A file of the outside test data, by its path below the folder; says so and gives `None` where
/// it is missing.
///
/// # Panics
/// As [`fixtures`], and when the file is there and can't be read.
pub fn fixture(path: &str) -> Option<Vec<u8>> {
    let path = found(path, Path::is_file)?;
    Some(std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// A checkout without outside test data is usual, so that alone never fails; a part that is missing
/// from data that are there, or a variable that names no folder, is a fault.
fn found(path: &str, is: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let named = std::env::var_os(FIXTURES);
    let root = named.as_ref().map_or_else(beside, PathBuf::from);
    let whole = root.join(path);
    if is(&whole) {
        return Some(whole);
    }
    let reason = format!("no fixtures ({path})");
    if named.is_some() || root.is_dir() {
        skipped(reason);
    } else {
        println!("skipped: {reason}");
    }
    None
}

fn beside() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/fixtures")
}

fn required() -> bool {
    std::env::var_os(REQUIRE_ALL).is_some_and(|value| value == "1")
}

fn told(reason: &impl std::fmt::Display) -> String {
    format!("{reason}, and {REQUIRE_ALL}=1 wants what scripts/setup installs and outside test data")
}
