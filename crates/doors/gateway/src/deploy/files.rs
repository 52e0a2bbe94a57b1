//! A folder of archives: names that stay inside it, writes that are whole or absent.

use crate::catalog::StorageError;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::SystemTime;

/// Longest name of an API or service, bytes.
pub(crate) const NAME_BYTES_MAX: usize = 120;
/// Most archives looked at in one folder.
pub(crate) const FOLDER_FILES_MAX: usize = 10_000;

/// Where the archives of one kind are kept; without a path nothing is kept.
pub(crate) struct Folder {
    path: Option<PathBuf>,
    ending: &'static str,
}

/// An archive in a folder and what tells a new version of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) file: PathBuf,
    pub(crate) changed: SystemTime,
    pub(crate) size: u64,
}

impl Folder {
    pub(crate) fn new(path: Option<PathBuf>, ending: &'static str) -> Self {
        Self { path, ending }
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
    pub(crate) fn list(&self) -> io::Result<Vec<Found>> {
        let Some(folder) = &self.path else {
            return Ok(Vec::new());
        };
        let entries = match fs::read_dir(folder) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut found = Vec::new();
        for entry in entries.take(FOLDER_FILES_MAX) {
            let entry = entry?;
            let file = entry.path();
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let ending = file
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case(self.ending));
            if hidden || !ending {
                continue;
            }
            let Ok(meta) = fs::metadata(&file) else {
                continue;
            };
            if meta.is_file() {
                let changed = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                found.push(Found {
                    file,
                    changed,
                    size: meta.len(),
                });
            }
        }
        found.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(found)
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
        assert!(folder.list().unwrap().is_empty());
        let file = folder.write("a/b", None, b"zip").unwrap().unwrap();
        assert_eq!(file.parent(), Some(dir.path().join("apis").as_path()));
        std::fs::write(dir.path().join("apis/readme.txt"), "no archive").unwrap();
        let listed = folder.list().unwrap();
        assert_eq!((listed.len(), listed[0].size), (1, 3));
        folder.remove(Some(&file)).unwrap();
        folder.remove(Some(&file)).unwrap();
        assert!(folder.list().unwrap().is_empty());
    }
}
