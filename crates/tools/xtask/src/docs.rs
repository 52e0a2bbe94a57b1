//! The generated pages of `docs/reference`.
//!
//! What: lets the debug executable write them into a scratch folder, then compares or copies. Why
//! so: the pages come from the tables the executable works with, so a page can only be stale, never
//! wrong. Conditions of commands stand in their sources (`resp2`). Not here: the text of the other
//! pages (`transom reference`).

use crate::resp2;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages and nothing else; a file beside them is a page that lost its source.
const PAGES: [&str; 11] = [
    "abends.md",
    "bms.md",
    "cli.md",
    "cobol.md",
    "commands.md",
    "configuration.md",
    "differences.md",
    "messages.md",
    "resources.md",
    RESP2,
    "sql.md",
];
/// The page that comes from sources, not from the executable.
const RESP2: &str = "resp2.md";
/// Where they lie, from the root of the project.
const FOLDER: &str = "docs/reference";

/// Writes the pages, or with `check` says which ones differ from what would be written.
pub(crate) fn run(root: &Path, check: bool) -> Vec<String> {
    let scratch = std::env::temp_dir().join(format!("transom-reference-{}", std::process::id()));
    let problems = match fresh_pages(root, &scratch) {
        Ok(()) if check => compare(root, &scratch),
        Ok(()) => copy(root, &scratch),
        Err(problem) => vec![problem],
    };
    // The folder is ours alone; if it cannot be removed, the system cleans up its temporary files.
    let _left = fs::remove_dir_all(&scratch);
    problems
}

/// CARGO_TARGET_DIR and the rest of the environment reach cargo as they are.
fn fresh_pages(root: &Path, scratch: &Path) -> Result<(), String> {
    fs::create_dir_all(scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    let cargo = std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["run", "-q", "-p", "transom", "--", "reference"])
        .arg(scratch)
        .status()
        .map_err(|e| format!("cargo run -p transom: {e}"))?;
    if !status.success() {
        return Err(format!("cargo run -p transom -- reference: {status}"));
    }
    let page = scratch.join(RESP2);
    fs::write(&page, resp2::page(root)?).map_err(|e| format!("{}: {e}", page.display()))
}

fn compare(root: &Path, scratch: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    for page in PAGES {
        let Some(fresh) = read(scratch, page, &mut problems) else {
            continue;
        };
        match fs::read(root.join(FOLDER).join(page)) {
            Ok(there) if there == fresh => {}
            Ok(_) => problems.push(format!("{FOLDER}/{page} is stale: run `make docs`")),
            Err(_) => problems.push(format!("{FOLDER}/{page} is missing: run `make docs`")),
        }
    }
    for file in fs::read_dir(root.join(FOLDER))
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = file.file_name();
        if !PAGES.iter().any(|page| name == *page) {
            problems.push(format!(
                "{FOLDER}/{} is not a generated page",
                name.display()
            ));
        }
    }
    problems
}

fn copy(root: &Path, scratch: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let folder = root.join(FOLDER);
    if let Err(error) = fs::create_dir_all(&folder) {
        return vec![format!("{FOLDER}: {error}")];
    }
    for page in PAGES {
        let Some(fresh) = read(scratch, page, &mut problems) else {
            continue;
        };
        // A page that is fresh keeps its time stamp.
        if fs::read(folder.join(page)).is_ok_and(|there| there == fresh) {
            continue;
        }
        match fs::write(folder.join(page), fresh) {
            Ok(()) => println!("written: {FOLDER}/{page}"),
            Err(error) => problems.push(format!("{FOLDER}/{page}: {error}")),
        }
    }
    problems
}

fn read(scratch: &Path, page: &str, problems: &mut Vec<String>) -> Option<Vec<u8>> {
    let read = fs::read(scratch.join(page));
    read.map_err(|e| problems.push(format!("transom reference did not write {page}: {e}")))
        .ok()
}
