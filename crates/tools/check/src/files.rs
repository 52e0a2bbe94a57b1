//! Which data sets are there, or will be after a start.
//!
//! What: the catalog in the store, where one is and nobody uses it, and what statements and jobs
//! below `data/` define. Not here: defining anything.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use transom_datasets::{DatasetName, Datasets};
use transom_recovery::{Direction, StoreError, UowStore, wait};
use transom_system::{Finding, SystemDirectory, data_texts, page};
use transom_types::Start;
use transom_utilities::outline;

/// Opens the record store.
pub type OpenStore<'a> = dyn Fn() -> Result<Arc<dyn UowStore>, StoreError> + 'a;

/// What is known of data sets.
#[derive(Debug, Default)]
pub(crate) struct DataSets {
    /// In the store: whether it has records.
    stored: HashMap<String, bool>,
    /// By the statements of a file.
    defined: HashMap<String, String>,
    /// The store could not be looked at.
    not_seen: Option<String>,
}

/// What is behind the DSNAME of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DataState {
    Records,
    Empty,
    /// Made at the start by this file.
    Defined(String),
    NoDataSet,
    NoName,
    Remote(String),
    NotSeen(String),
}

impl DataState {
    /// The file can be opened, as far as is known.
    pub(crate) fn is_there(&self) -> bool {
        !matches!(self, Self::NoDataSet | Self::NoName)
    }
}

impl fmt::Display for DataState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Records => f.write_str("has records"),
            Self::Empty => f.write_str("is empty"),
            Self::Defined(file) => write!(f, "is defined at the start by {file}"),
            Self::NoDataSet => f.write_str("no such data set"),
            Self::NoName => f.write_str("no DSNAME"),
            Self::Remote(system) => write!(f, "of the system {system}"),
            Self::NotSeen(why) => write!(f, "not looked at: {why}"),
        }
    }
}

impl DataSets {
    /// Looks at a system directory; mistakes in statements and jobs are findings.
    pub(crate) fn of(system: &SystemDirectory, store: &OpenStore<'_>) -> (Self, Vec<Finding>) {
        let mut data = Self::default();
        let mut findings = Vec::new();
        for path in data_texts(&system.root) {
            let name = system.shown(&path);
            match outline(&path, page(system.settings.cobol.source_codepage)) {
                Ok(outline) => {
                    for dsname in outline.defines {
                        data.defined.entry(dsname).or_insert_with(|| name.clone());
                    }
                    findings.extend(outline.problems.into_iter().map(|problem| {
                        let problem = problem.in_file(&name);
                        Finding {
                            is_error: problem.is_error(),
                            text: problem.place_first().to_string(),
                        }
                    }));
                }
                Err(message) => findings.push(message.into()),
            }
        }
        if let Err(why) = data.look(system, store) {
            data.not_seen = Some(why);
        }
        (data, findings)
    }

    fn look(&mut self, system: &SystemDirectory, store: &OpenStore<'_>) -> Result<(), String> {
        let table = &system.settings.data;
        if table.postgresql.is_some() || !system.settings.stores.is_empty() {
            return Err("data sets are kept in PostgreSQL".to_owned());
        }
        // Opening a store makes it: a check leaves nothing behind.
        if !table.path(&system.root).join("data.mdb").is_file() {
            return Ok(());
        }
        let store = store().map_err(|error| match error {
            StoreError::InUse(who) => format!("the data are in use by {who}"),
            other => other.to_string(),
        })?;
        let datasets = wait(Datasets::open(store)).map_err(|e| e.to_string())?;
        for entry in datasets.entries() {
            let filled = has_records(&datasets, entry.name());
            self.stored.insert(entry.name().to_string(), filled);
        }
        Ok(())
    }

    pub(crate) fn state(&self, dsname: &str) -> DataState {
        if dsname.trim().is_empty() {
            return DataState::NoName;
        }
        match (self.stored.get(dsname), self.defined.get(dsname)) {
            (Some(true), _) => DataState::Records,
            (Some(false), _) => DataState::Empty,
            (None, Some(file)) => DataState::Defined(file.clone()),
            (None, None) => match &self.not_seen {
                Some(why) => DataState::NotSeen(why.clone()),
                None => DataState::NoDataSet,
            },
        }
    }
}

fn has_records(datasets: &Datasets, name: &DatasetName) -> bool {
    let Ok(dataset) = datasets.dataset(name) else {
        return false;
    };
    let first = wait(dataset.scan(None, Start::End, Direction::Forward, 1));
    first.is_ok_and(|found| !found.is_empty())
}
