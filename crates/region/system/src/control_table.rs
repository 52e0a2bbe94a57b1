//! The monitoring control table of a system directory: the member of `mct/` that MCT names.
//!
//! Not here: the macros of a table (`formats/monitoring`), what points do (`region/commands`).

use crate::directory::{SystemDirectory, files, read_text};
use crate::finding::Finding;
use transom_messages as messages;
use transom_monitoring::ControlTable;

/// Files that are members of `mct/`.
const EXTENSIONS: &[&str] = &["mct", "asm", "hlasm", "mac", "txt", "jcl"];

/// Reads it; what is wrong with it are the findings.
pub fn read(system: &SystemDirectory) -> (Option<ControlTable>, Vec<Finding>) {
    let value = &system.settings.region.mct;
    let Some(member) = ControlTable::member(value) else {
        return (None, Vec::new());
    };
    let is_it = |path: &std::path::PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str());
        name.is_some_and(|name| name.eq_ignore_ascii_case(&member))
    };
    let found = files(&system.root.join("mct"), EXTENSIONS)
        .into_iter()
        .find(is_it);
    let Some(path) = found else {
        let missing = messages::mn::mct_missing(value, &member);
        return (None, vec![Finding::error(missing)]);
    };
    match read_text(&path) {
        Err(error) => (None, vec![Finding::error(error)]),
        Ok(text) => {
            let (table, problems) = ControlTable::read(&member, &system.shown(&path), &text);
            let told = problems.iter().map(|p| p.place_first().to_string());
            (Some(table), told.map(Finding::error).collect())
        }
    }
}
