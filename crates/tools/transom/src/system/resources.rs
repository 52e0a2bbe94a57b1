//! Resource definitions of a system directory: decks in, what a region installs out.

use super::{Finding, SystemDirectory, devices, read_text};
use std::path::Path;
use transom_csd::{Concurrency as DefConcurrency, ExecKey, ExecutionSet, Language as DefLanguage};
use transom_csd::{
    Csd, Definition, ProgramDef, ResourceKind, Runaway, Severity, TranclassDef, TransactionDef,
};
use transom_messages as messages;
use transom_region_server::{ClassLimit, Installable};
use transom_types::{ProgramName, SysId, TransClass, TransId};
use transom_wire::definitions::{
    Concurrency, FileEntry, JournalModel, Language, ProfileEntry, ProgramEntry, TdQueueEntry,
    TerminalDefinition, TransactionEntry, TsModelEntry, td_queue, ts_model,
};

/// What the decks define and this region uses.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    pub(crate) programs: Vec<ProgramEntry>,
    pub(crate) transactions: Vec<TransactionEntry>,
    pub(crate) classes: Vec<ClassLimit>,
    pub(crate) files: Vec<FileEntry>,
    pub(crate) td_queues: Vec<TdQueueEntry>,
    pub(crate) ts_models: Vec<TsModelEntry>,
    pub(crate) journal_models: Vec<JournalModel>,
    pub(crate) terminals: Vec<TerminalDefinition>,
    pub(crate) profiles: Vec<ProfileEntry>,
    /// Attention identifiers that start a transaction.
    pub(crate) keys: Vec<(u8, TransId)>,
}

/// Reads all decks and picks what GRPLIST installs.
pub(crate) fn read(system: &SystemDirectory) -> (Resources, Vec<Finding>) {
    let mut csd = Csd::new();
    let mut findings = Vec::new();
    for deck in &system.decks {
        let name = system.shown(deck);
        match read_text(deck) {
            Ok(text) => findings.extend(csd.parse_deck(&name, &text).iter().map(|p| Finding {
                is_error: p.severity() == Severity::Error,
                text: format!("{}:{}: {} {}", p.deck, p.line, p.id, p.text),
            })),
            Err(error) => findings.push(Finding::error(error)),
        }
    }
    let lists = &system.settings.region.grplist;
    let known: Vec<&str> = lists
        .iter()
        .map(String::as_str)
        .filter(|name| !transom_csd::is_supplied(name) || csd.list(name).is_some())
        .collect();
    let installed = if known.is_empty() {
        Ok(csd.install_all())
    } else {
        csd.install(&known)
    };
    let definitions = installed.unwrap_or_else(|error| {
        findings.push(Finding::error(messages::si::grplist(&error)));
        Vec::new()
    });
    let mut resources = Resources::default();
    for definition in &definitions {
        match take(definition, &definitions, &mut resources) {
            Ok(None) => {}
            Ok(Some(notice)) => findings.push(Finding::notice(notice)),
            Err(text) => findings.push(Finding::error(text)),
        }
    }
    (resources, findings)
}

/// Programs that transactions name and nobody has.
pub(crate) fn missing_programs(resources: &Resources, compiled: &[String]) -> Vec<Finding> {
    // First programs of mirrors and of supplied transactions are part of the region.
    let supplied = |name: &str| name.starts_with("DFH");
    let have = |name: &str| compiled.iter().any(|p| p.eq_ignore_ascii_case(name));
    let of_programs = resources
        .programs
        .iter()
        .filter(|p| {
            p.remote_system.is_blank()
                && matches!(p.language, Language::Cobol | Language::NotDefined)
        })
        .filter(|p| !have(p.program.as_str()) && !supplied(p.program.as_str()))
        .map(|p| messages::si::program_without_source(p.program).to_string());
    let of_transactions = resources
        .transactions
        .iter()
        .filter(|t| !have(t.program.as_str()) && !supplied(t.program.as_str()))
        .map(|t| messages::si::transaction_without_source(t.transid, t.program).to_string());
    of_programs
        .chain(of_transactions)
        .map(Finding::notice)
        .collect()
}

/// Installs one definition; answers what cannot be done with it.
fn take(
    definition: &Definition,
    all: &[Definition],
    resources: &mut Resources,
) -> Result<Option<String>, String> {
    let place = |text: String| {
        let message = messages::si::definition_not_usable(&definition.name, text);
        format!("{}:{}: {message}", definition.deck, definition.line)
    };
    let wrong = |e: transom_csd::DefError| place(e.to_string());
    match definition.kind {
        ResourceKind::Program => {
            resources.programs.push(program(
                &ProgramDef::from_definition(definition).map_err(wrong)?,
            ));
        }
        ResourceKind::Transaction => {
            let def = TransactionDef::from_definition(definition).map_err(wrong)?;
            resources.transactions.extend(transaction(&def));
            match devices::key(definition) {
                Some(Ok(key)) => resources.keys.push(key),
                Some(Err(notice)) => return Ok(Some(notice)),
                None => {}
            }
        }
        ResourceKind::TranClass => {
            resources.classes.push(class(definition).map_err(wrong)?);
        }
        ResourceKind::File => resources
            .files
            .push(FileEntry::from_definition(definition).map_err(place)?),
        ResourceKind::TdQueue => resources.td_queues.push(td_queue(definition)),
        ResourceKind::TsModel => resources.ts_models.extend(ts_model(definition)),
        ResourceKind::JournalModel => resources
            .journal_models
            .push(JournalModel::from_definition(definition)),
        ResourceKind::Terminal => resources
            .terminals
            .extend(devices::terminal(definition, all)),
        ResourceKind::Profile => resources.profiles.push(devices::profile(definition)),
        // Kinds that doors and later domains use are kept in the deck and need nothing here.
        _ => {}
    }
    Ok(None)
}

/// What CEDA INSTALL makes of a definition while the region runs; `None`: nothing.
pub(crate) fn installable(definition: &Definition) -> Result<Option<Installable>, String> {
    match definition.kind {
        ResourceKind::Program => {
            let def = ProgramDef::from_definition(definition).map_err(|e| e.to_string())?;
            Ok(Some(Installable::Program(program(&def))))
        }
        ResourceKind::Transaction => {
            let def = TransactionDef::from_definition(definition).map_err(|e| e.to_string())?;
            Ok(transaction(&def).map(Installable::Transaction))
        }
        ResourceKind::TranClass => class(definition)
            .map(|class| Some(Installable::Class(class)))
            .map_err(|e| e.to_string()),
        ResourceKind::TdQueue => Ok(Some(Installable::TdQueue(td_queue(definition)))),
        ResourceKind::TsModel => Ok(Some(Installable::TsModels(
            ts_model(definition).into_iter().collect(),
        ))),
        ResourceKind::Profile => Ok(Some(Installable::Profile(devices::profile(definition)))),
        // Maps and pools need no definition here; the rest of these have no counterpart.
        ResourceKind::MapSet
        | ResourceKind::LsrPool
        | ResourceKind::EnqModel
        | ResourceKind::Library
        | ResourceKind::PartitionSet => Ok(Some(Installable::Accepted)),
        // Read when the region starts.
        ResourceKind::Terminal | ResourceKind::TypeTerm | ResourceKind::JournalModel => Ok(None),
        kind => Err(format!(
            "this region has nothing of the kind {}",
            kind.keyword()
        )),
    }
}

fn class(definition: &Definition) -> Result<ClassLimit, transom_csd::DefError> {
    let def = TranclassDef::from_definition(definition)?;
    Ok(ClassLimit {
        name: def.name,
        max_active: def.max_active,
        purge_threshold: def.purge_thresh.unwrap_or(0),
    })
}

fn program(def: &ProgramDef) -> ProgramEntry {
    let mut entry = ProgramEntry::new(def.name, "");
    entry.language = match def.language {
        DefLanguage::Deduced | DefLanguage::Le370 => Language::NotDefined,
        DefLanguage::Assembler => Language::Assembler,
        DefLanguage::C => Language::C,
        DefLanguage::Cobol => Language::Cobol,
        DefLanguage::Pli => Language::Pli,
        DefLanguage::Java => Language::Java,
    };
    entry.concurrency = match def.concurrency {
        DefConcurrency::Quasirent => Concurrency::Quasirent,
        DefConcurrency::Threadsafe => Concurrency::Threadsafe,
        DefConcurrency::Required => Concurrency::Required,
    };
    entry.enabled = def.enabled;
    entry.resident = def.resident;
    entry.cedf = def.cedf;
    entry.data_any = def.data_any;
    entry.cics_key = def.exec_key == ExecKey::Cics;
    entry.openapi = def.api == transom_csd::Api::Open;
    entry.dpl_subset = def.execution_set == ExecutionSet::DplSubset;
    entry.dynamic = def.dynamic;
    entry.reload = def.reload;
    entry.remote_system = def.remote_system.unwrap_or(SysId::BLANK);
    entry.remote_name = def.remote_name.unwrap_or(ProgramName::BLANK);
    entry.transid = def.transid.unwrap_or(TransId::BLANK);
    entry
}

/// `None` for a transaction of another region: it has no first program here.
fn transaction(def: &TransactionDef) -> Option<TransactionEntry> {
    let mut entry = TransactionEntry::new(def.transid, def.program?);
    entry.class = def.tranclass.unwrap_or(TransClass::BLANK);
    entry.profile = ProgramName::from_field(def.profile.as_bytes());
    entry.enabled = def.enabled;
    entry.priority = def.priority;
    entry.twa_bytes = u32::from(def.twa_size);
    entry.dtimout_ms = def.dtimout_s.map_or(0, |s| u64::from(s) * 1000);
    entry.runaway_ms = match def.runaway {
        Runaway::System => None,
        Runaway::Millis(ms) => Some(u64::from(ms)),
    };
    entry.dump = def.dump;
    entry.trace = def.trace;
    entry.spurge = def.spurge;
    entry.tpurge = def.tpurge;
    entry.storage_clear = def.storage_clear;
    entry.isolate = def.isolate;
    entry.shutdown_enabled = def.at_shutdown;
    entry.cics_key = def.task_data_key == ExecKey::Cics;
    entry.data_any = def.task_data_any;
    entry.restart = def.restart;
    entry.cmdsec = def.cmdsec;
    entry.ressec = def.ressec;
    Some(entry)
}

/// Gives compiled modules to the definitions; programs without a definition are left to program
/// autoinstall.
pub(crate) fn attach_modules(resources: &mut Resources, modules: &[super::build::Module]) {
    for entry in &mut resources.programs {
        let module = modules
            .iter()
            .find(|m| m.program.eq_ignore_ascii_case(entry.program.as_str()));
        if let Some(path) = module.and_then(|m| real_path(&m.path)) {
            entry.path = path;
        }
    }
}

fn real_path(path: &Path) -> Option<String> {
    Some(path.canonicalize().ok()?.to_str()?.to_owned())
}
