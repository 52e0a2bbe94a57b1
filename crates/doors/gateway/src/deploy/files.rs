//! A folder of archives: names that stay inside it, writes that are whole or absent.

use crate::change::StorageError;
use std::collections::BinaryHeap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::SystemTime;

/// Longest name of an API or service, bytes.
pub(crate) const NAME_BYTES_MAX: usize = 120;
/// Most archives of one folder that are deployed: the first by name.
pub(crate) const FOLDER_FILES_MAX: usize = 10_000;

/// Where the archives of one kind are kept; without a path nothing is kept.
pub(crate) struct Folder {
    path: Option<PathBuf>,
    ending: &'static str,
    /// Most archives that are deployed.
    most: usize,
}

/// An archive in a folder and what tells a new version of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) file: PathBuf,
    pub(crate) changed: SystemTime,
    pub(crate) size: u64,
}

/// The archives of a folder.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// In name order, at most [`FOLDER_FILES_MAX`].
    pub(crate) found: Vec<Found>,
    /// Archives in the folder.
    pub(crate) count: usize,
    /// Archives beyond the most that are deployed.
    pub(crate) beyond: usize,
}

impl Folder {
    pub(crate) fn new(path: Option<PathBuf>, ending: &'static str) -> Self {
        Self {
            path,
            ending,
            most: FOLDER_FILES_MAX,
        }
    }

    /// Writes an archive under its name, or over the file it came from.
    pub(crate) fn write(
        &self,
        name: &str,
        old: Option<&Path>,
        bytes: &[u8],
    ) -> Result<Option<PathBuf>, StorageError> {
        let Some(folder) = &self.path else {
            return Ok(None);
        };
        let file = match old {
            Some(old) => old.to_owned(),
            None => folder.join(format!("{}.{}", file_stem(name), self.ending)),
        };
        let failed = |e| StorageError::Write(file.clone(), e);
        fs::create_dir_all(folder).map_err(failed)?;
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let part = folder.join(format!(".deploy-{}-{number}.part", std::process::id()));
        let done = write_synced(&part, bytes)
            .and_then(|()| fs::rename(&part, &file))
            .and_then(|()| File::open(folder)?.sync_all());
        if let Err(e) = done {
            let _ = fs::remove_file(&part);
            return Err(failed(e));
        }
        Ok(Some(file))
    }

    /// Removes an archive; one that is gone already is no error.
    pub(crate) fn remove(&self, file: Option<&Path>) -> Result<(), StorageError> {
        let Some(file) = file else { return Ok(()) };
        match fs::remove_file(file) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(StorageError::Remove(file.to_owned(), e));
            }
            _ => {}
        }
        let folder = file.parent().map(File::open).and_then(Result::ok);
        folder
            .map_or(Ok(()), |f| f.sync_all())
            .map_err(StorageError::Folder)
    }

    /// The archives in name order; a folder that does not exist is empty.
    pub(crate) fn list(&self) -> io::Result<Listed> {
        let mut listed = Listed::default();
        let Some(folder) = &self.path else {
            return Ok(listed);
        };
        let entries = match fs::read_dir(folder) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(listed),
            other => other?,
        };
        // The greatest name is on top, and goes when there is one too many.
        let mut names = BinaryHeap::new();
        for entry in entries {
            let name = entry?.file_name();
            let hidden = name.as_encoded_bytes().starts_with(b".");
            let ending = Path::new(&name)
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case(self.ending));
            if hidden || !ending {
                continue;
            }
            listed.count += 1;
            names.push(name);
            if names.len() > self.most {
                names.pop();
                listed.beyond += 1;
            }
        }
        for name in names.into_sorted_vec() {
            let file = folder.join(name);
            let Ok(meta) = fs::metadata(&file) else {
                continue;
            };
            if meta.is_file() {
                let changed = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                let size = meta.len();
                listed.found.push(Found {
                    file,
                    changed,
                    size,
                });
            }
        }
        Ok(listed)
    }
}

fn write_synced(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut out = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(file)?;
    out.write_all(bytes)?;
    out.sync_all()
}

/// Why an API or a service cannot have a name.
#[derive(Debug)]
pub(crate) enum NameError {
    Length(usize),
    Control(char),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(bytes) => {
                write!(
                    f,
                    "a name has 1 to {NAME_BYTES_MAX} bytes, this one {bytes}"
                )
            }
            Self::Control(c) => write!(f, "the name contains the control character {c:?}"),
        }
    }
}

/// Refuses names nobody could mean.
pub(crate) fn check_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() || name.len() > NAME_BYTES_MAX {
        return Err(NameError::Length(name.len()));
    }
    match name.chars().find(|c| c.is_control()) {
        Some(c) => Err(NameError::Control(c)),
        None => Ok(()),
    }
}

/// A file name that cannot leave the folder: everything but letters, digits, `-`, `_` and inner
/// dots is written as `%XX`.
fn file_stem(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (index, b) in name.bytes().enumerate() {
        let plain = b.is_ascii_alphanumeric() || b == b'-' || b == b'_' || (b == b'.' && index > 0);
        if plain {
            out.push(b as char);
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_folder() {
        assert_eq!(file_stem("comm1k"), "comm1k");
        assert_eq!(file_stem("../../etc/passwd"), "%2E.%2F..%2Fetc%2Fpasswd");
        assert_eq!(file_stem("MyService/v1"), "MyService%2Fv1");
        assert_eq!(file_stem("a\\b\0"), "a%5Cb%00");
        assert!(check_name("").is_err() && check_name("a\nb").is_err());
        assert!(check_name(&"x".repeat(121)).is_err() && check_name("ok v1").is_ok());
    }

    #[test]
    fn writes_lists_and_removes() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(Some(dir.path().join("apis")), "aar");
        assert!(folder.list().unwrap().found.is_empty());
        let file = folder.write("a/b", None, b"zip").unwrap().unwrap();
        assert_eq!(file.parent(), Some(dir.path().join("apis").as_path()));
        std::fs::write(dir.path().join("apis/readme.txt"), "no archive").unwrap();
        let listed = folder.list().unwrap();
        assert_eq!((listed.count, listed.found[0].size), (1, 3));
        folder.remove(Some(&file)).unwrap();
        folder.remove(Some(&file)).unwrap();
        assert!(folder.list().unwrap().found.is_empty());
    }

    #[test]
    fn the_first_by_name_are_looked_at_whatever_the_file_system_gives_first() {
        let dir = tempfile::tempdir().unwrap();
        for n in (0..8).rev() {
            std::fs::write(dir.path().join(format!("{n}.aar")), "").unwrap();
        }
        let mut folder = Folder::new(Some(dir.path().to_owned()), "aar");
        assert_eq!(folder.list().unwrap().beyond, 0);
        folder.most = 5;
        let listed = folder.list().unwrap();
        assert_eq!((listed.found.len(), listed.count, listed.beyond), (5, 8, 3));
        assert_eq!(listed.found.last().unwrap().file, dir.path().join("4.aar"));
    }
}
