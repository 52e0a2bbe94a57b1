//! Six bits as a graphic character.

/// The graphic character of six bits, as addresses, WCC and attributes are sent.
pub fn code_of_six_bits(bits: u8) -> u8 {
    let bits = bits & 0x3F;
    match bits {
        0x00 => 0x40,
        // Letters, digits and / S to Z lie in rows C to F of the code page; the rest are special
        // characters.
        0x01..=0x09 | 0x11..=0x19 | 0x22..=0x29 | 0x30..=0x39 => bits | 0xC0,
        _ => bits | 0x40,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_bits_as_in_the_table_of_the_manuals() {
        let some = [
            (0x00, 0x40),
            (0x01, 0xC1),
            (0x0A, 0x4A),
            (0x10, 0x50),
            (0x11, 0xD1),
        ];
        let more = [
            (0x20, 0x60),
            (0x21, 0x61),
            (0x22, 0xE2),
            (0x30, 0xF0),
            (0x3A, 0x7A),
            (0x3F, 0x7F),
        ];
        for (bits, byte) in some.into_iter().chain(more) {
            assert_eq!(code_of_six_bits(bits), byte, "{bits:02X}");
        }
    }
}
