//! Which clusters a start loads, and what is left of a load that did not end.
//!
//! Why: a start runs statements for what does not exist yet, and a cluster may exist and never have
//! been loaded; one whose records programs have deleted must stay empty. The catalog keeps which it
//! is (`Load`). What: the mark is set before the first record and changed after the last statement
//! of a text, so that a load that was cut off is neither taken for a whole one nor done on top of
//! its first half. Not here: entries that a text defines itself, which are deleted and made again.

use crate::print::{Failure, failure};
use crate::runner::Runner;
use transom_datasets::{Condition, DatasetName, Datasets, Entry, Load};
use transom_messages::{Message, id};
use transom_recovery::wait;

/// Whether records go into a data set now.
pub(crate) fn wanted(runner: &mut Runner<'_>, name: &DatasetName) -> Result<bool, Failure> {
    let base = base(runner.datasets, name);
    if !runner.keeps(name.as_str()) || runner.filling.contains(&base) {
        return Ok(true);
    }
    let Some(Entry::Cluster(cluster)) = runner.datasets.entry(&base) else {
        return Ok(false);
    };
    let load = cluster.extra.load;
    if !matches!(load, Load::Unknown | Load::Never) {
        return Ok(false);
    }
    let dataset = runner.datasets.dataset(&base).map_err(failure)?;
    if wait(dataset.count()).map_err(failure)? > 0 {
        return Ok(false);
    }
    if load == Load::Unknown {
        runner.report.line(id::perhaps_loaded(&base));
        runner.told = true;
        mark(runner.datasets, &base, Load::Done).map_err(failure)?;
        return Ok(false);
    }
    // A region that has it open might lose records when the load fails.
    let others = wait(runner.datasets.store().others()).map_err(|e| failure(e.into()))?;
    if let Some(other) = others.first() {
        runner.report.line(id::not_loaded_now(&base, other));
        runner.told = true;
        return Ok(false);
    }
    mark(runner.datasets, &base, Load::Filling).map_err(failure)?;
    runner.filling.insert(base);
    Ok(true)
}

/// Records went into a data set.
pub(crate) fn done(runner: &mut Runner<'_>, name: &DatasetName) -> Result<(), Failure> {
    let base = base(runner.datasets, name);
    // A start says so when the whole text is done.
    if runner.existing.is_none() {
        wait(runner.datasets.loaded(&[], std::slice::from_ref(&base))).map_err(failure)?;
    }
    runner.filled.insert(base);
    Ok(())
}

/// Empties what a load left that did not end; what there is to tell of it.
pub(crate) fn empty_unfinished(datasets: &Datasets) -> Result<Vec<Message>, Condition> {
    let mut told = Vec::new();
    for entry in datasets.entries() {
        if entry.extra().load == Load::Filling {
            empty(datasets, entry.name())?;
            told.push(id::loaded_again(entry.name()));
        }
    }
    Ok(told)
}

/// As before the load. The mark goes last: it is done again if it is cut off, too.
pub(crate) fn empty(datasets: &Datasets, name: &DatasetName) -> Result<(), Condition> {
    wait(datasets.dataset(name)?.empty())?;
    mark(datasets, name, Load::Never)
}

fn mark(datasets: &Datasets, name: &DatasetName, load: Load) -> Result<(), Condition> {
    wait(datasets.set_load(name, load))
}

/// The cluster behind a path or an alternate index.
pub(crate) fn base(datasets: &Datasets, name: &DatasetName) -> DatasetName {
    let mut base = name.clone();
    // A path over an alternate index over a cluster.
    for _ in 0..2 {
        base = match datasets.entry(&base) {
            Some(Entry::Path(path)) => path.entry,
            Some(Entry::AlternateIndex(index)) => index.base,
            _ => break,
        };
    }
    base
}
