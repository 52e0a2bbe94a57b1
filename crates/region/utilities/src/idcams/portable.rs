//! EXPORT and IMPORT: a cluster with everything over it goes into one file and comes back.
//!
//! Not here: how that file looks ([`crate::records::portable`]).

use super::alter::not_in_use;
use super::entries::{done, is_kept};
use crate::loads;
use crate::options::FileSpec;
use crate::places::{Places, Target, name, shown};
use crate::print::{Failure, failure};
use crate::records::loader;
use crate::records::portable::{BATCH, Portable, write};
use crate::runner::Runner;
use transom_datasets::{Access, DatasetName, Datasets, Entry, LoadRecord, Organization};
use transom_idcams::{Export, Import, Place};
use transom_messages::id;
use transom_recovery::wait;

pub(crate) fn export(
    runner: &mut Runner<'_>,
    places: &Places<'_>,
    export: &Export,
) -> Result<u8, Failure> {
    if runner.existing.is_some() && runner.keeps(&export.name) {
        return Ok(0);
    }
    let own = name(&export.name)?;
    let Some(entry) = runner.datasets.entry(&own) else {
        return Err(Failure::new(8, id::not_found(own)));
    };
    let Entry::Cluster(_) = &entry else {
        let text = id::wrong_type(own, "no CLUSTER", "EXPORT", "a CLUSTER");
        return Err(Failure::new(12, text));
    };
    let permanent = !export.temporary;
    if permanent && !export.purge && is_kept(runner, &entry) {
        return Ok(8);
    }
    if permanent || export.inhibit_source {
        not_in_use(runner, own.as_str())?;
    }
    let file = file(places.output(&export.to)?, &export.to)?;
    let mut over = with_all_over(runner.datasets, &entry);
    for entry in &mut over {
        let extra = entry.extra_mut();
        extra.loading = false;
        extra.inhibited |= export.inhibit_target && extra.data.is_some();
    }
    let dataset = runner.datasets.dataset(&own).map_err(failure)?;
    let count = write(&file.path, &over, &dataset)?;
    let report = &mut runner.report;
    report.line(id::records_processed(count));
    report.line(id::done(format!("CLUSTER {own}"), "is exported"));
    if permanent {
        wait(runner.datasets.delete(&own)).map_err(failure)?;
        done(runner, "CLUSTER", own.as_str(), "is deleted");
    } else if export.inhibit_source {
        let mut entry = entry;
        entry.extra_mut().inhibited = true;
        wait(runner.datasets.redefine(entry)).map_err(failure)?;
    }
    Ok(0)
}

/// The cluster, then indexes and paths over it.
fn with_all_over(datasets: &Datasets, cluster: &Entry) -> Vec<Entry> {
    let mut found = vec![cluster.clone()];
    let all = datasets.entries();
    let mut at = 0;
    while let Some(below) = found.get(at).map(|e| e.name().clone()) {
        let over = all.iter().filter(|e| match e {
            Entry::Cluster(_) => false,
            Entry::AlternateIndex(a) => a.base == below,
            Entry::Path(p) => p.entry == below,
        });
        found.extend(over.cloned());
        at += 1;
    }
    found
}

fn file(target: Target, place: &Place) -> Result<FileSpec, Failure> {
    match target {
        Target::File(file) => Ok(file),
        _ => Err(Failure::new(12, id::not_a_file(shown(place)))),
    }
}

pub(crate) fn import(
    runner: &mut Runner<'_>,
    places: &Places<'_>,
    import: &Import,
) -> Result<u8, Failure> {
    let mut found = places.input(&import.from)?;
    let target = found.pop().unwrap_or(Target::Nothing);
    let file = file(target, &import.from)?;
    let mut reader = Portable::open(&file.path)?;
    let entries = reader.definitions(import)?;
    let Some(Entry::Cluster(cluster)) = entries.first() else {
        return Err(reader.damaged("it has no cluster"));
    };
    let own = cluster.name.clone();
    if runner.keeps(own.as_str()) && !(import.into_empty && loads::wanted(runner, &own)?) {
        return Ok(0);
    }
    // Into an empty cluster only records go.
    let exists = runner.datasets.entry(&own).is_some();
    if exists {
        into_empty(runner, &own, import)?;
    } else {
        define(runner, &entries)?;
    }
    let loaded = load(runner.datasets, &own, &mut reader);
    let built = loaded.and_then(|count| {
        build(runner, &own)?;
        Ok(count)
    });
    match built {
        Ok(count) => {
            let report = &mut runner.report;
            report.line(id::records_processed(count));
            report.line(id::done(format!("CLUSTER {own}"), "is imported"));
            loads::done(runner, &own)?;
            inhibit(runner, &entries)?;
            Ok(0)
        }
        Err(failed) => {
            // As if it had not begun.
            let undone = match exists {
                false => wait(runner.datasets.delete(&own)).map(drop),
                true => runner.datasets.dataset(&own).and_then(|d| wait(d.empty())),
            };
            undone.map_err(failure)?;
            Err(failed)
        }
    }
}

fn into_empty(runner: &Runner<'_>, own: &DatasetName, import: &Import) -> Result<(), Failure> {
    let dataset = runner.datasets.dataset(own).map_err(failure)?;
    let count = wait(dataset.count()).map_err(failure)?;
    match import.into_empty && count == 0 {
        true => Ok(()),
        false => Err(Failure::new(12, id::exists(own))),
    }
}

/// Defines all entries, or none.
fn define(runner: &mut Runner<'_>, entries: &[Entry]) -> Result<(), Failure> {
    let mut first = None;
    for entry in entries {
        let mut entry = entry.clone();
        let extra = entry.extra_mut();
        (extra.inhibited, extra.loading) = (false, runner.existing.is_some());
        let name = entry.name().clone();
        let defined = match entry {
            Entry::Cluster(c) => wait(runner.datasets.define_cluster(c)),
            Entry::AlternateIndex(a) => wait(runner.datasets.define_index(a)),
            Entry::Path(p) => wait(runner.datasets.define_path(p)),
        };
        if let Err(condition) = defined {
            if let Some(first) = &first {
                wait(runner.datasets.delete(first)).map_err(failure)?;
            }
            return Err(failure(condition));
        }
        first.get_or_insert(name);
    }
    Ok(())
}

fn load(datasets: &Datasets, own: &DatasetName, reader: &mut Portable) -> Result<u64, Failure> {
    let dataset = datasets.dataset(own).map_err(failure)?;
    let rrds = dataset.cluster().organization == Organization::Rrds;
    let access = Access::patient(loader(), false);
    let mut count = 0;
    loop {
        let mut batch = Vec::new();
        while let Some((slot, record)) = reader.next()? {
            let slot = rrds.then_some(slot);
            batch.push(LoadRecord { slot, record });
            if batch.len() == BATCH {
                break;
            }
        }
        if batch.is_empty() {
            return Ok(count);
        }
        let done = wait(dataset.load(access, &batch, false)).map_err(failure)?;
        if let Some((place, condition)) = done.rejected.first() {
            let number = count + *place as u64 + 1;
            let text = id::store_answered(format!("record {number}: {condition}"));
            return Err(Failure::new(12, text));
        }
        count += batch.len() as u64;
    }
}

/// Makes the indexes that changes of the base do not.
fn build(runner: &mut Runner<'_>, own: &DatasetName) -> Result<(), Failure> {
    for entry in runner.datasets.entries() {
        if let Entry::AlternateIndex(index) = entry
            && index.base == *own
            && !index.upgrade
        {
            wait(runner.datasets.build_index(&index.name)).map_err(failure)?;
        }
    }
    Ok(())
}

/// Entries that came as read only become so when they are loaded.
fn inhibit(runner: &mut Runner<'_>, entries: &[Entry]) -> Result<(), Failure> {
    for entry in entries.iter().filter(|e| e.extra().inhibited) {
        if let Some(mut own) = runner.datasets.entry(entry.name()) {
            own.extra_mut().inhibited = true;
            wait(runner.datasets.redefine(own)).map_err(failure)?;
        }
    }
    Ok(())
}
