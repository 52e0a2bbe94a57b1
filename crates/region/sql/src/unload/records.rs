//! Records of a file.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use transom_messages::{self as messages, Message};

/// How records lie in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Records {
    /// As long as the LOAD statement says.
    #[default]
    Said,
    /// Of this length.
    Fixed(usize),
    /// Each behind its length, which is that of itself and two zeros too (RDW).
    Variable,
}

/// Longest record.
const RECORD_MAX: usize = 32_760;

/// A file, read record by record.
pub(super) struct RecordFile {
    file: BufReader<File>,
    name: String,
    /// `None`: they tell it.
    length: Option<usize>,
    /// Records so far.
    pub(super) number: u64,
}

impl RecordFile {
    /// Opens it.
    pub(super) fn open(path: &Path, length: Option<usize>) -> Result<Self, Message> {
        let name = path.display().to_string();
        let file = File::open(path);
        let file = file.map_err(|error| messages::sq::load_record(&name, 1, error))?;
        Ok(Self {
            file: BufReader::with_capacity(1 << 16, file),
            name,
            length,
            number: 0,
        })
    }

    /// What is wrong with a record.
    pub(super) fn wrong(&self, record: u64, what: impl std::fmt::Display) -> Message {
        messages::sq::load_record(&self.name, record, what)
    }

    /// What is wrong with a field of the last record.
    pub(super) fn wrong_field(&self, field: &str, what: &str) -> Message {
        messages::sq::load_field(&self.name, self.number, field, what)
    }

    /// The next record; `false`: there is none.
    pub(super) fn next(&mut self, record: &mut Vec<u8>) -> Result<bool, Message> {
        self.number += 1;
        let length = match self.length {
            Some(length) => length,
            None => {
                let there = self.take(record, 4)?;
                if there == 0 {
                    return Ok(false);
                }
                let &[high, low, 0, 0] = record.as_slice() else {
                    let what = "a record that begins with its length is expected";
                    return Err(self.wrong(self.number, what));
                };
                let length = usize::from(u16::from_be_bytes([high, low]));
                let own = length.checked_sub(4).filter(|own| *own <= RECORD_MAX);
                let what = "its length is no length of a record";
                own.ok_or_else(|| self.wrong(self.number, what))?
            }
        };
        let there = self.take(record, length)?;
        match (there == length, there) {
            (true, _) => Ok(true),
            (false, 0) if self.length.is_some() => Ok(false),
            (false, there) => {
                let what = format!("the file ends after {there} of its {length} bytes");
                Err(self.wrong(self.number, what))
            }
        }
    }

    /// Reads so many bytes, fewer at the end of the file.
    fn take(&mut self, record: &mut Vec<u8>, length: usize) -> Result<usize, Message> {
        record.clear();
        let mut part = self.file.by_ref().take(length as u64);
        let read = part.read_to_end(record);
        read.map_err(|error| self.wrong(self.number, error))
    }
}
