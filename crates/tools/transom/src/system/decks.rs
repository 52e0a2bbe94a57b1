//! The decks of a system directory: what GRPLIST installs, and programs nobody has.
//!
//! Not here: deck syntax (`transom_csd`), what a region makes of a definition
//! (`transom_region_server`).

use super::{Finding, SystemDirectory, read_text};
use std::path::Path;
use transom_csd::Csd;
use transom_messages as messages;
use transom_region_server::Definitions;
use transom_wire::definitions::{Entry, Language};

/// Reads all decks and picks what GRPLIST installs.
pub(crate) fn read(system: &SystemDirectory) -> (Definitions, Vec<Finding>) {
    let mut csd = Csd::new();
    let mut findings = Vec::new();
    for deck in &system.decks {
        let name = system.shown(deck);
        match read_text(deck) {
            Ok(text) => findings.extend(csd.parse_deck(&name, &text).iter().map(|p| Finding {
                is_error: p.is_error(),
                text: p.place_first().to_string(),
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
    let (taken, remarks) = Definitions::of(&definitions);
    findings.extend(remarks.into_iter().map(|remark| Finding {
        is_error: remark.is_error,
        text: remark.text,
    }));
    (taken, findings)
}

/// Programs that transactions name and nobody has.
pub(crate) fn missing_programs(definitions: &Definitions, compiled: &[String]) -> Vec<Finding> {
    // First programs of mirrors and of supplied transactions are part of the region.
    let supplied = |name: &str| name.starts_with("DFH");
    let have = |name: &str| compiled.iter().any(|p| p.eq_ignore_ascii_case(name));
    let entries = || definitions.entries.iter();
    let programs = entries().filter_map(|entry| match entry {
        Entry::Program(program) => Some(program),
        _ => None,
    });
    let transactions = entries().filter_map(|entry| match entry {
        Entry::Transaction(transaction) => Some(transaction),
        _ => None,
    });
    let of_programs = programs
        .filter(|p| {
            p.remote_system.is_blank()
                && matches!(p.language, Language::Cobol | Language::NotDefined)
        })
        .filter(|p| !have(p.program.as_str()) && !supplied(p.program.as_str()))
        .map(|p| messages::si::program_without_source(p.program).to_string());
    let of_transactions = transactions
        .filter(|t| !have(t.program.as_str()) && !supplied(t.program.as_str()))
        .map(|t| messages::si::transaction_without_source(t.transid, t.program).to_string());
    of_programs
        .chain(of_transactions)
        .map(Finding::notice)
        .collect()
}

/// Gives compiled modules to the definitions; programs without a definition are left to program
/// autoinstall.
pub(crate) fn attach_modules(definitions: &mut Definitions, modules: &[super::build::Module]) {
    for entry in &mut definitions.entries {
        let Entry::Program(entry) = entry else {
            continue;
        };
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
