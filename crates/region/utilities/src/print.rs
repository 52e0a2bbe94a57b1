//! What utilities print, and how a command fails.

use transom_datasets::Condition;
use transom_messages::Problem;
use transom_messages::id;

/// Most bytes kept for a caller.
pub(crate) const KEPT_MAX: usize = 1 << 20;

/// Where utilities write; a job on the mainframe has DD SYSPRINT for it.
pub trait SysPrint {
    /// Takes a line, without its end. It may hold several lines of a listing.
    fn line(&mut self, text: &str);

    /// Hears how far a command is, from time to time; `None`: it has ended.
    fn progress(&mut self, _progress: Option<Progress>) {}
}

/// How far a command is that copies or prints records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Records read so far.
    pub records: u64,
    /// Bytes read and bytes in all, where files are read.
    pub bytes: Option<(u64, u64)>,
}

/// Keeps what is printed, up to a megabyte.
#[derive(Debug, Default, Clone)]
pub struct Kept {
    text: String,
}

impl Kept {
    /// All lines, each with its end.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl SysPrint for Kept {
    fn line(&mut self, text: &str) {
        if self.text.len() + text.len() < KEPT_MAX {
            self.text.push_str(text);
            self.text.push('\n');
        }
    }
}

/// The printed side of a run.
pub(crate) struct Report<'a>(&'a mut dyn SysPrint);

impl<'a> Report<'a> {
    pub(crate) fn new(print: &'a mut dyn SysPrint) -> Self {
        Self(print)
    }

    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.0.line(text.as_ref());
    }

    /// Lines that there may be.
    pub(crate) fn lines(&mut self, lines: impl IntoIterator<Item = String>) {
        lines.into_iter().for_each(|text| self.line(text));
    }

    pub(crate) fn problem(&mut self, file: &str, problem: Problem) {
        self.line(problem.in_file(file).id_first().to_string());
    }

    pub(crate) fn progress(&mut self, progress: Option<Progress>) {
        self.0.progress(progress);
    }
}

/// A command that did not do all it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// 4, 8, 12 or 16.
    pub(crate) code: u8,
    /// With message id.
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(code: u8, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
        }
    }
}

/// What the store refused, as a command's failure.
pub(crate) fn failure(condition: Condition) -> Failure {
    match condition {
        Condition::Exists(name) => Failure::new(12, id::exists(name)),
        Condition::NoDataset(name) => Failure::new(8, id::not_found(name)),
        other => Failure::new(12, id::store_answered(other)),
    }
}
