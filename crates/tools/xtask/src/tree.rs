//! Folders and files of the project, by paths from its root.
//!
//! What: the rooms (crates), the files of one, texts. Why: every rule walks the same tree. Not
//! here: what a file may contain.

use std::fs;
use std::path::{Path, PathBuf};

/// Shelves of `crates/`.
const SHELVES: [&str; 4] = ["formats", "region", "doors", "tools"];

/// A source file: its path from the root, and its text.
pub(crate) struct Source {
    /// As `crates/region/api/src/lib.rs`.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    /// Tests and examples: they may be long, impure and without module doc.
    pub(crate) fn is_test(&self) -> bool {
        let name = &self.name;
        name.contains("/tests/") || name.ends_with("tests.rs") || name.contains("/examples/")
    }

    /// File name, with its folder where every folder has such a file: it survives a move.
    pub(crate) fn short_name(&self) -> &str {
        let mut from_end = self.name.rmatch_indices('/').map(|(at, _)| at + 1);
        let last = from_end.next().unwrap_or(0);
        if &self.name[last..] != "mod.rs" {
            return &self.name[last..];
        }
        &self.name[from_end.next().unwrap_or(0)..]
    }

    /// Tables may be long. A table is a file or folder of that name.
    pub(crate) fn is_table(&self) -> bool {
        let mut parts = self.name.split('/');
        parts.any(|part| matches!(part, "table" | "tables" | "table.rs" | "tables.rs"))
    }
}

/// All rooms, as `crates/region/api`.
pub(crate) fn rooms(root: &Path) -> Vec<String> {
    let shelves = SHELVES.iter().map(|s| root.join("crates").join(s));
    shelves
        .flat_map(|shelf| children(&shelf))
        .map(|room| relative(root, &room))
        .collect()
}

/// The files of a folder and those below it that have one of the endings, sorted by path.
pub(crate) fn sources(root: &Path, folder: &str, endings: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    collect(root, &root.join(folder), endings, &mut found);
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The pages people read: those of the root and of `docs`.
pub(crate) fn pages(root: &Path) -> Vec<Source> {
    let mut found = sources(root, "docs", &["md"]);
    let top = fs::read_dir(root).into_iter().flatten().flatten();
    for path in top.map(|e| e.path()).filter(|p| has_ending(p, &["md"])) {
        found.extend(read(root, &path));
    }
    found
}

fn collect(root: &Path, folder: &Path, endings: &[&str], found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, endings, found);
        } else if has_ending(&path, endings) {
            found.extend(read(root, &path));
        }
    }
}

fn read(root: &Path, path: &Path) -> Option<Source> {
    let text = fs::read_to_string(path).ok()?;
    let name = relative(root, path);
    Some(Source { name, text })
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension()
        .is_some_and(|e| endings.iter().any(|x| e == *x))
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|e| e.path()).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

fn relative(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_project_has_its_rooms() {
        let rooms = rooms(&crate::root());
        assert!(
            rooms
                .iter()
                .filter(|r| r.starts_with("crates/formats/"))
                .count()
                >= 7
        );
        assert!(sources(&crate::root(), "crates/tools/xtask/src", &["rs"]).len() >= 4);
    }

    #[test]
    fn names_of_files_survive_a_move() {
        let short = |name: &str| {
            let (name, text) = (name.to_owned(), String::new());
            Source { name, text }.short_name().to_owned()
        };
        assert_eq!(short("crates/region/core/src/region/link.rs"), "link.rs");
        assert_eq!(
            short("crates/region/core/src/region/mod.rs"),
            "region/mod.rs"
        );
    }

    #[test]
    fn a_table_is_a_file_or_folder_of_that_name() {
        let table = |name: &str| {
            let (name, text) = (name.to_owned(), String::new());
            Source { name, text }.is_table()
        };
        assert!(table("crates/formats/csd/src/table/web.rs"));
        assert!(table("crates/formats/copybook/src/codepage/tables.rs"));
        assert!(!table("crates/region/utilities/src/portable.rs"));
    }
}
