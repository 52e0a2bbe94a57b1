//! Extrapartition files: written record by record, or read from the beginning.
//!
//! What: the file of one queue. RECORDFORMAT(FIXED) with RECORDSIZE: records of that size side by
//! side; else one record a line, without trailing blanks. Bytes are written as programs see them.
//! The name is DSNAME, else DDNAME, else the queue's name; characters that could lead out of the
//! folder are refused. Not here: waiting (the caller runs this where it may block), which queue is
//! a file.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use transom_wire::definitions::TdQueueEntry;
use transom_wire::transient_data::RECORD_BYTES_MAX;

/// The file of a queue, opened at its first use.
#[derive(Default)]
pub enum QueueFile {
    #[default]
    Closed,
    Output(File),
    Input(BufReader<File>),
    /// Read from its end: what lies before this offset is still to be read.
    Backward(File, u64),
}

/// Where the file of a queue lies; `None`: its name is not one for a file.
pub fn path(folder: &Path, queue: &TdQueueEntry) -> Option<PathBuf> {
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
    /// Appends a record. The mask is that of a file and a folder that are made for it.
    pub fn write(
        &mut self,
        (path, umask): (&Path, u32),
        queue: &TdQueueEntry,
        record: &[u8],
    ) -> std::io::Result<()> {
        if !matches!(self, Self::Output(_)) {
            *self = Self::Output(open_output(path, queue.truncate, umask)?);
        }
        let Self::Output(file) = self else {
            return Err(ErrorKind::NotFound.into());
        };
        if queue.fixed && queue.record_bytes > 0 {
            return append(file, record);
        }
        if record.contains(&b'\n') {
            // It would come back as two records.
            let text = "a record with a line end in it needs RECORDFORMAT(FIXED)";
            return Err(std::io::Error::other(text));
        }
        let end = record
            .iter()
            .rposition(|b| *b != b' ')
            .map_or(0, |at| at + 1);
        let mut line = record.get(..end).unwrap_or_default().to_vec();
        line.push(b'\n');
        append(file, &line)
    }

    /// The next record; `None` at the end. A file that does not exist is empty.
    pub fn read(&mut self, path: &Path, queue: &TdQueueEntry) -> std::io::Result<Option<Vec<u8>>> {
        if !matches!(self, Self::Input(_) | Self::Backward(..)) {
            let mut file = match File::open(path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            };
            *self = match queue.backward {
                true => {
                    let end = file.seek(SeekFrom::End(0))?;
                    Self::Backward(file, end)
                }
                false => Self::Input(BufReader::new(file)),
            };
        }
        let file = match self {
            Self::Input(file) => file,
            Self::Backward(file, end) => return read_before(file, end, queue),
            _ => return Ok(None),
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

/// Writes a record as a whole: what a full disk has taken of it would be part of the next one.
fn append(file: &mut File, bytes: &[u8]) -> std::io::Result<()> {
    let before = file.metadata()?;
    file.write_all(bytes).inspect_err(|_| {
        if before.is_file() && file.set_len(before.len()).is_ok() {
            // The error to tell is the first one; a file that is not appended to would have a hole.
            let _ = file.seek(SeekFrom::End(0));
        }
    })
}

/// The record that ends at `end`, which moves to its beginning.
fn read_before(
    file: &mut File,
    end: &mut u64,
    queue: &TdQueueEntry,
) -> std::io::Result<Option<Vec<u8>>> {
    let is_fixed = queue.fixed && queue.record_bytes > 0;
    let most = match is_fixed {
        true => u64::from(queue.record_bytes),
        // A line end before the record and one behind it.
        false => RECORD_BYTES_MAX as u64 + 2,
    };
    let bytes = most.min(*end);
    if bytes == 0 || (is_fixed && bytes < most) {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(*end - bytes))?;
    let mut record = Vec::new();
    Read::by_ref(file).take(bytes).read_to_end(&mut record)?;
    if is_fixed {
        *end -= bytes;
        return Ok(Some(record));
    }
    let behind = u64::from(record.last() == Some(&b'\n'));
    record.truncate(record.len() - behind as usize);
    let line_end = record.iter().rposition(|b| *b == b'\n');
    // A longer line is more than one record, as in the other direction.
    let from = line_end.map_or(record.len().saturating_sub(RECORD_BYTES_MAX), |at| at + 1);
    let record = record.split_off(from);
    *end -= record.len() as u64 + behind;
    Ok(Some(record))
}

fn open_output(path: &Path, truncate: bool, umask: u32) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
        open_to_others(&File::open(folder)?, 0o777 & !umask)?;
    }
    let mut options = OpenOptions::new();
    options.create(true);
    if truncate {
        options.write(true).truncate(true);
    } else {
        options.append(true);
    }
    let file = options.open(path)?;
    open_to_others(&file, 0o666 & !umask)?;
    Ok(file)
}

/// Gives permissions that the mask of the process has taken away; takes none away.
fn open_to_others(file: &File, wanted: u32) -> std::io::Result<()> {
    let mode = file.metadata()?.permissions().mode() & 0o7777;
    match mode | wanted == mode || wanted & 0o077 == 0 {
        true => Ok(()),
        false => file.set_permissions(Permissions::from_mode(mode | wanted)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(dsname: &str) -> TdQueueEntry {
        let mut queue = TdQueueEntry::new(transom_types::TdQueueName::new(*b"OUTQ"));
        queue.dsname = dsname.into();
        queue
    }

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("transom-td-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
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
    fn output_is_open_to_whom_the_mask_says() {
        for (mask, folder_mode, file_mode) in [(0o027, 0o750, 0o640), (0o007, 0o770, 0o660)] {
            let above = scratch(&format!("mask{mask:o}"));
            let folder = above.join("out");
            std::fs::create_dir_all(&folder).unwrap();
            // As the mask of the process leaves it.
            std::fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
            let at = folder.join("LINES");
            let mut file = QueueFile::default();
            file.write((&at, mask), &queue("LINES"), b"one").unwrap();
            let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&folder), folder_mode);
            assert_eq!(mode(&at) & 0o770, file_mode & 0o770);
            std::fs::remove_dir_all(&above).unwrap();
        }
    }

    #[test]
    fn files_are_read_from_their_end() {
        let at = scratch("back").join("LINES");
        let mut lines = queue("LINES");
        lines.backward = true;
        let long = "x".repeat(RECORD_BYTES_MAX + 10);
        for (text, records) in [
            ("one\n\nthree\n".to_owned(), vec!["three", "", "one"]),
            ("one\ntwo".to_owned(), vec!["two", "one"]),
            (String::new(), vec![]),
            (format!("{long}\n"), vec![&long[10..], &long[..10]]),
        ] {
            std::fs::write(&at, &text).unwrap();
            let mut file = QueueFile::default();
            for record in records {
                let read = file.read(&at, &lines).unwrap();
                assert_eq!(read.as_deref(), Some(record.as_bytes()));
            }
            assert_eq!(file.read(&at, &lines).unwrap(), None);
        }
        let mut fixed = lines;
        (fixed.fixed, fixed.record_bytes) = (true, 2);
        std::fs::write(&at, "AABB").unwrap();
        let mut file = QueueFile::default();
        assert_eq!(file.read(&at, &fixed).unwrap(), Some(b"BB".to_vec()));
        assert_eq!(file.read(&at, &fixed).unwrap(), Some(b"AA".to_vec()));
        assert_eq!(file.read(&at, &fixed).unwrap(), None);
    }

    #[test]
    fn a_line_end_in_a_record_is_not_written() {
        let lines = queue("LINES");
        let at = scratch("ends").join("LINES");
        let mut file = QueueFile::default();
        assert!(file.write((&at, 0o077), &lines, b"a\nb").is_err());
    }

    /// Needs a small file system: `mount -t tmpfs -o size=8m none DIR`, then
    /// `TRANSOM_TEST_SMALL_DISK=DIR`.
    #[test]
    fn a_full_disk_leaves_whole_records() {
        let Some(disk) = std::env::var_os("TRANSOM_TEST_SMALL_DISK") else {
            return println!("skipped: TRANSOM_TEST_SMALL_DISK is not set");
        };
        let at = Path::new(&disk).join("FULL");
        let mut fixed = queue("FULL");
        (fixed.fixed, fixed.record_bytes) = (true, 3_001);
        for truncate in [false, true] {
            fixed.truncate = truncate;
            let mut file = QueueFile::default();
            let record = [b'R'; 3_001];
            while file.write((&at, 0o077), &fixed, &record).is_ok() {}
            assert!(file.write((&at, 0o077), &fixed, &record).is_err());
            let length = std::fs::metadata(&at).unwrap().len();
            assert!(length > 0 && length.is_multiple_of(3_001), "{length}");
            std::fs::remove_file(&at).unwrap();
        }
    }

    #[test]
    fn lines_and_fixed_records_come_back() {
        let folder = std::env::temp_dir().join(format!("transom-td-{}", std::process::id()));
        let lines = queue("LINES");
        let at = path(&folder, &lines).unwrap();
        let mut file = QueueFile::default();
        file.write((&at, 0o077), &lines, b"one   ").unwrap();
        file.write((&at, 0o077), &lines, b"two").unwrap();
        assert_eq!(std::fs::read(&at).unwrap(), b"one\ntwo\n");
        let mut file = QueueFile::default();
        assert_eq!(file.read(&at, &lines).unwrap(), Some(b"one".to_vec()));
        assert_eq!(file.read(&at, &lines).unwrap(), Some(b"two".to_vec()));
        assert_eq!(file.read(&at, &lines).unwrap(), None);

        let mut fixed = queue("FIXED");
        (fixed.fixed, fixed.record_bytes) = (true, 4);
        let at = path(&folder, &fixed).unwrap();
        let mut file = QueueFile::default();
        file.write((&at, 0o077), &fixed, b"AB\n ").unwrap();
        file.write((&at, 0o077), &fixed, b"CD  ").unwrap();
        assert_eq!(std::fs::read(&at).unwrap(), b"AB\n CD  ");
        let mut file = QueueFile::default();
        assert_eq!(file.read(&at, &fixed).unwrap(), Some(b"AB\n ".to_vec()));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
