//! EXAMINE: alternate indexes against base records, records against their definition.

use super::entries::word;
use crate::places::name;
use crate::print::{Failure, failure};
use crate::runner::Runner;
use transom_datasets::{DatasetName, Entry, Fault};
use transom_idcams::{EntryType, Examine, listing};
use transom_messages::id;
use transom_recovery::wait;

pub(crate) fn examine(runner: &mut Runner<'_>, examine: &Examine) -> Result<u8, Failure> {
    let own = name(&examine.name)?;
    let entry = runner
        .datasets
        .entry(&own)
        .or_else(|| runner.datasets.owner(&own));
    let Some(entry) = entry else {
        return Err(Failure::new(8, id::not_found(own)));
    };
    let (cluster, indexes) = match &entry {
        Entry::Cluster(cluster) => (
            Some(cluster.name.clone()),
            indexes_of(runner, &cluster.name),
        ),
        Entry::AlternateIndex(index) => (None, vec![(index.name.clone(), index.upgrade)]),
        Entry::Path(_) => {
            let is = word(EntryType::Path);
            let text = id::wrong_type(own, format!("a {is}"), "EXAMINE", "a CLUSTER");
            return Err(Failure::new(12, text));
        }
    };
    let mut left = examine.limit as usize;
    let mut code = 0;
    if let Some(cluster) = cluster.filter(|_| examine.data) {
        let faults = records(runner, &cluster, left)?;
        left = left.saturating_sub(faults);
        code = code.max(told(runner, &cluster, "DATATEST", faults));
    }
    for (index, upgrade) in indexes.iter().filter(|_| examine.index) {
        if !upgrade {
            let text = id::index_left_out(index);
            runner.report.line(text);
            continue;
        }
        let faults = wait(runner.datasets.examine_index(index, left)).map_err(failure)?;
        faults.iter().for_each(|fault| show(runner, index, fault));
        left = left.saturating_sub(faults.len());
        code = code.max(told(runner, index, "INDEXTEST", faults.len()));
    }
    Ok(code)
}

fn indexes_of(runner: &Runner<'_>, base: &DatasetName) -> Vec<(DatasetName, bool)> {
    let all = runner.datasets.entries().into_iter();
    let over = all.filter_map(|entry| match entry {
        Entry::AlternateIndex(index) if index.base == *base => Some((index.name, index.upgrade)),
        _ => None,
    });
    over.collect()
}

/// Checksums first: a record that cannot be read ends every other look at it. How many faults.
fn records(runner: &mut Runner<'_>, cluster: &DatasetName, limit: usize) -> Result<usize, Failure> {
    let dataset = runner.datasets.dataset(cluster).map_err(failure)?;
    let table = dataset.table().to_owned();
    let damaged = wait(runner.datasets.store().verify(&table)).map_err(|e| failure(e.into()))?;
    let own: Vec<_> = damaged.iter().filter(|d| d.table == table).collect();
    for damage in own.iter().take(limit) {
        runner
            .report
            .line(crate::verify::shown(runner.datasets, damage));
    }
    if !own.is_empty() {
        return Ok(own.len());
    }
    let faults = wait(runner.datasets.examine_records(cluster, limit)).map_err(failure)?;
    faults.iter().for_each(|fault| show(runner, cluster, fault));
    Ok(faults.len())
}

fn told(runner: &mut Runner<'_>, name: &DatasetName, test: &str, faults: usize) -> u8 {
    if faults == 0 {
        runner.report.line(id::nothing_wrong(name, test));
    }
    if faults > 0 { 8 } else { 0 }
}

fn show(runner: &mut Runner<'_>, name: &DatasetName, fault: &Fault) {
    let text = match fault {
        Fault::Entry { key, base } => format!(
            "the entry {} for the record {} does not fit the record, or there is none",
            listing::key(key),
            listing::key(base)
        ),
        Fault::Unreadable(key) => format!("the entry {} cannot be read", listing::key(key)),
        Fault::Missing(count) => format!("{count} records of the base have no entry"),
        Fault::Record(key) => format!(
            "the record {} is not as the cluster is defined",
            listing::key(key)
        ),
    };
    runner.report.line(id::does_not_fit(name, text));
}
