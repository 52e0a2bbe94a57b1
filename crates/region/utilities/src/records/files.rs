//! Records in and out of files, converted on the way.
//!
//! A file of any size passes through one buffer. New files get their name when they are complete.

use super::{io, read_text};
use crate::options::{FileSpec, LINES_CCSID, OUTSIDE_CCSID};
use crate::print::Failure;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use transom_copybook::{CodePage, Layout, ParseOptions, Profile, parse};
use transom_idcams::convert::Converter;
use transom_idcams::micro_focus::{MicroFocus, is_micro_focus};
use transom_idcams::record::{Cut, FileFormat, MAX_RECORD, Part, RecordError, Writer, split};
use transom_messages::id;

/// Bytes read at a time.
const CHUNK: usize = 1 << 18;
/// Bytes looked at when a file is opened.
const SAMPLE: u64 = 1 << 16;

/// Reads the records of a file, inside form.
pub(crate) struct RecordReader {
    file: File,
    path: PathBuf,
    format: FileFormat,
    converter: Converter,
    buffer: Vec<u8>,
    /// Where the next record begins in the buffer.
    start: usize,
    at_end: bool,
    left_in_block: usize,
    /// Pieces of a spanned record.
    pieces: Vec<u8>,
    /// Lines are filled up to, or cut of blanks beyond, this length.
    line_len: Option<usize>,
    /// Bytes done with.
    pub(crate) position: u64,
    /// Bytes of the file.
    pub(crate) size: u64,
}

/// What is known of the records on the other side.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Other {
    /// Longest record.
    pub(crate) max: Option<usize>,
    /// All records have this length.
    pub(crate) fixed: Option<usize>,
}

fn format(spec: &FileSpec, other: Other) -> Result<FileFormat, Failure> {
    let given = match (&spec.attributes.format, spec.declared) {
        (Some(text), _) => Some(FileFormat::parse(text, other.max)),
        (None, Some(declared)) => Some(Ok(declared)),
        (None, None) => other.max.map(|max| Ok(FileFormat::Fixed(max))),
    };
    let shown = spec.path.display();
    given
        .unwrap_or_else(|| Err("format=fixed:LENGTH is needed".to_owned()))
        .map_err(|reason| Failure::new(12, id::file_failed(shown, reason)))
}

/// What the first bytes of a file say of it; answers where its records begin.
fn look(spec: &FileSpec, format: &mut FileFormat, head: &[u8]) -> Result<usize, Failure> {
    let shown = spec.path.display();
    if let FileFormat::MicroFocus(file) = format {
        if spec.attributes.ccsid.is_none() {
            return Err(Failure::new(12, id::micro_focus_ccsid(shown)));
        }
        let (read, start) = MicroFocus::of_header(head)
            .map_err(|why| Failure::new(12, id::micro_focus_refused(shown, why)))?;
        *file = read;
        return Ok(start);
    }
    if spec.attributes.format.is_some() {
        return Ok(0);
    }
    if is_micro_focus(head) {
        return Err(Failure::new(12, id::micro_focus_file(shown)));
    }
    match format {
        FileFormat::Fixed(length) if is_lines(head) => {
            let name = spec.path.file_name().unwrap_or_default().display();
            Err(Failure::new(12, id::looks_like_lines(shown, *length, name)))
        }
        _ => Ok(0),
    }
}

/// ASCII text with line feeds. EBCDIC has neither the one nor the other.
fn is_lines(head: &[u8]) -> bool {
    let text = |b: &&u8| matches!(b, b' ' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z');
    let known = |b: &u8| matches!(b, b'\n' | b'\r' | b'\t' | 0x20..=0x7E | 0xA0..);
    head.contains(&b'\n')
        && head.iter().all(known)
        && head.iter().filter(text).count() * 2 > head.len()
}

/// The conversion of a file; warnings about its copybook come with it.
fn converter(spec: &FileSpec, format: FileFormat) -> Result<(Converter, Vec<String>), Failure> {
    let lines = matches!(format, FileFormat::Lines | FileFormat::CrLines);
    let default = if lines { LINES_CCSID } else { OUTSIDE_CCSID };
    let ccsid = spec.attributes.ccsid.unwrap_or(default);
    let Some((file, record)) = &spec.attributes.copybook else {
        return Ok((
            Converter::characters(ccsid).map_err(|e| Failure::new(12, e.to_string()))?,
            Vec::new(),
        ));
    };
    let layout = layout(file)?;
    let shown = file.display();
    let converter = Converter::fields(ccsid, &layout, record.as_deref())
        .map_err(|e| Failure::new(12, format!("{e} ({shown})")))?;
    let warnings = converter.warnings().to_vec();
    Ok((converter, warnings))
}

fn unturned(converter: &Converter, path: &Path) -> Option<String> {
    let count = converter.unturned();
    (count > 0).then(|| id::floats_kept(path.display(), count).into())
}

fn layout(file: &Path) -> Result<Layout, Failure> {
    let text = read_text(file, CodePage::all()[0])?.text;
    let (book, problems) = parse(&text, &ParseOptions::default());
    if let Some(problem) = problems.iter().find(|p| p.is_error()) {
        let text = format!("{}:{}", file.display(), problem.place_first());
        return Err(Failure::new(12, text));
    }
    Layout::new(&book, Profile::Host)
        .map_err(|p| Failure::new(12, format!("{}:{}", file.display(), p.place_first())))
}

impl RecordReader {
    /// Opens a file; what it tells about the copybook goes to `notes`.
    pub(crate) fn open(
        spec: &FileSpec,
        other: Other,
        notes: &mut Vec<String>,
    ) -> Result<Self, Failure> {
        let mut format = format(spec, other)?;
        let (converter, warnings) = converter(spec, format)?;
        notes.extend(warnings);
        let mut file = File::open(&spec.path).map_err(io(&spec.path))?;
        let size = file.metadata().map_err(io(&spec.path))?.len();
        let mut head = Vec::new();
        let begins = (&mut file).take(SAMPLE).read_to_end(&mut head);
        begins.map_err(io(&spec.path))?;
        let start = look(spec, &mut format, &head)?;
        let lines = matches!(format, FileFormat::Lines | FileFormat::CrLines);
        Ok(Self {
            file,
            path: spec.path.clone(),
            format,
            converter,
            buffer: head,
            start,
            at_end: false,
            left_in_block: 0,
            pieces: Vec::new(),
            line_len: other.fixed.filter(|_| lines),
            position: start as u64,
            size,
        })
    }

    /// The next record; none at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        loop {
            let rest = self.buffer.get(self.start..).unwrap_or(&[]);
            let cut = split(self.format, rest, self.at_end, &mut self.left_in_block);
            let cut = cut.map_err(|e| {
                let text = format!("{e} ({}, byte {})", self.path.display(), self.position);
                Failure::new(12, text)
            })?;
            match cut {
                Cut::End => return Ok(None),
                Cut::Skip(taken) => self.consume(taken),
                Cut::Need(bytes) => self.fill(bytes)?,
                Cut::Record {
                    range,
                    consumed,
                    part,
                } => {
                    let bytes = rest.get(range).unwrap_or(&[]).to_vec();
                    self.consume(consumed);
                    if let Some(record) = self.join(bytes, part)? {
                        return Ok(Some(self.finish(record)));
                    }
                }
            }
        }
    }

    /// What to tell of floating point that could not be converted.
    pub(crate) fn unturned(&self) -> Option<String> {
        unturned(&self.converter, &self.path)
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        self.position += bytes as u64;
    }

    fn fill(&mut self, wanted: usize) -> Result<(), Failure> {
        self.buffer.drain(..self.start.min(self.buffer.len()));
        self.start = 0;
        let old = self.buffer.len();
        let missing = wanted.saturating_sub(old).max(CHUNK);
        let read = (&mut self.file)
            .take(missing as u64)
            .read_to_end(&mut self.buffer);
        self.at_end = read.map_err(io(&self.path))? < missing;
        Ok(())
    }

    /// Puts the pieces of a spanned record together.
    fn join(&mut self, mut bytes: Vec<u8>, part: Part) -> Result<Option<Vec<u8>>, Failure> {
        if part == Part::Whole {
            return Ok(Some(bytes));
        }
        if part == Part::First {
            self.pieces.clear();
        }
        if self.pieces.len() + bytes.len() > MAX_RECORD {
            let text = format!("{} ({})", RecordError::TooLong, self.path.display());
            return Err(Failure::new(12, text));
        }
        self.pieces.append(&mut bytes);
        Ok((part == Part::Last).then(|| std::mem::take(&mut self.pieces)))
    }

    fn finish(&self, mut record: Vec<u8>) -> Vec<u8> {
        self.converter.inward(&mut record);
        if let Some(length) = self.line_len {
            let beyond = record.get(length..).unwrap_or(&[]);
            if record.len() < length || beyond.iter().all(|b| *b == b' ') {
                record.resize(length, b' ');
            }
        }
        record
    }
}

/// Writes records to a file, outside form.
pub(crate) struct RecordWriter {
    /// `None` once it has its name.
    out: Option<BufWriter<File>>,
    /// The name while it is written.
    part: PathBuf,
    pub(crate) path: PathBuf,
    writer: Writer,
    pub(crate) format: FileFormat,
    converter: Converter,
    bytes: Vec<u8>,
}

impl RecordWriter {
    /// Makes a file; what it tells about the copybook goes to `notes`.
    pub(crate) fn create(
        spec: &FileSpec,
        other: Other,
        notes: &mut Vec<String>,
    ) -> Result<Self, Failure> {
        let format = format(spec, other)?;
        let (converter, warnings) = converter(spec, format)?;
        notes.extend(warnings);
        let mut part = spec.path.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let shown = io(&spec.path);
        if spec.append && spec.path.is_file() {
            std::fs::copy(&spec.path, &part).map_err(&shown)?;
        } else {
            File::create(&part).map_err(&shown)?;
        }
        let file = File::options().append(true).open(&part).map_err(&shown)?;
        Ok(Self {
            out: Some(BufWriter::new(file)),
            part,
            path: spec.path.clone(),
            writer: Writer::new(format, converter.outside_space()),
            format,
            converter,
            bytes: Vec::new(),
        })
    }

    pub(crate) fn write(&mut self, mut record: Vec<u8>) -> Result<(), Failure> {
        self.converter.outward(&mut record);
        self.bytes.clear();
        let written = self.writer.write(&record, &mut self.bytes);
        written.map_err(|e| Failure::new(12, format!("{e} ({})", self.path.display())))?;
        self.put()
    }

    /// What to tell of floating point that could not be converted.
    pub(crate) fn unturned(&self) -> Option<String> {
        unturned(&self.converter, &self.path)
    }

    fn put(&mut self) -> Result<(), Failure> {
        let out = self
            .out
            .as_mut()
            .map_or(Ok(()), |out| out.write_all(&self.bytes));
        out.map_err(io(&self.path))
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.bytes.clear();
        self.writer.finish(&mut self.bytes);
        self.put()?;
        let Some(out) = self.out.take() else {
            return Ok(());
        };
        let file = out
            .into_inner()
            .map_err(|e| io(&self.path)(e.into_error()))?;
        file.sync_all().map_err(io(&self.path))?;
        std::fs::rename(&self.part, &self.path).map_err(io(&self.path))
    }
}

impl Drop for RecordWriter {
    /// A file that did not become complete goes away.
    fn drop(&mut self) {
        if self.out.take().is_some() {
            let _gone = std::fs::remove_file(&self.part);
        }
    }
}
