//! What a run says: printed as it comes, or kept for the caller.

use crate::commands::output::print;
use transom_idcams::Problem;

/// Most bytes kept for a caller.
const KEPT_MAX: usize = 1 << 20;

/// The printed side of a run.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// `None`: lines go to standard output.
    kept: Option<String>,
    /// Highest condition code of the run: 0, 4, 8, 12 or 16.
    pub(crate) max: u8,
}

impl Report {
    /// Prints to standard output.
    pub(super) fn printing() -> Self {
        Self::default()
    }

    /// Keeps the text.
    pub(super) fn keeping() -> Self {
        Self {
            kept: Some(String::new()),
            max: 0,
        }
    }

    /// The text, where it is kept.
    pub(crate) fn text(&self) -> &str {
        self.kept.as_deref().unwrap_or("")
    }

    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        match &mut self.kept {
            None => print(&format!("{text}\n")),
            Some(kept) if kept.len() + text.len() < KEPT_MAX => {
                kept.push_str(text);
                kept.push('\n');
            }
            Some(_) => {}
        }
    }

    /// Lines that there may be.
    pub(super) fn lines(&mut self, lines: impl IntoIterator<Item = String>) {
        lines.into_iter().for_each(|text| self.line(text));
    }

    /// Adds what another report kept.
    pub(super) fn append(&mut self, other: Report) {
        self.max = self.max.max(other.max);
        if !other.text().is_empty() {
            self.line(other.text().trim_end());
        }
    }

    pub(super) fn problem(&mut self, file: &str, problem: &Problem) {
        let Problem {
            line,
            column,
            id,
            text,
        } = problem;
        self.line(format!("{id} {file}:{line}:{column}: {text}"));
    }
}

/// A command that did not do all it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// 4, 8, 12 or 16.
    pub(super) code: u8,
    /// With message id.
    pub(super) text: String,
}

impl Failure {
    pub(super) fn new(code: u8, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self { code: 12, text }
    }
}
