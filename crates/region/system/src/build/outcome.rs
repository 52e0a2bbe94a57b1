//! What a build is asked for and what it did.

use super::state::Built;
use crate::finding::Finding;
use crate::report::SourceReport;
use std::path::PathBuf;
use transom_settings::CobolSettings;
use transom_types::ProgramName;

/// A compiled program.
#[derive(Debug, Clone)]
pub struct Module {
    /// PROGRAM-ID.
    pub program: String,
    /// Shared object, the real file.
    pub path: PathBuf,
}

/// What a build did.
#[derive(Debug, Default)]
pub struct Outcome {
    /// All programs that can run.
    pub modules: Vec<Module>,
    /// PROGRAM-ID of every source that is right, also where nothing was compiled.
    pub programs: Vec<String>,
    /// Mapsets that can be used.
    pub mapsets: Vec<String>,
    /// Other names of some of them: the labels of their sources.
    pub labels: Vec<String>,
    /// Sources that were compiled.
    pub compiled: usize,
    /// Sources whose modules were taken from the store of modules.
    pub taken: usize,
    /// Sources that are right as far as the translator knows, and are to be compiled.
    pub pending: Vec<Pending>,
    /// Each source, in order.
    pub reports: Vec<SourceReport>,
    /// Messages, errors among them.
    pub findings: Vec<Finding>,
}

impl Outcome {
    /// In one line.
    pub fn sum(&self) -> String {
        let (all, compiled) = (self.modules.len(), self.compiled);
        let taken = match self.taken {
            0 => String::new(),
            n => format!(", {n} taken from the store of modules"),
        };
        format!("{all} programs, {compiled} compiled{taken}")
    }
}

/// A source that is compiled later.
#[derive(Debug, Clone)]
pub struct Pending {
    /// PROGRAM-ID.
    pub program: ProgramName,
    /// The source.
    pub source: PathBuf,
}

/// What to do with a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Compile what changed.
    Compile,
    /// Translate what changed; it is compiled by [`Later`].
    Prepare,
    /// Translate all sources, let cobc check what changed, and keep no module.
    CheckOnly,
}

impl Mode {
    /// What there is to do before a region starts.
    pub fn of_start(cobol: &CobolSettings) -> Self {
        match cobol.build {
            "BACKGROUND" => Self::Prepare,
            _ => Self::Compile,
        }
    }
}

/// What became of one source.
pub(super) struct OneResult {
    pub(super) built: Option<Built>,
    pub(super) compiled: bool,
    pub(super) taken: bool,
    pub(super) report: SourceReport,
    pub(super) findings: Vec<Finding>,
}

impl OneResult {
    /// The module of an earlier build.
    pub(super) fn kept(name: &str, before: &Built) -> Self {
        Self {
            built: Some(before.clone()),
            ..Self::without(SourceReport::ready(name, &before.program), Vec::new())
        }
    }

    /// There is no module.
    pub(super) fn without(report: SourceReport, findings: Vec<Finding>) -> Self {
        Self {
            built: None,
            compiled: false,
            taken: false,
            report,
            findings,
        }
    }
}
