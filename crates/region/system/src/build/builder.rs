//! One source at a time: whether it changed, its translation, its module.

use super::compile::{How, compile, made_of, write_texts};
use super::outcome::{Mode, OneResult};
use super::state::{Built, Journal, Note, State};
use super::store::{self, Store};
use crate::directory::SystemDirectory;
use crate::finding::Finding;
use crate::library::Library;
use crate::report::{SourceReport, SourceState};
use crate::source::{page, read_source};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::OnceLock;
use transom_translator::{Options, Source, Translated, translate};
use transom_types::ProgramName;

/// What it takes to build a source.
pub(super) struct Builder<'a> {
    pub(super) system: &'a SystemDirectory,
    pub(super) library: Library,
    state: State,
    journal: Journal,
    pub(super) store: Option<Store>,
}

impl<'a> Builder<'a> {
    /// Answers also why there is no store of modules, where one is asked for.
    pub(super) fn new(system: &'a SystemDirectory) -> (Self, Option<Finding>) {
        let cobol = &system.settings.cobol;
        let bytes = cobol.module_store_megabytes << 20;
        let store = cobol.module_store.as_ref();
        let store = store.map(|folder| Store::open(&system.root.join(folder), bytes));
        let (store, refused) = match store.transpose() {
            Ok(store) => (store, None),
            Err(refused) => (None, Some(Finding::notice(refused))),
        };
        let builder = Self {
            system,
            library: Library::open(&system.root, page(cobol.source_codepage)),
            state: State::read(system),
            journal: Journal::open(system),
            store,
        };
        (builder, refused)
    }

    /// A source that did not change and needs nothing more.
    fn kept(&self, name: &str, text: &str, mode: Mode) -> Option<OneResult> {
        let before = self.state.sources.get(name)?;
        let done = match mode {
            Mode::Compile => before.has_module(self.system),
            Mode::Prepare => before.module.is_empty() || before.has_module(self.system),
            Mode::CheckOnly => false,
        };
        (done && self.is_same(before, text)).then(|| OneResult::kept(name, before))
    }

    fn is_same(&self, before: &Built, text: &str) -> bool {
        let options = &self.system.translation;
        before.fingerprint == fingerprint(text, &before.copybooks, &self.library, options)
    }

    /// `how`: how it is compiled; not at all when it is for later.
    pub(super) fn one(&self, source: &Path, mode: Mode, how: Option<How>) -> OneResult {
        let name = &self.system.shown(source);
        let page = page(self.system.settings.cobol.source_codepage);
        match read_source(source, name, page) {
            Ok((text, findings)) => match self.kept(name, &text, mode) {
                Some(kept) => kept,
                None => self.translated(name, &text, findings, how),
            },
            Err(error) => OneResult::without(SourceReport::failed(name), vec![error.into()]),
        }
    }

    fn translated(
        &self,
        name: &str,
        text: &str,
        mut findings: Vec<Finding>,
        how: Option<How>,
    ) -> OneResult {
        let options = &self.system.translation;
        let translated = translate(&Source { name, text }, &self.library, options);
        findings.extend(translated.problems.iter().map(Finding::from));
        let report = SourceReport::of(name, &translated);
        if translated.has_errors() {
            return OneResult::without(report, findings);
        }
        // A source without PROGRAM-ID is a copybook that lies among the programs.
        let Some(program) = translated.programs.first().map(|p| p.name.clone()) else {
            return OneResult::without(report, findings);
        };
        // Nobody can ask for a program whose name CICS does not have.
        let how = how.or(ProgramName::new(&program).is_err().then_some(How::Now));
        if how == Some(How::Check)
            && let Some(before) = self.state.sources.get(name)
            && before.checked
            && self.is_same(before, text)
        {
            findings.extend(before.notes.iter().map(Note::finding));
            let built = Some(before.clone());
            return OneResult {
                built,
                ..OneResult::without(report, findings)
            };
        }
        let built = Built {
            made_of: made_of(&program, &translated),
            fingerprint: fingerprint(text, &translated.dependencies, &self.library, options),
            copybooks: translated.dependencies.clone(),
            module: String::new(),
            program,
            bytes: 0,
            checked: how.is_some(),
            notes: Vec::new(),
        };
        let result = OneResult::without(report, findings);
        let result = match self.same_code(name, &built, how) {
            Some(before) => kept_code(self.system, before, built, &translated, result),
            None => self.compiled(built, &translated, how, result),
        };
        if let Some(built) = &result.built {
            self.journal.note(name, built);
        }
        result
    }

    /// What an earlier build knows, if the compiler would only say and make the same again.
    fn same_code(&self, name: &str, built: &Built, how: Option<How>) -> Option<&Built> {
        let module = how != Some(How::Check);
        let found = (name, &*built.made_of);
        self.state.same_code(self.system, found, module)
    }

    fn compiled(
        &self,
        mut built: Built,
        translated: &Translated,
        how: Option<How>,
        mut result: OneResult,
    ) -> OneResult {
        if let Some(how) = how {
            let texts = write_texts(self.system, &built.program, translated);
            let store = self.store.as_ref();
            let compiled = texts
                .map_err(|e| vec![e])
                .and_then(|()| compile(self.system, store, &built, translated, how));
            match compiled {
                Ok(compiled) => {
                    built.module = compiled.module;
                    built.bytes = compiled.bytes;
                    built.notes = Note::all(&compiled.notes);
                    result.compiled = !compiled.found;
                    result.taken = compiled.found;
                    result.findings.extend(compiled.notes);
                }
                Err(errors) => {
                    result.compiled = true;
                    result.findings.extend(errors);
                    result.report.state = SourceState::Failed;
                    return result;
                }
            }
        }
        result.built = Some(built);
        result
    }
}

/// The module of an earlier build goes on for a source that was translated again.
fn kept_code(
    system: &SystemDirectory,
    before: &Built,
    built: Built,
    translated: &Translated,
    mut result: OneResult,
) -> OneResult {
    if let Err(error) = write_texts(system, &built.program, translated) {
        result.findings.push(error);
        result.report.state = SourceState::Failed;
        return result;
    }
    result
        .findings
        .extend(before.notes.iter().map(Note::finding));
    result.built = Some(Built {
        fingerprint: built.fingerprint,
        copybooks: built.copybooks,
        ..before.clone()
    });
    result
}

/// Source, copybooks, options and the executable, as one number.
fn fingerprint(text: &str, copybooks: &[String], library: &Library, options: &Options) -> String {
    let mut hash = Sha256::new();
    hash.update(translator());
    hash.update(format!("{options:?}"));
    hash.update(text);
    for path in copybooks {
        let member = Path::new(path)
            .file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default();
        hash.update([0]);
        hash.update(path);
        hash.update(
            library
                .text(member)
                .map(|(_, text)| text)
                .unwrap_or_default(),
        );
    }
    store::hex(&hash.finalize())
}

/// Numbers of commands, options and DFHVALUEs and the text of supplied copybooks are part of
/// what the compiler gets, so another executable means another translation. What comes out of it
/// as it was is not compiled again (`made_of`).
fn translator() -> &'static [u8] {
    static VERSION: OnceLock<Vec<u8>> = OnceLock::new();
    VERSION.get_or_init(|| {
        let about = std::env::current_exe().and_then(std::fs::metadata);
        let about = about.map(|m| (m.len(), m.modified().ok()));
        format!("{} {about:?}", env!("CARGO_PKG_VERSION")).into_bytes()
    })
}
