//! What is known of sources that were built or checked: `.transom/build.json`.
//!
//! What: a record for each source, and a journal that has those of a build that is not over: each
//! is noted when its module is there, so what an end of the process, of whatever kind, leaves is
//! found by the next build. Why two files: the whole written anew for each of 5,000 sources is
//! slow. Not here: what a fingerprint is made of.

use crate::directory::SystemDirectory;
use crate::finding::Finding;
use crate::guard::lock;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

/// What is known of the sources, by their names.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) sources: BTreeMap<String, Built>,
}

/// A source that is right.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Built {
    pub(super) fingerprint: String,
    pub(super) copybooks: Vec<String>,
    /// File name of its module; empty: it was not compiled.
    pub(super) module: String,
    pub(super) program: String,
    /// Hash of all that a module is made of, as the store of modules has it; empty: not known.
    #[serde(default)]
    pub(super) made_of: String,
    /// Bytes of the module; 0: not known.
    #[serde(default)]
    pub(super) bytes: u64,
    /// The compiler has looked at it and found no error.
    #[serde(default)]
    pub(super) checked: bool,
    /// What the compiler said.
    #[serde(default)]
    pub(super) notes: Vec<Note>,
}

/// A message of the compiler that is no error.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Note(String);

impl Note {
    /// The messages of a source without errors.
    pub(super) fn all(findings: &[Finding]) -> Vec<Self> {
        findings.iter().map(|f| Self(f.text.clone())).collect()
    }

    pub(super) fn finding(&self) -> Finding {
        Finding {
            is_error: false,
            text: self.0.clone(),
        }
    }
}

impl Built {
    /// Its module is there, whole.
    pub(super) fn has_module(&self, system: &SystemDirectory) -> bool {
        let found = fs::metadata(system.own("modules").join(&self.module));
        let whole = |found: &fs::Metadata| {
            found.is_file() && [0, found.len()].contains(&self.bytes) && found.len() > 0
        };
        !self.module.is_empty() && found.is_ok_and(|found| whole(&found))
    }
}

impl State {
    /// What is known of a source that another version of Transom, or other copybooks, gave the same
    /// code; `module`: and its module is there.
    pub(super) fn same_code(
        &self,
        system: &SystemDirectory,
        (name, made_of): (&str, &str),
        module: bool,
    ) -> Option<&Built> {
        let before = self.sources.get(name)?;
        let there = match module {
            true => before.has_module(system),
            false => before.checked,
        };
        (!made_of.is_empty() && before.made_of == made_of && there).then_some(before)
    }

    /// What the last build has written, and those that did not end. No state, or one of another
    /// version: everything is built again.
    pub(super) fn read(system: &SystemDirectory) -> Self {
        let all = fs::read(path(system)).ok();
        let mut state: Self = all
            .and_then(|b| serde_json::from_slice(&b).ok())
            .unwrap_or_default();
        let journal = fs::read_to_string(journal(system)).unwrap_or_default();
        // The last line may be half a line.
        let lines = journal.lines().filter_map(|l| serde_json::from_str(l).ok());
        state
            .sources
            .extend::<Vec<(String, Built)>>(lines.collect());
        state
    }

    /// Writes the whole in one step; then the journal is not needed any more. Without it the next
    /// build only takes longer.
    pub(super) fn write(&self, system: &SystemDirectory) {
        let Ok(json) = serde_json::to_vec_pretty(self) else {
            return;
        };
        let fresh = path(system).with_extension(format!("{}.new", std::process::id()));
        let written = fs::write(&fresh, json).and_then(|()| fs::rename(&fresh, path(system)));
        if written.is_ok() {
            let _gone = fs::remove_file(journal(system));
        }
    }
}

fn path(system: &SystemDirectory) -> PathBuf {
    system.own("build.json")
}

fn journal(system: &SystemDirectory) -> PathBuf {
    system.own("build.journal")
}

/// Notes sources while a build goes on.
pub(super) struct Journal(Mutex<Option<File>>);

impl Journal {
    pub(super) fn open(system: &SystemDirectory) -> Self {
        let file = File::options()
            .create(true)
            .append(true)
            .open(journal(system));
        Self(Mutex::new(file.ok()))
    }

    /// A source is built. What cannot be noted is built again after an interruption.
    pub(super) fn note(&self, name: &str, built: &Built) {
        let Ok(line) = serde_json::to_string(&(name, built)) else {
            return;
        };
        if let Some(file) = &mut *lock(&self.0) {
            // The line before may be half a line.
            let _noted = file.write_all(format!("\n{line}\n").as_bytes());
        }
    }
}
