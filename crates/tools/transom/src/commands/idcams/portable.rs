//! EXPORT and IMPORT: a cluster with everything over it in one file.
//!
//! The file: a line `TRANSOM PORTABLE 1`, a line of JSON with the definitions (cluster first), the
//! records in order, each with its length and slot number (4 bytes each, big-endian; slot 0 without
//! one), and at the end X'FFFFFFFF', the number of records (8 bytes) and a CRC-32 of all before it.
//! See docs/decisions/0011. It is no file of the mainframe's EXPORT.

use super::alter::not_in_use;
use super::entries::{done, failure, is_kept, name};
use super::options::FileSpec;
use super::places::{Places, Target, shown};
use super::report::Failure;
use super::runner::Runner;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use transom_datasets::{
    Access, Dataset, DatasetName, Datasets, Entry, LoadRecord, Organization, Position, Start,
};
use transom_idcams::record::MAX_RECORD;
use transom_idcams::{Export, Import, Place};
use transom_recovery::{Direction, UowId, wait};
use transom_types::Applid;

const FIRST_LINE: &str = "TRANSOM PORTABLE 1\n";
/// Stands where a record would have its length.
const END: u32 = u32::MAX;
/// Records handled together.
const BATCH: usize = 1_000;
/// Longest line of definitions, in bytes.
const DEFINITIONS_MAX: u64 = 16 << 20;

pub(super) fn export(
    runner: &mut Runner<'_>,
    places: &Places<'_>,
    export: &Export,
) -> Result<u8, Failure> {
    if runner.existing.is_some() && runner.keeps(&export.name) {
        return Ok(0);
    }
    let own = name(&export.name)?;
    let Some(entry) = runner.datasets.entry(&own) else {
        return Err(Failure::new(8, format!("TXMID0050E {own} was not found")));
    };
    let Entry::Cluster(_) = &entry else {
        let text = format!("TXMID0060E {own} is no CLUSTER; EXPORT needs a CLUSTER");
        return Err(Failure::new(12, text));
    };
    let permanent = !export.temporary;
    if permanent && !export.purge && is_kept(runner, &entry) {
        return Ok(8);
    }
    if permanent || export.inhibit_source {
        not_in_use(runner, own.as_str())?;
    }
    let file = file(places.output(&export.to)?, &export.to)?;
    let mut over = with_all_over(runner.datasets, &entry);
    for entry in &mut over {
        let extra = entry.extra_mut();
        extra.loading = false;
        extra.inhibited |= export.inhibit_target && extra.data.is_some();
    }
    let dataset = runner.datasets.dataset(&own).map_err(failure)?;
    let count = write(&file.path, &over, &dataset)?;
    let report = &mut *runner.report;
    report.line(format!("TXMID0022I {count} records processed"));
    report.line(format!("TXMID0023I CLUSTER {own} is exported"));
    if permanent {
        wait(runner.datasets.delete(&own)).map_err(failure)?;
        done(runner, "CLUSTER", own.as_str(), "is deleted");
    } else if export.inhibit_source {
        let mut entry = entry;
        entry.extra_mut().inhibited = true;
        wait(runner.datasets.redefine(entry)).map_err(failure)?;
    }
    Ok(0)
}

/// The cluster, then indexes and paths over it.
fn with_all_over(datasets: &Datasets, cluster: &Entry) -> Vec<Entry> {
    let mut found = vec![cluster.clone()];
    let all = datasets.entries();
    let mut at = 0;
    while let Some(below) = found.get(at).map(|e| e.name().clone()) {
        let over = all.iter().filter(|e| match e {
            Entry::Cluster(_) => false,
            Entry::AlternateIndex(a) => a.base == below,
            Entry::Path(p) => p.entry == below,
        });
        found.extend(over.cloned());
        at += 1;
    }
    found
}

fn file(target: Target, place: &Place) -> Result<FileSpec, Failure> {
    match target {
        Target::File(file) => Ok(file),
        _ => Err(Failure::new(
            12,
            format!("TXMID0052E {} is no file", shown(place)),
        )),
    }
}

/// Writes beside the file, which gets its name when it is whole; the number of records.
fn write(path: &Path, entries: &[Entry], dataset: &Dataset) -> Result<u64, Failure> {
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

pub(super) fn import(
    runner: &mut Runner<'_>,
    places: &Places<'_>,
    import: &Import,
) -> Result<u8, Failure> {
    let mut found = places.input(&import.from)?;
    let target = found.pop().unwrap_or(Target::Nothing);
    let file = file(target, &import.from)?;
    let mut reader = Portable::open(&file.path)?;
    let entries = reader.definitions(import)?;
    let Some(Entry::Cluster(cluster)) = entries.first() else {
        return Err(reader.damaged("it has no cluster"));
    };
    let own = cluster.name.clone();
    if runner.keeps(own.as_str()) {
        return Ok(0);
    }
    // Into an empty cluster only records go.
    let exists = runner.datasets.entry(&own).is_some();
    if exists {
        into_empty(runner, &own, import)?;
    } else {
        define(runner, &entries)?;
    }
    let loaded = load(runner.datasets, &own, &mut reader);
    let built = loaded.and_then(|count| {
        build(runner, &own)?;
        Ok(count)
    });
    match built {
        Ok(count) => {
            let report = &mut *runner.report;
            report.line(format!("TXMID0022I {count} records processed"));
            report.line(format!("TXMID0023I CLUSTER {own} is imported"));
            inhibit(runner, &entries)?;
            Ok(0)
        }
        Err(failed) => {
            // As if it had not begun.
            let undone = match exists {
                false => wait(runner.datasets.delete(&own)).map(drop),
                true => runner.datasets.dataset(&own).and_then(|d| wait(d.empty())),
            };
            undone.map_err(failure)?;
            Err(failed)
        }
    }
}

fn into_empty(runner: &Runner<'_>, own: &DatasetName, import: &Import) -> Result<(), Failure> {
    let dataset = runner.datasets.dataset(own).map_err(failure)?;
    let count = wait(dataset.count()).map_err(failure)?;
    match import.into_empty && count == 0 {
        true => Ok(()),
        false => Err(Failure::new(12, format!("TXMID0051E {own} exists already"))),
    }
}

/// Defines all entries, or none.
fn define(runner: &mut Runner<'_>, entries: &[Entry]) -> Result<(), Failure> {
    let mut first = None;
    for entry in entries {
        let mut entry = entry.clone();
        let extra = entry.extra_mut();
        (extra.inhibited, extra.loading) = (false, runner.existing.is_some());
        let name = entry.name().clone();
        let defined = match entry {
            Entry::Cluster(c) => wait(runner.datasets.define_cluster(c)),
            Entry::AlternateIndex(a) => wait(runner.datasets.define_index(a)),
            Entry::Path(p) => wait(runner.datasets.define_path(p)),
        };
        if let Err(condition) = defined {
            if let Some(first) = &first {
                wait(runner.datasets.delete(first)).map_err(failure)?;
            }
            return Err(failure(condition));
        }
        first.get_or_insert(name);
    }
    Ok(())
}

fn load(datasets: &Datasets, own: &DatasetName, reader: &mut Portable) -> Result<u64, Failure> {
    let dataset = datasets.dataset(own).map_err(failure)?;
    let rrds = dataset.cluster().organization == Organization::Rrds;
    let access = Access::patient(UowId::new(Applid::from_field(b"IDCAMS"), 1), false);
    let mut count = 0;
    loop {
        let mut batch = Vec::new();
        while let Some((slot, record)) = reader.next()? {
            let slot = rrds.then_some(slot);
            batch.push(LoadRecord { slot, record });
            if batch.len() == BATCH {
                break;
            }
        }
        if batch.is_empty() {
            return Ok(count);
        }
        let done = wait(dataset.load(access, &batch, false)).map_err(failure)?;
        if let Some((place, condition)) = done.rejected.first() {
            let number = count + *place as u64 + 1;
            let text = format!("TXMID0059E the store answered: record {number}: {condition}");
            return Err(Failure::new(12, text));
        }
        count += batch.len() as u64;
    }
}

/// Makes the indexes that changes of the base do not.
fn build(runner: &mut Runner<'_>, own: &DatasetName) -> Result<(), Failure> {
    for entry in runner.datasets.entries() {
        if let Entry::AlternateIndex(index) = entry
            && index.base == *own
            && !index.upgrade
        {
            wait(runner.datasets.build_index(&index.name)).map_err(failure)?;
        }
    }
    Ok(())
}

/// Entries that came as read only become so when they are loaded.
fn inhibit(runner: &mut Runner<'_>, entries: &[Entry]) -> Result<(), Failure> {
    for entry in entries.iter().filter(|e| e.extra().inhibited) {
        if let Some(mut own) = runner.datasets.entry(entry.name()) {
            own.extra_mut().inhibited = true;
            wait(runner.datasets.redefine(own)).map_err(failure)?;
        }
    }
    Ok(())
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
struct Portable {
    path: PathBuf,
    inner: BufReader<File>,
    sum: crc32fast::Hasher,
    count: u64,
    ended: bool,
}

impl Portable {
    fn open(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(io(path))?;
        Ok(Self {
            path: path.to_owned(),
            inner: BufReader::new(file),
            sum: crc32fast::Hasher::new(),
            count: 0,
            ended: false,
        })
    }

    fn damaged(&self, reason: &str) -> Failure {
        let path = self.path.display();
        Failure::new(
            12,
            format!("TXMID0072E {path} is no whole file of EXPORT: {reason}"),
        )
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
    fn definitions(&mut self, import: &Import) -> Result<Vec<Entry>, Failure> {
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
    fn next(&mut self) -> Result<Option<(u32, Vec<u8>)>, Failure> {
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

fn io(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::new(12, format!("TXMID0053E {}: {error}", path.display()))
}
