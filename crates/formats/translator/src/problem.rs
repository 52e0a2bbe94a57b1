//! What is wrong with a source, and where.
//!
//! Why: every message names the user's own file, line and column, also for text that came from a
//! copybook or that cobc complained about. Not here: who prints it.

use std::fmt;
use transom_messages::Message;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// The program can be compiled, but look at it.
    Warning,
    /// The program cannot be compiled or would not do what it says.
    Error,
}

/// A place in the user's files. Lines and columns count from 1; column 0: not known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// File as the caller named it, or as [`crate::CopyLibrary`] answered it.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column of the text as it stands in the file (tabs count one).
    pub column: u32,
    /// The COPY statements that led here, innermost first: file and line.
    pub copied_from: Vec<(String, u32)>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Message number, `TXMTR0010E`.
    pub id: &'static str,
    /// How bad.
    pub severity: Severity,
    /// Where.
    pub place: Place,
    /// The message without its number.
    pub text: String,
}

impl Problem {
    pub(crate) fn new(message: Message, place: Place) -> Self {
        let severity = match message.severity() {
            transom_messages::Severity::Information => Severity::Info,
            transom_messages::Severity::Warning => Severity::Warning,
            _ => Severity::Error,
        };
        Self {
            id: message.id(),
            severity,
            place,
            text: message.into_words(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    /// `file:line:column: TXMTR0010E text (copied at file:line)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}", self.place, self.id, self.text)?;
        for (file, line) in &self.place.copied_from {
            write!(f, " (copied at {file}:{line})")?;
        }
        Ok(())
    }
}
