//! Program list tables of a system directory: `plt/`, and what PLTPI and PLTSD name in it.
//!
//! Not here: the macros of a table (`formats/csd`), running its programs (`region/server`).

use crate::build::Outcome;
use crate::decks::There;
use crate::directory::{SystemDirectory, files, read_text};
use crate::finding::Finding;
use std::collections::BTreeMap;
use std::path::PathBuf;
use transom_csd::ProgramList;
use transom_messages as messages;

/// Files that are members of `plt/`.
const EXTENSIONS: &[&str] = &["plt", "asm", "hlasm", "mac", "txt", "jcl"];

/// What PLTPI and PLTSD name.
#[derive(Debug, Default)]
pub struct ProgramLists {
    /// PLTPI.
    pub initialization: Option<ProgramList>,
    /// PLTSD.
    pub shutdown: Option<ProgramList>,
    /// All members that are tables, by name: PERFORM SHUTDOWN can name another.
    pub tables: BTreeMap<String, ProgramList>,
}

/// Reads them; what is wrong with them are the findings.
pub fn read(system: &SystemDirectory) -> (ProgramLists, Vec<Finding>) {
    let sit = &system.settings.region;
    let mut findings = Vec::new();
    let mut table = |parameter, value: &str| {
        let member = ProgramList::member(value)?;
        match table_of(system, &member, &mut findings) {
            None => {
                let missing = messages::si::plt_missing(parameter, value, &member);
                findings.push(Finding::error(missing));
                None
            }
            found => found,
        }
    };
    let lists = ProgramLists {
        initialization: table("PLTPI", &sit.pltpi),
        shutdown: table("PLTSD", &sit.pltsd),
        tables: tables(system),
    };
    (lists, findings)
}

/// All members that are tables without a mistake: PERFORM SHUTDOWN can name any of them.
fn tables(system: &SystemDirectory) -> BTreeMap<String, ProgramList> {
    let members = files(&system.root.join("plt"), EXTENSIONS);
    let names = members.iter().filter_map(|path| path.file_stem()?.to_str());
    let table = |name: &str| {
        let mut wrong = Vec::new();
        let found = table_of(system, name, &mut wrong);
        found.filter(|_| wrong.is_empty())
    };
    let found = names.filter_map(|name| Some((name.to_ascii_uppercase(), table(name)?)));
    found.collect()
}

/// Programs of the tables that a build has not found.
pub fn missing(system: &SystemDirectory, lists: &ProgramLists, outcome: &Outcome) -> Vec<Finding> {
    let (sit, there) = (&system.settings.region, There::of(outcome));
    let tables = [
        ("PLTPI", &sit.pltpi, &lists.initialization),
        ("PLTSD", &sit.pltsd, &lists.shutdown),
    ];
    let mut found = Vec::new();
    for (parameter, value, list) in tables {
        let (Some(list), Some(member)) = (list, ProgramList::member(value)) else {
            continue;
        };
        found.extend(list.programs().filter_map(|program| {
            let why = there.why_not(program.as_str())?;
            let told = messages::si::plt_without_program(parameter, program, &member, why);
            Some(Finding::notice(told))
        }));
    }
    found
}

/// The programs of a member; `None`: there is no such member.
fn table_of(
    system: &SystemDirectory,
    member: &str,
    findings: &mut Vec<Finding>,
) -> Option<ProgramList> {
    let path = path_of(system, member)?;
    let text = match read_text(&path) {
        Ok(text) => text,
        Err(error) => {
            findings.push(Finding::error(error));
            return Some(ProgramList::default());
        }
    };
    let copied = |name: &str| {
        let path = path_of(system, name)?;
        Some((system.shown(&path), read_text(&path).ok()?))
    };
    let (list, problems) = ProgramList::read(&system.shown(&path), &text, &copied);
    let told = problems.iter().map(|p| p.place_first().to_string());
    findings.extend(told.map(Finding::error));
    Some(list)
}

fn path_of(system: &SystemDirectory, member: &str) -> Option<PathBuf> {
    let members = files(&system.root.join("plt"), EXTENSIONS);
    members.into_iter().find(|path| {
        let name = path.file_stem().and_then(|name| name.to_str());
        name.is_some_and(|name| name.eq_ignore_ascii_case(member))
    })
}
