//! A system directory: one folder with everything a region and its doors serve.
//!
//! What: finds and reads `transom.toml`, decks, COBOL sources, copybooks and server.xml, and
//! compiles what changed. Not here: starting anything (see `commands::run`).

pub(crate) mod adapters;
pub(crate) mod build;
pub(crate) mod devices;
pub(crate) mod gateway;
pub(crate) mod library;
pub(crate) mod maps;
pub(crate) mod resources;
pub(crate) mod store;
pub(crate) mod terminals;
pub(crate) mod users;

use std::path::{Path, PathBuf};
use transom_region_server::Rules;
use transom_settings::Settings;

/// One thing to tell the user about a file.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// Nothing can start while it is there.
    pub(crate) is_error: bool,
    /// `file:line:column: TXM... text`.
    pub(crate) text: String,
}

impl Finding {
    pub(crate) fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            text: text.into(),
        }
    }

    pub(crate) fn notice(text: impl Into<String>) -> Self {
        Self {
            is_error: false,
            text: text.into(),
        }
    }
}

/// A folder as it was found.
#[derive(Debug)]
pub(crate) struct SystemDirectory {
    /// The folder, absolute.
    pub(crate) root: PathBuf,
    /// `transom.toml`, defaults filled in.
    pub(crate) settings: Settings,
    /// Rules of its [authority].
    pub(crate) rules: Rules,
    /// COBOL sources below `cobol/`, sorted.
    pub(crate) sources: Vec<PathBuf>,
    /// Decks below `csd/`, sorted.
    pub(crate) decks: Vec<PathBuf>,
    /// server.xml, when there is one.
    pub(crate) server_xml: Option<PathBuf>,
}

/// Folder below the system directory that belongs to Transom.
const OWN: &str = ".transom";

impl SystemDirectory {
    /// Reads the folder. Problems of `transom.toml` are among the findings.
    pub(crate) fn open(folder: &Path) -> Result<(Self, Vec<Finding>), String> {
        let root = folder
            .canonicalize()
            .map_err(|e| format!("TXMSI0004E {} cannot be opened: {e}", folder.display()))?;
        let file = root.join("transom.toml");
        let text = std::fs::read_to_string(&file).map_err(|e| {
            format!(
                "TXMSI0005E {} is not a system directory: transom.toml: {e}",
                folder.display()
            )
        })?;
        let (settings, problems) = transom_settings::parse(&text);
        let problems = problems.iter().map(|p| (p.line, p.to_string()));
        let mut problems: Vec<(usize, String)> = problems.collect();
        let rules = users::rules(&settings, &mut problems);
        problems.sort_by_key(|(line, _)| *line);
        let problems = problems.iter();
        let mut findings: Vec<Finding> = problems
            .map(|(line, problem)| Finding::error(format!("transom.toml:{line}: {problem}")))
            .collect();
        if !settings.ignored.is_empty() {
            findings.push(Finding::notice(format!(
                "TXMSI0006I accepted without effect: {}",
                settings.ignored.join(", ")
            )));
        }
        let server_xml = root.join(&settings.gateway.server_xml);
        let system = Self {
            sources: files(&root.join("cobol"), &["cbl", "cob", "cobol"]),
            decks: decks(&root),
            root,
            settings,
            rules,
            server_xml: Some(server_xml).filter(|p| p.is_file()),
        };
        Ok((system, findings))
    }

    /// A path below `.transom`.
    pub(crate) fn own(&self, name: &str) -> PathBuf {
        self.root.join(OWN).join(name)
    }

    /// How messages name a file of the directory.
    pub(crate) fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root)
            .unwrap_or(path)
            .display()
            .to_string()
    }
}

/// The decks; what CEDA changed counts after all others.
fn decks(root: &Path) -> Vec<PathBuf> {
    let mut decks = files(&root.join("csd"), &["csd", "txt", "dfhcsdup", "jcl"]);
    decks.sort_by_key(|deck| deck.ends_with("csd/local.csd"));
    decks
}

/// Statements and jobs of a system directory, in the order they are run at a start.
pub(crate) fn data_texts(root: &Path) -> Vec<PathBuf> {
    files(&root.join("data"), &["idcams", "jcl"])
}

/// Files below a folder with one of the extensions, sorted; none when there is no such folder.
pub(crate) fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    const DEPTH_MAX: usize = 8;
    let mut found = Vec::new();
    collect(folder, extensions, DEPTH_MAX, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, extensions: &[&str], depth: usize, found: &mut Vec<PathBuf>) {
    if depth == 0 {
        return;
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, extensions, depth - 1, found);
        } else if path
            .extension()
            .and_then(|e| e.to_str())
            .is_some_and(|e| extensions.iter().any(|x| x.eq_ignore_ascii_case(e)))
        {
            found.push(path);
        }
    }
}

/// Text of a file; bytes that are not UTF-8 are taken as ISO 8859-1.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("TXMSI0007E {}: {e}", path.display()))?;
    Ok(transom_types::text(bytes))
}
