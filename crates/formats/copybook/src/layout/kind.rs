//! What an elementary item holds, with the numbers a converter needs. No bytes are touched here.

/// The machine whose storage is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// z/OS storage: EBCDIC, all binary big-endian, COMP-1/-2 hexadecimal floating point.
    #[default]
    Host,
    /// GnuCOBOL on little-endian Linux with the region's compiler flags: ISO 8859-1 text, COMP
    /// big-endian, COMP-5 and INDEX little-endian, COMP-1/-2 IEEE little-endian.
    Native,
}

impl Profile {
    /// Byte order of a binary item; `native` is true for COMP-5, INDEX and BINARY-LONG and the
    /// like.
    pub fn big_endian(self, native: bool) -> bool {
        self == Profile::Host || !native
    }

    /// Whether COMP-1/COMP-2 are System/390 hexadecimal floating point (else IEEE 754,
    /// little-endian).
    pub fn hex_float(self) -> bool {
        self == Profile::Host
    }
}

/// Where the sign of a zoned (DISPLAY) number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SignStyle {
    /// In the zone of the last digit.
    #[default]
    Trailing,
    /// In the zone of the first digit.
    Leading,
    /// A `+` or `-` of its own after the digits.
    TrailingSeparate,
    /// A `+` or `-` of its own before the digits.
    LeadingSeparate,
}

impl SignStyle {
    /// Whether the sign takes a byte of its own.
    pub fn is_separate(self) -> bool {
        matches!(
            self,
            SignStyle::TrailingSeparate | SignStyle::LeadingSeparate
        )
    }

    /// Whether the sign is at the front.
    pub fn is_leading(self) -> bool {
        matches!(self, SignStyle::Leading | SignStyle::LeadingSeparate)
    }
}

/// What an item holds. `digits` counts stored digits (not `P`); the value is `stored * 10^-scale`,
/// so `9(3)V99` has digits 5 scale 2, `9(3)PP` digits 3 scale -2, `VPP9(3)` digits 3 scale 5.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Has children.
    Group,
    /// PIC X / A (USAGE DISPLAY); length in [`super::Field::len`].
    Alphanumeric { justified: bool },
    /// Alphanumeric-edited, such as `X(3)/X(3)`: `mask` is the picture with every repeat written
    /// out.
    AlphanumericEdited { mask: Box<str> },
    /// Numeric-edited, such as `ZZ,ZZ9.99-`: `mask` is the picture with every repeat written out,
    /// upper case, `CR`/`DB` as two letters, the decimal point always `.` (see `decimal_comma`).
    /// `digits` counts digit positions.
    NumericEdited {
        mask: Box<str>,
        digits: u16,
        scale: i16,
        signed: bool,
        decimal_comma: bool,
    },
    /// USAGE DISPLAY number. Length is digits plus one for a separate sign.
    Zoned {
        digits: u16,
        scale: i16,
        signed: bool,
        sign: SignStyle,
    },
    /// COMP-3 (`sign_nibble`) or COMP-6 (unsigned, without one).
    Packed {
        digits: u16,
        scale: i16,
        signed: bool,
        sign_nibble: bool,
    },
    /// COMP, COMP-4, BINARY (`native` false: range given by the digits) or COMP-5 (`native` true:
    /// range given by `len`).
    Binary {
        digits: u16,
        scale: i16,
        signed: bool,
        native: bool,
        len: u8,
    },
    /// COMP-1.
    Float4,
    /// COMP-2.
    Float8,
    /// PIC N USAGE NATIONAL: UTF-16BE, two bytes a character. `chars` characters.
    National { chars: u32 },
    /// PIC G, or PIC N USAGE DISPLAY-1: two bytes a character in the DBCS part of the code page, no
    /// SO/SI.
    Dbcs { chars: u32 },
    /// National-edited or DBCS-edited: `mask` as for `AlphanumericEdited`, two bytes a character.
    NationalEdited { mask: Box<str> },
    /// POINTER, PROCEDURE-POINTER, FUNCTION-POINTER, OBJECT REFERENCE: an address, never shown to a
    /// client.
    Pointer,
    /// INDEX: four bytes, never shown to a client.
    Index,
}

impl FieldKind {
    /// Digits, scale and signedness of a fixed-point number (zoned, packed, binary or
    /// numeric-edited).
    pub fn number(&self) -> Option<(u16, i16, bool)> {
        match *self {
            FieldKind::Zoned {
                digits,
                scale,
                signed,
                ..
            }
            | FieldKind::Packed {
                digits,
                scale,
                signed,
                ..
            }
            | FieldKind::Binary {
                digits,
                scale,
                signed,
                ..
            }
            | FieldKind::NumericEdited {
                digits,
                scale,
                signed,
                ..
            } => Some((digits, scale, signed)),
            _ => None,
        }
    }

    /// Whether the item is text whose bytes are converted through the code page one by one.
    pub fn is_text(&self) -> bool {
        matches!(
            self,
            FieldKind::Alphanumeric { .. }
                | FieldKind::AlphanumericEdited { .. }
                | FieldKind::NumericEdited { .. }
        )
    }
}
