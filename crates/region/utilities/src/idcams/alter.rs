//! ALTER: other names and other attributes for entries that exist.
//!
//! Each entry is changed whole or not at all; all names of a command change together. Not here: the
//! catalog itself.

use super::entries::{catalogued, done, keep, kind_of, word};
use crate::places::name;
use crate::print::{Failure, failure};
use crate::runner::Runner;
use transom_datasets::{AlternateIndex, Cluster, Condition, DatasetName, Entry, Organization};
use transom_idcams::{Alter, EntryType};
use transom_messages::id;
use transom_recovery::wait;

pub(crate) fn alter(runner: &mut Runner<'_>, alter: &Alter) -> Result<u8, Failure> {
    if runner.existing.is_some() {
        let found = targets(runner, alter);
        let kept = found
            .iter()
            .any(|(entry, _)| runner.keeps(entry.name().as_str()));
        if kept || found.is_empty() {
            return Ok(0);
        }
    }
    not_in_use(runner, alter.entry.text.as_str())?;
    let found = targets(runner, alter);
    if found.is_empty() {
        return rename_file(runner, alter);
    }
    for (entry, component) in &found {
        let changed = changed(runner, entry, *component, alter)?;
        if changed != *entry {
            wait(runner.datasets.redefine(changed)).map_err(|c| refused(entry.name(), c))?;
        }
    }
    let mut names = Vec::new();
    for (entry, component) in &found {
        let old = shown_name(entry, *component);
        let kind = component.unwrap_or_else(|| kind_of(entry));
        let Some(new) = &alter.new_name else {
            done(runner, word(kind), old.as_str(), "is altered");
            continue;
        };
        let Some(new) = alter.entry.rename(old.as_str(), new) else {
            let text = id::not_altered(old, format!("{new} gives no data set name"));
            return Err(Failure::new(12, text));
        };
        names.push((kind, old, name(&new)?));
    }
    let pairs: Vec<_> = names
        .iter()
        .map(|(_, old, new)| (old.clone(), new.clone()))
        .collect();
    if !pairs.is_empty() {
        wait(runner.datasets.rename(&pairs)).map_err(failure)?;
    }
    for (kind, old, new) in &names {
        done(runner, word(*kind), old.as_str(), &format!("is now {new}"));
    }
    Ok(0)
}

/// Entries and components that are meant; a component with its type.
fn targets(runner: &Runner<'_>, alter: &Alter) -> Vec<(Entry, Option<EntryType>)> {
    let mut found = Vec::new();
    for entry in runner.datasets.entries() {
        let matches = |name: &DatasetName| alter.entry.matches(name.as_str());
        let extra = entry.extra();
        let data = extra.data.as_ref().is_some_and(matches);
        let index = extra.index.as_ref().is_some_and(matches);
        let own = matches(entry.name());
        for (meant, component) in [
            (own, None),
            (data, Some(EntryType::Data)),
            (index, Some(EntryType::Index)),
        ] {
            if meant {
                found.push((entry.clone(), component));
            }
        }
    }
    found
}

/// A store that several processes share may have files of a running region open.
pub(crate) fn not_in_use(runner: &Runner<'_>, name: &str) -> Result<(), Failure> {
    if runner.existing.is_some() {
        // What this run has just made nobody else has open.
        return Ok(());
    }
    let others = wait(runner.datasets.store().others()).map_err(|e| failure(e.into()))?;
    let Some(other) = others.first() else {
        // What a process that has ended meanwhile changed.
        return wait(runner.datasets.reload()).map_err(failure);
    };
    Err(Failure::new(12, id::may_be_open(name, other)))
}

/// The definition after the command.
fn changed(
    runner: &Runner<'_>,
    entry: &Entry,
    component: Option<EntryType>,
    alter: &Alter,
) -> Result<Entry, Failure> {
    // An earlier change of the same command may be of the same entry.
    let mut entry = runner
        .datasets
        .entry(entry.name())
        .unwrap_or_else(|| entry.clone());
    let kind = component.unwrap_or_else(|| kind_of(&entry));
    allowed(&entry, kind, alter)?;
    match &mut entry {
        Entry::Cluster(cluster) => change_cluster(cluster, alter),
        Entry::AlternateIndex(index) => change_index(index, alter),
        Entry::Path(_) => {}
    }
    let extra = entry.extra_mut();
    if let Some(inhibited) = alter.inhibit {
        extra.inhibited = inhibited;
    }
    match alter.update {
        Some(true) => drop(extra.listed.remove("UPDATE")),
        Some(false) => drop(extra.listed.insert("UPDATE".into(), "NOUPDATE".into())),
        None => {}
    }
    for word in &alter.nullify {
        extra.listed.remove(*word);
    }
    keep(extra, &alter.kept, runner.today);
    Ok(entry)
}

fn change_cluster(cluster: &mut Cluster, alter: &Alter) {
    if let (Some((length, offset)), Organization::Ksds { .. }) = (alter.keys, cluster.organization)
    {
        cluster.organization = Organization::Ksds {
            key_offset: offset as usize,
            key_length: length as usize,
        };
    }
    if let Some((average, max)) = alter.record_size {
        (cluster.average, cluster.max) = (average as usize, max as usize);
    }
    cluster.reuse = alter.reuse.unwrap_or(cluster.reuse);
    if alter.nullify.contains(&"LOG") {
        cluster.log = None;
    }
    if let Some(log) = alter.log {
        cluster.log = Some(catalogued(log));
    }
}

fn change_index(index: &mut AlternateIndex, alter: &Alter) {
    if let Some((length, offset)) = alter.keys {
        (index.key_length, index.key_offset) = (length as usize, offset as usize);
    }
    if let Some((average, max)) = alter.record_size {
        for (word, value) in [("AVGLRECL", average), ("MAXLRECL", max)] {
            index
                .extra
                .listed
                .insert(word.to_owned(), value.to_string());
        }
    }
    index.unique = alter.unique.unwrap_or(index.unique);
    index.upgrade = alter.upgrade.unwrap_or(index.upgrade);
    match alter.reuse {
        Some(true) => drop(index.extra.listed.insert("REUSE".into(), "REUSE".into())),
        Some(false) => drop(index.extra.listed.remove("REUSE")),
        None => {}
    }
}

/// Whether the type of an entry has what the command names.
fn allowed(entry: &Entry, kind: EntryType, alter: &Alter) -> Result<(), Failure> {
    use EntryType::{Aix, Cluster, Data, Index, Path};
    let keyed = match entry {
        Entry::Cluster(c) => matches!(c.organization, Organization::Ksds { .. }),
        Entry::AlternateIndex(_) => true,
        Entry::Path(_) => false,
    };
    let checks: [(&str, bool, &[EntryType], &str); 8] = [
        (
            "UPGRADE",
            alter.upgrade.is_some(),
            &[Aix],
            "an ALTERNATEINDEX",
        ),
        (
            "UNIQUEKEY",
            alter.unique.is_some(),
            &[Aix, Data],
            "an ALTERNATEINDEX",
        ),
        ("UPDATE", alter.update.is_some(), &[Path], "a PATH"),
        ("REUSE", alter.reuse.is_some(), &[Cluster, Aix], "a CLUSTER"),
        ("LOG", alter.log.is_some(), &[Cluster], "a CLUSTER"),
        (
            "KEYS",
            alter.keys.is_some(),
            &[Cluster, Aix, Data],
            "a CLUSTER",
        ),
        (
            "RECORDSIZE",
            alter.record_size.is_some(),
            &[Cluster, Aix, Data],
            "a CLUSTER",
        ),
        (
            "INHIBIT",
            alter.inhibit.is_some(),
            &[Cluster, Aix, Data, Index],
            "a CLUSTER",
        ),
    ];
    for (parameter, given, kinds, wanted) in checks {
        let unique_of_base = parameter == "UNIQUEKEY" && matches!(entry, Entry::Cluster(_));
        if given && (!kinds.contains(&kind) || unique_of_base) {
            let (name, is) = (shown_name(entry, Some(kind)), format!("a {}", word(kind)));
            let text = id::wrong_type(name, is, format!("ALTER {parameter}"), wanted);
            return Err(Failure::new(12, text));
        }
    }
    if alter.keys.is_some() && !keyed {
        let reason = Condition::Refused("it has no keys".to_owned());
        return Err(refused(entry.name(), reason));
    }
    Ok(())
}

fn shown_name(entry: &Entry, kind: Option<EntryType>) -> DatasetName {
    let extra = entry.extra();
    let component = match kind {
        Some(EntryType::Data) => extra.data.as_ref(),
        Some(EntryType::Index) => extra.index.as_ref(),
        _ => None,
    };
    component.unwrap_or(entry.name()).clone()
}

/// A data set that is a file of the output folder.
fn rename_file(runner: &mut Runner<'_>, alter: &Alter) -> Result<u8, Failure> {
    let old = &alter.entry;
    let file = runner
        .files
        .new_file(&old.text)
        .filter(|f| f.path.is_file());
    let Some(file) = file else {
        return Err(Failure::new(8, id::not_found(old)));
    };
    let Some(new) = &alter.new_name else {
        done(runner, "NONVSAM", &old.text, "is altered");
        return Ok(0);
    };
    let target = runner.files.new_file(&new.text);
    match target.filter(|f| !f.path.exists()) {
        Some(target) => std::fs::rename(file.path, target.path)
            .map_err(|e| Failure::new(12, id::file_failed(old, e)))?,
        None => return Err(Failure::new(12, id::exists(new))),
    }
    done(runner, "NONVSAM", &old.text, &format!("is now {new}"));
    Ok(0)
}

/// An attribute that cannot be what the command says.
fn refused(name: &DatasetName, condition: Condition) -> Failure {
    match condition {
        Condition::Refused(reason) => Failure::new(12, id::not_altered(name, reason)),
        other => failure(other),
    }
}
