//! Why one record or document could not be converted.

use crate::shape::OverrideId;
use std::fmt;
use transom_messages::{self as messages, Message};

/// A conversion that failed: which member, which field, where and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertError {
    /// Message id, `TXMCB06nnE` for records, `TXMCB07nnE` for documents.
    pub id: &'static str,
    /// What kind of mistake it is.
    pub kind: ErrorKind,
    /// JSON pointer (RFC 6901) of the member; empty = the whole document.
    pub pointer: String,
    /// COBOL name of the field; empty where no field is concerned.
    pub field: String,
    /// Byte offset: in the record when decoding, in the document when encoding.
    pub offset: usize,
    /// What is wrong, without the place; no final stop.
    pub reason: String,
    /// The value came from outside the document, under this id; it has no offset.
    pub outside: Option<OverrideId>,
}

/// Kinds of mistakes that somebody treats differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The document is no JSON: syntax, nesting, not UTF-8.
    NotJson,
    /// The record ends before the data.
    ShortRecord,
    /// A value that its field does not take, and everything else.
    Value,
}

impl ConvertError {
    #[cold]
    pub(super) fn new(message: Message, offset: usize) -> Box<Self> {
        Box::new(Self {
            id: message.id(),
            kind: ErrorKind::Value,
            pointer: String::new(),
            field: String::new(),
            offset,
            reason: message.into_words(),
            outside: None,
        })
    }

    /// Nothing of a document was used: none of its members is one of `expected`.
    pub fn nothing_used(expected: &str) -> Self {
        *Self::new(messages::cb::nothing_used(expected), 0)
    }

    #[cold]
    pub(super) fn of_kind(mut self: Box<Self>, kind: ErrorKind) -> Box<Self> {
        self.kind = kind;
        self
    }

    #[cold]
    pub(super) fn of_field(mut self: Box<Self>, field: &str) -> Box<Self> {
        if self.field.is_empty() {
            self.field.push_str(field);
        }
        self
    }

    /// Puts a pointer, which may be several segments long, before the present one.
    #[cold]
    pub(super) fn below(mut self: Box<Self>, pointer: &str) -> Box<Self> {
        self.pointer.insert_str(0, pointer);
        self
    }

    /// Puts one member name before the present pointer.
    #[cold]
    pub(super) fn in_member(self: Box<Self>, name: &str) -> Box<Self> {
        let mut segment = String::new();
        push_segment(&mut segment, name);
        self.below(&segment)
    }

    /// Puts an array index before the present pointer.
    #[cold]
    pub(super) fn at_index(self: Box<Self>, index: usize) -> Box<Self> {
        self.below(&format!("/{index}"))
    }
}

/// Appends `/name` with the escapes of RFC 6901.
pub(super) fn push_segment(pointer: &mut String, name: &str) {
    pointer.push('/');
    for c in name.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = if self.pointer.is_empty() {
            "(document)"
        } else {
            &self.pointer
        };
        write!(f, "{} {pointer}", self.id)?;
        if !self.field.is_empty() {
            write!(f, " (field {})", self.field)?;
        }
        if self.outside.is_none() {
            write!(f, " at byte {}", self.offset)?;
        }
        write!(f, ": {}.", self.reason)
    }
}

impl std::error::Error for ConvertError {}
