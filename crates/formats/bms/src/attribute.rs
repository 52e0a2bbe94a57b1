//! Field attributes: the basic attribute byte, extended attributes, how both look on the wire and
//! in a program.
//!
//! Why apart: parser, merge and copybook must agree on order and codes. Basic attributes are kept
//! as six bits; on the wire (EBCDIC) they are the graphic character of that number, and in a
//! program the ASCII form of the same character, because DFHBMSCA gives them as characters.

use transom_datastream::{AttributeKind, code_of_six_bits};

/// Field cannot be keyed into.
pub const PROTECTED: u8 = 0x20;
/// Numeric keyboard lock; together with [`PROTECTED`] the cursor skips the field.
pub const NUMERIC: u8 = 0x10;
/// Bright, and selectable by light pen.
pub const BRIGHT: u8 = 0x08;
/// Neither displayed nor printed (both display bits).
pub const DARK: u8 = 0x0c;
/// Normal intensity, selectable by light pen.
pub const DETECTABLE: u8 = 0x04;
/// Modified data tag: the field is returned by the next read.
pub const MODIFIED: u8 = 0x01;
/// The six bits that exist.
const BITS: u8 = 0x3f;

/// What a program sees for each six-bit number: the graphic character of it (code page 037) in
/// CCSID 819.
const PROGRAM: [u8; 64] = [
    b' ', b'A', b'B', b'C', b'D', b'E', b'F', b'G', b'H', b'I', 0xa2, b'.', b'<', b'(', b'+', b'|',
    b'&', b'J', b'K', b'L', b'M', b'N', b'O', b'P', b'Q', b'R', b'!', b'$', b'*', b')', b';', 0xac,
    b'-', b'/', b'S', b'T', b'U', b'V', b'W', b'X', b'Y', b'Z', 0xa6, b',', b'%', b'_', b'>', b'?',
    b'0', b'1', b'2', b'3', b'4', b'5', b'6', b'7', b'8', b'9', b':', b'#', b'@', b'\'', b'=',
    b'"',
];

/// The byte of a field attribute on the wire.
pub fn attribute_to_wire(bits: u8) -> u8 {
    code_of_six_bits(bits)
}

/// The byte a program sees for a field attribute (CCSID 819), as DFHBMSCA names them.
pub fn attribute_to_program(bits: u8) -> u8 {
    PROGRAM
        .get(usize::from(bits & BITS))
        .copied()
        .unwrap_or(b' ')
}

/// Six bits from what a program put into an `A` field; `None` when the map's own attribute is
/// meant: X'00', and the flags a RECEIVE MAP leaves in the same byte.
///
/// A program that moves a hexadecimal literal uses the EBCDIC byte of the books. The two sets of
/// characters do not overlap where it matters, so such bytes are understood as well.
pub fn attribute_from_program(byte: u8) -> Option<u8> {
    if matches!(byte, 0 | 0x80 | 0x02 | 0x82) {
        return None;
    }
    let seen = (0..=BITS).find(|bits| attribute_to_program(*bits) == byte);
    let wire = || (0..=BITS).find(|bits| attribute_to_wire(*bits) == byte);
    seen.or_else(wire).or(Some(byte & BITS))
}

/// A kind of extended attribute, in the order of its byte in a symbolic map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extra {
    /// COLOR, suffix C.
    Color,
    /// PS (programmed symbols, character set), suffix P.
    Symbols,
    /// HILIGHT, suffix H.
    Highlight,
    /// VALIDN, suffix V.
    Validation,
    /// OUTLINE, suffix U.
    Outline,
    /// SOSI (mixed fields), suffix M.
    ShiftOut,
    /// TRANSP, suffix T.
    Transparency,
}

impl Extra {
    /// All kinds, in the order of a symbolic map.
    pub const ALL: [Self; 7] = [
        Self::Color,
        Self::Symbols,
        Self::Highlight,
        Self::Validation,
        Self::Outline,
        Self::ShiftOut,
        Self::Transparency,
    ];

    /// Word in MAPATTS and DSATTS.
    pub fn word(self) -> &'static str {
        match self {
            Self::Color => "COLOR",
            Self::Symbols => "PS",
            Self::Highlight => "HILIGHT",
            Self::Validation => "VALIDN",
            Self::Outline => "OUTLINE",
            Self::ShiftOut => "SOSI",
            Self::Transparency => "TRANSP",
        }
    }

    /// Last letter of the item's name in a symbolic map.
    pub fn suffix(self) -> char {
        match self {
            Self::Color => 'C',
            Self::Symbols => 'P',
            Self::Highlight => 'H',
            Self::Validation => 'V',
            Self::Outline => 'U',
            Self::ShiftOut => 'M',
            Self::Transparency => 'T',
        }
    }

    /// Attribute type in SFE and MF orders. `None` for SO/SI creation: clients refuse that type.
    pub fn wire_kind(self) -> Option<AttributeKind> {
        match self {
            Self::Color => Some(AttributeKind::Foreground),
            Self::Symbols => Some(AttributeKind::CharacterSet),
            Self::Highlight => Some(AttributeKind::Highlight),
            Self::Validation => Some(AttributeKind::Validation),
            Self::Outline => Some(AttributeKind::Outlining),
            Self::ShiftOut => None,
            Self::Transparency => Some(AttributeKind::Transparency),
        }
    }

    /// Value on the wire of what a program put into the attribute's byte; `None` for X'00' (the
    /// map's own value). X'FF' (DFHDFT) asks for the device's default, which is 0 on the wire; so
    /// does what is no colour or highlighting, which a device need not take.
    pub fn from_program(self, byte: u8) -> Option<u8> {
        let graphic = matches!(
            self,
            Self::Color | Self::Symbols | Self::Highlight | Self::Transparency
        );
        match byte {
            0 => None,
            0xff => Some(0),
            b'0'..=b'9' if graphic => Some(byte - b'0' + 0xf0),
            b'A'..=b'I' if self == Self::Symbols => Some(byte - b'A' + 0xc1),
            0xf0..=0xfe => Some(byte),
            _ if matches!(self, Self::Color | Self::Highlight) => Some(0),
            _ => Some(byte),
        }
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// A set of extended attribute kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExtraSet(u8);

impl ExtraSet {
    /// What EXTATT=YES stands for.
    pub fn classic() -> Self {
        Self::default()
            .with(Extra::Color)
            .with(Extra::Symbols)
            .with(Extra::Highlight)
            .with(Extra::Validation)
    }

    /// All kinds.
    pub fn all() -> Self {
        Self(0x7f)
    }

    /// From [`Self::bits`]; unknown bits are an error.
    pub fn from_bits(bits: u8) -> Option<Self> {
        (bits <= 0x7f).then_some(Self(bits))
    }

    /// One bit per kind, COLOR lowest.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// With one more kind.
    #[must_use]
    pub fn with(self, kind: Extra) -> Self {
        Self(self.0 | 1 << kind.index())
    }

    /// Kinds in either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a kind is in the set.
    pub fn has(self, kind: Extra) -> bool {
        self.0 & 1 << kind.index() != 0
    }

    /// Kinds of the set in the order of a symbolic map.
    pub fn iter(self) -> impl Iterator<Item = Extra> {
        Extra::ALL.into_iter().filter(move |k| self.has(*k))
    }

    /// Number of kinds, 0 to 7.
    pub fn len(self) -> u16 {
        self.0.count_ones() as u16
    }

    /// No kind at all.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Extended attributes of a field as they go on the wire; 0 is the device's default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extras([u8; 7]);

impl Extras {
    /// From seven wire values in the order of [`Extra::ALL`].
    pub fn from_wire(values: [u8; 7]) -> Self {
        Self(values)
    }

    /// Seven wire values in the order of [`Extra::ALL`].
    pub fn to_wire(self) -> [u8; 7] {
        self.0
    }

    /// Value of one kind.
    pub fn get(self, kind: Extra) -> u8 {
        self.0.get(kind.index()).copied().unwrap_or(0)
    }

    /// Sets the value of one kind.
    pub fn set(&mut self, kind: Extra, value: u8) {
        if let Some(v) = self.0.get_mut(kind.index()) {
            *v = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_the_books() {
        // DFHBMPRF, DFHBMFSE, DFHBMASB, DFHUNIMD and DFHBMDAR as programs see them.
        for (byte, bits) in [
            (b'/', PROTECTED | MODIFIED),
            (b'A', MODIFIED),
            (b'8', PROTECTED | NUMERIC | BRIGHT),
            (b'I', BRIGHT | MODIFIED),
            (b'<', DARK),
        ] {
            assert_eq!(attribute_from_program(byte), Some(bits));
            assert_eq!(attribute_to_program(bits), byte);
        }
        assert_eq!(attribute_to_wire(PROTECTED | MODIFIED), 0x61);
        assert_eq!(attribute_from_program(0), None);
        assert_eq!(attribute_from_program(0x80), None, "DFHBMEOF of a receive");
    }

    #[test]
    fn hexadecimal_literals_of_the_books() {
        assert_eq!(attribute_from_program(0xc1), Some(MODIFIED));
        assert_eq!(
            attribute_from_program(0xf8),
            Some(PROTECTED | NUMERIC | BRIGHT)
        );
        assert_eq!(attribute_from_program(0x61), Some(PROTECTED | MODIFIED));
    }

    #[test]
    fn colours() {
        assert_eq!(Extra::Color.from_program(b'2'), Some(0xf2));
        assert_eq!(Extra::Color.from_program(0xf2), Some(0xf2));
        assert_eq!(Extra::Color.from_program(0xff), Some(0));
        assert_eq!(Extra::Color.from_program(0), None);
        // A program moved DFHBMDAR to a colour.
        assert_eq!(Extra::Color.from_program(b'<'), Some(0));
    }
}
