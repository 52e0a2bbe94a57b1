//! What a test does without a tool that `scripts/setup test` installs: it says so and ends, or
//! fails where TRANSOM_REQUIRE_ALL=1.
//!
//! Why: a green run on a bare machine proves less than it says. Only tests use it. Not here: test
//! data and applications that an environment variable names.

#![forbid(unsafe_code)]

/// The variable that makes a missing tool a failure.
pub const REQUIRE_ALL: &str = "TRANSOM_REQUIRE_ALL";

/// Says that a test is skipped.
///
/// # Panics
/// When all tools are required.
pub fn skipped(reason: impl std::fmt::Display) {
    let required = std::env::var_os(REQUIRE_ALL).is_some_and(|value| value == "1");
    assert!(!required, "{}", told(&reason));
    println!("skipped: {reason}");
}

fn told(reason: &impl std::fmt::Display) -> String {
    format!("{reason}, and {REQUIRE_ALL}=1 wants what scripts/setup installs")
}
