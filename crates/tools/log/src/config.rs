//! How lines look and where they go, beside standard error.
//!
//! Not here: reading settings (`formats/settings`).

use std::path::PathBuf;

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// What is said; lines of doors have time and level in front.
    #[default]
    Plain,
    /// Time, level, what is said, what else is known as `name=value`.
    Text,
    /// A JSON object.
    Json,
}

impl Format {
    /// Of its name in settings.
    pub fn named(name: &str) -> Self {
        match name.to_ascii_uppercase().as_str() {
            "TEXT" => Self::Text,
            "JSON" => Self::Json,
            _ => Self::Plain,
        }
    }
}

/// The log of a process that serves.
#[derive(Debug, Clone, Default)]
pub struct LogConfig {
    /// Of lines on standard error.
    pub format: Format,
    /// Lines go there too.
    pub file: Option<LogFile>,
    /// Requests of clients go there, and nothing else does.
    pub access: Option<LogFile>,
}

/// A file with a bounded number of followers.
#[derive(Debug, Clone)]
pub struct LogFile {
    /// Its path; older ones have `.1`, `.2` and so on behind it.
    pub path: PathBuf,
    /// A file that has become longer gets a new name.
    pub bytes_max: u64,
    /// Files that are kept, this one among them.
    pub files_max: usize,
}
