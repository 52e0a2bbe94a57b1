//! Copybook text -> data description entries. Layout (offsets, lengths) is the business of
//! [`crate::layout`].
//!
//! Reads what is found in copybooks: fixed, variable and free format, sequence numbers, comments,
//! continuation, levels 01-49, 66, 77, 88, all clauses of a data description. It does not expand
//! COPY, does not read whole programs, and never fails as a whole: mistakes become [`Problem`]s and
//! the rest is still there.

mod clause;
mod cursor;
mod entry;
mod lexer;
mod picture;
mod source;
mod tree;
mod value;

use crate::layout::{Condition, Literal, SignStyle};
use crate::problem::Problem;
use transom_messages as messages;

pub use picture::{Category, MAX_CHARACTERS, MAX_DIGIT_POSITIONS, MAX_EDITED, Picture};

/// Longest copybook read, in bytes; the rest is cut off with TXMCB0001E.
pub const MAX_SOURCE: usize = 8 * 1024 * 1024;
/// Most items of one copybook.
pub const MAX_ITEMS: usize = 65_536;
/// Most problems reported for one copybook.
pub const MAX_PROBLEMS: usize = 200;
/// Longest COBOL word accepted, in bytes (the language allows 30, names before COPY REPLACING may
/// be longer).
pub const MAX_WORD: usize = 128;
/// Longest PICTURE string, in characters (the language allows 50).
pub const MAX_PICTURE: usize = 256;
/// Longest literal kept, in bytes.
pub const MAX_LITERAL: usize = 4096;
/// Largest number of occurrences of one table.
pub const MAX_OCCURS: u32 = 999_999_999;

/// How columns of the source are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SourceFormat {
    /// Fixed if it reads without errors, else the one with the fewest errors of fixed, variable and
    /// free.
    #[default]
    Auto,
    /// Sequence number 1-6, indicator 7, text 8-72.
    Fixed,
    /// As fixed, but text goes on to the end of the line.
    Variable,
    /// Text anywhere, also in column 1.
    Free,
}

/// How to read a copybook.
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    pub format: SourceFormat,
    /// DECIMAL-POINT IS COMMA.
    pub decimal_comma: bool,
    /// CURRENCY SIGN; `None` is `$`.
    pub currency: Option<char>,
}

/// Number of an item within its [`Copybook`].
pub type ItemId = usize;

/// A parsed copybook: an arena of items in source order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copybook {
    pub items: Vec<Item>,
    /// Items that have no parent.
    pub roots: Vec<ItemId>,
    pub renames: Vec<RenamesEntry>,
    /// The format the source was read in; never `Auto`.
    pub format: SourceFormat,
}

/// One data description entry of level 01-49 or 77.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Item {
    pub level: u8,
    /// As written; empty for FILLER and unnamed items.
    pub name: String,
    pub line: u32,
    pub column: u32,
    pub parent: Option<ItemId>,
    pub children: Vec<ItemId>,
    /// The name after REDEFINES, and the item it means (not necessarily the first of the siblings).
    pub redefines: Option<(String, Option<ItemId>)>,
    pub picture: Option<Picture>,
    /// USAGE, own or of a group above.
    pub usage: Option<Usage>,
    /// Whether USAGE is in this entry itself.
    pub own_usage: bool,
    /// SIGN, own or of a group above.
    pub sign: Option<SignStyle>,
    pub occurs: Option<OccursClause>,
    /// SYNCHRONIZED, own or of a group above.
    pub synchronized: bool,
    /// SYNCHRONIZED in this entry itself.
    pub own_sync: bool,
    pub justified: bool,
    pub blank_when_zero: bool,
    pub value: Option<Literal>,
    pub conditions: Vec<Condition>,
}

/// OCCURS clause.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OccursClause {
    pub min: u32,
    pub max: u32,
    /// DEPENDING ON: the counter's name, then its qualifiers from the inside out.
    pub depends_on: Option<Vec<String>>,
    pub indexed_by: Vec<String>,
    /// ASCENDING / DESCENDING KEY: true for ascending.
    pub keys: Vec<(bool, String)>,
}

/// Level 66.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamesEntry {
    pub name: String,
    pub line: u32,
    /// The 01 item it belongs to.
    pub record: Option<ItemId>,
    /// Name and qualifiers of the first item.
    pub from: Vec<String>,
    pub through: Option<Vec<String>>,
}

/// USAGE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Usage {
    #[default]
    Display,
    /// DISPLAY-1.
    Dbcs,
    National,
    /// COMP, COMP-4, BINARY.
    Binary,
    Comp1,
    Comp2,
    Packed,
    Comp5,
    Comp6,
    /// BINARY-CHAR, -SHORT, -LONG, -DOUBLE: bytes and signedness; no PICTURE.
    Native {
        len: u8,
        signed: bool,
    },
    Index,
    Pointer,
    /// POINTER-32.
    Pointer32,
    /// PROCEDURE-POINTER, FUNCTION-POINTER: eight bytes on z/OS.
    CodePointer,
    ObjectReference,
}

impl Usage {
    /// The usual COBOL word.
    pub fn word(self) -> &'static str {
        match self {
            Usage::Display => "DISPLAY",
            Usage::Dbcs => "DISPLAY-1",
            Usage::National => "NATIONAL",
            Usage::Binary => "COMP",
            Usage::Comp1 => "COMP-1",
            Usage::Comp2 => "COMP-2",
            Usage::Packed => "COMP-3",
            Usage::Comp5 => "COMP-5",
            Usage::Comp6 => "COMP-6",
            Usage::Native { len: 1, .. } => "BINARY-CHAR",
            Usage::Native { len: 2, .. } => "BINARY-SHORT",
            Usage::Native { len: 4, .. } => "BINARY-LONG",
            Usage::Native { .. } => "BINARY-DOUBLE",
            Usage::Index => "INDEX",
            Usage::Pointer => "POINTER",
            Usage::Pointer32 => "POINTER-32",
            Usage::CodePointer => "PROCEDURE-POINTER",
            Usage::ObjectReference => "OBJECT REFERENCE",
        }
    }

    /// Whether an item of this usage has no PICTURE.
    pub fn stands_alone(self) -> bool {
        !matches!(
            self,
            Usage::Display
                | Usage::Dbcs
                | Usage::National
                | Usage::Binary
                | Usage::Packed
                | Usage::Comp5
                | Usage::Comp6
        )
    }
}

/// Problems found so far, at most [`MAX_PROBLEMS`].
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub(crate) list: Vec<Problem>,
    pub(crate) errors: usize,
}

impl Problems {
    pub(crate) fn add(&mut self, message: messages::Message, line: u32, column: u32) {
        let problem = Problem::new(message, line, column);
        self.errors += usize::from(problem.is_error());
        if self.list.len() < MAX_PROBLEMS {
            self.list.push(problem);
        }
    }
}

/// Reads a copybook. The value holds every entry that could be understood; it is fit for use if
/// none of the problems [is an error](Problem::is_error). Bounded in time and space by the length
/// of `text`; never panics.
pub fn parse(text: &str, options: &ParseOptions) -> (Copybook, Vec<Problem>) {
    let cut = cut_source(text);
    let formats: &[SourceFormat] = match options.format {
        SourceFormat::Auto => match source::directive(cut) {
            Some(SourceFormat::Free) => &[SourceFormat::Free],
            Some(SourceFormat::Variable) => &[SourceFormat::Variable],
            Some(_) => &[SourceFormat::Fixed],
            None => &[
                SourceFormat::Fixed,
                SourceFormat::Variable,
                SourceFormat::Free,
            ],
        },
        SourceFormat::Fixed => &[SourceFormat::Fixed],
        SourceFormat::Variable => &[SourceFormat::Variable],
        SourceFormat::Free => &[SourceFormat::Free],
    };
    let mut best: Option<(Copybook, Problems)> = None;
    for &format in formats {
        let read = parse_as(cut, format, options);
        let better = best.as_ref().is_none_or(|b| read.1.errors < b.1.errors);
        if better {
            best = Some(read);
        }
        if best.as_ref().is_some_and(|b| b.1.errors == 0) {
            break;
        }
    }
    let (copybook, mut problems) = best.unwrap_or_default();
    if cut.len() < text.len() {
        problems.add(messages::cb::copybook_too_long(MAX_SOURCE), 0, 0);
    }
    (copybook, problems.list)
}

fn cut_source(text: &str) -> &str {
    let mut end = text.len().min(MAX_SOURCE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn parse_as(text: &str, format: SourceFormat, options: &ParseOptions) -> (Copybook, Problems) {
    let mut problems = Problems::default();
    let source = source::read(text, format);
    for &(line, c) in &source.bad_indicators {
        problems.add(
            messages::cb::not_an_indicator(format_args!("{c:?}")),
            line,
            7,
        );
    }
    let tokens = lexer::lex(&source.glyphs, options.decimal_comma, &mut problems);
    let entries = entry::entries(&tokens, options, &mut problems);
    let copybook = tree::assemble(entries, format, &mut problems);
    if copybook.items.is_empty() {
        problems.add(messages::cb::no_entry(), 1, 1);
    }
    (copybook, problems)
}
