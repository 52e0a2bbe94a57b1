//! Storage layout of a copybook: where each item is, how long it is, what it holds.
//!
//! A [`Layout`] is an arena of [`Field`]s in source order; ids index it. It describes the record
//! with every variable table at its maximum; items behind an OCCURS DEPENDING ON move up when the
//! table is shorter (complex ODO), which [`Layout::resolve`] works out for given occurrence counts.
//! It knows nothing of JSON, code pages or names in JSON.

mod build;
mod item;
mod kind;
mod measure;
mod report;

use std::ops::{Index, IndexMut};

pub use build::MAX_RECORD_BYTES;
pub use kind::{FieldKind, Profile, SignStyle};
pub use measure::Measured;
pub use report::report;

use transom_messages::Problem;

/// Number of a field within its [`Layout`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(pub u32);

/// A repeated item. All counts are occurrences, `stride` is bytes from one occurrence to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurs {
    /// Least number of occurrences; equal to `max` without DEPENDING ON.
    pub min: u32,
    pub max: u32,
    pub stride: usize,
    /// The counter of OCCURS DEPENDING ON, when it is in the same layout.
    pub depends_on: Option<FieldId>,
    /// The counter's name as written; set for every DEPENDING ON, also when the counter is in
    /// another record.
    pub depends_on_name: Option<String>,
    pub indexed_by: Vec<String>,
}

impl Occurs {
    /// Whether the number of occurrences varies.
    pub fn is_variable(&self) -> bool {
        self.depends_on_name.is_some()
    }
}

/// A literal in a VALUE clause, in the terms of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// A quoted literal, quotes removed and doubled quotes undone.
    Text(String),
    /// A numeric literal as written, such as `-12.50`; the decimal point is always `.`.
    Number(String),
    /// Bytes of a hexadecimal literal `X'..'`, `NX'..'`.
    Hex(Vec<u8>),
    Figurative(Figurative),
    /// `ALL literal`.
    All(Box<Literal>),
}

/// Figurative constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figurative {
    Zero,
    Space,
    HighValue,
    LowValue,
    Quote,
    Null,
}

/// A level 88: a name for values of its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub name: String,
    /// Single values have no upper end; `a THRU b` has one.
    pub values: Vec<(Literal, Option<Literal>)>,
}

/// One data item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// As written in the source; empty for FILLER and unnamed items.
    pub name: String,
    /// 01-49 or 77. Level 66 items are not fields (see [`Layout::renames`]).
    pub level: u8,
    pub parent: Option<FieldId>,
    /// In source order, redefining items among them.
    pub children: Vec<FieldId>,
    /// Bytes from the start of the record (of its 01 level) to the first occurrence, every variable
    /// table before it at its maximum.
    pub offset: usize,
    /// Bytes of one occurrence, variable tables inside at their maximum.
    pub len: usize,
    /// Bytes of one occurrence, variable tables inside at their minimum.
    pub min_len: usize,
    /// Slack bytes before the first occurrence (SYNCHRONIZED).
    pub slack: usize,
    /// Slack bytes at the end of each occurrence of a group table; counted in `len`.
    pub tail_slack: usize,
    /// Whether a variable table comes before it in storage, so that its place changes with the
    /// counter.
    pub slides: bool,
    pub kind: FieldKind,
    pub occurs: Option<Occurs>,
    /// The item whose storage this one shares (always the first of the siblings).
    pub redefines: Option<FieldId>,
    /// The items that redefine this one, in source order.
    pub redefined_by: Vec<FieldId>,
    /// The PICTURE string as written, upper case.
    pub picture: Option<String>,
    /// The USAGE in its long COBOL form (`DISPLAY`, `COMP-3`, ...), inherited from the group if
    /// need be; for reports.
    pub usage: &'static str,
    pub blank_when_zero: bool,
    /// The first literal of the VALUE clause.
    pub value: Option<Literal>,
    pub conditions: Vec<Condition>,
    /// Line in the source, 0 if there is none.
    pub line: u32,
}

impl Field {
    /// FILLER or unnamed.
    pub fn is_filler(&self) -> bool {
        self.name.is_empty()
    }

    /// Bytes of all occurrences at the maximum.
    pub fn extent(&self) -> usize {
        match &self.occurs {
            Some(o) if o.max > 0 => o
                .stride
                .saturating_mul(o.max as usize - 1)
                .saturating_add(self.len),
            Some(_) => 0,
            None => self.len,
        }
    }
}

/// A level 66: another name for a run of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renames {
    pub name: String,
    pub from: FieldId,
    pub through: FieldId,
}

/// The layout of all records (01 and 77 items) of one copybook.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    pub profile: Profile,
    pub fields: Vec<Field>,
    /// The 01 and 77 items, or the lowest-level items of a copybook that has no 01. Items without a
    /// 01 follow each other in one record; each 01 or 77 starts at offset 0.
    pub roots: Vec<FieldId>,
    /// Bytes of the longest record with every table at its maximum.
    pub max_bytes: usize,
    /// Bytes of the longest record with every variable table at its minimum.
    pub min_bytes: usize,
    pub renames: Vec<Renames>,
    /// Warnings: clauses that could not be honoured exactly.
    pub problems: Vec<Problem>,
}

impl Index<FieldId> for Layout {
    type Output = Field;
    fn index(&self, id: FieldId) -> &Field {
        &self.fields[id.0 as usize]
    }
}

impl IndexMut<FieldId> for Layout {
    fn index_mut(&mut self, id: FieldId) -> &mut Field {
        &mut self.fields[id.0 as usize]
    }
}

impl Layout {
    /// The first field of this name (letter case does not matter), FILLER excepted.
    pub fn find(&self, name: &str) -> Option<FieldId> {
        let at = self
            .fields
            .iter()
            .position(|f| !f.is_filler() && f.name.eq_ignore_ascii_case(name))?;
        Some(FieldId(at as u32))
    }

    /// Ids of all fields, in source order.
    pub fn ids(&self) -> impl Iterator<Item = FieldId> + use<> {
        (0..self.fields.len() as u32).map(FieldId)
    }

    /// Names from the record down to the field, FILLER left out: `CUSTOMER.ADDRESS.STREET`. For
    /// messages.
    pub fn path(&self, id: FieldId) -> String {
        let mut names = Vec::new();
        let mut at = Some(id);
        while let Some(field) = at.and_then(|i| self.fields.get(i.0 as usize)) {
            if !field.is_filler() {
                names.push(field.name.as_str());
            }
            at = field.parent;
        }
        names.reverse();
        names.join(".")
    }
}
