//! Resource definitions while the region runs: what CEDA reads, writes and installs.
//!
//! The decks of the user are read, never written; a change is a statement at the end of one deck of the
//! region's own, which counts after all others. Not here: the syntax (`transom_csd`), the screen
//! (`supplied::definition`).

use super::Inner;
use super::services::{Replier, lock};
use crate::definitions::{FileEntry, ProgramEntry, TransactionEntry};
use crate::requests::RegionAnswer;
use crate::supplied::definition_request::Request;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use transom_csd::{Csd, Definition, MAX_DECK_BYTES, ResourceKind, Severity};
use transom_types::Resp;

/// Lines of one answer.
const LINES_MAX: usize = 300;

/// A definition ready to be installed.
#[derive(Debug, Clone)]
pub enum Installable {
    /// PROGRAM; the region finds its module.
    Program(ProgramEntry),
    /// TRANSACTION.
    Transaction(TransactionEntry),
}

/// Makes a PROGRAM or TRANSACTION of its definition.
pub type Convert = fn(&Definition) -> Result<Option<Installable>, String>;

/// Decks of a region.
#[derive(Debug, Clone, Default)]
pub struct CsdConfig {
    /// Decks in the order in which they count.
    pub decks: Vec<PathBuf>,
    /// The deck that CEDA writes; `None`: definitions cannot be changed. It counts after the others.
    pub local: Option<PathBuf>,
    /// Makes a PROGRAM or TRANSACTION of its definition; `None` answers: of another region.
    pub convert: Option<Convert>,
}

/// State of the service.
#[derive(Default)]
pub(crate) struct DefinitionFile {
    config: OnceLock<CsdConfig>,
    /// One writer at a time.
    writing: Mutex<()>,
}

impl DefinitionFile {
    /// Takes the configuration; later calls change nothing.
    pub(super) fn open(&self, config: CsdConfig) {
        let _once = self.config.set(config);
    }
}

/// Answers a worker. Decks are read on a thread that may wait for the disk.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    let Some(request) = Request::decode(request) else {
        let text = "TXMEI0004E the request is damaged";
        return replier.answer(&RegionAnswer::refused(Resp::INVREQ, 0, text));
    };
    let region = inner.clone();
    replier.answer_with(inner, async move {
        let done = tokio::task::spawn_blocking(move || run(&region, &request)).await;
        match done {
            Ok(Ok(lines)) => RegionAnswer::with_data(lines.join("\n").into_bytes()),
            Ok(Err(text)) => RegionAnswer::refused(Resp::INVREQ, 1, text),
            Err(_) => RegionAnswer::refused(Resp::INVREQ, 2, "TXMAM0001E the decks cannot be read"),
        }
    });
}

fn run(inner: &Inner, request: &Request) -> Result<Vec<String>, String> {
    let service = &inner.services.csd;
    let config = service
        .config
        .get()
        .ok_or("TXMAM0002E the region has no decks")?;
    let mut lines = match request {
        Request::Change(statement) => {
            let _one = lock(&service.writing);
            change(config, statement)?
        }
        Request::Show(wanted) => {
            let csd = read(config)?;
            let shown = |d: &Definition| {
                let text = d.get("DESCRIPTION").unwrap_or("");
                let kind = d.kind.keyword();
                format!("{:8} {kind:12} {:16} {text}", d.name, d.group)
            };
            selected(&csd, wanted).map(shown).collect()
        }
        Request::View(wanted) => {
            let csd = read(config)?;
            let texts = selected(&csd, wanted).map(transom_csd::write_definition);
            let texts: Vec<String> = texts.take(LINES_MAX).collect();
            texts
                .iter()
                .flat_map(|text| text.lines().map(str::to_owned))
                .collect()
        }
        Request::Install(wanted) => install(inner, config, wanted, true)?,
        Request::Check(wanted) => install(inner, config, wanted, false)?,
    };
    lines.truncate(LINES_MAX);
    if lines.is_empty() {
        return Err("TXMAM0003I nothing was found".into());
    }
    Ok(lines)
}

fn selected<'a>(
    csd: &'a Csd,
    wanted: &'a crate::supplied::definition_request::Wanted,
) -> impl Iterator<Item = &'a Definition> {
    let groups = csd.groups().filter(|group| wanted.group_fits(group));
    let all = groups.flat_map(|group| csd.group(group).unwrap_or_default());
    all.filter(|d| wanted.fits(d.kind.keyword(), &d.name))
}

/// All decks, the region's own last.
fn read(config: &CsdConfig) -> Result<Csd, String> {
    let mut csd = Csd::new();
    let others = config
        .decks
        .iter()
        .filter(|deck| Some(*deck) != config.local.as_ref());
    for deck in others.chain(config.local.iter().filter(|local| local.exists())) {
        let bytes = fs::read(deck)
            .map_err(|e| format!("TXMAM0004E {} cannot be read: {e}", deck.display()))?;
        if bytes.len() > MAX_DECK_BYTES {
            return Err(format!(
                "TXMAM0004E {} cannot be read: too large",
                deck.display()
            ));
        }
        // What is wrong in a deck was said when the region started.
        csd.parse_deck(
            &deck.display().to_string(),
            &String::from_utf8_lossy(&bytes),
        );
    }
    Ok(csd)
}

/// Tries a statement on the decks, then writes it.
fn change(config: &CsdConfig, statement: &str) -> Result<Vec<String>, String> {
    let Some(local) = &config.local else {
        return Err("TXMAM0005E this region has no deck that CEDA may write".into());
    };
    let mut csd = read(config)?;
    let problems = csd.parse_deck("CEDA", statement);
    let texts: Vec<String> = problems
        .iter()
        .map(|p| format!("{} {}", p.id, p.text))
        .collect();
    if problems.iter().any(|p| p.severity() == Severity::Error) {
        return Err(texts.join("\n"));
    }
    let written = || -> std::io::Result<()> {
        if let Some(folder) = local.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(local)?;
        file.write_all(format!("{}\n", statement.trim_end()).as_bytes())?;
        file.sync_all()
    };
    written().map_err(|e| format!("TXMAM0006E {} cannot be written: {e}", local.display()))?;
    let mut lines = vec!["TXMAM0007I the definition was changed".to_owned()];
    lines.extend(texts);
    Ok(lines)
}

/// Installs definitions, or only tells what would not install.
fn install(
    inner: &Inner,
    config: &CsdConfig,
    wanted: &crate::supplied::definition_request::Wanted,
    really: bool,
) -> Result<Vec<String>, String> {
    let csd = read(config)?;
    let mut lines = Vec::new();
    for definition in selected(&csd, wanted) {
        let kind = definition.kind.keyword();
        let name = &definition.name;
        let installed = match one(inner, config, definition, really) {
            Ok(true) if really => format!("{kind}({name}) TXMAM0008I installed"),
            Ok(true) => format!("{kind}({name}) TXMAM0009I can be installed"),
            Ok(false) => format!("{kind}({name}) TXMAM0010W takes effect at the next start"),
            Err(text) => format!("{kind}({name}) {text}"),
        };
        lines.push(installed);
    }
    Ok(lines)
}

fn one(
    inner: &Inner,
    config: &CsdConfig,
    definition: &Definition,
    really: bool,
) -> Result<bool, String> {
    let shared = inner.pool.shared();
    let stored = |done: bool| match done {
        true => Ok(true),
        false => Err("TXMSM0001E shared storage is full".to_owned()),
    };
    let wrong = |text: String| format!("TXMAM0011E cannot be installed: {text}");
    if definition.kind == ResourceKind::File {
        let file = FileEntry::from_definition(definition).map_err(wrong)?;
        if really {
            file.warning().iter().for_each(|text| inner.say(text));
            let said = inner
                .services
                .files
                .install(std::slice::from_ref(&file), shared);
            return said.into_iter().next().map_or(Ok(true), Err);
        }
        return Ok(true);
    }
    let Some(convert) = config.convert else {
        return Ok(false);
    };
    match convert(definition).map_err(wrong)? {
        None => Ok(false),
        Some(_) if !really => Ok(true),
        Some(Installable::Transaction(entry)) => stored(entry.install(shared)),
        Some(Installable::Program(mut entry)) => {
            entry.path = inner
                .resources
                .newest_module(entry.program)
                .unwrap_or_default();
            stored(entry.install(shared))
        }
    }
}
