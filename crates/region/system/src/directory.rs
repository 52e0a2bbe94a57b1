//! The folder: transom.toml, sources, decks and server.xml, found and read.

use crate::finding::Finding;
use std::path::{Path, PathBuf};
use transom_messages::{Message, si};
use transom_settings::Settings;
use transom_translator::{HexLiterals, Options};

/// A folder as it was found.
#[derive(Debug, Clone)]
pub struct SystemDirectory {
    /// The folder, absolute.
    pub root: PathBuf,
    /// `transom.toml`, defaults filled in.
    pub settings: Settings,
    /// COBOL sources below `cobol/`, sorted.
    pub sources: Vec<PathBuf>,
    /// Decks below `csd/`, sorted.
    pub decks: Vec<PathBuf>,
    /// server.xml, when there is one.
    pub server_xml: Option<PathBuf>,
    /// How sources are translated.
    pub translation: Options,
}

/// Folder below the system directory that belongs to Transom.
const OWN: &str = ".transom";

impl SystemDirectory {
    /// Reads the folder. Problems of `transom.toml` are among the findings, also those that `more`
    /// answers with their lines: what rooms find in settings they read themselves.
    ///
    /// # Errors
    /// TXMSI0004E, TXMSI0005E: it is no system directory.
    pub fn open(
        folder: &Path,
        more: impl FnOnce(&Settings) -> Vec<(usize, String)>,
    ) -> Result<(Self, Vec<Finding>), Message> {
        let root = folder
            .canonicalize()
            .map_err(|e| si::folder_not_opened(folder.display(), e))?;
        let file = root.join("transom.toml");
        let text = std::fs::read_to_string(&file)
            .map_err(|e| si::not_a_system_directory(folder.display(), e))?;
        let (settings, problems) = transom_settings::parse(&text);
        let problems = problems.iter();
        let mut problems: Vec<(usize, String)> = problems
            .map(|p| (p.line, format!("{}:{}: {p}", p.line, p.column)))
            .collect();
        let more = more(&settings).into_iter();
        problems.extend(more.map(|(line, problem)| (line, format!("{line}: {problem}"))));
        problems.sort_by_key(|(line, _)| *line);
        let problems = problems.iter();
        let mut findings: Vec<Finding> = problems
            .map(|(_, problem)| Finding::error(format!("transom.toml:{problem}")))
            .collect();
        if !settings.ignored.is_empty() {
            let ignored = si::without_effect(settings.ignored.join(", "));
            findings.push(Finding::notice(ignored));
        }
        let server_xml = root.join(&settings.gateway.server_xml);
        let system = Self {
            sources: files(&root.join("cobol"), &["cbl", "cob", "cobol"]),
            decks: decks(&root),
            root,
            translation: translation(&settings),
            settings,
            server_xml: Some(server_xml).filter(|p| p.is_file()),
        };
        Ok((system, findings))
    }

    /// A path below `.transom`.
    pub fn own(&self, name: &str) -> PathBuf {
        self.root.join(OWN).join(name)
    }

    /// How messages name a file of the directory.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root)
            .unwrap_or(path)
            .display()
            .to_string()
    }
}

fn translation(settings: &Settings) -> Options {
    Options {
        hex_literals: match settings.cobol.hex_literals {
            "EBCDIC" => HexLiterals::Ebcdic,
            _ => HexLiterals::Bytes,
        },
        ..Options::default()
    }
}

/// The decks; what CEDA changed counts after all others.
fn decks(root: &Path) -> Vec<PathBuf> {
    let mut decks = files(&root.join("csd"), &["csd", "txt", "dfhcsdup", "jcl"]);
    decks.sort_by_key(|deck| deck.ends_with("csd/local.csd"));
    decks
}

/// Statements and jobs of a system directory, in the order they are run at a start.
pub fn data_texts(root: &Path) -> Vec<PathBuf> {
    files(&root.join("data"), &["idcams", "jcl"])
}

/// Files below a folder with one of the extensions, sorted; none when there is no such folder.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
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
///
/// # Errors
/// TXMSI0007E with the reason.
pub fn read_text(path: &Path) -> Result<String, Message> {
    let bytes = std::fs::read(path).map_err(|e| si::not_read(path.display(), e))?;
    Ok(transom_types::text(bytes))
}
