//! `transom check`: everything that would not work, before anything runs, and what is there.
//!
//! What: [`check`] looks at a system directory and what a build found in it, and answers findings
//! and one table of the whole, for people or as JSON. Reading order: this file, `report`, `table`.
//! Why a room: it is about everything a region is made of and starts none of it. Not here: the
//! command line, reading server.xml into a gateway and opening the store, which are handed in
//! ([`Around`]).

#![forbid(unsafe_code)]

mod archives;
mod files;
mod json;
mod places;
mod ports;
mod recovery;
mod report;
mod services;
mod table;

pub use archives::Archives;
pub use files::OpenStore;
pub use ports::Listener;

use files::DataSets;
use report::Report;
use std::path::PathBuf;
use transom_copybook::CodePage;
use transom_system::build::Outcome;
use transom_system::{Finding, SystemDirectory, control_table, decks, program_lists};

/// What is known of a system directory by those who start its parts.
pub struct Around<'a> {
    /// Findings that come first: those of transom.toml.
    pub found: Vec<Finding>,
    /// A listener that a start would refuse.
    pub refused: Option<Finding>,
    /// Ports of the gateway.
    pub listeners: Vec<Listener>,
    /// What server.xml names; an error: why it cannot be used.
    pub gateway: Result<Option<Archives>, String>,
    /// Opens the record store that is there, to look at it.
    pub store: &'a OpenStore<'a>,
    /// Whether a transaction is one of the region itself.
    pub supplied: &'a dyn Fn(&str) -> bool,
}

/// What came of it.
pub struct Checked {
    root: PathBuf,
    page: &'static CodePage,
    found: Vec<Finding>,
    idle: Vec<Finding>,
    report: Report,
}

/// Looks at everything; nothing is changed.
pub fn check(system: &SystemDirectory, outcome: &Outcome, around: Around<'_>) -> Checked {
    let mut found = around.found;
    found.extend(outcome.findings.iter().cloned());
    let decks = decks::read(system);
    found.extend(decks.findings.iter().cloned());
    found.extend(decks::missing(&decks, outcome));
    let (lists, wrong) = program_lists::read(system);
    found.extend(wrong);
    found.extend(program_lists::missing(system, &lists, outcome));
    found.extend(control_table::read(system).1);
    found.extend(recovery::findings(system, &decks.definitions));
    found.extend(around.refused);
    let listeners = ports::of(&system.settings).into_iter();
    let listeners: Vec<Listener> = listeners.chain(around.listeners).collect();
    found.extend(ports::findings(&listeners));
    let gateway = archives::check(system, around.gateway);
    found.extend(gateway.findings.iter().cloned());
    found.extend(services::check(&gateway.services, &outcome.reports));
    let (data, more) = DataSets::of(system, around.store);
    found.extend(more);
    let report = Report::of(
        outcome,
        &decks,
        &gateway.operations,
        &data,
        &report::Region {
            sysid: system.settings.region.sysidnt.as_str(),
            maps: &system.own("maps"),
            supplied: around.supplied,
        },
    );
    Checked {
        root: system.root.clone(),
        page: transom_system::page(system.settings.cobol.source_codepage),
        found,
        idle: decks::attributes_without_effect(&decks),
        report,
    }
}

impl Checked {
    /// What there is to tell, errors among it.
    pub fn findings(&self) -> &[Finding] {
        &self.found
    }

    /// The same for people, with the lines they are about.
    pub fn with_lines(&self) -> Vec<Finding> {
        let found = self.found.iter().cloned();
        let shown = found.map(|found| Finding {
            text: places::with_line(&self.root, self.page, &found.text),
            ..found
        });
        shown.collect()
    }

    /// Known and harmless: it does not count among the notices.
    pub fn idle(&self) -> &[Finding] {
        &self.idle
    }

    /// Errors among the findings.
    pub fn errors(&self) -> usize {
        self.found.iter().filter(|f| f.is_error).count()
    }

    /// The table for people.
    pub fn table(&self) -> String {
        table::text(&self.report)
    }

    /// All of it as one JSON document.
    pub fn json(&self, dir: &str) -> String {
        let all: Vec<Finding> = self.found.iter().chain(&self.idle).cloned().collect();
        json::document(dir, &self.report, &all)
    }

    /// The last line where there are no errors.
    pub fn ending(&self, dir: &str) -> String {
        let programs = self.report.programs.ready.len();
        match self.found.len() {
            0 if self.report.is_whole() => {
                format!("{dir}: {programs} programs, nothing stands in the way\n")
            }
            0 => {
                format!("{dir}: {programs} programs, no errors; the table says what is not there\n")
            }
            n => format!("{dir}: {programs} programs, no errors, {n} notices\n"),
        }
    }
}
