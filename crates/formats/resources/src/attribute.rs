//! Attributes of a kind: what values they take, and where the region keeps them.

use crate::answer::{Answer, Bounds, Set};

/// One attribute of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Keyword.
    pub keyword: &'static str,
    /// What values it takes.
    pub rule: Rule,
    /// Value when the deck gives none; empty: none.
    pub default: &'static str,
    /// What becomes of it.
    pub effect: Effect,
    /// Where the kind's [`Record`](crate::Record) keeps it.
    pub field: Option<Field>,
    /// Options of INQUIRE and SET that tell and change it.
    pub answers: &'static [Answer],
}

/// What values an attribute takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// A name of at most so many characters, kept in upper case.
    Name(usize),
    /// A name that keeps its case.
    CaseName(usize),
    /// Text with blanks and case kept.
    Text(usize),
    /// A path, host, URI: case kept, no blanks.
    Path(usize),
    /// A whole number in this range, both ends included.
    Number(i64, i64),
    /// A number in the range, or one of the words.
    NumberOr(i64, i64, &'static [&'static str]),
    /// One of the words (abbreviations are accepted).
    OneOf(&'static [&'static str]),
    /// A name, or one of the words (abbreviations of the words are not).
    Any,
}

impl Rule {
    /// Most characters of a name; 0 for what is no name.
    pub fn name_length(self) -> usize {
        match self {
            Rule::Name(length) | Rule::CaseName(length) => length,
            _ => 0,
        }
    }

    /// Smallest and largest number; a word among them counts as 0.
    pub fn numbers(self) -> Option<(i64, i64)> {
        match self {
            Rule::Number(low, high) => Some((low, high)),
            Rule::NumberOr(low, high, _) => Some((low.min(0), high)),
            _ => None,
        }
    }
}

impl Attribute {
    /// What SET takes for an option of this attribute.
    pub fn bounds(&self, answer: &Answer) -> Option<Bounds> {
        let (low, high) = self.rule.numbers().filter(|_| answer.set != Set::No)?;
        let resp2 = answer.resp2;
        Some(Bounds { low, high, resp2 })
    }
}

/// What becomes of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The region works by it.
    Acts,
    /// INQUIRE, CEMT or CEDA show it; nothing depends on it.
    Shown,
    /// It is checked and kept in its deck, and has no effect.
    Kept,
}

/// A field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name of the field.
    pub name: &'static str,
    /// Its type, and how it follows from the value of the attribute.
    pub value: FieldValue,
    /// One sentence.
    pub doc: &'static str,
}

/// Type of a field, and how it follows from the value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldValue {
    /// True when the value is one of these.
    Flag(&'static [&'static str]),
    /// True when there is a value.
    Given,
    /// An enumeration: its name, then each variant with its value. The first variant stands for
    /// values that no variant has; a variant without value is a state of the region's own.
    Choice(&'static str, &'static [(&'static str, &'static str)]),
    /// A number of so many bytes; a word counts as 0, or as no number.
    Number {
        /// 1, 2, 4 or 8.
        bytes: usize,
        /// A word is no number.
        optional: bool,
    },
    /// Minutes and seconds in four digits, kept as milliseconds; a word is 0.
    MinutesSeconds,
    /// A name of fixed length, one of the types of `transom_types`.
    Name {
        /// The type.
        of: &'static str,
        /// No name is `None`; else it is all blanks.
        optional: bool,
        /// A value that means no name; INQUIRE answers it then.
        none: &'static str,
    },
    /// So many bytes, blank padded.
    Bytes(usize),
    /// Text of any length.
    Text,
    /// A flag of the region's own, with its first value.
    State(bool),
    /// A type of the region's own, with its default.
    Other(&'static str),
}
