//! The log file: of bounded length, with a bounded number of older ones.
//!
//! Why its place is looked at before each write: a folder or file that somebody takes away must not
//! swallow lines without a word, and programs that rotate logs rename files. What cannot be
//! written is an error, and the queue counts it. Not here: waiting for a disk (`queue`).

use crate::config::LogFile;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

pub(crate) struct Rotated {
    config: LogFile,
    open: Option<File>,
}

impl Rotated {
    pub(crate) fn new(config: LogFile) -> Self {
        Self { config, open: None }
    }

    /// The file, as long as it is the one at its path and has room.
    fn current(&mut self) -> io::Result<&mut File> {
        let path = &self.config.path;
        let there = self.open.take().filter(|open| {
            let (Ok(mine), Ok(its)) = (open.metadata(), std::fs::metadata(path)) else {
                return false;
            };
            (mine.dev(), mine.ino()) == (its.dev(), its.ino())
        });
        let mut file = match there {
            Some(file) => file,
            None => self.reopened()?,
        };
        if file.metadata()?.len() >= self.config.bytes_max {
            self.shift()?;
            file = self.reopened()?;
        }
        Ok(self.open.insert(file))
    }

    fn reopened(&self) -> io::Result<File> {
        let path = &self.config.path;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        OpenOptions::new().append(true).create(true).open(path)
    }

    /// Each file gets the next number; the last one goes.
    fn shift(&self) -> io::Result<()> {
        let numbered = |n: usize| match n {
            0 => self.config.path.clone(),
            n => {
                let mut name = self.config.path.clone().into_os_string();
                name.push(format!(".{n}"));
                PathBuf::from(name)
            }
        };
        if self.config.files_max <= 1 {
            return std::fs::remove_file(numbered(0));
        }
        for n in (0..self.config.files_max - 1).rev() {
            match std::fs::rename(numbered(n), numbered(n + 1)) {
                Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
                _ => {}
            }
        }
        Ok(())
    }
}

impl Write for Rotated {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.current()?.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotated(path: PathBuf, files_max: usize) -> Rotated {
        Rotated::new(LogFile {
            path,
            bytes_max: 10,
            files_max,
        })
    }

    #[test]
    fn files_are_of_bounded_length_and_number() {
        let home = tempfile::tempdir().unwrap();
        let mut log = rotated(home.path().join("logs/a.log"), 3);
        for n in 0..6 {
            log.write_all(format!("line {n} of it\n").as_bytes())
                .unwrap();
        }
        let read = |name: &str| std::fs::read_to_string(home.path().join("logs").join(name)).ok();
        assert_eq!(read("a.log").unwrap(), "line 5 of it\n");
        assert_eq!(read("a.log.1").unwrap(), "line 4 of it\n");
        assert_eq!(read("a.log.2").unwrap(), "line 3 of it\n");
        assert_eq!(read("a.log.3"), None);
    }

    #[test]
    fn a_folder_that_vanishes_is_made_again_and_one_in_the_way_is_an_error() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("logs");
        let mut log = rotated(folder.join("a.log"), 2);
        log.write_all(b"one\n").unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        log.write_all(b"two\n").unwrap();
        assert_eq!(
            std::fs::read_to_string(folder.join("a.log")).unwrap(),
            "two\n"
        );
        std::fs::remove_dir_all(&folder).unwrap();
        std::fs::write(&folder, "in the way").unwrap();
        assert!(log.write_all(b"three\n").is_err());
        std::fs::remove_file(&folder).unwrap();
        log.write_all(b"four\n").unwrap();
        assert_eq!(
            std::fs::read_to_string(folder.join("a.log")).unwrap(),
            "four\n"
        );
    }
}
