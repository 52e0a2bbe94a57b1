//! Files outside of the store as a program reads and writes them: records, converted on the way.
//!
//! Not here: how records stand in files (`records`), file statements (region/batch).

use crate::options::FileSpec;
use crate::print::Failure;
use crate::records::files::{Other, RecordReader, RecordWriter};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use transom_idcams::record::FileFormat;

/// What a DD name is read from.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    File(FileSpec),
    /// Lines of a job.
    Lines(Vec<String>),
}

/// Files of one DD name.
#[derive(Debug, Clone)]
pub struct HostFiles {
    /// In the order of the concatenation, or why there are none.
    read: Result<Vec<Source>, Absent>,
    write: Option<FileSpec>,
    /// Several data sets under one name can only be read.
    concatenated: bool,
    made: Made,
}

/// Files that programs of a step made, with the formats they have: all DD names of the step that
/// stand for one read what is in it from CLOSE on, and no longer what was there before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Made(Arc<Mutex<BTreeMap<PathBuf, FileFormat>>>);

impl Made {
    /// Each file and its format.
    pub(crate) fn files(&self) -> Vec<(PathBuf, FileFormat)> {
        let made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        made.iter()
            .map(|(path, format)| (path.clone(), *format))
            .collect()
    }

    fn format(&self, path: &Path) -> Option<FileFormat> {
        let made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        made.get(path).copied()
    }

    fn add(&self, path: PathBuf, format: FileFormat) {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        made.insert(path, format);
    }
}

/// Why there is nothing to read.
#[derive(Debug, Clone)]
pub(crate) struct Absent(pub(crate) String);

/// Lengths of records as the program describes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths {
    pub least: usize,
    pub most: usize,
}

/// Why a file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostFailure {
    /// It is not there.
    Absent(String),
    /// Its records have another length than the program says.
    Length(String),
    /// Anything else.
    Failed(String),
}

impl fmt::Display for HostFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent(why) | Self::Length(why) | Self::Failed(why) => f.write_str(why),
        }
    }
}

impl From<Failure> for HostFailure {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.text)
    }
}

/// Reads the records of a concatenation.
pub struct HostReader {
    lengths: Lengths,
    rest: VecDeque<Source>,
    now: Now,
}

enum Now {
    Nothing,
    File(Box<RecordReader>),
    Lines(VecDeque<String>),
}

/// Writes records; the file has its name when it is finished.
pub struct HostWriter {
    writer: RecordWriter,
    path: PathBuf,
    made: Made,
}

impl HostFiles {
    pub(crate) fn new(
        read: Result<Vec<Source>, Absent>,
        write: Option<FileSpec>,
        made: Made,
    ) -> Self {
        Self {
            read,
            write,
            concatenated: false,
            made,
        }
    }

    /// Of so many DD statements.
    pub(crate) fn of(self, statements: usize) -> Self {
        Self {
            concatenated: statements > 1,
            ..self
        }
    }

    /// One file, for both.
    pub(crate) fn both(file: FileSpec) -> Self {
        let read = match file.path.is_file() {
            true => Ok(vec![Source::File(file.clone())]),
            false => Err(Absent(format!("{} is not there", file.path.display()))),
        };
        Self::new(read, Some(file), Made::default())
    }

    /// Its lines, where it has nothing but lines of the job.
    pub(crate) fn lines(&self) -> Option<Vec<String>> {
        let mut lines = Vec::new();
        for source in self.read.as_ref().ok()? {
            match source {
                Source::Lines(some) => lines.extend(some.iter().cloned()),
                Source::File(file) => {
                    let text = std::fs::read_to_string(&file.path).ok()?;
                    lines.extend(text.lines().map(str::to_owned));
                }
            }
        }
        Some(lines)
    }

    /// Opens all of it for reading.
    pub fn reader(&self, lengths: Lengths) -> Result<HostReader, HostFailure> {
        let sources = self.sources()?;
        for source in &sources {
            match source {
                Source::File(file) => check(file, lengths)?,
                Source::Lines(_) => {}
            }
        }
        Ok(HostReader {
            lengths,
            rest: sources.into(),
            now: Now::Nothing,
        })
    }

    /// What there is to read now.
    fn sources(&self) -> Result<Vec<Source>, HostFailure> {
        if let Some(file) = &self.write
            && let Some(format) = self.made.format(&file.path)
        {
            let mut file = file.clone();
            file.declared = file.declared.or(Some(format));
            return Ok(vec![Source::File(file)]);
        }
        match (&self.read, &self.write) {
            (Ok(sources), _) => Ok(sources.clone()),
            // Somebody made it since.
            (Err(_), Some(file)) if file.path.is_file() => Ok(vec![Source::File(file.clone())]),
            (Err(Absent(why)), _) => Err(HostFailure::Absent(why.clone())),
        }
    }

    /// Makes the file anew, or goes on behind its records.
    pub fn writer(&self, lengths: Lengths, extend: bool) -> Result<HostWriter, HostFailure> {
        if self.concatenated {
            let why = "data sets that are concatenated cannot be written";
            return Err(HostFailure::Failed(why.to_owned()));
        }
        let absent = || HostFailure::Absent("there is no file to write".to_owned());
        let mut file = self.write.clone().ok_or_else(absent)?;
        file.append |= extend;
        file.declared = file.declared.or(self.made.format(&file.path));
        if lengths.vary() && file.attributes.format.is_none() && file.declared.is_none() {
            if file.append && file.path.is_file() {
                return Err(HostFailure::Length(
                    "its records vary, and neither RECFM nor format= says how they stand"
                        .to_owned(),
                ));
            }
            file.declared = Some(FileFormat::Variable);
        }
        check(&file, lengths)?;
        let writer = RecordWriter::create(&file, other(lengths), &mut Vec::new())?;
        Ok(HostWriter {
            writer,
            path: file.path,
            made: self.made.clone(),
        })
    }
}

fn other(lengths: Lengths) -> Other {
    Other {
        max: Some(lengths.most),
        fixed: (!lengths.vary()).then_some(lengths.most),
    }
}

/// RECFM=F with another LRECL than the program has.
fn check(file: &FileSpec, lengths: Lengths) -> Result<(), HostFailure> {
    let given = file.attributes.format.as_deref();
    let given = given.and_then(|text| FileFormat::parse(text, Some(lengths.most)).ok());
    match given.or(file.declared) {
        Some(FileFormat::Fixed(length)) if length != lengths.most => {
            Err(HostFailure::Length(format!(
                "its records have {length} bytes, the FD says {}",
                lengths.most
            )))
        }
        _ => Ok(()),
    }
}

impl HostReader {
    /// The next record; none at the end.
    pub fn record(&mut self) -> Result<Option<Vec<u8>>, HostFailure> {
        loop {
            let found = match &mut self.now {
                Now::Nothing => None,
                Now::File(reader) => reader.next()?,
                Now::Lines(lines) => lines.pop_front().map(|line| self.lengths.line(&line)),
            };
            if found.is_some() {
                return Ok(found);
            }
            self.now = match self.rest.pop_front() {
                None => return Ok(None),
                Some(Source::Lines(lines)) => Now::Lines(lines.into()),
                Some(Source::File(file)) => {
                    let other = other(self.lengths);
                    Now::File(Box::new(RecordReader::open(&file, other, &mut Vec::new())?))
                }
            };
        }
    }
}

impl Lengths {
    fn vary(self) -> bool {
        self.least != self.most
    }

    /// A line as a record: cards have 80 columns, and no more than the program has room for.
    fn line(self, line: &str) -> Vec<u8> {
        let mut record: Vec<u8> = line
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
            .collect();
        record.resize(record.len().max(self.least).min(self.most), b' ');
        record
    }
}

impl HostWriter {
    /// Adds a record.
    pub fn write(&mut self, record: &[u8]) -> Result<(), HostFailure> {
        Ok(self.writer.write(record.to_vec())?)
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), HostFailure> {
        let format = self.writer.format;
        self.writer.finish()?;
        self.made.add(self.path, format);
        Ok(())
    }
}
