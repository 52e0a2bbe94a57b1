//! LISTCAT: entries of the catalog with their components.

use super::entries::{kind_of, matching};
use crate::print::{Failure, failure};
use crate::runner::Runner;
use transom_datasets::{Cluster, DatasetName, Entry, Extra, Log, Organization};
use transom_idcams::{EntryType, ListCatalog, date, listing};
use transom_messages::id;
use transom_recovery::wait;

/// Types in the order of the summary.
const COUNTED: [(&str, EntryType); 5] = [
    ("AIX", EntryType::Aix),
    ("CLUSTER", EntryType::Cluster),
    ("DATA", EntryType::Data),
    ("INDEX", EntryType::Index),
    ("PATH", EntryType::Path),
];
/// Attributes of the HISTORY group.
const HISTORY: [&str; 3] = ["OWNER-IDENT", "CREATION", "EXPIRATION"];
/// Attributes shown among the statistics.
const STATISTICS: [&str; 2] = ["FREESPACE-%CI", "FREESPACE-%CA"];
/// Attributes whose value says all.
const FLAGS: [&str; 4] = ["ERASE", "SPEED", "WRITECHECK", "UPDATE"];

type Rows = Vec<(String, String)>;
type Groups = Vec<(&'static str, Rows)>;

/// One of the sections an entry is listed as.
struct Section {
    kind: EntryType,
    name: String,
    groups: Groups,
}

pub(crate) fn list(runner: &mut Runner<'_>, list: &ListCatalog) -> Result<u8, Failure> {
    let mut code = 0;
    let mut entries: Vec<(Entry, Option<DatasetName>)> = Vec::new();
    for pattern in &list.entries {
        let mut found: Vec<_> = matching(runner, pattern)
            .into_iter()
            .map(|e| (e, None))
            .collect();
        // A component can be asked for by its own name.
        let component = DatasetName::new(&pattern.text).ok();
        let component = component.filter(|_| found.is_empty() && !pattern.level);
        if let Some(name) = component
            && let Some(owner) = runner.datasets.owner(&name)
        {
            found.push((owner, Some(name)));
        }
        if found.is_empty() {
            runner.report.line(id::not_found(pattern));
            code = 4;
        }
        entries.extend(found);
    }
    if list.entries.is_empty() {
        entries = runner
            .datasets
            .entries()
            .into_iter()
            .map(|e| (e, None))
            .collect();
    }
    let mut counts = [0_u32; COUNTED.len()];
    for (entry, component) in &entries {
        if !in_time(runner, list, entry) {
            continue;
        }
        for section in sections(runner, entry, list)? {
            let asked = component
                .as_ref()
                .is_none_or(|c| c.as_str() == section.name);
            let wanted = list.types.is_empty() || list.types.contains(&section.kind);
            let counted = COUNTED.iter().position(|(_, kind)| *kind == section.kind);
            let Some(place) = counted.filter(|_| asked && wanted) else {
                continue;
            };
            if let (Some(count), Some((word, _))) = (counts.get_mut(place), COUNTED.get(place)) {
                *count += 1;
                let text = listing::entry(word, &section.name, &section.groups);
                runner.report.line(text.trim_end());
            }
        }
    }
    summary(runner, &counts);
    Ok(code)
}

fn summary(runner: &mut Runner<'_>, counts: &[u32]) {
    let total: u32 = counts.iter().sum();
    runner
        .report
        .line("         THE NUMBER OF ENTRIES PROCESSED WAS:");
    let words = COUNTED.iter().map(|(word, _)| *word);
    for (word, count) in words.zip(counts).chain([("TOTAL", &total)]) {
        let text = format!("                   {word:-<15}{count:->5}");
        runner.report.line(text);
    }
}

/// CREATION and EXPIRATION of the command.
fn in_time(runner: &Runner<'_>, list: &ListCatalog, entry: &Entry) -> bool {
    let date = |word: &str| entry.extra().listed.get(word).cloned().unwrap_or_default();
    let old = list.created.is_none_or(|days| {
        date("CREATION") <= date::shown(runner.today.saturating_sub(u64::from(days)))
    });
    let short = list.expires.is_none_or(|days| {
        date("EXPIRATION") <= date::shown(runner.today.saturating_add(u64::from(days)))
    });
    old && short
}

/// The entry and its components, with nothing told about them.
fn components(entry: &Entry) -> Vec<Section> {
    let extra = entry.extra();
    let all = [
        (kind_of(entry), Some(entry.name().to_string())),
        (
            EntryType::Data,
            extra.data.as_ref().map(ToString::to_string),
        ),
        (
            EntryType::Index,
            extra.index.as_ref().map(ToString::to_string),
        ),
    ];
    let section = |(kind, name): (EntryType, Option<String>)| {
        let (name, groups) = (name?, Groups::new());
        Some(Section { kind, name, groups })
    };
    all.into_iter().filter_map(section).collect()
}

/// The entry, then its components.
fn sections(
    runner: &Runner<'_>,
    entry: &Entry,
    list: &ListCatalog,
) -> Result<Vec<Section>, Failure> {
    let own = entry.name().to_string();
    let mut sections = components(entry);
    if list.history || list.all {
        let rows = pick(entry.extra(), &HISTORY);
        for section in &mut sections {
            section.groups.push(("HISTORY", rows.clone()));
        }
    }
    if !list.all {
        return Ok(sections);
    }
    let (attributes, statistics) = attributes(runner, entry)?;
    let related = associations(runner, entry);
    let whose = match entry {
        Entry::AlternateIndex(_) => format!("AIX------{own}"),
        _ => format!("CLUSTER--{own}"),
    };
    // Where there is a DATA component the attributes are its own.
    let place = usize::from(sections.len() > 1);
    for (number, section) in sections.iter_mut().enumerate() {
        let related = match number {
            0 => related.clone(),
            _ => vec![(whose.clone(), String::new())],
        };
        section.groups.push(("ASSOCIATIONS", related));
        if number == place {
            section.groups.push(("ATTRIBUTES", attributes.clone()));
            section.groups.push(("STATISTICS", statistics.clone()));
        } else if number == 0
            && let Entry::AlternateIndex(index) = entry
        {
            let upgrade = if index.upgrade {
                "UPGRADE"
            } else {
                "NOUPGRADE"
            };
            let rows = vec![(upgrade.to_owned(), String::new())];
            section.groups.push(("ATTRIBUTES", rows));
        }
    }
    Ok(sections)
}

fn associations(runner: &Runner<'_>, entry: &Entry) -> Rows {
    let own = entry.name();
    let extra = entry.extra();
    let mut related: Vec<String> = Vec::new();
    match entry {
        Entry::AlternateIndex(a) => related.push(format!("CLUSTER--{}", a.base)),
        Entry::Path(p) => related.push(format!("ENTRY----{}", p.entry)),
        Entry::Cluster(_) => {}
    }
    related.extend(extra.data.iter().map(|name| format!("DATA-----{name}")));
    related.extend(extra.index.iter().map(|name| format!("INDEX----{name}")));
    for other in runner.datasets.entries() {
        let (kind, target) = match &other {
            Entry::AlternateIndex(a) => ("AIX", &a.base),
            Entry::Path(p) => ("PATH", &p.entry),
            Entry::Cluster(_) => continue,
        };
        if target == own {
            related.push(format!("{kind:-<9}{}", other.name()));
        }
    }
    related
        .into_iter()
        .map(|text| (text, String::new()))
        .collect()
}

fn attributes(runner: &Runner<'_>, entry: &Entry) -> Result<(Rows, Rows), Failure> {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let flag = |name: &str| (name.to_owned(), String::new());
    let mut attributes = Rows::new();
    let mut statistics = Rows::new();
    match entry {
        Entry::Cluster(cluster) => {
            attributes = cluster_attributes(cluster);
            let dataset = runner.datasets.dataset(&cluster.name).map_err(failure)?;
            let count = wait(dataset.count()).map_err(failure)?;
            statistics.push(row("REC-TOTAL", count.to_string()));
        }
        Entry::AlternateIndex(a) => {
            attributes.push(row("KEYLEN", a.key_length.to_string()));
            attributes.push(row("AXRKP", a.key_offset.to_string()));
            attributes.push(flag(if a.unique { "UNIQUE" } else { "NONUNIQKEY" }));
            if entry.extra().data.is_none() {
                attributes.push(flag(if a.upgrade { "UPGRADE" } else { "NOUPGRADE" }));
            }
        }
        Entry::Path(_) => {
            if !entry.extra().listed.contains_key("UPDATE") {
                attributes.push(flag("UPDATE"));
            }
        }
    }
    let extra = entry.extra();
    if extra.inhibited {
        attributes.push(flag("INH-UPDATE"));
    }
    for (name, value) in &extra.listed {
        if HISTORY.contains(&name.as_str()) || STATISTICS.contains(&name.as_str()) {
            continue;
        }
        attributes.push(match FLAGS.contains(&name.as_str()) || name == value {
            true => flag(value),
            false if value.starts_with('(') => flag(&format!("{name}{value}")),
            false => row(name, value.clone()),
        });
    }
    statistics.extend(pick(extra, &STATISTICS));
    Ok((attributes, statistics))
}

fn cluster_attributes(cluster: &Cluster) -> Rows {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let flag = |name: &str| (name.to_owned(), String::new());
    let mut rows = Rows::new();
    let organization = match cluster.organization {
        Organization::Ksds {
            key_offset,
            key_length,
        } => {
            rows.push(row("KEYLEN", key_length.to_string()));
            rows.push(row("RKP", key_offset.to_string()));
            "INDEXED"
        }
        Organization::Esds => "NONINDEXED",
        Organization::Rrds => "NUMBERED",
    };
    rows.push(row("AVGLRECL", cluster.average.to_string()));
    rows.push(row("MAXLRECL", cluster.max.to_string()));
    rows.push(flag(organization));
    rows.push(flag(if cluster.reuse { "REUSE" } else { "NOREUSE" }));
    let log = match cluster.log {
        None => "(NULL)",
        Some(Log::None) => "NONE",
        Some(Log::Undo) => "UNDO",
        Some(Log::All) => "ALL",
    };
    rows.push(row("LOG", log.to_owned()));
    rows
}

fn pick(extra: &Extra, words: &[&str]) -> Rows {
    let found = words.iter().filter_map(|word| {
        let value = extra.listed.get(*word)?;
        Some(((*word).to_owned(), value.clone()))
    });
    found.collect()
}
