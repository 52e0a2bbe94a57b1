//! Extrapartition files: written record by record, or read from the beginning.
//!
//! What: the file of one queue. RECORDFORMAT(FIXED) with RECORDSIZE: records of that size side by
//! side; else one record a line, without trailing blanks. Bytes are written as programs see them. The
//! name is DSNAME, else DDNAME, else the queue's name; characters that could lead out of the folder are refused. Not here:
//! waiting (the caller runs this where it may block), which queue is a file.

use crate::definitions::TdQueueEntry;
use crate::transient_data::RECORD_BYTES_MAX;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The file of a queue, opened at its first use.
#[derive(Default)]
pub(super) enum QueueFile {
    #[default]
    Closed,
    Output(File),
    Input(BufReader<File>),
}

/// Where the file of a queue lies; `None`: its name is not one for a file.
pub(super) fn path(folder: &Path, queue: &TdQueueEntry) -> Option<PathBuf> {
    let name = [&queue.dsname, &queue.ddname, &queue.text()]
        .into_iter()
        .find(|name| !name.is_empty())?
        .to_owned();
    let plain = |c: char| c.is_ascii_alphanumeric() || "@#$-_.()".contains(c);
    if name.starts_with('.') || !name.chars().all(plain) {
        return None;
    }
    Some(folder.join(name))
}

impl QueueFile {
    /// Appends a record.
    pub(super) fn write(
        &mut self,
        path: &Path,
        queue: &TdQueueEntry,
        record: &[u8],
    ) -> std::io::Result<()> {
        if !matches!(self, Self::Output(_)) {
            *self = Self::Output(open_output(path, queue.truncate)?);
        }
        let Self::Output(file) = self else {
            return Err(ErrorKind::NotFound.into());
        };
        if queue.fixed && queue.record_bytes > 0 {
            return file.write_all(record);
        }
        let end = record
            .iter()
            .rposition(|b| *b != b' ')
            .map_or(0, |at| at + 1);
        let mut line = record.get(..end).unwrap_or_default().to_vec();
        line.push(b'\n');
        file.write_all(&line)
    }

    /// The next record; `None` at the end. A file that does not exist is empty.
    pub(super) fn read(
        &mut self,
        path: &Path,
        queue: &TdQueueEntry,
    ) -> std::io::Result<Option<Vec<u8>>> {
        if !matches!(self, Self::Input(_)) {
            match File::open(path) {
                Ok(file) => *self = Self::Input(BufReader::new(file)),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let Self::Input(file) = self else {
            return Ok(None);
        };
        let mut record = Vec::new();
        if queue.fixed && queue.record_bytes > 0 {
            let bytes = u64::from(queue.record_bytes);
            file.take(bytes).read_to_end(&mut record)?;
            let whole = record.len() as u64 == bytes;
            return Ok(whole.then_some(record));
        }
        // The line end counts; a longer line is more than one record.
        let most = RECORD_BYTES_MAX as u64 + 1;
        if file.take(most).read_until(b'\n', &mut record)? == 0 {
            return Ok(None);
        }
        if record.last() == Some(&b'\n') {
            record.pop();
        }
        record.truncate(RECORD_BYTES_MAX);
        Ok(Some(record))
    }
}

fn open_output(path: &Path, truncate: bool) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.create(true);
    if truncate {
        options.write(true).truncate(true);
    } else {
        options.append(true);
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(dsname: &str) -> TdQueueEntry {
        let mut queue = TdQueueEntry::new(*b"OUTQ");
        queue.dsname = dsname.into();
        queue
    }

    #[test]
    fn names_stay_in_the_folder() {
        let find = |name: &str| path(Path::new("/x"), &queue(name));
        assert_eq!(find("A.B.C"), Some("/x/A.B.C".into()));
        assert_eq!(find(""), Some("/x/OUTQ".into()));
        for bad in ["../A", "A/B", "..", ".A", "A\0"] {
            assert_eq!(find(bad), None, "{bad}");
        }
    }

    #[test]
    fn lines_and_fixed_records_come_back() {
        let folder = std::env::temp_dir().join(format!("transom-td-{}", std::process::id()));
        let lines = queue("LINES");
        let at = path(&folder, &lines).unwrap();
        let mut file = QueueFile::default();
        file.write(&at, &lines, b"one   ").unwrap();
        file.write(&at, &lines, b"two").unwrap();
        assert_eq!(std::fs::read(&at).unwrap(), b"one\ntwo\n");
        let mut file = QueueFile::default();
        assert_eq!(file.read(&at, &lines).unwrap(), Some(b"one".to_vec()));
        assert_eq!(file.read(&at, &lines).unwrap(), Some(b"two".to_vec()));
        assert_eq!(file.read(&at, &lines).unwrap(), None);

        let mut fixed = queue("FIXED");
        (fixed.fixed, fixed.record_bytes) = (true, 4);
        let at = path(&folder, &fixed).unwrap();
        let mut file = QueueFile::default();
        file.write(&at, &fixed, b"AB  ").unwrap();
        file.write(&at, &fixed, b"CD  ").unwrap();
        assert_eq!(std::fs::read(&at).unwrap(), b"AB  CD  ");
        let mut file = QueueFile::default();
        assert_eq!(file.read(&at, &fixed).unwrap(), Some(b"AB  ".to_vec()));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
