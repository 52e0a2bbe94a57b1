//! What a system directory holds and what of it can run.
//!
//! Not here: laying it out.

use crate::archives::{Behind, Operation};
use crate::files::{DataSets, DataState};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use transom_bms::PhysicalMapset;
use transom_csd::ResourceKind;
use transom_system::build::Outcome;
use transom_system::decks::{Decks, There, transactions, without_effect};
use transom_system::report::{Facility, Name, SourceState};
use transom_types::ProgramName;
use transom_wire::definitions::Entry;

/// The region a system directory is for.
pub(crate) struct Region<'a> {
    pub(crate) sysid: &'a str,
    /// Folder of compiled maps.
    pub(crate) maps: &'a Path,
    /// Whether a transaction is one of the region itself.
    pub(crate) supplied: &'a dyn Fn(&str) -> bool,
}

/// The sum of a system directory.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) programs: Programs,
    pub(crate) maps: Maps,
    pub(crate) files: Vec<FileRow>,
    pub(crate) transactions: Transactions,
    pub(crate) apis: Vec<ApiRow>,
    /// Command, or command and option, with the programs that use it and how often.
    pub(crate) invreq: BTreeMap<String, Vec<(String, usize)>>,
    /// What programs name by literals and is not there.
    pub(crate) unknown: Vec<Unknown>,
    /// Kind and names.
    pub(crate) without_effect: Vec<(&'static str, Vec<String>)>,
}

/// A name in programs that nothing is behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unknown {
    /// `PROGRAM(PAY)`.
    pub(crate) what: String,
    /// Why it is not there.
    pub(crate) why: String,
    /// Programs that name it.
    pub(crate) users: Vec<String>,
}

/// Names of programs, sorted.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    pub(crate) ready: Vec<String>,
    pub(crate) needs: BTreeMap<Facility, Vec<String>>,
    pub(crate) failed: Vec<String>,
    /// Defined, and there is nothing of the name.
    pub(crate) without_source: Vec<String>,
    /// Sources without a program in them.
    pub(crate) copybooks: Vec<String>,
}

/// Names of mapsets, sorted.
#[derive(Debug, Default)]
pub(crate) struct Maps {
    pub(crate) ready: Vec<String>,
    pub(crate) without_source: Vec<String>,
}

/// A FILE definition.
#[derive(Debug)]
pub(crate) struct FileRow {
    pub(crate) file: String,
    pub(crate) dsname: String,
    pub(crate) state: DataState,
}

/// Transactions of the decks, sorted.
#[derive(Debug, Default)]
pub(crate) struct Transactions {
    /// Their first program is there.
    pub(crate) start: Vec<String>,
    /// Transaction, program, and why it is not there.
    pub(crate) cannot: Vec<(String, String, String)>,
}

/// An operation of an API.
#[derive(Debug)]
pub(crate) struct ApiRow {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) program: String,
    /// Why the program is not there; none when it is.
    pub(crate) why_not: Option<String>,
}

impl Report {
    pub(crate) fn of(
        outcome: &Outcome,
        decks: &Decks,
        operations: &[Operation],
        data: &DataSets,
        region: &Region<'_>,
    ) -> Self {
        let there = There::of(outcome);
        let mut report = Self {
            programs: programs(outcome),
            files: files(decks, data),
            ..Self::default()
        };
        let missing = there.programs_without_source(&decks.definitions);
        report.programs.without_source = sorted(missing);
        report.maps.ready = sorted(&outcome.mapsets);
        report.maps.without_source = sorted(there.mapsets_without_source(&decks.defined));
        report.transactions = starting(decks, &there, region.sysid);
        report.unknown = unknown(outcome, decks, region);
        report.apis = operations
            .iter()
            .map(|operation| ApiRow {
                method: operation.method.clone(),
                path: operation.path.clone(),
                program: match &operation.behind {
                    Behind::Program(program) => program.to_string(),
                    Behind::Call(uri) => uri.clone(),
                },
                why_not: match &operation.behind {
                    Behind::Program(program) => {
                        there.why_not(program.as_str()).map(|why| why.to_string())
                    }
                    Behind::Call(_) => None,
                },
            })
            .collect();
        for source in &outcome.reports {
            for (what, uses) in &source.invreq {
                let rows = report.invreq.entry(what.clone()).or_default();
                rows.push((source.program.clone(), *uses));
            }
        }
        let nothing = without_effect(&decks.defined);
        report.without_effect = nothing
            .into_iter()
            .map(|(kind, names)| (kind.keyword(), sorted(names)))
            .collect();
        report
    }

    /// Nothing that was defined, used or deployed is missing.
    pub(crate) fn is_whole(&self) -> bool {
        let programs = &self.programs;
        programs.needs.is_empty()
            && programs.failed.is_empty()
            && programs.without_source.is_empty()
            && self.maps.without_source.is_empty()
            && self.files.iter().all(|row| row.state.is_there())
            && self.transactions.cannot.is_empty()
            && self.apis.iter().all(|row| row.why_not.is_none())
            && self.invreq.is_empty()
            && self.unknown.is_empty()
            && self.without_effect.is_empty()
    }
}

/// Names in commands of programs that compile, and nothing of the name.
fn unknown(outcome: &Outcome, decks: &Decks, region: &Region<'_>) -> Vec<Unknown> {
    let there = There::of(outcome);
    let defined: HashSet<(ResourceKind, &str)> = decks
        .defined
        .iter()
        .map(|d| (d.kind, d.name.as_str()))
        .collect();
    let mut users: BTreeMap<&Name, Vec<String>> = BTreeMap::new();
    let ready = outcome.reports.iter();
    for source in ready.filter(|source| source.state == SourceState::Ready) {
        for name in &source.names {
            users.entry(name).or_default().push(source.program.clone());
        }
    }
    let mut rows = Vec::new();
    for (name, users) in users {
        let (what, why) = match name {
            Name::Program(program) => {
                let why = there.why_not(program).map(|why| why.to_string());
                (format!("PROGRAM({program})"), why)
            }
            Name::File(file) => {
                let known = defined.contains(&(ResourceKind::File, file));
                let why = (!known).then(|| "is not defined".to_owned());
                (format!("FILE({file})"), why)
            }
            Name::Transaction(transid) => {
                let known = defined.contains(&(ResourceKind::Transaction, transid));
                let known = known || (region.supplied)(transid);
                let why = (!known).then(|| "is not defined".to_owned());
                (format!("TRANSID({transid})"), why)
            }
            Name::Map(mapset, map) => {
                let why = map_missing(region.maps, mapset, map);
                (format!("MAP({map}) MAPSET({mapset})"), why)
            }
        };
        if let Some(why) = why {
            rows.push(Unknown { what, why, users });
        }
    }
    rows
}

/// Why there is no such map; a mapset may be there in a version for one kind of terminal only.
fn map_missing(folder: &Path, mapset: &str, map: &str) -> Option<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = false;
    for path in entries.map(|entry| entry.path()) {
        let stem = path
            .file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default();
        let version = stem
            .strip_prefix(mapset)
            .is_some_and(|rest| rest.len() <= 1);
        if !version || path.extension().is_none_or(|e| e != "map") {
            continue;
        }
        let read = std::fs::read(&path).ok();
        let Some(read) = read.and_then(|bytes| PhysicalMapset::from_bytes(&bytes).ok()) else {
            continue;
        };
        found = true;
        if read.maps.iter().any(|m| m.name.eq_ignore_ascii_case(map)) {
            return None;
        }
    }
    Some(match found {
        true => "the mapset has no such map".to_owned(),
        false => "has no source".to_owned(),
    })
}

/// Which transactions can start in the region `sysid`.
fn starting(decks: &Decks, there: &There<'_>, sysid: &str) -> Transactions {
    let entries = || decks.definitions.entries.iter();
    let disabled: HashSet<ProgramName> = entries()
        .filter_map(|entry| match entry {
            Entry::Program(program) if !program.enabled => Some(program.program),
            _ => None,
        })
        .collect();
    let remote: HashMap<&str, &str> = decks
        .defined
        .iter()
        .filter(|d| d.kind == ResourceKind::Transaction)
        .filter_map(|d| Some((d.name.as_str(), d.given("REMOTESYSTEM")?)))
        .filter(|(_, system)| *system != sysid)
        .collect();
    // Definitions that cannot be installed are none of these.
    let connections: HashSet<String> = entries()
        .filter_map(|entry| match entry {
            Entry::Connection(link) => Some(link.name.to_string()),
            Entry::IpConn(link) => Some(String::from_utf8_lossy(&link.name).trim_end().to_owned()),
            _ => None,
        })
        .collect();
    let mut all = Transactions::default();
    for transaction in transactions(&decks.definitions) {
        let (name, program) = (transaction.transid, transaction.program);
        let why_not = match remote.get(name.as_str()) {
            Some(system) if connections.contains(*system) => None,
            Some(system) => Some(format!(
                "belongs to the system {system}, which is not linked"
            )),
            None if !transaction.enabled => Some("is disabled".to_owned()),
            // A routing program says where, or the definition.
            None if transaction.dynamic && program.is_blank() => None,
            None => match there.why_not(program.as_str()) {
                Some(why) => Some(format!("starts {program}, which {why}")),
                None if disabled.contains(&program) => {
                    Some(format!("starts {program}, which is disabled"))
                }
                None => None,
            },
        };
        match why_not {
            None => all.start.push(name.to_string()),
            Some(why) => {
                let row = (name.to_string(), program.to_string(), why);
                all.cannot.push(row);
            }
        }
    }
    all.start.sort();
    all.cannot.sort();
    all
}

fn programs(outcome: &Outcome) -> Programs {
    let mut programs = Programs::default();
    for source in &outcome.reports {
        let name = source.program.clone();
        match source.state {
            SourceState::Ready => programs.ready.push(name),
            SourceState::Needs(facility) => {
                programs.needs.entry(facility).or_default().push(name);
            }
            SourceState::Failed => programs.failed.push(name),
            SourceState::NoProgram => programs.copybooks.push(source.file.clone()),
        }
    }
    programs.ready.sort();
    programs.needs.values_mut().for_each(|names| names.sort());
    programs.failed.sort();
    programs
}

fn files(decks: &Decks, data: &DataSets) -> Vec<FileRow> {
    let entries = decks.definitions.entries.iter();
    let files = entries.filter_map(|entry| match entry {
        Entry::File(file) => Some(file),
        _ => None,
    });
    let mut rows: Vec<FileRow> = files
        .map(|file| FileRow {
            file: file.name.to_string(),
            dsname: file.dsname.clone(),
            state: match file.remote_system.is_blank() {
                true => data.state(&file.dsname),
                false => DataState::Remote(file.remote_system.to_string()),
            },
        })
        .collect();
    rows.sort_by(|a, b| a.file.cmp(&b.file));
    rows
}

fn sorted<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().map(|n| n.as_ref().to_owned()).collect();
    names.sort();
    names.dedup();
    names
}
