//! What a field of a record is, and the macro that declares all of them.
//!
//! Not here: the fields themselves (`tables::fields`), looking one up (`dictionary`).

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number of times or bytes.
    Count,
    /// The same, or flags, in eight bytes.
    LongCount,
    /// A time and how often it was waited or run.
    Clock,
    /// A moment.
    Stamp,
    /// A decimal number of seven digits.
    Packed,
    /// So many characters.
    Text(u8),
}

impl Kind {
    /// The letter of the type in a dictionary.
    pub fn letter(self) -> char {
        match self {
            Self::Count | Self::LongCount => 'A',
            Self::Clock => 'S',
            Self::Stamp => 'T',
            Self::Packed => 'P',
            Self::Text(_) => 'C',
        }
    }

    /// Bytes in a record of SMF.
    pub fn bytes(self) -> usize {
        match self {
            Self::Count | Self::Packed => 4,
            Self::LongCount | Self::Stamp => 8,
            Self::Clock => 12,
            Self::Text(bytes) => bytes as usize,
        }
    }

    /// The kind with this letter and length.
    pub(crate) fn of(letter: u8, bytes: u8) -> Option<Self> {
        Some(match (letter, bytes) {
            (b'A', 4) => Self::Count,
            (b'A', 8) => Self::LongCount,
            (b'S', 12) => Self::Clock,
            (b'T', 8) => Self::Stamp,
            (b'P', 4) => Self::Packed,
            (b'C', bytes) => Self::Text(bytes),
            _ => return None,
        })
    }
}

/// A field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// DFHTASK, DFHFILE ...
    pub group: &'static str,
    /// Its number in the group.
    pub number: u16,
    /// Its informal name. Two fields of one group may have the same.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What that is.
    pub meaning: &'static str,
}

/// The place of a field in the dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(pub u8);

/// Declares fields: a constant for each, and all of them in this order.
macro_rules! fields {
    ($( $id:ident: $group:ident $number:literal $name:literal $kind:expr, $meaning:literal; )+) => {
        #[derive(Clone, Copy)]
        #[expect(clippy::upper_case_acronyms, reason = "names of the field")]
        enum Place { $( $id ),+ }

        $(
            #[doc = $meaning]
            pub const $id: FieldId = FieldId(Place::$id as u8);
        )+

        /// All fields, in the order of their places.
        pub static ALL: &[Field] = &[
            $( Field {
                group: stringify!($group),
                number: $number,
                name: $name,
                kind: $kind,
                meaning: $meaning,
            } ),+
        ];

        /// What they hold, in the same order.
        pub const KINDS: [Kind; COUNT] = [$( $kind ),+];

        /// How many there are.
        pub const COUNT: usize = [$( $number ),+].len();
    };
}

pub(crate) use fields;
