//! Reading what a terminal sends.
//!
//! What: [`parse`] takes a record apart: key, cursor, modified fields, or structured fields with
//! Query Replies; [`parse_buffer`] reads the answer to Read Buffer,
//! [`parse_application`] what a program gets of it. Why: everything here comes from
//! a peer, so it never panics, takes no memory beyond the record's own size, and errors say the
//! offset. Not here: the answer's meaning for a map (`bms`).

mod application;
mod buffer;
mod capabilities;
mod query;

pub use application::{ApplicationField, ApplicationRead, parse_application};
pub use buffer::{BufferItem, ReadBuffer, parse_buffer};
pub use capabilities::Capabilities;
pub use query::{CharacterSet, QueryReply};

use crate::address::{ScreenSize, decode_address};
use crate::aid::Aid;
use crate::error::{ErrorKind, StreamError};
use crate::order::{GE, SA, SBA, SF, SFE};
use std::borrow::Cow;

/// Most modified fields in one record; a 62x160 screen has at most 4,960 fields.
pub const FIELDS_MAX: usize = 8_192;
/// Most structured fields in one record.
pub const STRUCTURED_FIELDS_MAX: usize = 256;

/// A record from a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inbound<'a> {
    /// A key, or the answer to a Read Modified.
    Read(Read<'a>),
    /// Test Request or SysReq of a terminal without TN3270E, with what was on the screen.
    TestRequest(Read<'a>),
    /// Status of a device: SOH % R and status and sense bytes.
    Status(&'a [u8]),
    /// Structured fields (AID X'88').
    Structured(Vec<InboundField<'a>>),
}

/// Key, cursor and data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read<'a> {
    pub aid: Aid,
    /// Cursor position; none on a short read.
    pub cursor: Option<u16>,
    pub data: ReadData<'a>,
}

/// What a Read Modified brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadData<'a> {
    /// AID only: PA keys and CLEAR.
    Short,
    /// All characters of a screen without fields, nulls left out.
    Unformatted(Characters<'a>),
    /// The modified fields; may be none.
    Fields(Vec<ModifiedField<'a>>),
}

/// One modified field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModifiedField<'a> {
    /// Position of the first character, one behind the field attribute.
    pub position: u16,
    pub characters: Characters<'a>,
}

/// Characters with SA and GE orders between them, where the reply mode has those.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Characters<'a>(&'a [u8]);

impl<'a> Characters<'a> {
    /// A part of a record that [`parse`] found to be characters.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// As sent, orders included.
    pub fn raw(self) -> &'a [u8] {
        self.0
    }

    /// Characters only, in the code page of the terminal.
    pub fn text(self) -> Cow<'a, [u8]> {
        if !self.0.iter().any(|byte| matches!(*byte, SA | GE)) {
            return Cow::Borrowed(self.0);
        }
        let mut text = Vec::with_capacity(self.0.len());
        let mut rest = self.0.iter().copied();
        while let Some(byte) = rest.next() {
            match byte {
                SA => {
                    rest.nth(1);
                }
                GE => {}
                byte => text.push(byte),
            }
        }
        Cow::Owned(text)
    }
}

/// One structured field of a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InboundField<'a> {
    QueryReply(QueryReply),
    /// Inbound 3270DS of a partition.
    Data {
        partition: u8,
        read: Read<'a>,
    },
    /// The record cannot be taken (Recovery Data), a file transfer, or something newer: id and
    /// data.
    Other(u8, &'a [u8]),
}

impl<'a> Read<'a> {
    /// Fields of a formatted read; empty otherwise.
    pub fn fields(&self) -> &[ModifiedField<'a>] {
        match &self.data {
            ReadData::Fields(fields) => fields,
            _ => &[],
        }
    }
}

/// Takes a record apart (without TN3270E header and telnet framing). `size` is the screen size in
/// force.
///
/// # Errors
/// Empty records, unknown AIDs, truncated orders and addresses beyond the screen.
pub fn parse(record: &[u8], size: ScreenSize) -> Result<Inbound<'_>, StreamError> {
    match record {
        [] => Err(StreamError::new(0, ErrorKind::Empty)),
        [0x88, rest @ ..] => structured(rest, size).map_err(|e| e.moved(1)),
        // SOH, %, then R for status or / STX for a test request.
        [0x01, 0x6C, 0xD9, rest @ ..] => {
            Ok(Inbound::Status(rest.strip_prefix(&[0x02]).unwrap_or(rest)))
        }
        [0x01, 0x6C, 0x61, 0x02, rest @ ..] => Ok(Inbound::TestRequest(Read {
            aid: Aid::SYSREQ,
            cursor: None,
            data: data(rest, size).map_err(|e| e.moved(4))?,
        })),
        _ => read(record, size).map(Inbound::Read),
    }
}

fn read(record: &[u8], size: ScreenSize) -> Result<Read<'_>, StreamError> {
    let (aid, rest) = split_aid(record)?;
    match *rest {
        [] => Ok(Read {
            aid,
            cursor: None,
            data: ReadData::Short,
        }),
        [high, low, ref tail @ ..] => Ok(Read {
            aid,
            cursor: Some(address(high, low, size).map_err(|e| e.moved(1))?),
            data: data(tail, size).map_err(|e| e.moved(3))?,
        }),
        [_] => Err(StreamError::truncated(1)),
    }
}

fn split_aid(record: &[u8]) -> Result<(Aid, &[u8]), StreamError> {
    let (first, rest) = record
        .split_first()
        .ok_or(StreamError::new(0, ErrorKind::Empty))?;
    let aid = Aid(*first);
    if aid.is_known() {
        Ok((aid, rest))
    } else {
        Err(StreamError::new(0, ErrorKind::UnknownAid(*first)))
    }
}

fn address(high: u8, low: u8, size: ScreenSize) -> Result<u16, StreamError> {
    let address = decode_address(high, low)?;
    if usize::from(address) < size.positions() {
        Ok(address)
    } else {
        Err(StreamError::new(0, ErrorKind::BadAddress(address)))
    }
}

/// Fields if the data begins with an address, else unformatted characters.
fn data(data: &[u8], size: ScreenSize) -> Result<ReadData<'_>, StreamError> {
    let first = run(data, 0)?;
    if first > 0 {
        if let Some(byte) = data.get(first) {
            return Err(StreamError::new(first, ErrorKind::UnknownOrder(*byte)));
        }
        return Ok(ReadData::Unformatted(Characters(data)));
    }
    let mut fields = Vec::new();
    let mut at = 0;
    while let Some(order) = data.get(at) {
        let (position, start) = match (order, data.get(at + 1), data.get(at + 2)) {
            (&SBA, Some(high), Some(low)) => (address(*high, *low, size), at + 3),
            (&SBA, ..) => return Err(StreamError::truncated(at)),
            (other, ..) => return Err(StreamError::new(at, ErrorKind::UnknownOrder(*other))),
        };
        if fields.len() == FIELDS_MAX {
            return Err(StreamError::new(at, ErrorKind::TooMany));
        }
        let position = position.map_err(|e| e.moved(at))?;
        let end = run(data, start)?;
        let characters = Characters(data.get(start..end).unwrap_or_default());
        fields.push(ModifiedField {
            position,
            characters,
        });
        at = end;
    }
    Ok(ReadData::Fields(fields))
}

/// End of the characters (with SA and GE) from `start`: the next other order, or the end.
fn run(data: &[u8], start: usize) -> Result<usize, StreamError> {
    let mut at = start;
    while let Some(byte) = data.get(at) {
        let length = match *byte {
            SBA | SF | SFE => break,
            SA => 3,
            GE => 2,
            _ => 1,
        };
        if at + length > data.len() {
            return Err(StreamError::truncated(at));
        }
        at += length;
    }
    Ok(at)
}

fn structured(data: &[u8], size: ScreenSize) -> Result<Inbound<'_>, StreamError> {
    let mut fields = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let rest = data.get(at..).unwrap_or_default();
        let [high, low, id, ..] = *rest else {
            return Err(StreamError::truncated(at));
        };
        if fields.len() == STRUCTURED_FIELDS_MAX {
            return Err(StreamError::new(at, ErrorKind::TooMany));
        }
        let stated = u16::from_be_bytes([high, low]);
        // 0 means "to the end".
        let length = if stated == 0 {
            rest.len()
        } else {
            usize::from(stated)
        };
        let body = rest
            .get(3..length)
            .ok_or(StreamError::new(at, ErrorKind::BadLength(stated)))?;
        fields.push(field(id, body, size).map_err(|e| e.moved(at + 3))?);
        at += length;
    }
    Ok(Inbound::Structured(fields))
}

fn field(id: u8, body: &[u8], size: ScreenSize) -> Result<InboundField<'_>, StreamError> {
    match (id, body) {
        (0x81, [code, rest @ ..]) => Ok(InboundField::QueryReply(QueryReply::parse(*code, rest))),
        (0x80, [partition, rest @ ..]) => Ok(InboundField::Data {
            partition: *partition,
            read: read(rest, size).map_err(|e| e.moved(1))?,
        }),
        (0x80 | 0x81, []) => Err(StreamError::truncated(0)),
        _ => Ok(InboundField::Other(id, body)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: ScreenSize = ScreenSize::MODEL_2;

    fn read_of(record: &[u8]) -> Read<'_> {
        match parse(record, SIZE) {
            Ok(Inbound::Read(read)) => read,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn enter_with_two_fields() {
        let record = [
            0x7D, 0xC1, 0x50, 0x11, 0x40, 0xC1, 0xC1, 0xC2, 0x11, 0xC1, 0x50,
        ];
        let read = read_of(&record);
        assert_eq!((read.aid, read.cursor), (Aid::ENTER, Some(80)));
        let fields: Vec<_> = read
            .fields()
            .iter()
            .map(|f| (f.position, f.characters.raw()))
            .collect();
        assert_eq!(fields, [(1, &[0xC1, 0xC2][..]), (80, &[])]);
    }

    #[test]
    fn a_transaction_id_on_an_unformatted_screen() {
        let read = read_of(&[0x7D, 0x40, 0xC4, 0xC3, 0xC3, 0xF0, 0xF0]);
        assert_eq!(read.cursor, Some(4));
        let ReadData::Unformatted(text) = read.data else {
            panic!("{read:?}")
        };
        assert_eq!(&*text.text(), [0xC3, 0xC3, 0xF0, 0xF0]);
    }

    #[test]
    fn short_reads_have_the_key_only() {
        assert_eq!(read_of(&[0x6D]).data, ReadData::Short);
        assert_eq!(read_of(&[0x6C]).aid, Aid::PA1);
    }

    #[test]
    fn character_attributes_are_left_out_of_text() {
        let record = [
            0x7D, 0x40, 0x40, 0x11, 0x40, 0xC1, 0x28, 0x42, 0xF2, 0xC1, 0x08, 0x1D, 0xC2,
        ];
        let read = read_of(&record);
        assert_eq!(&*read.fields()[0].characters.text(), [0xC1, 0x1D, 0xC2]);
    }

    #[test]
    fn errors_say_where() {
        fn text(record: &[u8]) -> Result<Inbound<'_>, String> {
            parse(record, SIZE).map_err(|e| e.to_string())
        }
        assert_eq!(
            text(&[0x99]),
            Err("offset 0: X'99' is no attention identifier".into())
        );
        assert_eq!(
            text(&[0x7D, 0x40]),
            Err("offset 1: ends inside an order or field".into())
        );
        let beyond = [0x7D, 0x40, 0x40, 0x11, 0x5E, 0x40];
        assert_eq!(
            text(&beyond),
            Err("offset 3: buffer address 1920 is not on the screen".into())
        );
        let long = [0x88, 0x00, 0x09, 0x81, 0x80];
        assert_eq!(
            text(&long),
            Err("offset 1: a structured field cannot be 9 bytes long".into())
        );
    }

    #[test]
    fn test_request_of_a_basic_terminal() {
        let parsed = parse(&[0x01, 0x6C, 0x61, 0x02], SIZE);
        assert!(matches!(parsed, Ok(Inbound::TestRequest(_))), "{parsed:?}");
    }
}
