//! Runs cobc on what the translator made of a source.
//!
//! What: from a translation to a module in `.transom/modules`, or to the word of the compiler that
//! it is right. A module appears in one step. Not here: which sources (`super`), modules that other
//! system directories have compiled (`store`).

use super::scratch::{replace, scratch};
use super::state::Built;
use super::store::Store;
use crate::directory::SystemDirectory;
use crate::finding::Finding;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use transom_messages::si;
use transom_translator::Translated;

/// What of the processor a compilation gets beside tasks that run.
const LATER: &str = "10";

/// How it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// A module, as fast as it goes.
    Now,
    /// A module, when the machine has nothing better to do.
    Later,
    /// Only the word of the compiler.
    Check,
}

/// A module.
pub(super) struct Compiled {
    /// File name; empty after a check.
    pub(super) module: String,
    pub(super) bytes: u64,
    pub(super) notes: Vec<Finding>,
    /// It was not compiled here: another system directory had done it.
    pub(super) found: bool,
}

impl Compiled {
    fn new(module: String, bytes: u64, notes: Vec<Finding>, found: bool) -> Self {
        Self {
            module,
            bytes,
            notes,
            found,
        }
    }
}

/// Hash of all that the module of a translation is made of; empty where the compiler does not say
/// what it is.
pub(super) fn made_of(program: &str, translated: &Translated) -> String {
    let text = translated.cobol_bytes();
    match compiler() {
        [] => String::new(),
        compiler => Store::key(compiler, &translated.compiler_flags, &code(program), &text),
    }
}

/// Writes what people, and the compiler, read of a translation.
pub(super) fn write_texts(
    system: &SystemDirectory,
    program: &str,
    translated: &Translated,
) -> Result<(), Finding> {
    let listing = format!("{program}.lst");
    for (folder, name, bytes) in [
        ("generated", code(program), &translated.cobol_bytes()[..]),
        ("listings", listing, translated.listing().as_bytes()),
    ] {
        let path = system.own(folder).join(name);
        replace(&path, bytes).map_err(|e| not_written(&path, e))?;
    }
    Ok(())
}

/// Compiles a translation whose texts are written.
pub(super) fn compile(
    system: &SystemDirectory,
    store: Option<&Store>,
    built: &Built,
    translated: &Translated,
    how: How,
) -> Result<Compiled, Vec<Finding>> {
    let io = |what: &Path, e| vec![not_written(what, e)];
    let program = &*built.program;
    let source = code(program);
    let module = format!("{program}.{}.so", &built.fingerprint[..12]);
    let target = system.own("modules").join(&module);
    if how == How::Check {
        let said = run(system, &source, program, translated, None)?;
        let notes = said_of(&source, translated, &said);
        return Ok(Compiled::new(String::new(), 0, notes, false));
    }
    let kept = store.filter(|_| !built.made_of.is_empty());
    let found = kept.and_then(|store| store.take(&built.made_of, &target));
    let is_found = found.is_some();
    let said = match found {
        Some(said) => said,
        None => {
            let scratch = scratch(&target);
            let into = Some((&*scratch, how));
            let said = run(system, &source, program, translated, into)?;
            let made = made(scratch);
            if let Some(store) = kept {
                store.put(&built.made_of, &made, &said);
            }
            std::fs::rename(&made, &target).map_err(|e| io(&made, e))?;
            said
        }
    };
    let bytes = std::fs::metadata(&target)
        .map_err(|e| io(&target, e))?
        .len();
    let notes = said_of(&source, translated, &said);
    Ok(Compiled::new(module, bytes, notes, is_found))
}

fn not_written(what: &Path, e: std::io::Error) -> Finding {
    si::not_written(what.display(), e).into()
}

/// File of what the translator made.
fn code(program: &str) -> String {
    format!("{program}.cob")
}

/// cobc appends nothing to a name that ends in .new; older ones would add the suffix.
fn made(scratch: PathBuf) -> PathBuf {
    match scratch.is_file() {
        true => scratch,
        false => scratch.with_extension("new.so"),
    }
}

/// What cobc says of a source without errors; `into`: where it writes a module, and how.
fn run(
    system: &SystemDirectory,
    source: &str,
    program: &str,
    translated: &Translated,
    into: Option<(&Path, How)>,
) -> Result<String, Vec<Finding>> {
    let mut cobc = match into {
        Some((_, How::Later)) => {
            let mut nice = Command::new("nice");
            nice.args(["-n", LATER, "cobc"]);
            nice
        }
        _ => Command::new("cobc"),
    };
    cobc.arg("-m").args(&translated.compiler_flags);
    match into {
        Some((target, _)) => cobc.arg("-o").arg(target),
        None => cobc.arg("-fsyntax-only"),
    };
    let generated = system.own("generated");
    let output = cobc.arg(source).current_dir(generated).output();
    let output = output.map_err(|e| vec![Finding::from(si::cobc_not_run(e))])?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok(said),
        false => Err(failed(program, source, translated, &said)),
    }
}

/// Messages of the compiler, at the places of the source.
fn said_of(source: &str, translated: &Translated, said: &str) -> Vec<Finding> {
    let problems = translated.map_compiler_output(source, said);
    problems.iter().map(Finding::from).collect()
}

fn failed(program: &str, source: &str, translated: &Translated, said: &str) -> Vec<Finding> {
    let mut findings = said_of(source, translated, said);
    if !findings.iter().any(|f| f.is_error) {
        let last = said.lines().last().unwrap_or("no message");
        findings.push(Finding::error(si::cobc_failed(program, last)));
    }
    findings
}

/// What modules depend on besides their sources: versions and settings of cobc and of the compiler
/// of C behind it. None: it does not say.
fn compiler() -> &'static [u8] {
    static INFO: OnceLock<Vec<u8>> = OnceLock::new();
    INFO.get_or_init(|| {
        let output = Command::new("cobc").arg("--info").output();
        output.map(|output| output.stdout).unwrap_or_default()
    })
}
