//! Commands that make and delete entries of the catalog: DEFINE, DELETE.

use crate::places::name;
use crate::print::{Failure, failure};
use crate::runner::Runner;
use transom_datasets::{
    AlternateIndex, Cluster, Condition, DatasetName, Entry, Extra, Organization, PathEntry,
};
use transom_idcams::{
    AixDef, ClusterDef, Delete, EntryType, Kept, Log, OtherKind, PathDef, Pattern, Retention, date,
};
use transom_messages::id;
use transom_recovery::wait;

pub(crate) fn define_cluster(runner: &mut Runner<'_>, def: &ClusterDef) -> Result<u8, Failure> {
    if runner.keeps(&def.name) {
        return Ok(0);
    }
    let organization = match def.organization {
        transom_idcams::Organization::Indexed => Organization::Ksds {
            key_offset: def.key_offset as usize,
            key_length: def.key_len as usize,
        },
        transom_idcams::Organization::NonIndexed => Organization::Esds,
        transom_idcams::Organization::Numbered => Organization::Rrds,
    };
    let cluster = Cluster {
        name: name(&def.name)?,
        organization,
        average: def.average_len as usize,
        max: def.max_len as usize,
        fixed: organization == Organization::Rrds && def.average_len == def.max_len,
        log: def.log.map(catalogued),
        reuse: def.reuse,
        extra: extra(
            runner,
            &def.name,
            &def.kept,
            organization_has_index(organization),
        )?,
    };
    wait(runner.datasets.define_cluster(cluster)).map_err(failure)?;
    done(runner, "CLUSTER", &def.name, "is defined");
    Ok(0)
}

/// LOG as the catalog keeps it.
pub(crate) fn catalogued(log: Log) -> transom_datasets::Log {
    match log {
        Log::None => transom_datasets::Log::None,
        Log::Undo => transom_datasets::Log::Undo,
        Log::All => transom_datasets::Log::All,
    }
}

pub(crate) fn define_index(runner: &mut Runner<'_>, def: &AixDef) -> Result<u8, Failure> {
    if runner.keeps(&def.name) {
        return Ok(0);
    }
    let mut extra = extra(runner, &def.name, &def.kept, true)?;
    for (word, value) in [("AVGLRECL", def.average_len), ("MAXLRECL", def.max_len)] {
        extra.listed.insert(word.to_owned(), value.to_string());
    }
    if def.reuse {
        extra.listed.insert("REUSE".to_owned(), "REUSE".to_owned());
    }
    let index = AlternateIndex {
        upgrade: def.upgrade,
        extra,
        ..AlternateIndex::new(
            name(&def.name)?,
            name(&def.relate)?,
            def.key_offset as usize,
            def.key_len as usize,
            def.unique,
        )
    };
    wait(runner.datasets.define_index(index)).map_err(refused)?;
    done(runner, "ALTERNATEINDEX", &def.name, "is defined");
    Ok(0)
}

pub(crate) fn define_path(runner: &mut Runner<'_>, def: &PathDef) -> Result<u8, Failure> {
    if runner.keeps(&def.name) {
        return Ok(0);
    }
    let mut extra = extra(runner, &def.name, &def.kept, false)?;
    extra.data = None;
    if !def.update {
        extra
            .listed
            .insert("UPDATE".to_owned(), "NOUPDATE".to_owned());
    }
    let path = PathEntry {
        extra,
        ..PathEntry::new(name(&def.name)?, name(&def.entry)?)
    };
    wait(runner.datasets.define_path(path)).map_err(refused)?;
    done(runner, "PATH", &def.name, "is defined");
    Ok(0)
}

fn organization_has_index(organization: Organization) -> bool {
    matches!(organization, Organization::Ksds { .. })
}

/// What the catalog keeps of a new entry: its components, the day, attributes for LISTCAT.
fn extra(runner: &Runner<'_>, entry: &str, kept: &Kept, has_index: bool) -> Result<Extra, Failure> {
    let component = |given: &Option<String>, ending| match given {
        Some(given) => name(given).map(Some),
        None => Ok(component_name(runner, entry, ending)),
    };
    let mut extra = Extra::default();
    extra.data = component(&kept.data_name, "DATA")?;
    if has_index {
        extra.index = component(&kept.index_name, "INDEX")?;
    }
    extra.loading = runner.existing.is_some();
    let today = date::shown(runner.today);
    extra.listed.insert("CREATION".to_owned(), today);
    keep(&mut extra, kept, runner.today);
    Ok(extra)
}

/// Attributes that are only listed.
pub(crate) fn keep(extra: &mut Extra, kept: &Kept, today: u64) {
    for (word, value) in &kept.listed {
        extra.listed.insert((*word).to_owned(), value.clone());
    }
    let until = match &kept.retention {
        Some(Retention::Days(days)) => date::shown(today.saturating_add(u64::from(*days))),
        Some(Retention::Until(date)) => date.clone(),
        None => return,
    };
    extra.listed.insert("EXPIRATION".to_owned(), until);
}

/// A component without a name gets that of its entry with `.DATA` or `.INDEX`, where that can be a
/// name and is free.
fn component_name(runner: &Runner<'_>, entry: &str, ending: &str) -> Option<DatasetName> {
    let stem = entry.strip_suffix(".CLUSTER").unwrap_or(entry);
    let name = DatasetName::new(&format!("{stem}.{ending}")).ok()?;
    let taken = runner.datasets.entry(&name).is_some() || runner.datasets.owner(&name).is_some();
    (!taken).then_some(name)
}

pub(crate) fn define_other(runner: &mut Runner<'_>, kind: OtherKind, name: &str) {
    let kind = match kind {
        OtherKind::NonVsam => "NONVSAM",
        OtherKind::GenerationGroup => "GENERATIONDATAGROUP",
        OtherKind::Alias => "ALIAS",
        OtherKind::Catalog => "USERCATALOG",
    };
    runner.report.line(id::nothing_defined(kind, name));
}

pub(crate) fn delete(runner: &mut Runner<'_>, delete: &Delete) -> Result<u8, Failure> {
    let mut code = 0;
    let all = runner.datasets.entries();
    for pattern in &delete.entries {
        if runner.keeps(&pattern.text) || (pattern.is_generic() && runner.existing.is_some()) {
            continue;
        }
        let found = matching(runner, pattern);
        let wanted: Vec<&Entry> = found
            .iter()
            .filter(|e| delete.kind.is_none_or(|k| k == kind_of(e)))
            .collect();
        if wanted.is_empty() {
            match (found.first(), delete.kind) {
                (Some(entry), Some(kind)) => {
                    let (is, wanted) = (word(kind_of(entry)), word(kind));
                    let (is, wanted) = (format!("a {is}"), format!("a {wanted}"));
                    let text = id::wrong_type(entry.name(), is, "DELETE", wanted);
                    runner.report.line(text);
                    code = 8;
                }
                _ => code = code.max(delete_file(runner, pattern)),
            }
            continue;
        }
        for entry in wanted {
            // It may have gone with the cluster it belongs to.
            if runner.datasets.entry(entry.name()).is_none() {
                continue;
            }
            if !delete.purge && is_kept(runner, entry) {
                code = 8;
                continue;
            }
            let gone = wait(runner.datasets.delete(entry.name())).map_err(failure)?;
            for name in &gone {
                done(
                    runner,
                    word(kind_in(&all, name)),
                    name.as_str(),
                    "is deleted",
                );
            }
        }
    }
    Ok(code)
}

/// Dates that mean for ever, as 99365 and 99366 do on the mainframe.
const FOR_EVER: [&str; 2] = ["1999.365", "1999.366"];

/// Whether the retention of an entry has not ended, and says so.
pub(crate) fn is_kept(runner: &mut Runner<'_>, entry: &Entry) -> bool {
    let today = date::shown(runner.today);
    let until = entry.extra().listed.get("EXPIRATION");
    let for_ever = |until: &str| FOR_EVER.contains(&until);
    let Some(until) = until.filter(|until| for_ever(until) || **until > today) else {
        return false;
    };
    let until = match for_ever(until) {
        true => format!("{until} (for ever)"),
        false => until.clone(),
    };
    runner.report.line(id::kept_until(entry.name(), until));
    true
}

/// A data set that is a file of the output folder.
fn delete_file(runner: &mut Runner<'_>, pattern: &Pattern) -> u8 {
    let file = runner
        .files
        .new_file(&pattern.text)
        .filter(|f| f.path.is_file());
    match file.map(|f| std::fs::remove_file(f.path)) {
        Some(Ok(())) => {
            done(runner, "NONVSAM", &pattern.text, "is deleted");
            0
        }
        Some(Err(error)) => {
            runner.report.line(id::file_failed(pattern, error));
            12
        }
        // At a start it is about a job that makes again what it deletes.
        None if runner.existing.is_some() => 0,
        None => {
            runner.report.line(id::not_found(pattern));
            8
        }
    }
}

pub(crate) fn matching(runner: &Runner<'_>, pattern: &Pattern) -> Vec<Entry> {
    if !pattern.is_generic() {
        let name = DatasetName::new(&pattern.text).ok();
        return name
            .and_then(|n| runner.datasets.entry(&n))
            .into_iter()
            .collect();
    }
    let all = runner.datasets.entries().into_iter();
    all.filter(|e| pattern.matches(e.name().as_str())).collect()
}

pub(crate) fn kind_of(entry: &Entry) -> EntryType {
    match entry {
        Entry::Cluster(_) => EntryType::Cluster,
        Entry::AlternateIndex(_) => EntryType::Aix,
        Entry::Path(_) => EntryType::Path,
    }
}

fn kind_in(all: &[Entry], name: &DatasetName) -> EntryType {
    let entry = all.iter().find(|e| e.name() == name);
    entry.map_or(EntryType::Other, kind_of)
}

pub(crate) fn word(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Cluster => "CLUSTER",
        EntryType::Aix => "ALTERNATEINDEX",
        EntryType::Path => "PATH",
        EntryType::NonVsam => "NONVSAM",
        EntryType::GenerationGroup => "GENERATIONDATAGROUP",
        EntryType::Data => "DATA",
        EntryType::Index => "INDEX",
        EntryType::Other => "ENTRY",
    }
}

pub(crate) fn done(runner: &mut Runner<'_>, kind: &str, name: &str, what: &str) {
    runner.report.line(id::done(format!("{kind} {name}"), what));
}

/// A definition that was not made.
fn refused(condition: Condition) -> Failure {
    Failure {
        code: 12,
        ..failure(condition)
    }
}
