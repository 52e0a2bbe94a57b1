//! Files of records as the copybook commands read and write them: the formats of data sets, and
//! records one behind the other whose tables say how long they are.

use clap::Args;
use std::borrow::Cow;
use transom_copybook::convert::Lossless;
use transom_idcams::record::{Cut, FileFormat, MAX_RECORD, Part, RecordError, Writer, split};

/// The form of a file, as options say it.
#[derive(Debug, Args)]
pub struct Form {
    /// Length of a record; default: the copybook's
    #[arg(long)]
    length: Option<usize>,
    /// How records stand in the file, fixed by default: fixed, fixed:LENGTH, variable (with record
    /// descriptor words), blocked, line, crlf, or odo: one behind the other, each as long as its
    /// tables say
    #[arg(long)]
    format: Option<String>,
}

/// How records stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Records {
    File(FileFormat),
    /// One behind the other, each as long as its tables say.
    Odo,
}

impl Form {
    pub(crate) fn records(&self, lossless: &Lossless) -> Result<Records, String> {
        let format = self.format.as_deref().unwrap_or("fixed");
        if format.eq_ignore_ascii_case("odo") {
            return Ok(Records::Odo);
        }
        let length = self.length.unwrap_or(lossless.max_record_len());
        match FileFormat::parse(format, Some(length.clamp(1, MAX_RECORD)))? {
            FileFormat::MicroFocus(_) => {
                Err("files of Micro Focus are loaded by transom idcams".to_owned())
            }
            format => Ok(Records::File(format)),
        }
    }

    /// The length of records, if it was only guessed although they vary.
    pub(crate) fn guessed(&self, lossless: &Lossless) -> Option<usize> {
        let said = self.format.is_some() || self.length.is_some();
        (!said && lossless.varies()).then(|| lossless.max_record_len())
    }
}

impl Records {
    /// Records are filled up with low values.
    pub(crate) fn filled(self) -> bool {
        matches!(self, Records::File(FileFormat::Fixed(_)))
    }
}

/// One record of a file.
pub(crate) struct Record<'a> {
    /// Where its data begin.
    pub(crate) at: usize,
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Length it should have had, where the file ends inside it.
    pub(crate) expected: Option<usize>,
}

/// Cuts a file into records.
pub(crate) struct Reader<'a> {
    records: Records,
    data: &'a [u8],
    at: usize,
    left_in_block: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(records: Records, data: &'a [u8]) -> Reader<'a> {
        Reader {
            records,
            data,
            at: 0,
            left_in_block: 0,
        }
    }

    /// The next record; `None` at the end.
    pub(crate) fn next(&mut self, lossless: &Lossless) -> Result<Option<Record<'a>>, String> {
        let rest = &self.data[self.at..];
        match self.records {
            _ if rest.is_empty() => Ok(None),
            Records::Odo => Ok(Some(self.varying(rest, lossless))),
            Records::File(FileFormat::Fixed(length)) => Ok(Some(self.taken(rest, length))),
            Records::File(format) => self.described(format),
        }
    }

    fn taken(&mut self, rest: &'a [u8], length: usize) -> Record<'a> {
        let bytes = &rest[..rest.len().min(length)];
        let record = Record {
            at: self.at,
            bytes: Cow::Borrowed(bytes),
            expected: (bytes.len() < length).then_some(length),
        };
        self.at += bytes.len();
        record
    }

    /// What follows a record whose tables cannot be followed is not known: all of it is one record.
    fn varying(&mut self, rest: &'a [u8], lossless: &Lossless) -> Record<'a> {
        let length = lossless.record_len(rest).unwrap_or(rest.len()).max(1);
        self.taken(rest, length)
    }

    fn described(&mut self, format: FileFormat) -> Result<Option<Record<'a>>, String> {
        let start = self.at;
        let mut whole: Option<Vec<u8>> = None;
        while self.at < self.data.len() {
            let rest = &self.data[self.at..];
            let cut = split(format, rest, true, &mut self.left_in_block);
            let (range, part) = match cut.map_err(|e| placed(&e, self.at))? {
                Cut::Record {
                    range,
                    consumed,
                    part,
                } => {
                    self.at += consumed;
                    (range, part)
                }
                Cut::Skip(bytes) => {
                    self.at += bytes;
                    continue;
                }
                Cut::Need(expected) => {
                    let found = rest.len();
                    return Err(placed(&RecordError::Cut { expected, found }, self.at));
                }
                Cut::End => return Ok(None),
            };
            let at = self.at.min(start + range.start);
            let bytes = &rest[range];
            if part == Part::Whole {
                let bytes = Cow::Borrowed(bytes);
                let expected = None;
                return Ok(Some(Record {
                    at,
                    bytes,
                    expected,
                }));
            }
            let joined = whole.get_or_insert_default();
            joined.extend_from_slice(bytes);
            if part == Part::Last {
                let bytes = Cow::Owned(std::mem::take(joined));
                let expected = None;
                return Ok(Some(Record {
                    at,
                    bytes,
                    expected,
                }));
            }
        }
        Ok(None)
    }
}

fn placed(error: &RecordError, at: usize) -> String {
    format!("byte {at}: {error}")
}

/// Puts records into a file.
pub(crate) struct Written {
    records: Records,
    writer: Writer,
    pub(crate) bytes: Vec<u8>,
    /// A record that is shorter than the others has been written.
    cut: bool,
}

impl Written {
    pub(crate) fn new(records: Records) -> Written {
        let format = match records {
            Records::File(format) => format,
            Records::Odo => FileFormat::Lines,
        };
        Written {
            records,
            writer: Writer::new(format, 0),
            bytes: Vec::new(),
            cut: false,
        }
    }

    /// `cut`: the record is to end before its data do.
    pub(crate) fn write(&mut self, record: &[u8], cut: bool) -> Result<(), String> {
        let fixed = self.records.filled();
        if self.cut {
            return Err("a record behind one that ends early (length in $bytes)".to_owned());
        }
        if self.records == Records::Odo || fixed && cut {
            self.cut = cut;
            self.bytes.extend_from_slice(record);
            return Ok(());
        }
        self.writer
            .write(record, &mut self.bytes)
            .map_err(|error| error.to_string())
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.writer.finish(&mut self.bytes);
        self.bytes
    }
}
