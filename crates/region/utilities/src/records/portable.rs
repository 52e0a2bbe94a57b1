//! The file of EXPORT: a cluster with everything over it, to be read by IMPORT.
//!
//! What: a line `TRANSOM PORTABLE 1`, a line of JSON with the definitions (cluster first), the
//! records in order, each with its length and slot number (4 bytes each, big-endian; slot 0 without
//! one), and at the end X'FFFFFFFF', the number of records (8 bytes) and a CRC-32 of all before it.
//! See docs/decisions/0011. It is no file of the mainframe's EXPORT. Not here: the commands.

use super::io;
use crate::places::name;
use crate::print::{Failure, failure};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use transom_datasets::{Dataset, Entry, Organization, Position, Start};
use transom_idcams::Import;
use transom_idcams::record::MAX_RECORD;
use transom_messages::id;
use transom_recovery::{Direction, wait};

const FIRST_LINE: &str = "TRANSOM PORTABLE 1\n";
/// Stands where a record would have its length.
const END: u32 = u32::MAX;
/// Records handled together.
pub(crate) const BATCH: usize = 1_000;
/// Longest line of definitions, in bytes.
const DEFINITIONS_MAX: u64 = 16 << 20;

/// Writes beside the file, which gets its name when it is whole; the number of records.
pub(crate) fn write(path: &Path, entries: &[Entry], dataset: &Dataset) -> Result<u64, Failure> {
    let mut part = path.to_owned().into_os_string();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = write_all(&part, entries, dataset);
    let named = written.and_then(|count| {
        std::fs::rename(&part, path).map_err(io(path))?;
        // The cluster may be deleted next: the name must be on the disk before.
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
        let folder = File::open(folder.unwrap_or(Path::new(".")));
        folder.and_then(|f| f.sync_all()).map_err(io(path))?;
        Ok(count)
    });
    if named.is_err() {
        let _gone = std::fs::remove_file(&part);
    }
    named
}

fn write_all(path: &Path, entries: &[Entry], dataset: &Dataset) -> Result<u64, Failure> {
    let mut out = Summed {
        inner: BufWriter::new(File::create(path).map_err(io(path))?),
        sum: crc32fast::Hasher::new(),
    };
    let definitions = serde_json::to_vec(entries).map_err(|e| Failure::new(12, e.to_string()))?;
    for bytes in [FIRST_LINE.as_bytes(), &definitions, b"\n"] {
        out.put(bytes).map_err(io(path))?;
    }
    let mut last: Option<Position> = None;
    let mut count = 0_u64;
    loop {
        let start = last.as_ref().map_or(Start::At(&[]), Start::After);
        let found = wait(dataset.scan(None, start, Direction::Forward, BATCH)).map_err(failure)?;
        let Some(end) = found.last() else {
            break;
        };
        let rrds = dataset.cluster().organization == Organization::Rrds;
        for one in &found {
            let slot = one.position.rrn().filter(|_| rrds).unwrap_or(0);
            let length = u32::try_from(one.record.len()).unwrap_or(END);
            for bytes in [&length.to_be_bytes()[..], &slot.to_be_bytes(), &one.record] {
                out.put(bytes).map_err(io(path))?;
            }
        }
        count += found.len() as u64;
        last = Some(end.position.clone());
    }
    out.put(&END.to_be_bytes()).map_err(io(path))?;
    out.put(&count.to_be_bytes()).map_err(io(path))?;
    let sum = out.sum.clone().finalize();
    out.put(&sum.to_be_bytes()).map_err(io(path))?;
    let file = out
        .inner
        .into_inner()
        .map_err(|e| io(path)(e.into_error()))?;
    file.sync_all().map_err(io(path))?;
    Ok(count)
}

/// Adds up what is written.
struct Summed {
    inner: BufWriter<File>,
    sum: crc32fast::Hasher,
}

impl Summed {
    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.sum.update(bytes);
        self.inner.write_all(bytes)
    }
}

/// A file of EXPORT that is read.
pub(crate) struct Portable {
    path: PathBuf,
    inner: BufReader<File>,
    sum: crc32fast::Hasher,
    count: u64,
    ended: bool,
}

impl Portable {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(io(path))?;
        Ok(Self {
            path: path.to_owned(),
            inner: BufReader::new(file),
            sum: crc32fast::Hasher::new(),
            count: 0,
            ended: false,
        })
    }

    pub(crate) fn damaged(&self, reason: &str) -> Failure {
        let path = self.path.display();
        Failure::new(12, id::not_of_export(path, reason))
    }

    fn line(&mut self) -> Result<Vec<u8>, Failure> {
        let mut line = Vec::new();
        let mut limited = (&mut self.inner).take(DEFINITIONS_MAX);
        limited
            .read_until(b'\n', &mut line)
            .map_err(io(&self.path))?;
        self.sum.update(&line);
        Ok(line)
    }

    /// The definitions under the names the command gives them.
    pub(crate) fn definitions(&mut self, import: &Import) -> Result<Vec<Entry>, Failure> {
        if self.line()? != FIRST_LINE.as_bytes() {
            return Err(self.damaged("its first line is another one"));
        }
        let line = self.line()?;
        let mut entries: Vec<Entry> = serde_json::from_slice(&line)
            .map_err(|e| self.damaged(&format!("definitions: {e}")))?;
        let mut names = Vec::new();
        for (old, new) in &import.names {
            names.push((name(old)?, name(new)?));
        }
        for entry in &mut entries {
            entry.give_names(&names);
        }
        Ok(entries)
    }

    /// Slot number and record; none at the end, when everything is as it was written.
    pub(crate) fn next(&mut self) -> Result<Option<(u32, Vec<u8>)>, Failure> {
        if self.ended {
            return Ok(None);
        }
        let length = u32::from_be_bytes(self.bytes()?);
        if length == END {
            let count = u64::from_be_bytes(self.bytes()?);
            let sum = self.sum.clone().finalize();
            let written = u32::from_be_bytes(self.bytes()?);
            return match count == self.count && sum == written {
                true => {
                    self.ended = true;
                    Ok(None)
                }
                false => Err(self.damaged("its checksum is wrong")),
            };
        }
        let length = length as usize;
        if length > MAX_RECORD {
            return Err(self.damaged("a record is too long"));
        }
        let slot = u32::from_be_bytes(self.bytes()?);
        let mut record = Vec::new();
        let read = (&mut self.inner)
            .take(length as u64)
            .read_to_end(&mut record);
        if read.map_err(io(&self.path))? < length {
            return Err(self.damaged("it ends too early"));
        }
        self.sum.update(&record);
        self.count += 1;
        Ok(Some((slot, record)))
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Failure> {
        let mut bytes = [0; N];
        match self.inner.read_exact(&mut bytes) {
            Ok(()) => self.sum.update(&bytes),
            Err(_) => return Err(self.damaged("it ends too early")),
        }
        Ok(bytes)
    }
}
