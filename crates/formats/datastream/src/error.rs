//! What can be wrong with a data stream, and where.
//!
//! What: one error type for both directions. Why: a programmer who sent a bad stream must be told
//! the offset, not only "data error". Not here: operator messages, which the rooms above write.

use std::fmt;

/// A data stream that a 3270 cannot take: what is wrong, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamError {
    /// Bytes from the start of the record (without TN3270E header) to the order or field in error.
    pub offset: usize,
    pub kind: ErrorKind,
}

/// Kinds of errors in a data stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The record has no byte where a command or AID is expected.
    Empty,
    /// The first byte is no command a host may send.
    UnknownCommand(u8),
    /// The first byte is no AID.
    UnknownAid(u8),
    /// An order, address or structured field ends after its first bytes.
    Truncated,
    /// A buffer address beyond the screen, or with reserved bits.
    BadAddress(u16),
    /// A byte below X'40' that is neither an order nor a format control.
    UnknownOrder(u8),
    /// The length of a structured field is smaller than its own header or larger than the record.
    BadLength(u16),
    /// A structured field or partition we have no meaning for.
    Unsupported(u8),
    /// MF at a position that has no field attribute.
    NotAField(u16),
    /// More fields or replies than a record may hold.
    TooMany,
}

impl StreamError {
    pub(crate) fn new(offset: usize, kind: ErrorKind) -> Self {
        Self { offset, kind }
    }

    pub(crate) fn truncated(offset: usize) -> Self {
        Self::new(offset, ErrorKind::Truncated)
    }

    /// The same error, `by` bytes further on.
    pub(crate) fn moved(self, by: usize) -> Self {
        Self {
            offset: self.offset.saturating_add(by),
            ..self
        }
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.offset;
        match self.kind {
            ErrorKind::Empty => write!(f, "offset {at}: nothing where a command is expected"),
            ErrorKind::UnknownCommand(byte) => {
                write!(f, "offset {at}: X'{byte:02X}' is no 3270 command")
            }
            ErrorKind::UnknownAid(byte) => {
                write!(f, "offset {at}: X'{byte:02X}' is no attention identifier")
            }
            ErrorKind::Truncated => write!(f, "offset {at}: ends inside an order or field"),
            ErrorKind::BadAddress(address) => {
                write!(
                    f,
                    "offset {at}: buffer address {address} is not on the screen"
                )
            }
            ErrorKind::UnknownOrder(byte) => write!(f, "offset {at}: X'{byte:02X}' is no order"),
            ErrorKind::BadLength(length) => {
                write!(
                    f,
                    "offset {at}: a structured field cannot be {length} bytes long"
                )
            }
            ErrorKind::Unsupported(byte) => {
                write!(
                    f,
                    "offset {at}: structured field X'{byte:02X}' is not supported"
                )
            }
            ErrorKind::NotAField(address) => {
                write!(
                    f,
                    "offset {at}: no field attribute at position {address} to modify"
                )
            }
            ErrorKind::TooMany => write!(f, "offset {at}: too many fields"),
        }
    }
}

impl std::error::Error for StreamError {}
