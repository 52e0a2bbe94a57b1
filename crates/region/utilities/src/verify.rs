//! Reads every record of a store and names the damaged ones.

use crate::print::SysPrint;
use std::fmt;
use transom_datasets::{Condition, Datasets, Entry};
use transom_idcams::listing;
use transom_messages::{Message, bk, id};
use transom_recovery::{Damage, StoreError, wait};

/// A store that did not do what a utility needs of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreFailure {
    /// The store itself.
    Store(StoreError),
    /// A data set in it.
    Dataset(Condition),
}

impl fmt::Display for StoreFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match self {
            Self::Store(error) => id::store_answered(error),
            Self::Dataset(condition) => id::store_answered(condition),
        };
        message.fmt(f)
    }
}

impl std::error::Error for StoreFailure {}

impl From<StoreError> for StoreFailure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Condition> for StoreFailure {
    fn from(condition: Condition) -> Self {
        Self::Dataset(condition)
    }
}

/// Reads every record; prints the damaged ones, or how many there are. Answers whether no record is
/// damaged.
///
/// # Errors
/// TXMID0059E when the store does not answer.
pub fn verify(datasets: &Datasets, print: &mut dyn SysPrint) -> Result<bool, StoreFailure> {
    let store = datasets.store();
    let damaged = wait(store.verify(""))?;
    for damage in &damaged {
        print.line(shown(datasets, damage).line());
    }
    if !damaged.is_empty() {
        return Ok(false);
    }
    for doubt in wait(store.in_doubt())? {
        let (uow, waits) = (doubt.uow, doubt.untold);
        let why = waits.map_or_else(
            || "its coordinator".to_owned(),
            |waits| format!("store {}", waits.partner),
        );
        print.line(id::uow_in_doubt(uow, why).line());
    }
    let (mut records, mut count) = (0, 0);
    for entry in datasets.entries() {
        if let Entry::Cluster(cluster) = entry {
            let dataset = datasets.dataset(&cluster.name)?;
            records += wait(store.count(dataset.table()))?;
            count += 1;
        }
    }
    print.line(id::no_damage(records, count).line());
    if let Some(space) = store.stats().space {
        let (net, free) = (space.net, space.free);
        print.line(bk::space(net, free, space.file, space.disk).line());
    }
    Ok(true)
}

/// A damaged record in the user's words.
pub(crate) fn shown(datasets: &Datasets, damage: &Damage) -> Message {
    let known = datasets.name_of_table(&damage.table);
    let name = match known.map(|name| (damage.table.starts_with("aix/"), name)) {
        Some((false, name)) => name.to_string(),
        Some((true, name)) => format!("alternate index {name}"),
        None => damage.table.clone(),
    };
    let key = datasets.shown_key(&damage.table, &damage.key);
    id::record_damaged(name, listing::key(&key))
}
