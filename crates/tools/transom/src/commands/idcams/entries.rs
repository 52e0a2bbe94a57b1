//! Commands about the catalog: DEFINE, DELETE, ALTER, LISTCAT.

use super::report::Failure;
use super::runner::Runner;
use transom_datasets::{
    AlternateIndex, Cluster, Condition, DatasetName, Entry, Organization, PathEntry,
};
use transom_idcams::{
    AixDef, Alter, ClusterDef, Delete, EntryType, ListCatalog, Log, OtherKind, PathDef, Pattern,
    listing,
};
use transom_recovery::wait;

pub(super) fn define_cluster(runner: &mut Runner<'_>, def: &ClusterDef) -> Result<u8, Failure> {
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
        recoverable: matches!(def.log, Some(Log::Undo | Log::All)),
        reuse: def.reuse,
    };
    wait(runner.datasets.define_cluster(cluster)).map_err(failure)?;
    done(runner, "CLUSTER", &def.name, "is defined");
    Ok(0)
}

pub(super) fn define_index(runner: &mut Runner<'_>, def: &AixDef) -> Result<u8, Failure> {
    if runner.keeps(&def.name) {
        return Ok(0);
    }
    let index = AlternateIndex {
        name: name(&def.name)?,
        base: name(&def.relate)?,
        key_offset: def.key_offset as usize,
        key_length: def.key_len as usize,
        unique: def.unique,
        upgrade: def.upgrade,
    };
    wait(runner.datasets.define_index(index)).map_err(refused)?;
    done(runner, "ALTERNATEINDEX", &def.name, "is defined");
    Ok(0)
}

pub(super) fn define_path(runner: &mut Runner<'_>, def: &PathDef) -> Result<u8, Failure> {
    if runner.keeps(&def.name) {
        return Ok(0);
    }
    let path = PathEntry {
        name: name(&def.name)?,
        entry: name(&def.entry)?,
    };
    wait(runner.datasets.define_path(path)).map_err(refused)?;
    done(runner, "PATH", &def.name, "is defined");
    Ok(0)
}

pub(super) fn define_other(runner: &mut Runner<'_>, kind: OtherKind, name: &str) {
    let kind = match kind {
        OtherKind::NonVsam => "NONVSAM",
        OtherKind::GenerationGroup => "GENERATIONDATAGROUP",
        OtherKind::Alias => "ALIAS",
        OtherKind::Catalog => "USERCATALOG",
    };
    runner.report.line(format!(
        "TXMID0024I {kind} {name} is accepted; nothing is defined for it"
    ));
}

pub(super) fn delete(runner: &mut Runner<'_>, delete: &Delete) -> Result<u8, Failure> {
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
                    let text = format!(
                        "TXMID0060E {} is a {is}; DELETE needs a {wanted}",
                        entry.name()
                    );
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
            runner.report.line(format!("TXMID0053E {pattern}: {error}"));
            12
        }
        None => {
            runner
                .report
                .line(format!("TXMID0050E {pattern} was not found"));
            8
        }
    }
}

pub(super) fn alter(runner: &mut Runner<'_>, alter: &Alter) -> Result<u8, Failure> {
    if runner.datasets.entry(&name(&alter.name)?).is_none() {
        return Err(Failure::new(
            8,
            format!("TXMID0050E {} was not found", alter.name),
        ));
    }
    let asked = [
        ("NEWNAME", alter.new_name.is_some()),
        ("UPGRADE", alter.upgrade.is_some()),
        ("LOG", alter.log.is_some()),
        ("RECORDSIZE", alter.record_size.is_some()),
    ];
    let mut code = 0;
    for (word, _) in asked.iter().filter(|a| a.1) {
        runner.report.line(format!(
            "TXMID0063W {}: {word} cannot be changed",
            alter.name
        ));
        code = 4;
    }
    Ok(code)
}

pub(super) fn list(runner: &mut Runner<'_>, list: &ListCatalog) -> Result<u8, Failure> {
    let mut code = 0;
    let mut entries = Vec::new();
    for pattern in &list.entries {
        let found = matching(runner, pattern);
        if found.is_empty() {
            runner
                .report
                .line(format!("TXMID0050E {pattern} was not found"));
            code = 4;
        }
        entries.extend(found);
    }
    if list.entries.is_empty() {
        entries = runner.datasets.entries();
    }
    let mut counts = [("AIX", 0), ("CLUSTER", 0), ("PATH", 0), ("TOTAL", 0)];
    for entry in &entries {
        let kind = kind_of(entry);
        if !list.types.is_empty() && !list.types.contains(&kind) {
            continue;
        }
        let groups = if list.all {
            groups(runner, entry)?
        } else {
            Vec::new()
        };
        let text = listing::entry(short(kind), entry.name().as_str(), &groups);
        runner.report.line(text.trim_end());
        for (_, count) in counts
            .iter_mut()
            .filter(|c| c.0 == short(kind) || c.0 == "TOTAL")
        {
            *count += 1;
        }
    }
    runner
        .report
        .line("         THE NUMBER OF ENTRIES PROCESSED WAS:");
    for (word, count) in counts {
        runner
            .report
            .line(format!("                   {word:-<15}{count:->5}"));
    }
    Ok(code)
}

type Groups = Vec<(&'static str, Vec<(String, String)>)>;

fn groups(runner: &Runner<'_>, entry: &Entry) -> Result<Groups, Failure> {
    let own = entry.name();
    let row = |name: &str, value: String| (name.to_owned(), value);
    let mut related: Vec<(String, String)> = Vec::new();
    for other in runner.datasets.entries() {
        let (kind, target) = match &other {
            Entry::AlternateIndex(a) => ("AIX", &a.base),
            Entry::Path(p) => ("PATH", &p.entry),
            Entry::Cluster(_) => continue,
        };
        if target == own {
            related.push((format!("{kind}------{}", other.name()), String::new()));
        }
    }
    let mut attributes = Vec::new();
    let mut statistics = Vec::new();
    match entry {
        Entry::Cluster(c) => {
            let organization = match c.organization {
                Organization::Ksds {
                    key_offset,
                    key_length,
                } => {
                    attributes.push(row("KEYLEN", key_length.to_string()));
                    attributes.push(row("RKP", key_offset.to_string()));
                    "INDEXED"
                }
                Organization::Esds => "NONINDEXED",
                Organization::Rrds => "NUMBERED",
            };
            attributes.push(row("AVGLRECL", c.average.to_string()));
            attributes.push(row("MAXLRECL", c.max.to_string()));
            attributes.push(row(organization, String::new()));
            attributes.push(row(
                if c.reuse { "REUSE" } else { "NOREUSE" },
                String::new(),
            ));
            attributes.push(row(
                "LOG",
                if c.recoverable { "UNDO" } else { "NONE" }.to_owned(),
            ));
            let dataset = runner.datasets.dataset(own).map_err(failure)?;
            let count = wait(dataset.count()).map_err(failure)?;
            statistics.push(row("REC-TOTAL", count.to_string()));
        }
        Entry::AlternateIndex(a) => {
            related.push((format!("CLUSTER--{}", a.base), String::new()));
            attributes.push(row("AXRKP", a.key_offset.to_string()));
            attributes.push(row("KEYLEN", a.key_length.to_string()));
            attributes.push(row(
                if a.unique { "UNIQKEY" } else { "NONUNIQKEY" },
                String::new(),
            ));
            attributes.push(row(
                if a.upgrade { "UPGRADE" } else { "NOUPGRADE" },
                String::new(),
            ));
        }
        Entry::Path(p) => related.push((format!("ENTRY----{}", p.entry), String::new())),
    }
    Ok(vec![
        ("ASSOCIATIONS", related),
        ("ATTRIBUTES", attributes),
        ("STATISTICS", statistics),
    ])
}

fn matching(runner: &Runner<'_>, pattern: &Pattern) -> Vec<Entry> {
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

fn kind_of(entry: &Entry) -> EntryType {
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

fn word(kind: EntryType) -> &'static str {
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

fn short(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Aix => "AIX",
        other => word(other),
    }
}

fn done(runner: &mut Runner<'_>, kind: &str, name: &str, what: &str) {
    runner
        .report
        .line(format!("TXMID0023I {kind} {name} {what}"));
}

fn name(text: &str) -> Result<DatasetName, Failure> {
    DatasetName::new(text)
        .map_err(|reason| Failure::new(12, format!("TXMID0059E the store answered: {reason}")))
}

/// A definition that was not made.
fn refused(condition: Condition) -> Failure {
    Failure {
        code: 12,
        ..failure(condition)
    }
}

/// What the store refused, as a command's failure.
pub(super) fn failure(condition: Condition) -> Failure {
    match condition {
        Condition::Exists(name) => Failure::new(12, format!("TXMID0051E {name} exists already")),
        Condition::NoDataset(name) => Failure::new(8, format!("TXMID0050E {name} was not found")),
        other => Failure::new(12, format!("TXMID0059E the store answered: {other}")),
    }
}
