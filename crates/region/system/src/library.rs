//! Copybooks of a system directory. One of the name of a supplied one (DFHAID ...), which belong to
//! the translator, wins over it and is told of.

use crate::directory::files;
use crate::finding::Finding;
use crate::source::read_source;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use transom_copybook::CodePage;
use transom_messages::si;
use transom_translator::{CopyLibrary, other_values};

/// Copybooks by member name.
pub struct Library {
    root: PathBuf,
    members: HashMap<String, PathBuf>,
    page: &'static CodePage,
    /// What there is to tell of members that were used, each once.
    told: Mutex<BTreeMap<String, Vec<Finding>>>,
}

impl Library {
    /// All members below `copy/`, `cobol/` and `bms/` of a system directory. Where a name is there
    /// twice the first folder wins.
    /// `page` is that of members that are EBCDIC.
    pub fn open(root: &Path, page: &'static CodePage) -> Self {
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
            page,
            told: Mutex::default(),
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
        let (text, mut findings) = match read_source(path, &shown, self.page) {
            Ok(read) => read,
            Err(error) => (String::new(), vec![error.into()]),
        };
        findings.extend(in_place_of_supplied(&name, &shown, &text));
        if !findings.is_empty() {
            let told = self.told.lock();
            let mut told = told.unwrap_or_else(std::sync::PoisonError::into_inner);
            told.insert(shown.clone(), findings);
        }
        Some((shown, text))
    }

    /// What there is to tell of the members used so far.
    pub fn findings(&self) -> Vec<Finding> {
        let told = self.told.lock();
        let told = told.unwrap_or_else(std::sync::PoisonError::into_inner);
        told.values().flatten().cloned().collect()
    }
}

/// What there is to tell of a copybook that has the name of a supplied one.
fn in_place_of_supplied(name: &str, shown: &str, text: &str) -> Option<Finding> {
    let items = other_values(name, text)?;
    Some(Finding::notice(if items.is_empty() {
        si::own_copybook(shown, name)
    } else {
        si::own_copybook_differs(shown, name, items.join(" "))
    }))
}

impl CopyLibrary for Library {
    /// The library of COPY ... IN is not looked at: names are unique within a system directory.
    fn find(&self, name: &str, _library: Option<&str>) -> Option<(String, String)> {
        self.text(name)
    }
}
