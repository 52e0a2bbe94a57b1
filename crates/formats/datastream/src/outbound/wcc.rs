//! The write control character.
//!
//! What: its bits by name, to and from the byte. Why: FREEKB, ALARM, FRSET, PRINT and L40 of BMS
//! are these bits. Not here: when to set which.

use crate::six_bits::code_of_six_bits;

/// What a write does beside its orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Wcc {
    /// Reset modified data tags before the orders (FRSET).
    pub reset_modified: bool,
    /// Unlock the keyboard after the orders (FREEKB).
    pub unlock: bool,
    /// Sound the alarm (ALARM).
    pub alarm: bool,
    /// Start printing after the orders (PRINT).
    pub start_print: bool,
    /// Length of a printed line.
    pub line: LineLength,
}

/// Printed line lengths (L40, L64, L80).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LineLength {
    /// As NL and EM in the data say (HONEOM).
    #[default]
    AsWritten,
    L40,
    L64,
    L80,
}

impl Wcc {
    /// Unlocks the keyboard, nothing else: X'C2'.
    pub const UNLOCK: Self = Self {
        reset_modified: false,
        unlock: true,
        alarm: false,
        start_print: false,
        line: LineLength::AsWritten,
    };
    /// Unlocks the keyboard and resets modified data tags: X'C3'.
    pub const UNLOCK_RESET: Self = Self {
        reset_modified: true,
        ..Self::UNLOCK
    };

    /// The byte to send, a graphic character as CICS sends it.
    pub fn byte(self) -> u8 {
        let line = match self.line {
            LineLength::AsWritten => 0x00,
            LineLength::L40 => 0x10,
            LineLength::L64 => 0x20,
            LineLength::L80 => 0x30,
        };
        code_of_six_bits(
            line | u8::from(self.start_print) << 3
                | u8::from(self.alarm) << 2
                | u8::from(self.unlock) << 1
                | u8::from(self.reset_modified),
        )
    }

    pub fn from_byte(byte: u8) -> Self {
        Self {
            reset_modified: byte & 0x01 != 0,
            unlock: byte & 0x02 != 0,
            alarm: byte & 0x04 != 0,
            start_print: byte & 0x08 != 0,
            line: match byte & 0x30 {
                0x00 => LineLength::AsWritten,
                0x10 => LineLength::L40,
                0x20 => LineLength::L64,
                _ => LineLength::L80,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_programs_know() {
        assert_eq!(Wcc::UNLOCK.byte(), 0xC2);
        assert_eq!(Wcc::UNLOCK_RESET.byte(), 0xC3);
        assert_eq!(Wcc::default().byte(), 0x40);
        for bits in 0..0x40 {
            let wcc = Wcc::from_byte(bits);
            assert_eq!(Wcc::from_byte(wcc.byte()), wcc);
        }
    }
}
