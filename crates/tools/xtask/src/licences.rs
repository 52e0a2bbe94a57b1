//! Licences of what is linked into the executable, and the file NOTICE that names them.
//!
//! What: crates as `cargo tree` lists them; each licence against the list of `deny.toml`; crates
//! that are there in two versions against a list that may only shrink; NOTICE, generated. Why
//! beside cargo-deny: it runs wherever the project builds. What needs cargo-deny, and advisories
//! that are later than our own list of them, are asked of it where it is installed, and told as
//! skipped where it is not. Not here: whether a crate is wanted (`Cargo.toml` has the reasons),
//! advisories (`advisories`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file.
const NOTICE: &str = "NOTICE";
/// Crates that are there twice, with the lower layers that bring them.
const TWICE: &str = "crates/tools/xtask/ratchets/twice.txt";
/// What is built for others is not shipped from here.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// C code inside crates whose licence is not that of the crate, and what is loaded at run time.
const INSIDE: &[(&str, &str, &str)] = &[
    (
        "LMDB (in lmdb-master-sys)",
        "OLDAP-2.8",
        "Copyright 2011-2021 Howard Chu, Symas Corp., The OpenLDAP Foundation",
    ),
    (
        "mimalloc (in libmimalloc-sys)",
        "MIT",
        "Copyright (c) 2018-2025 Microsoft Corporation, Daan Leijen",
    ),
    (
        "libcob of GnuCOBOL (not shipped; compiled programs load it)",
        "LGPL-3.0-or-later",
        "Copyright Free Software Foundation, Inc.",
    ),
];

/// One crate that is linked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Linked {
    name: String,
    version: String,
    licence: String,
    source: String,
}

/// Checks licences, versions and NOTICE; with `write` writes NOTICE first.
pub(crate) fn run(root: &Path, write: bool) -> Vec<String> {
    let (linked, deny) = match (linked(root), fs::read_to_string(root.join("deny.toml"))) {
        (Ok(linked), Ok(deny)) => (linked, deny),
        (Err(problem), _) => return vec![problem],
        (_, Err(error)) => return vec![format!("deny.toml: {error}")],
    };
    let allowed = allowed(&deny);
    let mut problems: Vec<String> = linked
        .iter()
        .filter(|one| !holds(&one.licence, &allowed))
        .map(|one| {
            let Linked { name, licence, .. } = one;
            format!("{name}: licence {licence:?} is not among those of deny.toml")
        })
        .collect();
    problems.extend(twice(root, &linked));
    let text = notice(&linked);
    let path = root.join(NOTICE);
    let there = fs::read_to_string(&path).unwrap_or_default();
    if there != text && write {
        match fs::write(&path, &text) {
            Ok(()) => println!("written: {NOTICE}"),
            Err(error) => problems.push(format!("{NOTICE}: {error}")),
        }
    } else if there != text {
        problems.push(format!("{NOTICE} is stale: run `make docs`"));
    }
    problems
}

/// Asks cargo-deny what it alone can say.
pub(crate) fn deny(root: &Path) -> Vec<String> {
    let mut problems = run(root, false);
    let has = |words: &[&str]| {
        let output = Command::new(cargo()).current_dir(root).args(words).output();
        output.is_ok_and(|output| output.status.success())
    };
    if !has(&["deny", "--version"]) {
        println!(
            "skipped: cargo-deny is not installed (cargo install --locked cargo-deny): bans and sources were not looked at"
        );
        return problems;
    }
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let known = home.is_some_and(|home| home.join("advisory-dbs").is_dir());
    let mut what = vec!["deny", "--offline", "check", "bans", "licenses", "sources"];
    match known {
        true => what.push("advisories"),
        false => println!("skipped: no database of advisories on this machine (cargo deny fetch)"),
    }
    if !has(&what) {
        problems.push(format!("cargo {} found something: run it", what.join(" ")));
    }
    problems
}

fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

fn linked(root: &Path) -> Result<Vec<Linked>, String> {
    let output = Command::new(cargo())
        .current_dir(root)
        .args(["tree", "-p", "transom", "-e", "normal", "--target", TARGET])
        .args(["--offline", "--prefix", "none", "--no-dedupe"])
        .args(["-f", "{p}|{l}|{r}"])
        .output()
        .map_err(|e| format!("cargo tree: {e}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("cargo tree: {}", said.trim()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut all: Vec<Linked> = text.lines().filter_map(line).collect();
    all.sort();
    all.dedup();
    Ok(all)
}

/// A line of the tree; nothing of one that is ours or runs in the compiler alone.
fn line(line: &str) -> Option<Linked> {
    let mut parts = line.split('|');
    let (package, licence, source) = (parts.next()?, parts.next()?, parts.next()?);
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    if package.contains("(proc-macro)") || package.contains("(/") {
        return None;
    }
    Some(Linked {
        name: name.to_owned(),
        version: version.to_owned(),
        licence: licence.to_owned(),
        source: source.trim().to_owned(),
    })
}

/// `allow` of `[licenses]`.
fn allowed(deny: &str) -> Vec<String> {
    let list = deny.split("[licenses]").nth(1).unwrap_or_default();
    let list = list.split("allow = [").nth(1).unwrap_or_default();
    let list = list.split(']').next().unwrap_or_default();
    list.split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Whether an expression is met by these licences. A slash is an OR of old; WITH adds permissions.
fn holds(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let mut words: Vec<&str> = Vec::new();
    let mut all = spaced.split_whitespace();
    while let Some(word) = all.next() {
        match word {
            "WITH" => drop(all.next()),
            word => words.push(word),
        }
    }
    let mut words = words.into_iter().peekable();
    either(&mut words, allowed) && words.peek().is_none()
}

type Words<'w> = std::iter::Peekable<std::vec::IntoIter<&'w str>>;

fn either(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut met = both(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        met |= both(words, allowed);
    }
    met
}

fn both(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut met = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words, allowed);
    }
    met
}

fn one(words: &mut Words<'_>, allowed: &[String]) -> bool {
    match words.next() {
        Some("(") => {
            let met = either(words, allowed);
            met & words.next_if_eq(&")").is_some()
        }
        Some(name) => allowed.iter().any(|known| known == name),
        None => false,
    }
}

/// Crates in several versions that the list does not have, and those it need not have any more.
fn twice(root: &Path, linked: &[Linked]) -> Vec<String> {
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for one in linked {
        *versions.entry(&one.name).or_default() += 1;
    }
    let there: Vec<&str> = versions
        .iter()
        .filter(|(_, n)| **n > 1)
        .map(|(name, _)| *name)
        .collect();
    let text = fs::read_to_string(root.join(TWICE)).unwrap_or_default();
    let known: Vec<&str> = text.lines().filter(|l| !l.is_empty()).collect();
    let new = there.iter().filter(|name| !known.contains(name));
    let gone = known.iter().filter(|name| !there.contains(name));
    new.map(|name| format!("{name} is linked in two versions; `cargo tree -d` shows by whom"))
        .chain(gone.map(|name| format!("{TWICE}: {name} is there once; take it off the list")))
        .collect()
}

fn notice(linked: &[Linked]) -> String {
    let mut text = String::from(
        "Transom\nLicensed under the Apache License, Version 2.0 (LICENSE).\n\n\
         The executable contains the following software. Generated from the dependencies for\n\
         x86_64 Linux by `cargo xtask docs`; do not edit. The text of each licence is in the source\n\
         of its crate, which `cargo vendor` collects; who ships the executable ships those texts.\n\n",
    );
    for (name, licence, copyright) in INSIDE {
        text += &format!("{name}\n    {licence}\n    {copyright}\n");
    }
    text.push('\n');
    for one in linked {
        let Linked {
            name,
            version,
            licence,
            source,
        } = one;
        text += &format!("{name} {version}\n    {licence}\n    {source}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_met_by_allowed_licences() {
        let allowed =
            allowed("[bans]\n[licenses]\nallow = [\"MIT\", \"Apache-2.0\", \"ISC\"]\n[x]");
        assert_eq!(allowed, ["MIT", "Apache-2.0", "ISC"]);
        for good in [
            "MIT",
            "MIT/GPL-2.0",
            "GPL-3.0 OR (ISC AND MIT)",
            "ISC AND (Apache-2.0 OR GPL-2.0)",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(holds(good, &allowed), "{good}");
        }
        for bad in ["", "GPL-2.0", "MIT AND AGPL-3.0", "(MIT", "MIT AND", "MIT)"] {
            assert!(!holds(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn what_is_ours_is_not_listed() {
        assert_eq!(line("transom v0.1.0 (/src/transom)|Apache-2.0|"), None);
        assert_eq!(line("serde_derive v1.0.0 (proc-macro)|MIT|x"), None);
        let one = line("bytes v1.2.3|MIT|https://example.com/bytes").unwrap();
        assert_eq!(
            (one.name.as_str(), one.version.as_str()),
            ("bytes", "1.2.3")
        );
    }
}
