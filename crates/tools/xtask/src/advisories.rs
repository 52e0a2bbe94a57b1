//! Published advisories about the crates of Cargo.lock, from a list that is checked in.
//!
//! What: the advisories of the RustSec database (CC0) about crates that were in Cargo.lock when the
//! list was made, by number and versions; which of them the locked versions have. Why a list: the
//! check runs where there is no network and no cargo-deny. It knows nothing that was published
//! after its date, which is told at each run, and says which crates it does not cover. Not here:
//! what to do about one; an answer stands in `deny.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

const LIST: &str = "crates/tools/xtask/advisories.txt";
/// Advisories of these kinds are told and are no problem by themselves.
const TOLD: [&str; 2] = ["unmaintained", "notice"];

/// What an advisory says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Advisory {
    name: String,
    id: String,
    kind: String,
    /// Versions that do not have it, as requirements.
    good: Vec<String>,
}

/// Looks for advisories that locked versions have and `deny.toml` does not answer.
pub(crate) fn run(root: &Path) -> Vec<String> {
    let read = |name: &str| fs::read_to_string(root.join(name)).map_err(|e| format!("{name}: {e}"));
    let (list, lock, deny) = match (read(LIST), read("Cargo.lock"), read("deny.toml")) {
        (Ok(list), Ok(lock), Ok(deny)) => (list, lock, deny),
        (Err(e), ..) | (_, Err(e), _) | (.., Err(e)) => return vec![e],
    };
    let from = list.lines().nth(1).unwrap_or_default();
    println!("advisories: {}", from.trim_start_matches(['#', ' ']));
    let (covered, advisories) = listed(&list);
    let locked = locked(&lock);
    let missing: Vec<&str> = locked
        .keys()
        .map(String::as_str)
        .filter(|name| !covered.contains(*name))
        .collect();
    if !missing.is_empty() {
        println!(
            "skipped: the list of advisories does not cover {}",
            missing.join(", ")
        );
    }
    let mut problems = Vec::new();
    for advisory in &advisories {
        let Advisory {
            name,
            id,
            kind,
            good,
        } = advisory;
        let versions = locked.get(name).into_iter().flatten();
        for version in versions.filter(|version| !is_good(version, good)) {
            let text =
                format!("{name} {version}: {id} ({kind}); https://rustsec.org/advisories/{id}");
            match TOLD.contains(&kind.as_str()) || deny.contains(&format!("\"{id}\"")) {
                true => println!("{text}"),
                false => problems.push(text),
            }
        }
    }
    problems
}

/// Makes the list from a working copy of the database.
pub(crate) fn make(root: &Path, database: &Path) -> Vec<String> {
    let lock = match fs::read_to_string(root.join("Cargo.lock")) {
        Ok(lock) => lock,
        Err(error) => return vec![format!("Cargo.lock: {error}")],
    };
    let output = Command::new("git")
        .arg("-C")
        .arg(database)
        .args(["log", "-1", "--format=%cs %H"])
        .output();
    let Some(state) = output.ok().filter(|o| o.status.success()) else {
        return vec![format!("{} is no working copy of git", database.display())];
    };
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    let names: BTreeSet<String> = locked(&lock).into_keys().collect();
    let mut found = Vec::new();
    for name in &names {
        let folder = database.join("crates").join(name);
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            found.extend(advisory(&text));
        }
    }
    found.sort();
    let text = written(&state, &names, &found);
    match fs::write(root.join(LIST), text) {
        Ok(()) => println!("written: {LIST}"),
        Err(error) => return vec![format!("{LIST}: {error}")],
    }
    run(root)
}

fn written(state: &str, names: &BTreeSet<String>, found: &[Advisory]) -> String {
    let mut text = format!(
        "# Advisories about crates of Cargo.lock, by `cargo xtask advisories FOLDER`; do not edit.\n\
         # RustSec advisory database (CC0-1.0) of {state}\n\
         # Number, crate, kind, requirements of which good versions meet one. Then the crates it covers.\n"
    );
    for one in found {
        let good = one.good.join(" | ");
        text += &format!("{} {} {} : {good}\n", one.id, one.name, one.kind);
    }
    for name in names {
        text += &format!("covers {name}\n");
    }
    text
}

/// The crates a list covers, and its advisories.
fn listed(list: &str) -> (BTreeSet<&str>, Vec<Advisory>) {
    let covered = list.lines().filter_map(|l| l.strip_prefix("covers "));
    let advisories = list.lines().filter_map(|line| {
        let (what, good) = line
            .split_once(" : ")
            .or(line.strip_suffix(" :").map(|l| (l, "")))?;
        let mut words = what.split(' ');
        let (id, name, kind) = (words.next()?, words.next()?, words.next()?);
        Some(Advisory {
            name: name.to_owned(),
            id: id.to_owned(),
            kind: kind.to_owned(),
            good: good.split(" | ").map(str::to_owned).collect(),
        })
    });
    (covered.collect(), advisories.collect())
}

/// Crates that come from a registry, and their versions.
fn locked(lock: &str) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in lock
        .split("[[package]]")
        .filter(|p| p.contains("\nsource = "))
    {
        let value = |key: &str| {
            let line = package.lines().find_map(|l| l.strip_prefix(key))?;
            Some(line.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version)) = (value("name = "), value("version = ")) {
            found.entry(name).or_default().push(version);
        }
    }
    found
}

/// What a file of the database says; `None` of one that was withdrawn.
fn advisory(text: &str) -> Option<Advisory> {
    let data = text.split("```toml").nth(1)?.split("```").next()?;
    let value = |key: &str| {
        let line = data
            .lines()
            .find_map(|l| l.strip_prefix(key)?.trim_start().strip_prefix('='));
        line.map(|line| line.trim().trim_matches('"').to_owned())
    };
    let list = |key: &str| {
        let from = data.lines().position(|l| l.starts_with(key))?;
        let rest: Vec<&str> = data.lines().skip(from).collect();
        let rest = rest.join(" ");
        let inside = rest.split_once('[')?.1.split_once(']')?.0.to_owned();
        Some(inside)
    };
    if value("withdrawn").is_some() {
        return None;
    }
    let quoted = ["patched", "unaffected"].map(|key| list(key).unwrap_or_default());
    let good = quoted
        .iter()
        .flat_map(|list| list.split('"').skip(1).step_by(2));
    Some(Advisory {
        name: value("package")?,
        id: value("id")?,
        kind: value("informational").unwrap_or_else(|| "vulnerability".to_owned()),
        good: good.map(|one| one.trim().to_owned()).collect(),
    })
}

/// A version meets one of these requirements.
fn is_good(version: &str, good: &[String]) -> bool {
    let Some(version) = Version::read(version) else {
        return false;
    };
    good.iter().any(|wanted| {
        let mut parts = wanted.split(',').map(|part| meets(&version, part.trim()));
        !wanted.is_empty() && parts.all(|met| met)
    })
}

/// One comparison; one that is not understood is not met.
fn meets(version: &Version, part: &str) -> bool {
    let digit = part.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let (sign, wanted) = part.split_at(digit);
    let Some(wanted) = Version::read(wanted) else {
        return false;
    };
    match sign.trim() {
        ">=" => *version >= wanted,
        ">" => *version > wanted,
        "<=" => *version <= wanted,
        "<" => *version < wanted,
        "=" => *version == wanted,
        "~" => *version >= wanted && version.numbers[..2] == wanted.numbers[..2],
        "" | "^" => {
            // Up to the first number that is not 0 they are the same.
            let kept = wanted.numbers.iter().position(|n| *n > 0).unwrap_or(2);
            *version >= wanted && version.numbers[..=kept] == wanted.numbers[..=kept]
        }
        _ => false,
    }
}

/// Three numbers; one with a name behind them comes before the one without.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version {
    numbers: [u64; 3],
    is_released: bool,
    before: String,
}

impl Version {
    fn read(text: &str) -> Option<Self> {
        let text = text.trim().split('+').next()?;
        let (numbers, before) = text.split_once('-').unwrap_or((text, ""));
        let mut found = [0; 3];
        for (at, part) in numbers.split('.').enumerate() {
            *found.get_mut(at)? = part.parse().ok()?;
        }
        Some(Self {
            numbers: found,
            is_released: before.is_empty(),
            before: before.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_meet_requirements_as_cargo_reads_them() {
        for (version, wanted, met) in [
            ("0.38.4", ">= 0.41.0", false),
            ("0.41.0", ">= 0.41.0", true),
            ("0.9.0", ">= 0.8.4, < 0.9.0", false),
            ("0.8.8", "< 0.9.0, >= 0.8.6", true),
            ("0.103.16", ">= 0.103.13, < 0.104.0-alpha.1", true),
            ("0.104.0", ">= 0.103.13, < 0.104.0-alpha.1", false),
            ("1.0.0", "< 1.0.0-0", false),
            ("0.3.4", "^ 0.3.1", true),
            ("0.4.0", "^ 0.3.1", false),
            ("0.13.11", "0.13.10", true),
            ("2.0.0", "1.2", false),
            ("1.9.0", "1.2", true),
            ("1.2.3", "=1.2.3", true),
            ("1.2.3", "whatever", false),
            ("1.2.3", "", false),
        ] {
            assert_eq!(
                is_good(version, &[wanted.to_owned()]),
                met,
                "{version} {wanted}"
            );
        }
        assert!(!is_good("1.0.0", &[]));
    }

    #[test]
    fn a_list_says_what_the_database_says() {
        let text = "```toml\n[advisory]\nid = \"RUSTSEC-2026-0194\"\npackage = \"quick-xml\"\n\n[versions]\n\
                    patched = [\">= 0.41.0\"]\nunaffected = [\n    \"< 0.1.0\",\n    \"=0.2.0\",\n]\n```\n# Title\n";
        let found = advisory(text).unwrap();
        assert_eq!(found.good, [">= 0.41.0", "< 0.1.0", "=0.2.0"]);
        assert_eq!(found.kind, "vulnerability");
        let withdrawn = text.replace("[versions]", "withdrawn = \"2025-02-22\"\n[versions]");
        assert_eq!(advisory(&withdrawn), None);
        let names = BTreeSet::from(["quick-xml".to_owned()]);
        let list = written("2026-08-21 0123", &names, std::slice::from_ref(&found));
        assert_eq!(listed(&list), (BTreeSet::from(["quick-xml"]), vec![found]));
    }

    #[test]
    fn only_what_comes_from_a_registry_is_looked_at() {
        let lock = "[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"a\"\n\
                    version = \"1.0.0\"\nsource = \"registry+x\"\n\n[[package]]\nname = \"a\"\nversion = \"2.0.0\"\n\
                    source = \"registry+x\"\n";
        let expected =
            BTreeMap::from([("a".to_owned(), vec!["1.0.0".to_owned(), "2.0.0".to_owned()])]);
        assert_eq!(locked(lock), expected);
    }
}
