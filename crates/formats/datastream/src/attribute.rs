//! Field attributes and extended attributes.
//!
//! What: the attribute byte taken apart, the seven extended attributes, and both packed as the
//! screen keeps them. Why: BMS, builder and screen model agree on one reading of each bit. Not
//! here: which attributes a terminal supports (its Query Reply says).

use crate::six_bits::code_of_six_bits;

/// The attribute byte of a field, without the two bits that only make it a graphic character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FieldAttribute(u8);

/// How a field is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Intensity {
    Normal,
    /// Normal, and selectable with cursor select or pen.
    Detectable,
    /// Intensified, and selectable.
    Bright,
    /// Not shown, not printed.
    Dark,
}

impl FieldAttribute {
    const PROTECTED: u8 = 0x20;
    const NUMERIC: u8 = 0x10;
    const MODIFIED: u8 = 0x01;

    /// From an attribute byte as it stands in a data stream or a DFHBMSCA constant.
    pub fn from_byte(byte: u8) -> Self {
        Self(byte & 0x3D)
    }

    /// The byte to send, a graphic character.
    pub fn byte(self) -> u8 {
        code_of_six_bits(self.0)
    }

    #[must_use]
    pub fn with_protected(self, on: bool) -> Self {
        self.with(Self::PROTECTED, on)
    }

    #[must_use]
    pub fn with_numeric(self, on: bool) -> Self {
        self.with(Self::NUMERIC, on)
    }

    #[must_use]
    pub fn with_modified(self, on: bool) -> Self {
        self.with(Self::MODIFIED, on)
    }

    #[must_use]
    pub fn with_intensity(self, intensity: Intensity) -> Self {
        let bits = match intensity {
            Intensity::Normal => 0x00,
            Intensity::Detectable => 0x04,
            Intensity::Bright => 0x08,
            Intensity::Dark => 0x0C,
        };
        Self(self.0 & !0x0C | bits)
    }

    pub fn is_protected(self) -> bool {
        self.0 & Self::PROTECTED != 0
    }

    pub fn is_numeric(self) -> bool {
        self.0 & Self::NUMERIC != 0
    }

    /// Protected and numeric: the cursor jumps over the field.
    pub fn is_skip(self) -> bool {
        self.is_protected() && self.is_numeric()
    }

    /// The modified data tag.
    pub fn is_modified(self) -> bool {
        self.0 & Self::MODIFIED != 0
    }

    pub fn intensity(self) -> Intensity {
        match self.0 & 0x0C {
            0x00 => Intensity::Normal,
            0x04 => Intensity::Detectable,
            0x08 => Intensity::Bright,
            _ => Intensity::Dark,
        }
    }

    fn with(self, bit: u8, on: bool) -> Self {
        Self(if on { self.0 | bit } else { self.0 & !bit })
    }
}

/// Types of attributes in SFE, MF and SA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum AttributeKind {
    /// SA only: all character attributes back to what the field says.
    All = 0x00,
    Highlight = 0x41,
    Foreground = 0x42,
    CharacterSet = 0x43,
    Background = 0x45,
    Transparency = 0x46,
    /// SFE and MF only: the field attribute byte.
    Field = 0xC0,
    Validation = 0xC1,
    Outlining = 0xC2,
}

impl AttributeKind {
    pub fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0x00 => Self::All,
            0x41 => Self::Highlight,
            0x42 => Self::Foreground,
            0x43 => Self::CharacterSet,
            0x45 => Self::Background,
            0x46 => Self::Transparency,
            0xC0 => Self::Field,
            0xC1 => Self::Validation,
            0xC2 => Self::Outlining,
            _ => return None,
        })
    }
}

/// One attribute of SFE, MF or SA: type and value byte. Value 0 is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    pub kind: AttributeKind,
    pub value: u8,
}

impl Attribute {
    pub fn new(kind: AttributeKind, value: u8) -> Self {
        Self { kind, value }
    }
}

/// Values of [`AttributeKind::Foreground`] and [`AttributeKind::Background`].
pub mod colour {
    pub const DEFAULT: u8 = 0x00;
    pub const NEUTRAL_BLACK: u8 = 0xF0;
    pub const BLUE: u8 = 0xF1;
    pub const RED: u8 = 0xF2;
    pub const PINK: u8 = 0xF3;
    pub const GREEN: u8 = 0xF4;
    pub const TURQUOISE: u8 = 0xF5;
    pub const YELLOW: u8 = 0xF6;
    pub const NEUTRAL_WHITE: u8 = 0xF7;
}

/// Values of [`AttributeKind::Highlight`].
pub mod highlight {
    pub const DEFAULT: u8 = 0x00;
    pub const NORMAL: u8 = 0xF0;
    pub const BLINK: u8 = 0xF1;
    pub const REVERSE: u8 = 0xF2;
    pub const UNDERSCORE: u8 = 0xF4;
}

/// All extended attributes of a field or a character, packed. Zero is all defaults.
///
/// Values outside the architecture are kept as the default, as a terminal does that does not know
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Extended(u32);

/// Shift and width in bits of each part: highlight, foreground, set, background, transparency,
/// validation, outlining.
const PARTS: [(AttributeKind, u32, u32); 7] = [
    (AttributeKind::Highlight, 0, 3),
    (AttributeKind::Foreground, 3, 5),
    (AttributeKind::CharacterSet, 8, 8),
    (AttributeKind::Background, 16, 5),
    (AttributeKind::Transparency, 21, 3),
    (AttributeKind::Validation, 24, 3),
    (AttributeKind::Outlining, 27, 4),
];
/// Highlight values in the order of their packed codes.
const HIGHLIGHTS: [u8; 6] = [0x00, 0xF0, 0xF1, 0xF2, 0xF4, 0xF8];
/// Transparency values in the order of their packed codes.
const TRANSPARENCIES: [u8; 5] = [0x00, 0xF0, 0xF1, 0xF2, 0xFF];

impl Extended {
    pub const DEFAULT: Self = Self(0);
    /// What GE gives a character: character set X'F1'.
    pub const GRAPHIC: u8 = 0xF1;

    /// Sets one attribute; [`AttributeKind::All`] sets all to default, [`AttributeKind::Field`]
    /// nothing.
    pub fn set(&mut self, kind: AttributeKind, value: u8) {
        if kind == AttributeKind::All {
            *self = Self::DEFAULT;
            return;
        }
        let Some((_, shift, width)) = PARTS.iter().find(|part| part.0 == kind) else {
            return;
        };
        let code = match kind {
            AttributeKind::Highlight => index(&HIGHLIGHTS, value),
            AttributeKind::Transparency => index(&TRANSPARENCIES, value),
            AttributeKind::Foreground | AttributeKind::Background => match value {
                0xF0..=0xFF => u32::from(value & 0x0F) + 1,
                _ => 0,
            },
            _ => u32::from(value),
        };
        let mask = ((1 << width) - 1) << shift;
        self.0 = self.0 & !mask | code << shift & mask;
    }

    /// The value byte of one attribute as it stands in a data stream; 0 is default.
    pub fn get(self, kind: AttributeKind) -> u8 {
        let Some((_, shift, width)) = PARTS.iter().find(|part| part.0 == kind) else {
            return 0;
        };
        let code = self.0 >> shift & ((1 << width) - 1);
        match (kind, code) {
            (AttributeKind::Highlight, _) => at(&HIGHLIGHTS, code),
            (AttributeKind::Transparency, _) => at(&TRANSPARENCIES, code),
            (AttributeKind::Foreground | AttributeKind::Background, 1..) => 0xF0 | (code - 1) as u8,
            _ => code as u8,
        }
    }

    /// Attributes that are not default, in the order of their type bytes.
    pub fn attributes(self) -> impl Iterator<Item = Attribute> {
        PARTS
            .iter()
            .map(move |(kind, ..)| Attribute::new(*kind, self.get(*kind)))
            .filter(|attribute| attribute.value != 0)
    }

    pub fn is_default(self) -> bool {
        self.0 == 0
    }
}

fn index(values: &[u8], value: u8) -> u32 {
    values.iter().position(|v| *v == value).unwrap_or(0) as u32
}

fn at(values: &[u8], code: u32) -> u8 {
    values.get(code as usize).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_bytes_are_those_of_dfhbmsca() {
        let none = FieldAttribute::default();
        assert_eq!(none.byte(), 0x40);
        assert_eq!(none.with_protected(true).byte(), 0x60);
        assert_eq!(none.with_protected(true).with_numeric(true).byte(), 0xF0);
        assert_eq!(none.with_intensity(Intensity::Bright).byte(), 0xC8);
        assert_eq!(
            none.with_intensity(Intensity::Dark)
                .with_modified(true)
                .byte(),
            0x4D
        );
        assert!(FieldAttribute::from_byte(0xF0).is_skip());
        assert!(FieldAttribute::from_byte(0x4D).is_modified());
    }

    #[test]
    fn extended_attributes_keep_their_values() {
        let mut extended = Extended::DEFAULT;
        let values = [
            (AttributeKind::Highlight, 0xF4),
            (AttributeKind::Foreground, 0xF2),
            (AttributeKind::CharacterSet, 0xF1),
            (AttributeKind::Background, 0xFF),
            (AttributeKind::Transparency, 0xFF),
            (AttributeKind::Validation, 0x06),
            (AttributeKind::Outlining, 0x0F),
        ];
        for (kind, value) in values {
            extended.set(kind, value);
        }
        for (kind, value) in values {
            assert_eq!(extended.get(kind), value, "{kind:?}");
        }
        assert_eq!(extended.attributes().count(), 7);
        extended.set(AttributeKind::Highlight, 0x99);
        assert_eq!(extended.get(AttributeKind::Highlight), 0);
        extended.set(AttributeKind::All, 0);
        assert!(extended.is_default());
    }
}
