//! A copybook as values: its entries and what their clauses say.
//!
//! What: an arena of items, in the words of the source. Why: reading fills it step by step and
//! layouts are made from it. Not here: offsets and lengths ([`crate::layout`]).

use super::options::SourceFormat;
use super::picture::Picture;
use crate::layout::{Condition, Literal, SignStyle};

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
    /// Eight bytes on z/OS.
    ProcedurePointer,
    /// Four bytes.
    FunctionPointer,
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
            Usage::ProcedurePointer => "PROCEDURE-POINTER",
            Usage::FunctionPointer => "FUNCTION-POINTER",
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
