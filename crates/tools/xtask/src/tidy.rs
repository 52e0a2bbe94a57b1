//! Rules of the house that are checked on the files themselves.
//!
//! What: which room may see which, sizes, purity, message ids, links. Why: a compiler checks none
//! of it, and a rule nobody checks is a wish. Not here: format and lint (cargo), generated pages
//! (`docs`).

use crate::messages::Used;
use std::fs;
use std::path::{Path, PathBuf};

/// Shelves of `crates/`.
const SHELVES: [&str; 4] = ["formats", "region", "doors", "tools"];
/// Longest source file; tests, tables and generated files aside.
const FILE_LINES_MAX: usize = 400;
/// Folders a room may depend on, besides its own: first match wins.
const MAY_SEE: &[(&str, &[&str])] = &[
    ("crates/formats/", &["crates/formats/"]),
    (
        "crates/doors/",
        &["crates/formats/", "crates/region/api", "crates/doors/tcpip"],
    ),
    ("crates/region/api", &["crates/formats/"]),
    ("crates/region/workers", &["crates/formats/"]),
    ("crates/region/recovery", &["crates/formats/"]),
    (
        "crates/region/datasets",
        &["crates/formats/", "crates/region/recovery"],
    ),
    (
        "crates/region/utilities",
        &[
            "crates/formats/",
            "crates/region/recovery",
            "crates/region/datasets",
        ],
    ),
    (
        "crates/region/intersystem",
        &["crates/formats/", "crates/region/api"],
    ),
    ("crates/region/", &["crates/formats/", "crates/region/"]),
    ("crates/tools/driver", &["crates/formats/"]),
    ("crates/tools/xtask", &["crates/formats/"]),
    ("crates/tools/", &["crates/"]),
];
/// Words that pure rooms may not use.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::thread",
    "std::env",
    "tokio::",
    "SystemTime::now",
    "Instant::now",
];

/// All problems found below the root, each with file and reason.
pub(crate) fn run(root: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let mut used = Used::default();
    for shelf in SHELVES {
        for room in children(&root.join("crates").join(shelf)) {
            let name = relative(root, &room);
            check_arrows(root, &room, &name, &mut problems);
            for file in files(&room, &["rs", "c", "h"]) {
                check_file(root, &file, &name, &mut used, &mut problems);
            }
        }
    }
    used.check(&mut problems);
    check_map(root, &mut problems);
    check_links(root, &mut problems);
    problems
}

fn check_arrows(root: &Path, room: &Path, name: &str, problems: &mut Vec<String>) {
    let Ok(manifest) = fs::read_to_string(room.join("Cargo.toml")) else {
        problems.push(format!("{name}: has no Cargo.toml"));
        return;
    };
    let allowed = MAY_SEE
        .iter()
        .find(|(prefix, _)| name.starts_with(prefix))
        .map_or(&[][..], |r| r.1);
    let root_manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let before_dev = manifest
        .split("[dev-dependencies]")
        .next()
        .unwrap_or_default();
    for line in before_dev.lines().filter(|l| l.starts_with("transom-")) {
        let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let path = root_manifest
            .lines()
            .find(|l| l.split(' ').next() == Some(dependency))
            .and_then(|l| l.split('"').nth(1))
            .unwrap_or_default();
        if !allowed.iter().any(|a| path.starts_with(a)) {
            problems.push(format!("{name}: may not depend on {dependency} ({path})"));
        }
    }
}

fn check_file(root: &Path, file: &Path, room: &str, used: &mut Used, problems: &mut Vec<String>) {
    let Ok(text) = fs::read_to_string(file) else {
        return;
    };
    let name = relative(root, file);
    let is_rust = name.ends_with(".rs");
    let is_test =
        name.contains("/tests/") || name.ends_with("tests.rs") || name.contains("/examples/");
    let is_table = name.contains("table") || name.contains("generated");
    let code = text
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    if !is_test {
        used.read(&name, code);
    }
    if !is_test && !is_table && code.lines().count() > FILE_LINES_MAX {
        problems.push(format!(
            "{name}: {} lines, at most {FILE_LINES_MAX} are allowed",
            code.lines().count()
        ));
    }
    if is_rust && !text.starts_with("//!") && !is_test {
        problems.push(format!("{name}: does not begin with a module doc (//!)"));
    }
    if is_rust && text.lines().any(|l| l.ends_with(' ') || l.contains('\t')) && !is_test {
        problems.push(format!("{name}: trailing blanks or tabs"));
    }
    if room.starts_with("crates/formats/") && !is_test && !name.ends_with("build.rs") {
        for word in IMPURE.iter().filter(|w| code.contains(**w)) {
            problems.push(format!("{name}: a format is pure and may not use {word}"));
        }
    }
    let may_be_unsafe =
        matches!(room, "crates/region/workers" | "crates/region/datasets") || is_test;
    if name.ends_with("src/lib.rs") && !may_be_unsafe && !text.contains("#![forbid(unsafe_code)]") {
        problems.push(format!("{name}: needs #![forbid(unsafe_code)]"));
    }
}

/// Every room is in ARCHITECTURE.md.
fn check_map(root: &Path, problems: &mut Vec<String>) {
    let Ok(map) = fs::read_to_string(root.join("ARCHITECTURE.md")) else {
        problems.push("ARCHITECTURE.md is missing".to_owned());
        return;
    };
    for shelf in SHELVES {
        for room in children(&root.join("crates").join(shelf)) {
            let name = relative(root, &room);
            if !map.contains(&name) {
                problems.push(format!("ARCHITECTURE.md: does not name {name}"));
            }
        }
    }
}

/// Links of the pages people read point at files of the project.
fn check_links(root: &Path, problems: &mut Vec<String>) {
    let top = fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path());
    let mut pages: Vec<PathBuf> = top
        .filter(|p| p.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.extend(files(&root.join("docs"), &["md"]));
    for page in pages {
        let Ok(text) = fs::read_to_string(&page) else {
            continue;
        };
        let folder = page.parent().unwrap_or(root);
        for target in links(&text) {
            let path = target.split('#').next().unwrap_or_default();
            if !path.is_empty() && !path.contains("://") && !folder.join(path).exists() {
                problems.push(format!(
                    "{}: {target} does not exist",
                    relative(root, &page)
                ));
            }
        }
    }
}

/// Targets of `[text](target)`; fenced blocks are text of somebody else.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("\n```").step_by(2);
    prose
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|rest| rest.split(')').next())
        .filter(|target| !target.contains(char::is_whitespace))
        .collect()
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.is_dir())
        .collect();
    found.sort();
    found
}

fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, endings));
        } else if path
            .extension()
            .is_some_and(|e| endings.iter().any(|x| e == *x))
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_a_page() {
        let page =
            "See [a](a.md), [b](b/c.md#part).\n\n```sh\n[x](y.md)\n```\nAnd [d](http://e).\n";
        assert_eq!(links(page), ["a.md", "b/c.md#part", "http://e"]);
    }

    #[test]
    fn this_project_has_its_rooms() {
        let root = crate::root();
        assert!(children(&root.join("crates/formats")).len() >= 7);
        assert!(files(&root.join("crates/tools/xtask/src"), &["rs"]).len() >= 4);
    }
}
