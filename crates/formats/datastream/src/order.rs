//! Commands and orders of the 3270 data stream, read one by one.
//!
//! What: [`Orders`] cuts the data of a write into orders and runs of characters; the screen, the
//! check of application data and the reader of Read Buffer all use it. Why: one place decides where
//! an order ends. Not here: what an order does (`screen`) and writing them (`outbound`).

use crate::address::decode_address;
use crate::attribute::Attribute;
use crate::attribute::AttributeKind;
use crate::error::{ErrorKind, StreamError};

pub(crate) const PT: u8 = 0x05;
pub(crate) const GE: u8 = 0x08;
pub(crate) const SBA: u8 = 0x11;
pub(crate) const EUA: u8 = 0x12;
pub(crate) const IC: u8 = 0x13;
pub(crate) const SF: u8 = 0x1D;
pub(crate) const SA: u8 = 0x28;
pub(crate) const SFE: u8 = 0x29;
pub(crate) const MF: u8 = 0x2C;
pub(crate) const RA: u8 = 0x3C;
pub(crate) const SO: u8 = 0x0E;
pub(crate) const SI: u8 = 0x0F;
pub(crate) const DUP: u8 = 0x1C;
pub(crate) const FIELD_MARK: u8 = 0x1E;

/// What a host may ask of a terminal: the first byte of an outbound record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    Write,
    EraseWrite,
    EraseWriteAlternate,
    EraseAllUnprotected,
    WriteStructuredField,
    ReadBuffer,
    ReadModified,
    ReadModifiedAll,
    NoOperation,
}

impl Command {
    /// The command of a byte, in the codes of SNA or of channels.
    pub fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0xF1 | 0x01 => Self::Write,
            0xF5 | 0x05 => Self::EraseWrite,
            0x7E | 0x0D => Self::EraseWriteAlternate,
            0x6F | 0x0F => Self::EraseAllUnprotected,
            0xF3 | 0x11 => Self::WriteStructuredField,
            0xF2 | 0x02 => Self::ReadBuffer,
            0xF6 | 0x06 => Self::ReadModified,
            0x6E | 0x0E => Self::ReadModifiedAll,
            0x03 => Self::NoOperation,
            _ => return None,
        })
    }

    /// The SNA code, which every TN3270 client takes.
    pub fn byte(self) -> u8 {
        match self {
            Self::Write => 0xF1,
            Self::EraseWrite => 0xF5,
            Self::EraseWriteAlternate => 0x7E,
            Self::EraseAllUnprotected => 0x6F,
            Self::WriteStructuredField => 0xF3,
            Self::ReadBuffer => 0xF2,
            Self::ReadModified => 0xF6,
            Self::ReadModifiedAll => 0x6E,
            Self::NoOperation => 0x03,
        }
    }
}

/// One order, or a run of characters without orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order<'a> {
    SetBufferAddress(u16),
    StartField(u8),
    StartFieldExtended(Attributes<'a>),
    ModifyField(Attributes<'a>),
    /// Type and value byte; the type may be unknown.
    SetAttribute(u8, u8),
    InsertCursor,
    ProgramTab,
    RepeatToAddress {
        stop: u16,
        byte: u8,
        graphic: bool,
    },
    EraseUnprotectedToAddress(u16),
    GraphicEscape(u8),
    /// Graphic characters, nulls and format controls.
    Text(&'a [u8]),
}

/// Pairs of type and value of SFE or MF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attributes<'a>(&'a [u8]);

impl Attributes<'_> {
    /// Pairs of known type; others are skipped, as terminals do.
    pub fn known(&self) -> impl Iterator<Item = Attribute> {
        self.0.chunks_exact(2).filter_map(|pair| match pair {
            [kind, value] => AttributeKind::from_byte(*kind).map(|k| Attribute::new(k, *value)),
            _ => None,
        })
    }
}

/// Orders of a data stream from the byte behind WCC or cursor address. Ends after the first error.
#[derive(Debug, Clone)]
pub struct Orders<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Orders<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0 }
    }

    /// Offset of the next order in the data.
    pub fn offset(&self) -> usize {
        self.at
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.data.get(self.at + ahead).copied()
    }

    fn address(&self, ahead: usize) -> Option<Result<u16, StreamError>> {
        Some(decode_address(self.peek(ahead)?, self.peek(ahead + 1)?))
    }

    fn attributes(&self) -> Option<(Attributes<'a>, usize)> {
        let length = 2 * usize::from(self.peek(1)?);
        let start = self.at + 2;
        let pairs = self.data.get(start..start.checked_add(length)?)?;
        Some((Attributes(pairs), 2 + length))
    }

    /// The order at the current offset and its length; `None` if it is truncated.
    fn order(&self, code: u8) -> Option<Result<(Order<'a>, usize), StreamError>> {
        let taken = match code {
            SBA => {
                let address = self.address(1)?;
                return Some(address.map(|a| (Order::SetBufferAddress(a), 3)));
            }
            EUA => {
                let address = self.address(1)?;
                return Some(address.map(|a| (Order::EraseUnprotectedToAddress(a), 3)));
            }
            RA => return self.repeat(),
            SF => (Order::StartField(self.peek(1)?), 2),
            SFE => {
                let (pairs, length) = self.attributes()?;
                (Order::StartFieldExtended(pairs), length)
            }
            MF => {
                let (pairs, length) = self.attributes()?;
                (Order::ModifyField(pairs), length)
            }
            SA => (Order::SetAttribute(self.peek(1)?, self.peek(2)?), 3),
            GE => match self.peek(1)? {
                byte @ 0x40.. => (Order::GraphicEscape(byte), 2),
                byte => return Some(Err(StreamError::new(1, ErrorKind::UnknownOrder(byte)))),
            },
            IC => (Order::InsertCursor, 1),
            PT => (Order::ProgramTab, 1),
            _ => return self.text(code),
        };
        Some(Ok(taken))
    }

    fn repeat(&self) -> Option<Result<(Order<'a>, usize), StreamError>> {
        let stop = match self.address(1)? {
            Ok(stop) => stop,
            Err(error) => return Some(Err(error)),
        };
        let (byte, graphic, length) = match self.peek(3)? {
            GE => (self.peek(4)?, true, 5),
            byte => (byte, false, 4),
        };
        // An order as fill character would be read as an order when the screen is read.
        if !is_character(byte) || graphic && byte < 0x40 {
            let error = StreamError::new(length - 1, ErrorKind::UnknownOrder(byte));
            return Some(Err(error));
        }
        Some(Ok((
            Order::RepeatToAddress {
                stop,
                byte,
                graphic,
            },
            length,
        )))
    }

    fn text(&self, first: u8) -> Option<Result<(Order<'a>, usize), StreamError>> {
        if !is_character(first) {
            return Some(Err(StreamError::new(0, ErrorKind::UnknownOrder(first))));
        }
        let rest = self.data.get(self.at..)?;
        let length = rest.iter().take_while(|byte| is_character(**byte)).count();
        Some(Ok((Order::Text(rest.get(..length)?), length)))
    }
}

impl<'a> Iterator for Orders<'a> {
    /// Offset of the order in the data, and the order.
    type Item = Result<(usize, Order<'a>), StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let code = self.peek(0)?;
        match self.order(code) {
            Some(Ok((order, length))) => {
                self.at += length;
                Some(Ok((start, order)))
            }
            failed => {
                self.at = self.data.len();
                let error = match failed {
                    Some(Err(error)) => error.moved(start),
                    _ => StreamError::truncated(start),
                };
                Some(Err(error))
            }
        }
    }
}

/// Graphic characters, null and the format controls: everything that takes a buffer position by
/// itself.
pub(crate) fn is_character(byte: u8) -> bool {
    byte >= 0x40
        || matches!(
            byte,
            0x00 | 0x0C | 0x0D | SO | SI | 0x15 | 0x19 | DUP | FIELD_MARK | 0x3F
        )
}

/// The byte itself if it is a character of one position, else a blank.
pub(crate) fn one_position(byte: u8) -> u8 {
    if is_character(byte) && !matches!(byte, SO | SI) {
        byte
    } else {
        0x40
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_text_come_apart() {
        let data = [
            0x11, 0x40, 0x40, 0x1D, 0xF0, 0xC8, 0xC9, 0x13, 0x3C, 0x5D, 0x7F, 0x08, 0x60,
        ];
        let orders: Vec<_> = Orders::new(&data).map(|o| o.expect("valid").1).collect();
        let expected = [
            Order::SetBufferAddress(0),
            Order::StartField(0xF0),
            Order::Text(&[0xC8, 0xC9]),
            Order::InsertCursor,
            Order::RepeatToAddress {
                stop: 1919,
                byte: 0x60,
                graphic: true,
            },
        ];
        assert_eq!(orders, expected);
    }

    #[test]
    fn errors_name_the_offset() {
        let error = Orders::new(&[0xC1, 0x11, 0x40]).find_map(Result::err);
        assert_eq!(
            error.map(|e| e.to_string()).as_deref(),
            Some("offset 1: ends inside an order or field")
        );
        let error = Orders::new(&[0xC1, 0x07])
            .find_map(Result::err)
            .expect("an error");
        assert_eq!(
            (error.offset, error.kind),
            (1, ErrorKind::UnknownOrder(0x07))
        );
    }
}
