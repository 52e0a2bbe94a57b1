//! The severity from which lines are written.
//!
//! Why a number of the process: it changes while others write. Not here: what `RUST_LOG` chooses of
//! doors, the last lines that are kept.

use std::sync::atomic::{AtomicU8, Ordering};
use transom_messages::{Line, Severity, Source};
use transom_settings::LogSettings;

/// The least severity that is written.
static LEAST: AtomicU8 = AtomicU8::new(Severity::Information as u8);

/// From now on lines of the severity that the table names, and worse ones, are written.
pub fn set_level(table: &LogSettings) {
    let least = match table.level {
        "WARNING" => Severity::Warning,
        "ERROR" => Severity::Error,
        _ => Severity::Information,
    };
    LEAST.store(least as u8, Ordering::Relaxed);
}

/// The line is severe enough. What a program displays is no message.
pub(crate) fn is_written(line: &Line) -> bool {
    line.source == Source::Display || line.level as u8 >= LEAST.load(Ordering::Relaxed)
}
