//! National text: UTF-16, the high byte first.
//!
//! Why by way of UTF-8: the words of a document are looked for in bytes, which UTF-16 has not got.
//! Not here: which texts are national (`procedure`).

/// What of a segment belongs to the next: half a character.
#[derive(Debug, Default)]
pub(super) struct Units(Vec<u8>);

/// Stands for what is no character, and is none that XML allows.
const NONE: char = '\u{FFFE}';

impl Units {
    /// The text of these bytes behind those that were left.
    pub(super) fn text(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        let (units, half) = self.0.as_chunks::<2>();
        let mut units: Vec<u16> = units.iter().map(|unit| u16::from_be_bytes(*unit)).collect();
        let mut left = half.to_vec();
        if let Some(high) = units.pop_if(|unit| (0xD800..0xDC00).contains(unit)) {
            left.splice(0..0, high.to_be_bytes());
        }
        self.0 = left;
        let characters = char::decode_utf16(units);
        characters.map(|c| c.unwrap_or(NONE)).collect()
    }
}

/// Text of a document, UTF-8 or ISO 8859-1, as national text.
pub(super) fn bytes(text: &[u8], utf8: bool) -> Vec<u8> {
    if utf8 {
        let text = String::from_utf8_lossy(text);
        return text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    }
    text.iter().flat_map(|byte| [0, *byte]).collect()
}

/// Bytes of whole characters among the first `room` of a longer text.
pub(super) fn whole(text: &[u8], room: usize, national: bool, utf8: bool) -> usize {
    let inside = |at: usize| match (national, utf8) {
        (true, _) => at % 2 == 1 || (0xDC..0xE0).contains(&text[at]),
        (false, true) => text[at] & 0xC0 == 0x80,
        (false, false) => false,
    };
    let end = (1..=room).rev().find(|at| !inside(*at));
    end.unwrap_or(room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_waits_for_the_next_segment() {
        let mut units = Units::default();
        assert_eq!(units.text(b"\0a\xd8"), "a");
        assert_eq!(units.text(b"\x3d\xde"), "");
        assert_eq!(units.text(b"\x00\0b"), "\u{1f600}b");
        assert_eq!(units.text(b"\xde\x00\0c"), "\u{fffe}c");
    }

    #[test]
    fn a_piece_ends_between_characters() {
        let text = bytes("a\u{1f600}".as_bytes(), true);
        assert_eq!(text, b"\0a\xd8\x3d\xde\x00");
        assert_eq!(whole(&text, 5, true, true), 2);
        assert_eq!(whole("ab\u{20ac}".as_bytes(), 4, false, true), 2);
        assert_eq!(whole(b"abcd", 3, false, false), 3);
        assert_eq!(bytes(b"\xe4", false), b"\0\xe4");
    }
}
