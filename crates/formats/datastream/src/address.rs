//! Screen sizes and buffer addresses.
//!
//! What: 12-bit and 14-bit addressing both ways. Why: an address that was checked once needs no
//! check later. Not here: 16-bit addressing, which no terminal we know asks for.

use crate::error::{ErrorKind, StreamError};
use crate::six_bits::code_of_six_bits;

/// Rows and columns of a screen. Valid once it exists: 1 to 255 each, at most 16,383 positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScreenSize {
    rows: u8,
    columns: u8,
}

/// How buffer addresses are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressMode {
    /// Two six-bit characters; up to 4,096 positions.
    Bits12,
    /// Binary with two leading zero bits; up to 16,384 positions.
    Bits14,
}

impl ScreenSize {
    /// 24 rows of 80: model 2, and the default size of every display.
    pub const MODEL_2: Self = Self {
        rows: 24,
        columns: 80,
    };
    /// 32 rows of 80.
    pub const MODEL_3: Self = Self {
        rows: 32,
        columns: 80,
    };
    /// 43 rows of 80.
    pub const MODEL_4: Self = Self {
        rows: 43,
        columns: 80,
    };
    /// 27 rows of 132.
    pub const MODEL_5: Self = Self {
        rows: 27,
        columns: 132,
    };
    /// Most positions a 14-bit address can name beside the wrap position.
    pub const POSITIONS_MAX: usize = 16_383;

    /// `None` if a side is 0 or there are more than [`Self::POSITIONS_MAX`] positions.
    pub fn new(rows: u8, columns: u8) -> Option<Self> {
        let size = Self { rows, columns };
        (rows > 0 && columns > 0 && size.positions() <= Self::POSITIONS_MAX).then_some(size)
    }

    /// The alternate size of models 2 to 5.
    pub fn of_model(model: u8) -> Option<Self> {
        match model {
            2 => Some(Self::MODEL_2),
            3 => Some(Self::MODEL_3),
            4 => Some(Self::MODEL_4),
            5 => Some(Self::MODEL_5),
            _ => None,
        }
    }

    pub fn rows(self) -> usize {
        usize::from(self.rows)
    }

    pub fn columns(self) -> usize {
        usize::from(self.columns)
    }

    /// Rows and columns as the bytes of a BIND image.
    pub fn bytes(self) -> [u8; 2] {
        [self.rows, self.columns]
    }

    pub fn positions(self) -> usize {
        self.rows() * self.columns()
    }

    /// Buffer position of a row and column counted from 1; wraps around the screen as addresses do.
    pub fn position(self, row: usize, column: usize) -> u16 {
        let linear = row.saturating_sub(1) * self.columns() + column.saturating_sub(1);
        (linear % self.positions()) as u16
    }

    /// How addresses on this screen are written.
    pub fn address_mode(self) -> AddressMode {
        if self.positions() <= 4096 {
            AddressMode::Bits12
        } else {
            AddressMode::Bits14
        }
    }

    /// The two bytes of a buffer address; a position beyond the screen wraps.
    pub fn encode(self, position: u16) -> [u8; 2] {
        let position = (usize::from(position) % self.positions()) as u16;
        match self.address_mode() {
            AddressMode::Bits12 => [
                code_of_six_bits((position >> 6) as u8),
                code_of_six_bits((position & 0x3F) as u8),
            ],
            AddressMode::Bits14 => (position & 0x3FFF).to_be_bytes(),
        }
    }
}

/// A buffer address as written in a data stream, in either mode: the two leading bits tell which.
///
/// # Errors
/// [`ErrorKind::BadAddress`] for the reserved bits `10`.
pub fn decode_address(high: u8, low: u8) -> Result<u16, StreamError> {
    match high & 0xC0 {
        0x00 => Ok(u16::from_be_bytes([high & 0x3F, low])),
        0x80 => Err(StreamError::new(
            0,
            ErrorKind::BadAddress(u16::from_be_bytes([high, low])),
        )),
        _ => Ok(u16::from(high & 0x3F) << 6 | u16::from(low & 0x3F)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_bit_addresses_of_the_manuals() {
        let size = ScreenSize::MODEL_2;
        assert_eq!(size.encode(80), [0xC1, 0x50]);
        assert_eq!(size.encode(1919), [0x5D, 0x7F]);
        assert_eq!(size.encode(1920), [0x40, 0x40]);
        assert_eq!(decode_address(0x5D, 0x7F), Ok(1919));
        assert_eq!(size.position(2, 1), 80);
    }

    #[test]
    fn fourteen_bit_addresses_on_big_screens() {
        let size = ScreenSize::new(62, 160).expect("fits");
        assert_eq!(size.encode(9919), [0x26, 0xBF]);
        assert_eq!(decode_address(0x26, 0xBF), Ok(9919));
        for position in 0..size.positions() as u16 {
            let [high, low] = size.encode(position);
            assert_eq!(decode_address(high, low), Ok(position));
        }
    }

    #[test]
    fn reserved_bits_are_an_error() {
        assert!(decode_address(0x80, 0).is_err());
        assert!(ScreenSize::new(200, 132).is_none());
        assert!(ScreenSize::new(0, 80).is_none());
    }
}
