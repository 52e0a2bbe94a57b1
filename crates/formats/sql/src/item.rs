//! Items of EXEC SQL statements: host variables as COBOL declares them.
//!
//! Not here: their bytes (`region/workers`), what SQL makes of them (`region/hostvariables`).

/// What an item of COBOL is, as far as SQL must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// Characters: elementary or a group.
    Text,
    /// National characters.
    National,
    /// USAGE DISPLAY.
    Zoned {
        /// SIGN IS SEPARATE.
        separate: bool,
        /// SIGN IS LEADING.
        leading: bool,
    },
    /// COMP, COMP-4, BINARY; COMP-5 where it is not `big`.
    Binary {
        /// Most significant byte first.
        big: bool,
    },
    /// COMP-3.
    Packed,
    /// COMP-1.
    Float,
    /// COMP-2.
    Double,
}

/// An item of an EXEC SQL statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// How it lies in storage.
    pub kind: ItemKind,
    /// Digits of its PICTURE.
    pub digits: i32,
    /// Digits behind the decimal point; negative: zeros in front of it.
    pub scale: i32,
    /// It has a sign.
    pub signed: bool,
}

impl Item {
    /// Nothing is known of it.
    pub const NONE: Self = Self {
        kind: ItemKind::Text,
        digits: 0,
        scale: 0,
        signed: false,
    };
}
