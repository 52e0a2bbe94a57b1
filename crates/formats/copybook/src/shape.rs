//! The shape of a JSON document and of the bytes behind it.
//!
//! What: a tree that says which members a document has, in which order, and where and how each
//! value lies in the record. Why: copybooks, `.si` interface files and API mappings all end here,
//! so one compiler ([`crate::convert`]) serves them all and one generator can print schemas. Not
//! here: parsing of those sources, the conversion itself.
//!
//! Offsets count bytes from the start of the *enclosing element*: the nearest array element around
//! the node, or the record. They are those of the record with every table at its largest; where
//! tables are shorter the converter slides what follows (see [`RecordFormat::odo_slides`]). The
//! order of children is the order of JSON members and need not be the order of the bytes, so
//! members may be moved freely.

mod edit;
mod from_layout;
mod measure;
mod properties;

pub use edit::{ShapeError, find, find_mut};
pub(crate) use from_layout::number;
pub use from_layout::{Characters, Choice, LayoutOptions, Redefinition};
pub use properties::{
    ByteOrder, CharVarying, FloatFormat, InitialByte, NullPolicy, Properties, RecordFormat,
    UnknownMembers,
};

/// Longest record a shape may describe, in bytes: no COMMAREA or container in use comes near.
pub const MAX_RECORD: usize = 16 * 1024 * 1024;
/// Deepest nesting of nodes a shape may have; COBOL has 49 levels, wrappers add some.
pub const MAX_DEPTH: usize = 64;
/// Most digits of a COBOL number (ARITH(EXTEND)).
pub const MAX_DIGITS: u8 = 31;

/// A document and the record behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The outermost JSON object; its own name is not printed. Always [`Kind::Object`] in a shape
    /// that compiles. A wrapper such as `COMM1KOperation` is an object child of it.
    pub root: Node,
    /// Length of the record with all tables full, in bytes.
    pub max_len: usize,
}

impl Shape {
    /// A document whose members are `members`; the record length is where the last byte of them
    /// ends.
    pub fn new(members: Vec<Node>) -> Self {
        let root = Node::object("", 0, members);
        let max_len = root.end();
        Self { root, max_len }
    }

    /// Sets a record length beyond the last described byte (trailing FILLER).
    #[must_use]
    pub fn with_len(mut self, max_len: usize) -> Self {
        self.max_len = self.max_len.max(max_len);
        self
    }
}

/// One member: a name, a place and a kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// JSON member name.
    pub name: String,
    /// The name people know from the source (COBOL name), for messages.
    pub field: String,
    /// First byte, counted from the start of the enclosing element.
    pub offset: usize,
    /// What it is.
    pub kind: Kind,
    /// Whether it is a member of the body.
    pub presence: Presence,
    /// Value the encoder stores when the document has none: the definition's default or INITIALIZE
    /// value.
    pub default: Option<Literal>,
    /// Value that always stands here, whatever document or record say ("assign" of an API mapping).
    pub assign: Option<Literal>,
}

/// Whether a node is a member of the JSON body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// A member of the body.
    Shown,
    /// In the record only; the encoder stores the default or initial value, the decoder skips it.
    Hidden,
    /// Not in the body; the encoder stores the override of this id if one is given (a path, query
    /// or header value), the decoder skips it (read it with `convert::Extractor`).
    Outside(OverrideId),
}

/// Names a value that comes from outside the body. Chosen by whoever builds the shape; dense small
/// numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OverrideId(pub u16);

/// A constant of a definition or mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// Characters; also numbers as written, `"-12.50"`. Converted by the kind of the node.
    Text(String),
    /// The bytes of the record as they are (hexadecimal defaults). Cut or zero-padded to the field.
    Bytes(Vec<u8>),
}

/// What stands behind a member.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A group: a JSON object.
    Object(Vec<Node>),
    /// A table: a JSON array.
    Array(Box<Array>),
    /// Redefinitions of one area: the arm whose rule holds is the member.
    Select(Box<Select>),
    /// Single-byte characters: a JSON string.
    Text(Text),
    /// USAGE DISPLAY number.
    Zoned(Zoned),
    /// COMP-3 or COMP-6 number.
    Packed(Packed),
    /// COMP, COMP-4, COMP-5 number.
    Binary(Binary),
    /// COMP-1 (4 bytes) or COMP-2 (8 bytes), format by the record format: a JSON number.
    Float {
        /// 4 or 8.
        len: usize,
    },
    /// PIC N: UTF-16 big-endian, two bytes per character: a JSON string.
    National {
        /// Characters (UTF-16 units), each two bytes.
        chars: usize,
    },
    /// Bytes nobody converts.
    Bytes {
        /// Bytes in the record.
        len: usize,
        /// How they look in JSON.
        form: BytesForm,
    },
}

/// How unconverted bytes look in a JSON string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BytesForm {
    /// Two upper case hexadecimal digits per byte (`isHex`).
    Hex,
    /// RFC 4648 base 64 with padding (CHAR-VARYING=BINARY).
    Base64,
}

/// Single-byte characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// Bytes in the record; also the most characters of the JSON string.
    pub len: usize,
    /// Code page of this field; `None` = the record format's.
    pub ccsid: Option<u16>,
    /// Written to the right end of the field (JUSTIFIED RIGHT).
    pub justified: bool,
    /// How the end of the value is marked.
    pub varying: CharVarying,
}

impl Text {
    /// Plain characters of the record format's code page.
    pub fn new(len: usize) -> Self {
        Self {
            len,
            ccsid: None,
            justified: false,
            varying: CharVarying::Collapse,
        }
    }
}

/// Place of the sign of a DISPLAY number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// No sign.
    None,
    /// Zone of the last digit.
    Trailing,
    /// Zone of the first digit.
    Leading,
    /// A `+` or `-` after the digits; one more byte.
    TrailingSeparate,
    /// A `+` or `-` before the digits; one more byte.
    LeadingSeparate,
}

/// USAGE DISPLAY number: one byte per digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zoned {
    /// Digits stored, 1..=31.
    pub digits: u8,
    /// Digits after the decimal point; negative: zeros before it that are not stored (PIC 9P).
    pub scale: i16,
    /// Sign and its place.
    pub sign: Sign,
}

/// COMP-3 (or COMP-6) number: two digits per byte, sign in the last half byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed {
    /// Digits of the picture, 1..=31.
    pub digits: u8,
    /// As in [`Zoned::scale`].
    pub scale: i16,
    /// Signed picture (C/D signs; F otherwise).
    pub signed: bool,
    /// False for COMP-6: no sign half byte, `(digits + 1) / 2` bytes.
    pub sign_nibble: bool,
}

/// Binary number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binary {
    /// Bytes, 1..=16.
    pub len: u8,
    /// Digits of the picture, 1..=31; bounds the value unless `full_range`.
    pub digits: u8,
    /// As in [`Zoned::scale`].
    pub scale: i16,
    /// Two's complement.
    pub signed: bool,
    /// COMP-5: native byte order of the record format; else big-endian.
    pub native: bool,
    /// Every value the bytes can hold is valid (COMP-5, TRUNC(BIN)); else only `digits` digits.
    pub full_range: bool,
}

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// One element at offset 0 of its own; its name is not printed. Before mapping level 4.1 a
    /// table of elementary items has an element object with one member.
    pub element: Node,
    /// Bytes from one element to the next, at their largest.
    pub stride: usize,
    /// Fewest elements.
    pub min: usize,
    /// Most elements.
    pub max: usize,
    /// How many there are.
    pub count: Count,
}

/// How many elements a table has.
#[derive(Debug, Clone, PartialEq)]
pub enum Count {
    /// Always `max`.
    Fixed,
    /// As many as a field says (OCCURS DEPENDING ON).
    DependsOn(Counter),
}

/// The object of an OCCURS DEPENDING ON.
#[derive(Debug, Clone, PartialEq)]
pub struct Counter {
    /// Array elements to step out of: 0 = the field lies in the element that encloses the table.
    pub up: u8,
    /// Offset from the start of that element.
    pub offset: usize,
    /// Numeric kind, no decimals.
    pub kind: Kind,
    /// COBOL name, for messages.
    pub field: String,
}

/// Redefinitions.
#[derive(Debug, Clone, PartialEq)]
pub struct Select {
    /// First arm whose rule holds is taken; on input the arm whose member the document has.
    pub arms: Vec<Arm>,
}

/// One redefinition.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// When the record holds this arm; `None`: always (the last arm, the default).
    pub rule: Option<Rule>,
    /// The member.
    pub node: Node,
}

/// A comparison of one field with a constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// As in [`Counter::up`].
    pub up: u8,
    /// Offset of the compared field from the start of that element.
    pub offset: usize,
    /// Elementary kind of the compared field.
    pub kind: Kind,
    /// Comparison.
    pub op: Op,
    /// Constant; numbers compare by value, texts without trailing blanks.
    pub value: String,
    /// COBOL name of the compared field.
    pub field: String,
}

/// Comparison operators of rules and response conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl Node {
    /// A shown member.
    pub fn new(name: impl Into<String>, offset: usize, kind: Kind) -> Self {
        let name = name.into();
        Self {
            field: name.clone(),
            name,
            offset,
            kind,
            presence: Presence::Shown,
            default: None,
            assign: None,
        }
    }

    /// A shown group.
    pub fn object(name: impl Into<String>, offset: usize, members: Vec<Node>) -> Self {
        Self::new(name, offset, Kind::Object(members))
    }

    /// A shown table of `max` elements.
    pub fn table(
        name: impl Into<String>,
        offset: usize,
        max: usize,
        stride: usize,
        element: Node,
    ) -> Self {
        let array = Array {
            element,
            stride,
            min: max,
            max,
            count: Count::Fixed,
        };
        Self::new(name, offset, Kind::Array(Box::new(array)))
    }

    /// Sets the name of the source.
    #[must_use]
    pub fn of_field(mut self, field: impl Into<String>) -> Self {
        self.field = field.into();
        self
    }

    /// Takes it out of the body.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.presence = Presence::Hidden;
        self
    }
}
