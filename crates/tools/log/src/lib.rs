//! What the operator is told: on standard error, and in a file where one is wanted.
//!
//! What: the one sink of region, doors and tools. A command writes plain lines itself. A process
//! that serves hands them to threads (`queue`): as they are, as text with time and level, or as
//! JSON objects (`render`), to standard error and to a file of bounded length (`rotated`).
//! `RUST_LOG` chooses how much of the doors is shown; the last lines are kept ([`recent`]). Why a
//! room: rooms know no log, so another format comes into this one alone. Not here: the results of
//! a command, which it prints itself.

#![forbid(unsafe_code)]

mod config;
mod level;
mod queue;
mod recent;
mod render;
mod rotated;
mod settings;

pub use config::{Format, LogConfig, LogFile};
pub use level::set_level;
pub use recent::{Recent, recent};
pub use settings::serve_as;

use crate::queue::Log;
use crate::rotated::Rotated;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use transom_messages::{self as messages, Line, Operator, Severity, Source};
use transom_telemetry::Access;

/// How long the end of the process waits for a reader of its last lines.
const PATIENCE: Duration = Duration::from_secs(2);

static OPERATOR: LazyLock<Operator> =
    LazyLock::new(|| Operator::new(|line| write(&line)).with_flush(end));
/// How a process that serves is to write.
static CONFIG: OnceLock<LogConfig> = OnceLock::new();
/// Set by a process that serves.
static LOG: OnceLock<Outs> = OnceLock::new();

/// Where lines of a process that serves go.
struct Outs {
    stderr: Log,
    format: Format,
    file: Option<(Log, Format)>,
    access: Option<Log>,
}

/// The way to the operator.
pub fn operator() -> Operator {
    OPERATOR.clone()
}

/// How lines look once [`serve`] was called; called once, before it.
pub fn configure(config: LogConfig) {
    let _once = CONFIG.set(config);
}

/// From now on nobody who says something waits for who reads it: for a process that serves.
///
/// # Errors
/// There is no thread to be had.
pub fn serve() -> io::Result<()> {
    let config = CONFIG.get().cloned().unwrap_or_default();
    let report = |format| {
        move |lost| {
            let line = Line::from(messages::si::log_lines_lost(lost));
            render::line(format, &line, since_1970())
        }
    };
    let in_file = match config.format {
        Format::Json => Format::Json,
        Format::Plain | Format::Text => Format::Text,
    };
    let file = match config.file {
        Some(file) => Some((Log::start(Rotated::new(file), report(in_file))?, in_file)),
        None => None,
    };
    let access = match config.access {
        Some(file) => {
            // The log says it: a file of requests has nothing else.
            let report = |lost| {
                operator().tell(messages::si::access_lines_lost(lost));
                Vec::new()
            };
            Some(Log::start(Rotated::new(file), report)?)
        }
        None => None,
    };
    let _ = LOG.set(Outs {
        stderr: Log::start(io::stderr(), report(config.format))?,
        format: config.format,
        file,
        access,
    });
    Ok(())
}

impl Outs {
    /// Writes a line where it is not plain.
    fn tell(&self, line: &Line) {
        let now = since_1970();
        if self.format != Format::Plain {
            self.stderr.bytes(render::line(self.format, line, now));
        }
        if let Some((file, format)) = &self.file {
            file.bytes(render::line(*format, line, now));
        }
    }

    fn all(&self) -> impl Iterator<Item = &Log> {
        let file = self.file.as_ref().map(|(log, _)| log);
        std::iter::once(&self.stderr).chain(file)
    }
}

/// Tells a request in the access log, if there is one.
pub fn access(request: &Access<'_>) {
    let Some(outs) = LOG.get() else {
        return;
    };
    if let Some(log) = &outs.access {
        let line = match outs.format {
            Format::Json => request.json(),
            Format::Plain | Format::Text => request.combined(),
        };
        log.bytes(line.into_bytes());
    }
}

/// Requests that nobody could write.
pub fn access_lost() -> u64 {
    let access = LOG.get().and_then(|outs| outs.access.as_ref());
    access.map_or(0, Log::lost)
}

/// Lines that nobody could write.
pub fn lost() -> u64 {
    LOG.get().map_or(0, |outs| outs.all().map(Log::lost).sum())
}

/// The process ends: lines that wait are written.
pub fn end() {
    if let Some(outs) = LOG.get() {
        // What is told of requests that are lost goes to the log.
        outs.access.iter().for_each(|log| log.flush(PATIENCE));
        outs.all().for_each(|log| log.flush(PATIENCE));
    }
}

/// Tells a text. That nobody can read it stops nothing.
pub fn say(text: impl Display) {
    let text = text.to_string();
    if let Some(outs) = LOG.get() {
        outs.tell(&Line::heard(text.as_str()));
    }
    plain(&text);
}

/// Writes a text as it is, where lines are plain.
fn plain(text: &str) {
    match LOG.get() {
        Some(outs) if outs.format == Format::Plain => outs.stderr.line(text),
        Some(_) => {}
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
        Some(outs) if outs.format == Format::Plain => Box::new(outs.stderr.clone()),
        Some(_) => Box::new(Events),
        None => Box::new(io::stderr()),
    }
}

/// Events of libraries where lines are not plain; they come whole, one a call.
struct Events;

impl Write for Events {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        say(text.trim_end());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write(line: &Line) {
    recent::keep(line);
    if !level::is_written(line) {
        return;
    }
    let outs = LOG.get();
    if let Some(outs) = outs.filter(|_| line.source != Source::Door || is_shown(line.level)) {
        outs.tell(line);
    }
    if outs.is_some_and(|outs| outs.format != Format::Plain) {
        return;
    }
    match (line.source, line.task) {
        (Source::Door, _) => write_of_door(line),
        (Source::Display, task) => plain(&format!("[{task:07}] {line}")),
        (_, 0) => plain(&line.to_string()),
        // The message says it.
        _ if line.all_fields().any(|(name, _)| name == "task") => plain(&line.to_string()),
        (_, task) => plain(&format!("{line} (task {task})")),
    }
}

/// `RUST_LOG` shows lines of doors of this level.
fn is_shown(level: Severity) -> bool {
    match level {
        Severity::Information => tracing::enabled!(tracing::Level::INFO),
        Severity::Warning => tracing::enabled!(tracing::Level::WARN),
        Severity::Error | Severity::Severe => tracing::enabled!(tracing::Level::ERROR),
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

fn since_1970() -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default()
}
