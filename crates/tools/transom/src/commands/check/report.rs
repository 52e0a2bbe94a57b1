//! What a system directory holds and what of it can run.
//!
//! Not here: laying it out.

use super::files::{DataSets, DataState};
use crate::system::build::Outcome;
use crate::system::decks::{Decks, There, transactions, without_effect};
use crate::system::gateway::Operation;
use std::collections::{BTreeMap, HashMap, HashSet};
use transom_csd::ResourceKind;
use transom_system::report::{Facility, SourceState};
use transom_types::ProgramName;
use transom_wire::definitions::Entry;

/// The sum of a system directory.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) programs: Programs,
    pub(super) maps: Maps,
    pub(super) files: Vec<FileRow>,
    pub(super) transactions: Transactions,
    pub(super) apis: Vec<ApiRow>,
    /// Command, or command and option, with the programs that use it and how often.
    pub(super) invreq: BTreeMap<String, Vec<(String, usize)>>,
    /// Kind and names.
    pub(super) without_effect: Vec<(&'static str, Vec<String>)>,
}

/// Names of programs, sorted.
#[derive(Debug, Default)]
pub(super) struct Programs {
    pub(super) ready: Vec<String>,
    pub(super) needs: BTreeMap<Facility, Vec<String>>,
    pub(super) failed: Vec<String>,
    /// Defined, and there is nothing of the name.
    pub(super) without_source: Vec<String>,
    /// Sources without a program in them.
    pub(super) copybooks: Vec<String>,
}

/// Names of mapsets, sorted.
#[derive(Debug, Default)]
pub(super) struct Maps {
    pub(super) ready: Vec<String>,
    pub(super) without_source: Vec<String>,
}

/// A FILE definition.
#[derive(Debug)]
pub(super) struct FileRow {
    pub(super) file: String,
    pub(super) dsname: String,
    pub(super) state: DataState,
}

/// Transactions of the decks, sorted.
#[derive(Debug, Default)]
pub(super) struct Transactions {
    /// Their first program is there.
    pub(super) start: Vec<String>,
    /// Transaction, program, and why it is not there.
    pub(super) cannot: Vec<(String, String, String)>,
}

/// An operation of an API.
#[derive(Debug)]
pub(super) struct ApiRow {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) program: String,
    /// Why the program is not there; none when it is.
    pub(super) why_not: Option<String>,
}

impl Report {
    pub(super) fn of(
        outcome: &Outcome,
        decks: &Decks,
        operations: &[Operation],
        data: &DataSets,
        sysid: &str,
    ) -> Self {
        let there = There(outcome);
        let mut report = Self {
            programs: programs(outcome),
            files: files(decks, data),
            ..Self::default()
        };
        let missing = there.programs_without_source(&decks.definitions);
        report.programs.without_source = sorted(missing);
        report.maps.ready = sorted(&outcome.mapsets);
        report.maps.without_source = sorted(there.mapsets_without_source(&decks.defined));
        report.transactions = starting(decks, &there, sysid);
        report.apis = operations
            .iter()
            .map(|operation| ApiRow {
                method: operation.method.clone(),
                path: operation.path.clone(),
                program: operation.program.to_string(),
                why_not: there
                    .why_not(operation.program.as_str())
                    .map(|w| w.to_string()),
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
    pub(super) fn is_whole(&self) -> bool {
        let programs = &self.programs;
        programs.needs.is_empty()
            && programs.failed.is_empty()
            && programs.without_source.is_empty()
            && self.maps.without_source.is_empty()
            && self.files.iter().all(|row| row.state.is_there())
            && self.transactions.cannot.is_empty()
            && self.apis.iter().all(|row| row.why_not.is_none())
            && self.invreq.is_empty()
            && self.without_effect.is_empty()
    }
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
    let mut all = Transactions::default();
    for transaction in transactions(&decks.definitions) {
        let (name, program) = (transaction.transid, transaction.program);
        let why_not = match remote.get(name.as_str()) {
            Some(system) => Some(format!("belongs to the system {system}")),
            None if !transaction.enabled => Some("is disabled".to_owned()),
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
