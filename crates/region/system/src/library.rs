//! Copybooks of a system directory. The supplied ones (DFHAID ...) belong to the translator.

use crate::directory::{files, read_text};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use transom_translator::CopyLibrary;

/// Copybooks by member name.
pub struct Library {
    root: PathBuf,
    members: HashMap<String, PathBuf>,
}

impl Library {
    /// All members below `copy/`, `cobol/` and `bms/` of a system directory. Where a name is there
    /// twice the first folder wins.
    pub fn open(root: &Path) -> Self {
        let mut members = HashMap::new();
        for folder in ["copy", "cpy", "cobol", "bms", ".transom/maps"] {
            let extensions = ["cpy", "cpb", "copy", "cbl", "cob", "inc"];
            for path in files(&root.join(folder), &extensions) {
                if let Some(name) = path.file_stem().and_then(|s| s.to_str()) {
                    members.entry(name.to_ascii_uppercase()).or_insert(path);
                }
            }
        }
        Self {
            root: root.to_path_buf(),
            members,
        }
    }

    /// A copybook for a tool: by member name or by path.
    pub fn text(&self, name: &str) -> Option<(String, String)> {
        let name = name.to_ascii_uppercase();
        let path = self.members.get(&name)?;
        let shown = path
            .strip_prefix(&self.root)
            .unwrap_or(path)
            .display()
            .to_string();
        Some((shown, read_text(path).ok()?))
    }
}

impl CopyLibrary for Library {
    /// The library of COPY ... IN is not looked at: names are unique within a system directory.
    fn find(&self, name: &str, _library: Option<&str>) -> Option<(String, String)> {
        self.text(name)
    }
}
