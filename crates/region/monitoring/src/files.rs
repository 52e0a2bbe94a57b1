//! The files of the stream: `00000001.cmf` and so on, of bounded length and number.
//!
//! Why many: the oldest go by themselves, and a file that is damaged or cut is one of several. A
//! piece that could not be written as a whole is cut off again; where even that fails, readers pass
//! over it, and the next piece goes to a new file. Not here: what is in them.

use crate::config::RecorderConfig;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How the names of the files end.
pub const NAME_ENDS: &str = ".cmf";

/// The files of a folder, oldest first; none where there is no folder.
///
/// # Errors
/// The folder cannot be read.
pub fn in_order(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(why),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if let Some(number) = number_of(&path) {
            files.push((number, path));
        }
    }
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

fn number_of(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(NAME_ENDS)?.parse().ok()
}

pub(crate) struct Files {
    config: RecorderConfig,
    open: Option<Open>,
}

struct Open {
    path: PathBuf,
    file: File,
    bytes: u64,
}

impl Files {
    pub(crate) fn new(config: RecorderConfig) -> Self {
        Self { config, open: None }
    }

    /// The next piece begins a file.
    pub(crate) fn begins_next(&self) -> bool {
        let full = |open: &Open| open.bytes >= self.config.file_bytes_max;
        self.open.as_ref().is_none_or(full)
    }

    /// Appends a piece. Nothing of one that failed stays, unless not even that can be done.
    pub(crate) fn append(&mut self, piece: &[u8]) -> Result<(), (PathBuf, io::Error)> {
        if self.begins_next() {
            self.open = None;
            return self.next(piece);
        }
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        if let Err(why) = open.file.write_all(piece) {
            let (path, bytes) = (open.path.clone(), open.bytes);
            if open.file.set_len(bytes).is_err() {
                self.open = None;
            }
            return Err((path, why));
        }
        open.bytes += piece.len() as u64;
        Ok(())
    }

    fn next(&mut self, piece: &[u8]) -> Result<(), (PathBuf, io::Error)> {
        let folder = self.config.folder.clone();
        let at_folder = |why| (folder.clone(), why);
        std::fs::create_dir_all(&folder).map_err(at_folder)?;
        let mut files = in_order(&folder).map_err(at_folder)?;
        let last = files.last().and_then(|path| number_of(path)).unwrap_or(0);
        // Room for the new one first: the disk may be full.
        while files.len() >= self.config.files_max.max(1) {
            let oldest = files.remove(0);
            std::fs::remove_file(&oldest).map_err(|why| (oldest, why))?;
        }
        let path = folder.join(format!("{:08}{NAME_ENDS}", last + 1));
        let made = OpenOptions::new().append(true).create_new(true).open(&path);
        let mut file = made.map_err(|why| (path.clone(), why))?;
        if let Err(why) = file.write_all(piece) {
            // One that has no beginning says nothing; the next try has its number.
            let _gone = std::fs::remove_file(&path);
            return Err((path, why));
        }
        self.open = Some(Open {
            path,
            file,
            bytes: piece.len() as u64,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn names(folder: &Path) -> Vec<String> {
        let files = in_order(folder).unwrap();
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        files.into_iter().map(name).collect()
    }

    #[test]
    fn files_are_of_bounded_length_and_number() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("monitoring");
        let config = RecorderConfig {
            folder: folder.clone(),
            file_bytes_max: 10,
            files_max: 2,
            queue_bytes_max: 1,
            flush_every: Duration::ZERO,
        };
        let mut files = Files::new(config.clone());
        for _ in 0..5 {
            files.append(b"0123456").unwrap();
        }
        assert_eq!(names(&folder), ["00000002.cmf", "00000003.cmf"]);
        // Another run goes on behind them, and leaves what others put there.
        std::fs::write(folder.join("notes.txt"), "").unwrap();
        Files::new(config).append(b"x").unwrap();
        assert_eq!(names(&folder), ["00000003.cmf", "00000004.cmf"]);
        assert!(folder.join("notes.txt").exists());
    }

    #[test]
    fn a_disk_that_takes_nothing_is_said_and_tried_again() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("monitoring");
        std::fs::write(&folder, "a file in the way").unwrap();
        let mut files = Files::new(RecorderConfig {
            folder: folder.clone(),
            file_bytes_max: 10,
            files_max: 2,
            queue_bytes_max: 1,
            flush_every: Duration::ZERO,
        });
        assert!(files.append(b"x").is_err() && files.begins_next());
        std::fs::remove_file(&folder).unwrap();
        files.append(b"x").unwrap();
        assert_eq!(names(&folder), ["00000001.cmf"]);
    }
}
