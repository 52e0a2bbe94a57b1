//! Translates and compiles the COBOL sources that changed.
//!
//! What: source -> translator -> cobc -> `.transom/modules/NAME.so`, with listing and coverage
//! report beside it. A source is built again when it, one of its copybooks, its options or
//! Transom itself changed. A new version gets a new file and the link NAME.so moves at the end, so
//! running tasks keep the module they have. Not here: what the translator does.

use crate::directory::SystemDirectory;
use crate::finding::Finding;
use crate::library::Library;
use crate::report::{SourceReport, SourceState};
use crate::source::{page, read_source};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use transom_messages::{Message, Problem, si};
use transom_translator::{Options, Source, Translated, translate};

/// What is known of the last build: `.transom/build.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    sources: BTreeMap<String, Built>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Built {
    fingerprint: String,
    copybooks: Vec<String>,
    module: String,
    program: String,
}

/// A compiled program.
#[derive(Debug, Clone)]
pub struct Module {
    /// PROGRAM-ID.
    pub program: String,
    /// Shared object, the real file.
    pub path: PathBuf,
}

/// What a build did.
#[derive(Debug)]
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
    /// Each source, in order.
    pub reports: Vec<SourceReport>,
    /// Messages, errors among them.
    pub findings: Vec<Finding>,
}

/// What to do with a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Compile what changed.
    Compile,
    /// Translate and let cobc check, all sources, and keep nothing.
    CheckOnly,
}

/// Builds all sources, several at a time. `progress` hears of each one that is done.
pub fn build(
    system: &SystemDirectory,
    mode: Mode,
    progress: &(dyn Fn(usize, usize, &str) + Sync),
) -> Result<Outcome, Message> {
    let folders = ["modules", "listings", "generated", "dumps"];
    for folder in folders {
        let path = system.own(folder);
        std::fs::create_dir_all(&path).map_err(|e| si::not_written(path.display(), e))?;
    }
    // Maps come first: programs COPY what they make.
    let maps = crate::maps::build(system)?;
    let library = Library::open(&system.root, page(system.settings.cobol.source_codepage));
    let state = read_state(&system.own("build.json"));
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers.min(system.sources.len()) {
            scope.spawn(|| {
                while let Some(source) = system.sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = system.shown(source);
                    let result = one(system, &library, source, state.sources.get(&name), mode);
                    let mut results = lock(&results);
                    results.push((name.clone(), result));
                    progress(results.len(), system.sources.len(), &name);
                }
            });
        }
    });
    let results = results
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut outcome = finish(system, mode, results);
    outcome.mapsets = maps.mapsets;
    outcome.labels = maps.labels;
    let copybooks = library.findings();
    outcome
        .findings
        .splice(0..0, maps.findings.into_iter().chain(copybooks));
    Ok(outcome)
}

struct OneResult {
    built: Option<Built>,
    compiled: bool,
    report: SourceReport,
    findings: Vec<Finding>,
}

impl OneResult {
    /// The module of an earlier build.
    fn kept(name: &str, before: &Built) -> Self {
        Self {
            built: Some(before.clone()),
            compiled: false,
            report: SourceReport::ready(name, &before.program),
            findings: Vec::new(),
        }
    }

    /// There is no module.
    fn without(compiled: bool, report: SourceReport, findings: Vec<Finding>) -> Self {
        let built = None;
        Self {
            built,
            compiled,
            report,
            findings,
        }
    }
}

fn one(
    system: &SystemDirectory,
    library: &Library,
    source: &Path,
    before: Option<&Built>,
    mode: Mode,
) -> OneResult {
    let name = &system.shown(source);
    let page = page(system.settings.cobol.source_codepage);
    let (text, mut findings) = match read_source(source, name, page) {
        Ok(read) => read,
        Err(error) => {
            return OneResult::without(false, SourceReport::failed(name), vec![error.into()]);
        }
    };
    if mode == Mode::Compile
        && let Some(before) = before
        && before.fingerprint == fingerprint(&text, &before.copybooks, library, &system.translation)
        && system.own("modules").join(&before.module).is_file()
    {
        return OneResult::kept(name, before);
    }
    let translated = translate(&Source { name, text: &text }, library, &system.translation);
    findings.extend(translated.problems.iter().map(finding));
    let report = SourceReport::of(name, &translated);
    if translated.has_errors() {
        return OneResult::without(false, report, findings);
    }
    // A source without PROGRAM-ID is a copybook that lies among the programs.
    let Some(program) = translated.programs.first().map(|p| p.name.clone()) else {
        return OneResult::without(false, report, findings);
    };
    let fingerprint = fingerprint(
        &text,
        &translated.dependencies,
        library,
        &system.translation,
    );
    match compile(system, &program, &fingerprint, &translated, mode) {
        Ok((module, notes)) => {
            findings.extend(notes);
            OneResult {
                built: Some(Built {
                    fingerprint,
                    copybooks: translated.dependencies,
                    module,
                    program,
                }),
                compiled: true,
                report,
                findings,
            }
        }
        Err(errors) => {
            findings.extend(errors);
            let state = SourceState::Failed;
            OneResult::without(true, SourceReport { state, ..report }, findings)
        }
    }
}

/// Runs cobc; answers the file name of the module.
fn compile(
    system: &SystemDirectory,
    program: &str,
    fingerprint: &str,
    translated: &Translated,
    mode: Mode,
) -> Result<(String, Vec<Finding>), Vec<Finding>> {
    let io =
        |what: &Path, e: std::io::Error| vec![Finding::from(si::not_written(what.display(), e))];
    let generated = system.own("generated").join(format!("{program}.cob"));
    std::fs::write(&generated, translated.cobol_bytes()).map_err(|e| io(&generated, e))?;
    let listing = system.own("listings").join(format!("{program}.lst"));
    std::fs::write(&listing, translated.listing()).map_err(|e| io(&listing, e))?;
    let module = format!("{program}.{}.so", &fingerprint[..12]);
    let target = system.own("modules").join(&module);
    let scratch = system.own("modules").join(format!("{module}.new"));
    let mut cobc = Command::new("cobc");
    cobc.arg("-m").args(&translated.compiler_flags);
    match mode {
        Mode::Compile => cobc.arg("-o").arg(&scratch),
        Mode::CheckOnly => cobc.arg("-fsyntax-only"),
    };
    let output = cobc
        .arg(&generated)
        .current_dir(system.own("generated"))
        .output()
        .map_err(|e| vec![Finding::from(si::cobc_not_run(e))])?;
    let said = String::from_utf8_lossy(&output.stderr);
    let problems = translated.map_compiler_output(&generated.display().to_string(), &said);
    let findings: Vec<Finding> = problems.iter().map(finding).collect();
    if !output.status.success() {
        let silent = !findings.iter().any(|f| f.is_error);
        let last = said.lines().last().unwrap_or("no message");
        let extra = silent.then(|| Finding::error(si::cobc_failed(program, last)));
        return Err(findings.into_iter().chain(extra).collect());
    }
    if mode == Mode::Compile {
        // cobc appends nothing to a name that ends in .new; older ones would add the suffix.
        let made = if scratch.is_file() {
            scratch
        } else {
            scratch.with_extension("new.so")
        };
        std::fs::rename(&made, &target).map_err(|e| io(&made, e))?;
    }
    Ok((module, findings))
}

fn finish(system: &SystemDirectory, mode: Mode, results: Vec<(String, OneResult)>) -> Outcome {
    let mut outcome = Outcome {
        modules: Vec::new(),
        programs: Vec::new(),
        mapsets: Vec::new(),
        labels: Vec::new(),
        compiled: 0,
        reports: Vec::new(),
        findings: Vec::new(),
    };
    let mut state = State::default();
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    let mut results = results;
    results.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, result) in results {
        outcome.compiled += usize::from(result.compiled);
        outcome.findings.extend(result.findings);
        outcome.reports.push(result.report);
        let Some(built) = result.built else { continue };
        if let Some(other) = owners.insert(built.program.clone(), name.clone()) {
            let twice = si::program_twice(&built.program, other);
            let text = format!("{name}: {twice}");
            outcome.findings.push(Finding::error(text));
            if let Some(report) = outcome.reports.last_mut() {
                report.state = SourceState::Failed;
            }
            continue;
        }
        outcome.programs.push(built.program.clone());
        if mode == Mode::Compile {
            let path = system.own("modules").join(&built.module);
            if let Err(error) = point_link(system, &built) {
                outcome.findings.push(Finding::error(error));
            }
            outcome.modules.push(Module {
                program: built.program.clone(),
                path,
            });
        }
        state.sources.insert(name, built);
    }
    if mode == Mode::Compile {
        remove_old_modules(system, &state);
        write_state(&system.own("build.json"), &state);
    }
    outcome
}

/// Moves NAME.so to the newest version in one step.
fn point_link(system: &SystemDirectory, built: &Built) -> Result<(), Message> {
    let link = system.own("modules").join(format!("{}.so", built.program));
    let fresh = system
        .own("modules")
        .join(format!("{}.so.link", built.program));
    // Left over from a build that was killed; gone is what we want.
    let _gone = std::fs::remove_file(&fresh);
    std::os::unix::fs::symlink(&built.module, &fresh)
        .and_then(|()| std::fs::rename(&fresh, &link))
        .map_err(|e| si::not_written(link.display(), e))
}

fn remove_old_modules(system: &SystemDirectory, state: &State) {
    let known: Vec<String> = state
        .sources
        .values()
        .flat_map(|b| [b.module.clone(), format!("{}.so", b.program)])
        .collect();
    for entry in std::fs::read_dir(system.own("modules"))
        .into_iter()
        .flatten()
        .flatten()
    {
        if !known.iter().any(|k| entry.file_name().to_str() == Some(k)) {
            // A module that stays costs disk space only.
            let _removed = std::fs::remove_file(entry.path());
        }
    }
}

/// Source, copybooks, options and the version of Transom, as one number.
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
    hash.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

/// Numbers of commands, options and DFHVALUEs and the text of supplied copybooks are part of
/// compiled modules, so another executable means another build.
fn translator() -> &'static [u8] {
    static VERSION: OnceLock<Vec<u8>> = OnceLock::new();
    VERSION.get_or_init(|| {
        let about = std::env::current_exe().and_then(std::fs::metadata);
        let about = about.map(|m| (m.len(), m.modified().ok()));
        format!("{} {about:?}", env!("CARGO_PKG_VERSION")).into_bytes()
    })
}

fn finding(problem: &Problem) -> Finding {
    Finding {
        is_error: problem.is_error(),
        text: problem.place_first().to_string(),
    }
}

fn read_state(path: &Path) -> State {
    // No state, or one of another version: everything is built again.
    std::fs::read(path)
        .ok()
        .and_then(|b| serde_json::from_slice(&b).ok())
        .unwrap_or_default()
}

fn write_state(path: &Path, state: &State) {
    if let Ok(json) = serde_json::to_vec_pretty(state) {
        // Without it the next start only takes longer.
        let _written = std::fs::write(path, json);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
