//! What the operator is told, on standard error.
//!
//! What: the one sink of region, doors and tools. Lines of a door that serves have time and level,
//! all others stand as they are; `RUST_LOG` chooses how much of the doors is shown. A process that
//! serves hands lines to a thread (`queue`), a command writes them itself; the last ones are kept
//! ([`recent`]). Why a room: rooms know no log, so another format comes into this one alone. Not
//! here: the results of a command, which it prints itself.

#![forbid(unsafe_code)]

mod queue;
mod recent;

pub use recent::{Recent, recent};

use crate::queue::Log;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;
use transom_messages::{Line, Operator, Severity, Source};

/// How long the end of the process waits for a reader of its last lines.
const PATIENCE: Duration = Duration::from_secs(2);

static OPERATOR: LazyLock<Operator> =
    LazyLock::new(|| Operator::new(|line| write(&line)).with_flush(end));
/// Set by a process that serves.
static LOG: OnceLock<Log> = OnceLock::new();

/// The way to the operator.
pub fn operator() -> Operator {
    OPERATOR.clone()
}

/// From now on nobody who says something waits for who reads it: for a process that serves.
///
/// # Errors
/// There is no thread to be had.
pub fn serve() -> io::Result<()> {
    let log = Log::start(io::stderr())?;
    let _ = LOG.set(log);
    Ok(())
}

/// Lines that nobody could write.
pub fn lost() -> u64 {
    LOG.get().map_or(0, Log::lost)
}

/// The process ends: lines that wait are written.
pub fn end() {
    if let Some(log) = LOG.get() {
        log.flush(PATIENCE);
    }
}

/// Tells a text. That nobody can read it stops nothing.
pub fn say(text: impl Display) {
    match LOG.get() {
        Some(log) => log.line(&text.to_string()),
        None => {
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }
}

/// What rooms report goes to standard error; `RUST_LOG` chooses how much of it.
pub fn begin() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer)
        .with_ansi(false)
        .with_target(false)
        // It would be said with a macro that panics where standard error cannot be written.
        .log_internal_errors(false)
        .init();
}

fn writer() -> Box<dyn Write> {
    match LOG.get() {
        Some(log) => Box::new(log.clone()),
        None => Box::new(io::stderr()),
    }
}

fn write(line: &Line) {
    recent::keep(line);
    match (line.source, line.task) {
        (Source::Door, _) => write_of_door(line),
        (Source::Display, task) => say(format_args!("[{task:07}] {line}")),
        (_, 0) => say(line),
        (_, task) => say(format_args!("{line} (task {task})")),
    }
}

fn write_of_door(line: &Line) {
    let mut text = line.to_string();
    for (name, value) in &line.fields {
        text += &format!(" {name}={value}");
    }
    match line.level {
        Severity::Information => tracing::info!("{text}"),
        Severity::Warning => tracing::warn!("{text}"),
        Severity::Error | Severity::Severe => tracing::error!("{text}"),
    }
}
