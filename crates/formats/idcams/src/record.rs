//! Files of records as mainframes and Unix hold them: cutting bytes into records, and putting
//! records together.
//!
//! The caller reads and writes the file; [`split`] looks at a buffer and says where the next record
//! is, so that files of any size pass through a buffer of one record.

use crate::micro_focus::{MicroFocus, Next};
use std::fmt;
use std::ops::Range;
use transom_messages as messages;

/// Longest record of any file, in bytes.
pub const MAX_RECORD: usize = 16 << 20;
/// Longest block of a file of variable records, in bytes.
pub const MAX_BLOCK: usize = 32_760;

/// How records stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Records of this many bytes, nothing between (RECFM F and FB).
    Fixed(usize),
    /// A record descriptor word before each record (RECFM V).
    Variable,
    /// As `Variable`, with a block descriptor word before each block (RECFM VB).
    Blocked,
    /// A line feed after each record; a carriage return before it is left out.
    Lines,
    /// As `Lines`, written with carriage return and line feed.
    CrLines,
    /// A file of Micro Focus COBOL, behind its file header.
    MicroFocus(MicroFocus),
}

impl FileFormat {
    /// `fixed:300`, `fixed` (with the length given), `variable`, `blocked`, `line`, `crlf`, and
    /// RECFM words.
    pub fn parse(text: &str, length: Option<usize>) -> Result<Self, String> {
        let (word, given) = match text.split_once(':') {
            Some((word, digits)) => {
                let number = digits
                    .parse::<usize>()
                    .ok()
                    .filter(|n| (1..=MAX_RECORD).contains(n));
                let number = number.ok_or_else(|| format!("{digits} is no record length"))?;
                (word, Some(number))
            }
            None => (text, None),
        };
        match word.to_ascii_lowercase().as_str() {
            "fixed" | "f" | "fb" => given
                .or(length)
                .map(FileFormat::Fixed)
                .ok_or_else(|| "fixed needs a record length: fixed:80".to_owned()),
            "variable" | "v" => Ok(FileFormat::Variable),
            "blocked" | "vb" | "vbs" => Ok(FileFormat::Blocked),
            "line" | "lines" => Ok(FileFormat::Lines),
            "crlf" => Ok(FileFormat::CrLines),
            "mf" => Ok(FileFormat::MicroFocus(MicroFocus::default())),
            _ => Err(format!(
                "{word} is no format; fixed:LENGTH, variable, blocked, line, crlf and mf are"
            )),
        }
    }
}

/// Why a file cannot be cut into records. Offsets count from the start of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordError {
    /// The file ends inside a record that has this many bytes.
    Cut { expected: usize, found: usize },
    /// The bytes of a record or block descriptor word that cannot be one.
    Descriptor([u8; 4]),
    /// Longer than [`MAX_RECORD`].
    TooLong,
    /// A record cannot be written in this format.
    Unwritable(usize),
    /// A record of a Micro Focus file that cannot be read.
    MicroFocus(&'static str),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Cut { expected, found } => {
                write!(f, "{}", messages::id::record_cut_off(found, expected))
            }
            RecordError::Descriptor(word) => {
                let [a, b, c, d] = word;
                write!(
                    f,
                    "{}",
                    messages::id::not_a_descriptor_word(format_args!(
                        "{a:02X}{b:02X}{c:02X}{d:02X}"
                    ))
                )
            }
            RecordError::TooLong => {
                write!(f, "{}", messages::id::record_too_long(MAX_RECORD))
            }
            RecordError::MicroFocus(why) => f.write_str(why),
            RecordError::Unwritable(len) => {
                write!(f, "{}", messages::id::record_does_not_fit(len))
            }
        }
    }
}

impl std::error::Error for RecordError {}

/// What the buffer begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cut {
    /// Read more and ask again with at least this many bytes.
    Need(usize),
    /// A record, or a piece of one; `consumed` bytes are done with.
    Record {
        range: Range<usize>,
        consumed: usize,
        part: Part,
    },
    /// Bytes that hold no record: a block descriptor word.
    Skip(usize),
    /// The file ends here.
    End,
}

/// Whether a record is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Whole,
    First,
    Middle,
    Last,
}

/// Says where the next record of a file is. `left_in_block` belongs to [`FileFormat::Blocked`],
/// starts at 0 and is kept by the caller between calls. `at_end`: nothing follows the buffer in the
/// file.
pub fn split(
    format: FileFormat,
    buffer: &[u8],
    at_end: bool,
    left_in_block: &mut usize,
) -> Result<Cut, RecordError> {
    if buffer.is_empty() && at_end {
        return Ok(Cut::End);
    }
    match format {
        FileFormat::Fixed(length) => {
            Ok(whole(buffer.len(), length.max(1), at_end)?.unwrap_or(Cut::Need(length)))
        }
        FileFormat::Lines | FileFormat::CrLines => line(buffer, at_end),
        FileFormat::Variable => descriptor(buffer, at_end),
        FileFormat::Blocked => blocked(buffer, at_end, left_in_block),
        FileFormat::MicroFocus(file) => {
            let next = file.split(buffer, at_end);
            Ok(match next.map_err(RecordError::MicroFocus)? {
                Next::Need(bytes) => Cut::Need(bytes),
                Next::Skip(bytes) => Cut::Skip(bytes),
                Next::Record(range, consumed) => Cut::Record {
                    range,
                    consumed,
                    part: Part::Whole,
                },
            })
        }
    }
}

/// A record of known length at the start of the buffer.
fn whole(have: usize, length: usize, at_end: bool) -> Result<Option<Cut>, RecordError> {
    if have >= length {
        return Ok(Some(Cut::Record {
            range: 0..length,
            consumed: length,
            part: Part::Whole,
        }));
    }
    if at_end {
        return Err(RecordError::Cut {
            expected: length,
            found: have,
        });
    }
    Ok(None)
}

fn line(buffer: &[u8], at_end: bool) -> Result<Cut, RecordError> {
    let (end, consumed) = match buffer.iter().position(|b| *b == b'\n') {
        Some(at) => (at, at + 1),
        None if at_end => (buffer.len(), buffer.len()),
        None if buffer.len() > MAX_RECORD => return Err(RecordError::TooLong),
        None => return Ok(Cut::Need(buffer.len() + 1)),
    };
    let text = buffer.get(..end).unwrap_or(&[]);
    let end = text.strip_suffix(b"\r").map_or(end, <[u8]>::len);
    Ok(Cut::Record {
        range: 0..end,
        consumed,
        part: Part::Whole,
    })
}

fn descriptor(buffer: &[u8], at_end: bool) -> Result<Cut, RecordError> {
    let Some(word) = buffer.first_chunk::<4>() else {
        return short(4, buffer.len(), at_end);
    };
    let [high, low, segment, zero] = *word;
    let length = usize::from(u16::from_be_bytes([high, low]));
    let part = match segment {
        0 => Part::Whole,
        1 => Part::First,
        2 => Part::Last,
        3 => Part::Middle,
        _ => return Err(RecordError::Descriptor(*word)),
    };
    if length < 4 || zero != 0 {
        return Err(RecordError::Descriptor(*word));
    }
    if buffer.len() < length {
        return short(length, buffer.len(), at_end);
    }
    Ok(Cut::Record {
        range: 4..length,
        consumed: length,
        part,
    })
}

fn short(expected: usize, found: usize, at_end: bool) -> Result<Cut, RecordError> {
    match at_end {
        true => Err(RecordError::Cut { expected, found }),
        false => Ok(Cut::Need(expected)),
    }
}

fn blocked(buffer: &[u8], at_end: bool, left: &mut usize) -> Result<Cut, RecordError> {
    if *left == 0 {
        let Some(word) = buffer.first_chunk::<4>() else {
            return short(4, buffer.len(), at_end);
        };
        let [high, low, zero, also] = *word;
        let length = usize::from(u16::from_be_bytes([high, low]));
        if length < 4 || zero != 0 || also != 0 {
            return Err(RecordError::Descriptor(*word));
        }
        *left = length - 4;
        return Ok(Cut::Skip(4));
    }
    let cut = descriptor(buffer, at_end)?;
    if let Cut::Record { consumed, .. } = &cut {
        let Some(rest) = left.checked_sub(*consumed) else {
            let word = buffer.first_chunk::<4>().copied().unwrap_or_default();
            return Err(RecordError::Descriptor(word));
        };
        *left = rest;
    }
    Ok(cut)
}

/// Puts records into a file's bytes.
#[derive(Debug)]
pub struct Writer {
    format: FileFormat,
    /// Byte a short record of a fixed file is filled with.
    pad: u8,
    /// The block not yet full.
    block: Vec<u8>,
}

impl Writer {
    /// `pad`: what fills short records of fixed files, in the file's code page.
    pub fn new(format: FileFormat, pad: u8) -> Self {
        Self {
            format,
            pad,
            block: Vec::new(),
        }
    }

    /// Appends one record to `out`; blocks come out when they are full.
    pub fn write(&mut self, record: &[u8], out: &mut Vec<u8>) -> Result<(), RecordError> {
        let refused = RecordError::Unwritable(record.len());
        match self.format {
            FileFormat::Fixed(length) => {
                let fill = length.checked_sub(record.len()).ok_or(refused)?;
                out.extend_from_slice(record);
                out.resize(out.len() + fill, self.pad);
            }
            FileFormat::Lines | FileFormat::CrLines => {
                if record.contains(&b'\n') {
                    return Err(refused);
                }
                out.extend_from_slice(record);
                if self.format == FileFormat::CrLines {
                    out.push(b'\r');
                }
                out.push(b'\n');
            }
            FileFormat::Variable => out.extend(described(record).ok_or(refused)?),
            FileFormat::Blocked => {
                let record = described(record)
                    .filter(|r| r.len() <= MAX_BLOCK - 4)
                    .ok_or(refused)?;
                if self.block.len() + record.len() > MAX_BLOCK - 4 {
                    self.finish(out);
                }
                self.block.extend(record);
            }
            FileFormat::MicroFocus(_) => return Err(refused),
        }
        Ok(())
    }

    /// The last block.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if self.block.is_empty() {
            return;
        }
        let length = u16::try_from(self.block.len() + 4).unwrap_or(u16::MAX);
        out.extend_from_slice(&length.to_be_bytes());
        out.extend_from_slice(&[0, 0]);
        out.append(&mut self.block);
    }
}

/// A record behind its descriptor word.
fn described(record: &[u8]) -> Option<Vec<u8>> {
    let length = u16::try_from(record.len() + 4).ok()?;
    let mut out = length.to_be_bytes().to_vec();
    out.extend_from_slice(&[0, 0]);
    out.extend_from_slice(record);
    Some(out)
}
