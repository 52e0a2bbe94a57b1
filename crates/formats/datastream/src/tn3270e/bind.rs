//! BIND images of LU type 2 and 3.
//!
//! What: the bytes a client looks at: LU type, sizes, name of the primary LU. Why: with BIND-IMAGE
//! agreed a client shows nothing before it has one. Not here: SNA; the other bytes are those any
//! host sends.

use crate::address::ScreenSize;

/// What a BIND tells a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bind {
    /// Screen size of Erase/Write.
    pub default: ScreenSize,
    /// Screen size of Erase/Write Alternate; `None`: the terminal's own, which its Query Reply
    /// tells.
    pub alternate: Option<ScreenSize>,
    /// Name of the application (APPLID), at most 8 characters.
    pub plu_name: String,
    /// A printer: LU type 3, or 1 with `scs`, instead of 2.
    pub printer: bool,
    /// The printer gets SCS.
    pub scs: bool,
}

/// Bytes in front of the screen sizes: BIND, format, profiles 3 and 3, protocols, RU sizes, LU
/// type.
const START: [u8; 20] = [
    0x31, 0x01, 0x03, 0x03, 0xB1, 0x90, 0x30, 0x80, 0x00, 0x87, 0x87, 0xF8, 0x87, 0x00, 0x02, 0x80,
    0x00, 0x00, 0x00, 0x00,
];
/// Offset of the LU type in the image.
const LU_TYPE: usize = 14;
/// Offset of the default rows in the image.
const SIZES: usize = 20;
/// Offset of the length of the name in the image.
const NAME: usize = 27;
/// Presentation space: default and alternate size are given.
const BOTH_SIZES: u8 = 0x7F;
/// Presentation space: default 24 by 80, alternate the terminal's own.
const OWN_SIZE: u8 = 0x03;

impl Bind {
    /// The image, as the data of a BIND-IMAGE record.
    pub fn bytes(&self) -> Vec<u8> {
        let mut image = START.to_vec();
        if let Some(lu_type) = image.get_mut(LU_TYPE) {
            *lu_type = match (self.printer, self.scs) {
                (false, _) => 2,
                (true, false) => 3,
                (true, true) => 1,
            };
        }
        match self.alternate {
            Some(alternate) => {
                image.extend(self.default.bytes());
                image.extend(alternate.bytes());
                image.extend([BOTH_SIZES, 0, 0]);
            }
            None => image.extend([0, 0, 0, 0, OWN_SIZE, 0, 0]),
        }
        let name: Vec<u8> = self.plu_name.bytes().take(8).map(to_ebcdic).collect();
        image.push(name.len() as u8);
        image.extend(name);
        // User data and secondary name: none.
        image.extend([0, 0]);
        image
    }

    /// Reads an image; sizes that it leaves to nobody are model 2. `None` if it is no BIND.
    pub fn parse(image: &[u8]) -> Option<Self> {
        if image.first() != Some(&0x31) {
            return None;
        }
        let size = |at: usize| ScreenSize::new(*image.get(at)?, *image.get(at + 1)?);
        let kind = image.get(SIZES + 4).copied().unwrap_or(0);
        let (default, alternate) = match kind {
            0x01 => (ScreenSize::new(12, 40), None),
            0x7E => (size(SIZES), size(SIZES)),
            BOTH_SIZES => (size(SIZES), size(SIZES + 2)),
            _ => (None, None),
        };
        let default = default.unwrap_or(ScreenSize::MODEL_2);
        let alternate = (kind != OWN_SIZE).then(|| alternate.unwrap_or(default));
        let length = usize::from(image.get(NAME).copied().unwrap_or(0)).min(8);
        let name = image.get(NAME + 1..NAME + 1 + length).unwrap_or_default();
        Some(Self {
            default,
            alternate,
            plu_name: name.iter().map(|byte| from_ebcdic(*byte)).collect(),
            printer: matches!(image.get(LU_TYPE), Some(1 | 3)),
            scs: image.get(LU_TYPE) == Some(&1),
        })
    }
}

/// Characters of VTAM names only; others become blanks.
const NAME_CHARACTERS: [(u8, u8, u8); 8] = [
    (b'A', b'I', 0xC1),
    (b'J', b'R', 0xD1),
    (b'S', b'Z', 0xE2),
    (b'0', b'9', 0xF0),
    (b'$', b'$', 0x5B),
    (b'#', b'#', 0x7B),
    (b'@', b'@', 0x7C),
    (b'.', b'.', 0x4B),
];

fn to_ebcdic(byte: u8) -> u8 {
    let byte = byte.to_ascii_uppercase();
    NAME_CHARACTERS
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&byte))
        .map_or(0x40, |(first, _, code)| code + (byte - first))
}

fn from_ebcdic(byte: u8) -> char {
    NAME_CHARACTERS
        .iter()
        .find(|(first, last, code)| (*code..=*code + (last - first)).contains(&byte))
        .map_or(' ', |(first, _, code)| char::from(first + (byte - code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bind_says_sizes_and_application() {
        let bind = Bind {
            default: ScreenSize::MODEL_2,
            alternate: Some(ScreenSize::MODEL_5),
            plu_name: "CICSA01".into(),
            printer: false,
            scs: false,
        };
        let image = bind.bytes();
        assert_eq!(image[20..25], [24, 80, 27, 132, 0x7F]);
        assert_eq!(image[27..35], [7, 0xC3, 0xC9, 0xC3, 0xE2, 0xC1, 0xF0, 0xF1]);
        assert_eq!(Bind::parse(&image), Some(bind.clone()));
        let own = Bind {
            alternate: None,
            ..bind
        };
        assert_eq!(own.bytes()[24], 0x03);
        assert_eq!(Bind::parse(&own.bytes()), Some(own));
        assert_eq!(
            Bind::parse(&image[..5]).map(|b| b.default),
            Some(ScreenSize::MODEL_2)
        );
        assert_eq!(Bind::parse(&[]), None);
    }
}
