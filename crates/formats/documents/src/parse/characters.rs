//! The characters a JSON text is written in.
//!
//! Not here: what the text says (`scan`).

use transom_language::language;

language! {
    /// What the ENCODING phrase and the kind of the item say.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Characters {
        1 = Utf8,
        /// Those of programs: ISO 8859-1, into which EBCDIC was brought.
        2 = Programs,
        /// A national item: UTF-16, the high byte first.
        3 = National,
        /// The program hands over a CCSID.
        4 = Numbered,
    }
}

/// CCSIDs whose characters are those of a program here: EBCDIC ones with all of Latin 1.
const OF_PROGRAMS: [i64; 4] = [37, 1047, 1140, 500];

/// Stands for a character that there is none of.
const SUBSTITUTE: u8 = 0x1A;

impl Characters {
    /// The characters of a CCSID; `None`: it is none that is known here.
    pub fn of_ccsid(number: i64) -> Option<Self> {
        match number {
            1208 => Some(Characters::Utf8),
            _ if OF_PROGRAMS.contains(&number) => Some(Characters::Programs),
            _ => None,
        }
    }

    /// The bytes of a text, with a substitute for what ISO 8859-1 has not got.
    pub(crate) fn bytes(self, text: &str) -> Vec<u8> {
        match self {
            Characters::Utf8 | Characters::Numbered => text.as_bytes().to_vec(),
            Characters::Programs => {
                let byte = |c: char| u8::try_from(u32::from(c)).unwrap_or(SUBSTITUTE);
                text.chars().map(byte).collect()
            }
            Characters::National => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        }
    }

    /// The text of these bytes; `None`: they are none.
    pub(crate) fn text(self, bytes: &[u8]) -> Option<String> {
        match self {
            Characters::Utf8 => std::str::from_utf8(bytes).ok().map(str::to_owned),
            Characters::Programs => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
            Characters::National => {
                let units = bytes.chunks_exact(2);
                let whole = units.remainder().is_empty();
                let units: Vec<u16> = units.map(|u| u16::from_be_bytes([u[0], u[1]])).collect();
                String::from_utf16(&units).ok().filter(|_| whole)
            }
            Characters::Numbered => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ccsid_says_which_characters() {
        let of = |number, bytes| Characters::of_ccsid(number).map(|c| c.text(bytes));
        assert_eq!(of(1208, b"\xc3\xa4"), Some(Some("\u{e4}".to_owned())));
        assert_eq!(of(1208, b"\xe4"), Some(None));
        assert_eq!(of(1140, b"\xe4"), Some(Some("\u{e4}".to_owned())));
        for unknown in [0, -1, 1200, 939, 99_999] {
            assert_eq!(Characters::of_ccsid(unknown), None);
        }
        let national = Characters::National;
        assert_eq!(
            national.text(b"\0{\xd8\x3d\xde\x00"),
            Some("{\u{1f600}".to_owned())
        );
        assert_eq!(national.text(b"\xd8\x3d"), None);
        assert_eq!(national.text(b"\0"), None);
    }
}
