//! The decks of a system directory: what GRPLIST installs, and programs nobody has.
//!
//! Not here: deck syntax (`formats/csd`), the record of a definition (`region/wire`), what a region
//! makes of it (`region/server`).

use crate::build::{Module, Outcome};
use crate::directory::SystemDirectory;
use crate::finding::Finding;
use crate::report::{Facility, SourceState};
use crate::source::{page, read_source};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::path::Path;
use transom_csd::{Csd, Definition, Effect, Installs, ResourceKind};
use transom_messages as messages;
use transom_types::ProgramName;
use transom_wire::definitions::{Definitions, Entry, Language, TransactionEntry};

/// What GRPLIST installs.
pub struct Decks {
    /// As a region starts with it.
    pub definitions: Definitions,
    /// As the decks have it.
    pub defined: Vec<Definition>,
    /// Messages, errors among them.
    pub findings: Vec<Finding>,
}

/// Reads all decks and picks what GRPLIST installs.
pub fn read(system: &SystemDirectory) -> Decks {
    let mut csd = Csd::new();
    let mut findings = Vec::new();
    let code_page = page(system.settings.cobol.source_codepage);
    for deck in &system.decks {
        let name = system.shown(deck);
        match read_source(deck, &name, code_page) {
            Ok((text, notice)) => {
                findings.extend(notice);
                let problems = csd.parse_deck(&name, &text);
                findings.extend(problems.iter().map(|p| Finding {
                    is_error: p.is_error(),
                    text: p.place_first().to_string(),
                }));
            }
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
    let defined = installed.unwrap_or_else(|error| {
        findings.push(Finding::error(messages::si::grplist(&error)));
        Vec::new()
    });
    let sysid = &system.settings.region.sysidnt;
    let (definitions, remarks) = Definitions::of(defined.clone(), sysid);
    findings.extend(remarks.into_iter().map(|remark| Finding {
        is_error: remark.is_error,
        text: remark.text,
    }));
    findings.extend(without_effect(&defined).into_iter().map(|(kind, names)| {
        let names = names.join(" ");
        Finding::notice(messages::si::kind_without_effect(kind.keyword(), names))
    }));
    Decks {
        definitions,
        defined,
        findings,
    }
}

/// Definitions of kinds that the region has nothing of, by kind.
pub fn without_effect(defined: &[Definition]) -> BTreeMap<ResourceKind, Vec<&str>> {
    let mut kinds: BTreeMap<ResourceKind, Vec<&str>> = BTreeMap::new();
    for definition in defined {
        // Mapsets are found by their names, defined or not.
        let nothing = match definition.kind.installs() {
            Installs::Refused => true,
            Installs::Accepted => definition.kind != ResourceKind::MapSet,
            Installs::Now | Installs::AtStart => false,
        };
        if nothing {
            kinds
                .entry(definition.kind)
                .or_default()
                .push(&definition.name);
        }
    }
    kinds
}

/// Attributes that decks give and that change nothing here, in one notice for each deck.
pub fn attributes_without_effect(decks: &Decks) -> Vec<Finding> {
    let mut of_decks: BTreeMap<&str, BTreeMap<ResourceKind, BTreeSet<&str>>> = BTreeMap::new();
    for definition in &decks.defined {
        let kind = definition.kind;
        // The others are named as a whole.
        if !matches!(kind.installs(), Installs::Now | Installs::AtStart) {
            continue;
        }
        for (keyword, value) in definition.attributes() {
            let attribute = kind.attributes().iter().find(|a| a.keyword == keyword);
            let idle = attribute.filter(|a| a.effect == Effect::Kept && a.default != value);
            if let Some(attribute) = idle {
                let kinds = of_decks.entry(&definition.deck).or_default();
                kinds.entry(kind).or_default().insert(attribute.keyword);
            }
        }
    }
    let notices = of_decks.into_iter().map(|(deck, kinds)| {
        let kinds = kinds.into_iter().map(|(kind, words)| {
            let words: Vec<&str> = words.into_iter().collect();
            format!("{} {}", kind.keyword(), words.join(" "))
        });
        let named = kinds.collect::<Vec<_>>().join("; ");
        Finding::notice(messages::si::attributes_without_effect(deck, named))
    });
    notices.collect()
}

/// Programs, mapsets and first programs of transactions that are not there.
pub fn missing(decks: &Decks, outcome: &Outcome) -> Vec<Finding> {
    let there = There::of(outcome);
    let mut found = Vec::new();
    for name in there.programs_without_source(&decks.definitions) {
        found.push(messages::si::program_without_source(name));
    }
    for name in there.mapsets_without_source(&decks.defined) {
        found.push(messages::si::mapset_without_source(name));
    }
    for transaction in transactions(&decks.definitions).filter(|t| !t.is_remote()) {
        let (transid, program) = (transaction.transid, transaction.program);
        found.extend(match there.why_not(program.as_str()) {
            None => None,
            Some(Why::NoSource) => Some(messages::si::transaction_without_source(transid, program)),
            Some(why) => Some(messages::si::transaction_cannot_start(
                transid, program, why,
            )),
        });
    }
    found.into_iter().map(Finding::notice).collect()
}

/// The transactions of a deck.
pub fn transactions(definitions: &Definitions) -> impl Iterator<Item = &TransactionEntry> {
    definitions.entries.iter().filter_map(|entry| match entry {
        Entry::Transaction(transaction) => Some(transaction),
        _ => None,
    })
}

/// Which programs and maps a build has found, their names in upper case.
pub struct There<'a> {
    outcome: &'a Outcome,
    programs: HashSet<String>,
    sources: HashMap<String, SourceState>,
    mapsets: HashSet<String>,
}

/// Why a program is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// There is nothing of its name.
    NoSource,
    /// Its source does not compile.
    Failed,
    /// It uses something that is not there.
    Needs(Facility),
}

/// A program with a source that gave no module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoModule {
    /// PROGRAM-ID, or the member's name.
    pub program: ProgramName,
    /// Its source, as messages name it.
    pub file: String,
    /// What it needs and is not there: `SQL`; otherwise it does not compile.
    pub needs: Option<&'static str>,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::NoSource => f.write_str("has no source"),
            Why::Failed => f.write_str("does not compile"),
            Why::Needs(facility) => write!(f, "needs {}", facility.name()),
        }
    }
}

impl<'a> There<'a> {
    /// Of a build.
    pub fn of(outcome: &'a Outcome) -> Self {
        let upper = |name: &String| name.to_ascii_uppercase();
        let mut sources = HashMap::new();
        for report in &outcome.reports {
            sources
                .entry(upper(&report.program))
                .or_insert(report.state);
        }
        let mapsets = outcome.mapsets.iter().chain(&outcome.labels);
        Self {
            outcome,
            programs: outcome.programs.iter().map(upper).collect(),
            sources,
            mapsets: mapsets.map(upper).collect(),
        }
    }

    /// Why the program cannot run; none when it can.
    pub fn why_not(&self, program: &str) -> Option<Why> {
        let name = program.to_ascii_uppercase();
        // First programs of mirrors and of supplied transactions are part of the region.
        if program.starts_with("DFH") || self.programs.contains(&name) {
            return None;
        }
        Some(match self.sources.get(&name) {
            Some(SourceState::Needs(facility)) => Why::Needs(*facility),
            Some(SourceState::Failed) => Why::Failed,
            _ => Why::NoSource,
        })
    }

    /// PROGRAM definitions that nothing is behind: no source, no mapset of the name.
    pub fn programs_without_source<'d>(&self, definitions: &'d Definitions) -> Vec<&'d str> {
        let programs = definitions.entries.iter().filter_map(|entry| match entry {
            Entry::Program(program) => Some(program),
            _ => None,
        });
        programs
            .filter(|p| {
                p.remote_system.is_blank()
                    && matches!(p.language, Language::Cobol | Language::NotDefined)
            })
            .map(|p| p.program.as_str())
            .filter(|name| !self.has_mapset(name) && self.why_not(name) == Some(Why::NoSource))
            .collect()
    }

    /// MAPSET definitions without a source.
    pub fn mapsets_without_source<'d>(&self, defined: &'d [Definition]) -> Vec<&'d str> {
        let mapsets = defined.iter().filter(|d| d.kind == ResourceKind::MapSet);
        let names = mapsets.map(|d| d.name.as_str());
        names.filter(|name| !self.has_mapset(name)).collect()
    }

    fn has_mapset(&self, name: &str) -> bool {
        self.mapsets.contains(&name.to_ascii_uppercase())
    }

    /// Programs with sources that have no modules.
    pub fn without_module(&self) -> impl Iterator<Item = NoModule> {
        self.outcome.reports.iter().filter_map(|report| {
            let needs = match report.state {
                SourceState::Needs(facility) => Some(facility.name()),
                SourceState::Failed => None,
                _ => return None,
            };
            Some(NoModule {
                program: ProgramName::new(&report.program).ok()?,
                file: report.file.clone(),
                needs,
            })
        })
    }
}

/// Gives compiled modules to the definitions; programs without a definition are left to program
/// autoinstall.
pub fn attach_modules(definitions: &mut Definitions, modules: &[Module]) {
    let mut of_programs = HashMap::new();
    for module in modules {
        let name = module.program.to_ascii_uppercase();
        of_programs.entry(name).or_insert(&module.path);
    }
    for entry in &mut definitions.entries {
        let Entry::Program(entry) = entry else {
            continue;
        };
        let module = of_programs.get(&entry.program.as_str().to_ascii_uppercase());
        if let Some(path) = module.and_then(|path| real_path(path)) {
            entry.path = path;
        }
    }
}

fn real_path(path: &Path) -> Option<String> {
    Some(path.canonicalize().ok()?.to_str()?.to_owned())
}
