//! `plex.toml`: `[plex]` and `[regions.NAME]`, regions that one command starts and stops.
//!
//! What: the file of a folder of system directories, checked as transom.toml is. The order in which
//! regions stand in it is the order of their start. Not here: starting them (`tools/plex`).

use crate::file::{place_of, plain, tables_of};
use crate::kind::{AnyPath, Number, Seconds, Text};
use crate::problem::{Needed, SettingProblem};
use crate::table::Table;
use std::path::PathBuf;
use std::time::Duration;
use toml::de::{DeTable, DeValue};
use transom_types::nearest;

/// Most regions of a file.
const REGIONS_MAX: usize = 100;
/// Longest name of a region.
const NAME_MAX: usize = 8;
/// Tables of the file.
const TABLES: &[&str] = &["plex", "regions"];

settings! {
    /// The file of a folder with several regions, `plex.toml`, which `transom run` of that folder
    /// starts and `transom plex` looks at and stops.
    pub struct PlexSettings in "[plex]" {
        /// Time that a region has to be ready, {values}; compiling its programs is part of it.
        ready_seconds: Duration = Duration::from_secs(600), Seconds(1, 86_400);
        /// Time that each region has to end, {values}; then it is killed, and what it had not
        /// committed is backed out at its next start.
        stop_seconds: Duration = Duration::from_secs(60), Seconds(1, 86_400);
    }
}

settings! {
    /// A region. NAME stands in front of its lines; regions start in the order of the file and stop
    /// in the reverse order.
    pub struct PlexRegionSettings in "[regions.NAME]" {
        /// Its system directory, relative to the folder of the file.
        dir: Option<PathBuf> = None => "NAME", AnyPath;
        /// Options of `transom run` for it, with blanks between.
        options: String = String::new(), Text(1_000);
        /// How often in an hour it is started again when it dies, {values}. 0: the others go on
        /// without it.
        restarts: u32 = 0, Number(0, 1_000);
    }
}

/// A plex.toml.
#[derive(Debug, Clone, Default)]
pub struct PlexFile {
    /// `[plex]`.
    pub plex: PlexSettings,
    /// `[regions.NAME]`, as they stand in the file.
    pub regions: Vec<PlexRegion>,
}

/// A table `[regions.NAME]`.
#[derive(Debug, Clone)]
pub struct PlexRegion {
    /// NAME.
    pub name: String,
    /// Its keys.
    pub settings: PlexRegionSettings,
}

impl PlexRegion {
    /// Its folder, from the one of the file on.
    pub fn dir(&self) -> PathBuf {
        let named = || PathBuf::from(&self.name);
        self.settings.dir.clone().unwrap_or_else(named)
    }
}

/// Reads the text of a `plex.toml`.
pub fn parse_plex(text: &str) -> (PlexFile, Vec<SettingProblem>) {
    let mut file = PlexFile::default();
    let mut problems = Vec::new();
    let Some(table) = tables_of(text, &mut problems) else {
        return (file, problems);
    };
    for (name, value) in table {
        let place = place_of(text, name.span().start);
        let name = name.get_ref().as_ref();
        match (name, value.get_ref()) {
            ("plex", DeValue::Table(keys)) => take(&mut file.plex, keys, text, &mut problems),
            ("regions", DeValue::Table(regions)) => {
                file.regions = take_regions(regions, text, &mut problems);
            }
            _ => {
                let near = nearest(name, TABLES.iter().copied());
                problems.push(SettingProblem::unknown("the file", name, near).at(place));
            }
        }
    }
    if !(1..=REGIONS_MAX).contains(&file.regions.len()) && problems.is_empty() {
        let why = format!("1 to {REGIONS_MAX} tables [regions.NAME] are needed");
        let number = file.regions.len().to_string();
        problems.push(SettingProblem::value("[regions]", &number, Needed(why)));
    }
    problems.sort_by_key(|p| p.line);
    (file, problems)
}

fn take(
    table: &mut impl Table,
    keys: &DeTable<'_>,
    text: &str,
    problems: &mut Vec<SettingProblem>,
) {
    for (key, value) in keys {
        let taken = table.set(key.get_ref(), &plain(value.get_ref()));
        let place = place_of(text, key.span().start);
        problems.extend(taken.err().map(|problem| problem.at(place)));
    }
}

fn take_regions(
    tables: &DeTable<'_>,
    text: &str,
    problems: &mut Vec<SettingProblem>,
) -> Vec<PlexRegion> {
    let mut found: Vec<(usize, PlexRegion)> = Vec::new();
    for (name, value) in tables {
        let (at, name) = (name.span().start, name.get_ref().as_ref());
        let place = place_of(text, at);
        let DeValue::Table(keys) = value.get_ref() else {
            let known = Some("[regions.NAME]");
            problems.push(SettingProblem::unknown("[regions]", name, known).at(place));
            continue;
        };
        let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !(1..=NAME_MAX).contains(&name.len()) || !name.chars().all(good) {
            let why = format!("1 to {NAME_MAX} letters, digits, - and _ are needed");
            problems.push(SettingProblem::value("[regions]", name, Needed(why)).at(place));
            continue;
        }
        let mut settings = PlexRegionSettings::default();
        take(&mut settings, keys, text, problems);
        let name = name.to_owned();
        let region = PlexRegion { name, settings };
        if let Some((_, other)) = found.iter().find(|(_, other)| other.dir() == region.dir()) {
            let (dir, why) = (region.dir(), format!("{} has it", other.name));
            let dir = dir.display().to_string();
            problems.push(SettingProblem::value("dir", &dir, Needed(why)).at(place));
        }
        found.push((at, region));
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, region)| region).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_stand_in_the_order_of_the_file() {
        let (file, problems) = parse_plex(
            "[plex]\nstop_seconds = 5\n[regions.TOR1]\noptions = \"--tn3270 3270\"\n\
             [regions.AOR1]\ndir = \"apps\"\nrestarts = 3\n",
        );
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(file.plex.stop_seconds, Duration::from_secs(5));
        let named: Vec<_> = file.regions.iter().map(|r| (&*r.name, r.dir())).collect();
        assert_eq!(named, [("TOR1", "TOR1".into()), ("AOR1", "apps".into())]);
        assert_eq!(file.regions[1].settings.restarts, 3);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let said = |text: &str| {
            let (_, problems) = parse_plex(text);
            let all = problems.iter().map(|p| format!("{} {p}", p.line));
            all.collect::<Vec<_>>().join("\n")
        };
        assert!(said("").contains("1 to 100 tables [regions.NAME]"));
        assert!(said("[regions.A]\nrestart = 1\n").starts_with("2 "));
        assert!(said("[regions.A]\nrestart = 1\n").contains("restarts"));
        assert!(said("[regions.A]\n[regions.B]\ndir = \"A\"\n").contains("A has it"));
        assert!(said("[regions]\n\"A/B\" = { dir = \"x\" }\n").contains("letters, digits"));
        assert!(said("[region.A]\n").contains("regions"));
    }
}
