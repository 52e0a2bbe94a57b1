//! The files of a checkout, and what is left alone.
//!
//! Why apart: names and links are what a hostile checkout is made of, and nothing behind this file
//! meets a path that leads out of it. Not here: what a file is.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use transom_messages::{Message, im};

/// Most files of a checkout.
const FILES_MAX: usize = 100_000;
/// Folders in folders.
const DEPTH_MAX: usize = 64;
/// Characters of a name that messages show.
const SHOWN_MAX: usize = 200;
/// Folders of other tools, which hold no sources of an application.
const FOREIGN: [&str; 2] = ["node_modules", "__MACOSX"];

/// A file.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Where it is read; never outside the checkout.
    pub(crate) path: PathBuf,
    /// Path below the checkout, for people.
    pub(crate) shown: String,
    pub(crate) bytes: u64,
}

impl Found {
    /// Name without its last ending.
    pub(crate) fn stem(&self) -> &str {
        let name = self.name();
        match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        }
    }

    /// Last ending, in lower case.
    pub(crate) fn ending(&self) -> String {
        let ending = self
            .name()
            .rsplit_once('.')
            .map_or("", |(_, ending)| ending);
        ending.to_ascii_lowercase()
    }

    /// Name within its folder.
    pub(crate) fn name(&self) -> &str {
        self.shown.rsplit('/').next().unwrap_or_default()
    }
}

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// By path.
    pub(crate) files: Vec<Found>,
    /// Links that were left alone.
    pub(crate) remarks: Vec<Message>,
}

/// Walks a checkout but for `without`. Folders whose name begins with a dot belong to tools.
pub(crate) fn walk(root: &Path, without: &[PathBuf]) -> Result<Walked, Message> {
    let mut walked = Walked::default();
    folder(root, root, without, DEPTH_MAX, &mut walked)?;
    walked.files.sort_by(|a, b| a.shown.cmp(&b.shown));
    Ok(walked)
}

fn folder(
    root: &Path,
    at: &Path,
    without: &[PathBuf],
    depth: usize,
    walked: &mut Walked,
) -> Result<(), Message> {
    if depth == 0 {
        return Err(im::too_deep(shown(root, at), DEPTH_MAX));
    }
    let not_read = |why| im::not_read(shown(root, at), reason(&why));
    for entry in fs::read_dir(at).map_err(not_read)? {
        let path = entry.map_err(not_read)?.path();
        if without.contains(&path) {
            continue;
        }
        let Ok(kind) = fs::symlink_metadata(&path) else {
            continue;
        };
        if kind.is_symlink() {
            link(root, &path, without, walked)?;
        } else if kind.is_dir() {
            if !is_foreign(path.file_name()) {
                folder(root, &path, without, depth - 1, walked)?;
            }
        } else if kind.is_file() {
            add(root, path.clone(), &path, kind.len(), walked)?;
        }
    }
    Ok(())
}

/// A link to a file of the checkout is that file under another name; folders are walked anyway.
fn link(root: &Path, path: &Path, without: &[PathBuf], walked: &mut Walked) -> Result<(), Message> {
    let Ok(target) = path.canonicalize() else {
        return Ok(());
    };
    if !target.starts_with(root) {
        walked.remarks.push(im::leads_out(shown(root, path)));
        return Ok(());
    }
    let excluded = without.iter().any(|w| target.starts_with(w));
    match fs::metadata(&target) {
        Ok(kind) if kind.is_file() && !excluded => add(root, target, path, kind.len(), walked),
        _ => Ok(()),
    }
}

fn add(
    root: &Path,
    path: PathBuf,
    named: &Path,
    bytes: u64,
    walked: &mut Walked,
) -> Result<(), Message> {
    if walked.files.len() == FILES_MAX {
        return Err(im::too_many(FILES_MAX));
    }
    walked.files.push(Found {
        path,
        shown: shown(root, named),
        bytes,
    });
    Ok(())
}

fn is_foreign(name: Option<&OsStr>) -> bool {
    let name = name.map(OsStr::to_string_lossy).unwrap_or_default();
    name.starts_with('.') || FOREIGN.contains(&&*name)
}

/// A path as messages show it: below the checkout, without what a terminal would act on.
pub(crate) fn shown(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let text = below.to_string_lossy();
    let clean = text.chars().map(|c| if c.is_control() { '?' } else { c });
    let mut clean: String = clean.collect();
    if let Some((cut, _)) = clean.char_indices().rev().nth(SHOWN_MAX) {
        clean = format!("...{}", &clean[cut..]);
    }
    if clean.is_empty() {
        return ".".to_owned();
    }
    clean
}

/// Why the system refused, without its number.
pub(crate) fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_owned()
}
