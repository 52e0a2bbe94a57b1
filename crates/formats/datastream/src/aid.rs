//! Attention identifiers: which key sent a record.
//!
//! What: the byte, its name, what kind of read it makes. Why: EIBAID, the driver's scripts and logs
//! use the same names. Not here: what a transaction does with a key.

use std::fmt;

/// An attention identifier as in the first byte of an inbound record and in EIBAID.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Aid(pub u8);

/// PF1 to PF24 in order.
const PF_KEYS: [u8; 24] = [
    0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x7B, 0x7C, 0xC1, 0xC2, 0xC3, 0xC4,
    0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0x4A, 0x4B, 0x4C,
];

impl Aid {
    /// Nothing was pressed: the answer to a read of the host.
    pub const NONE: Self = Self(0x60);
    /// The same from a printer.
    pub const NONE_PRINTER: Self = Self(0xE8);
    pub const STRUCTURED_FIELD: Self = Self(0x88);
    pub const READ_PARTITION: Self = Self(0x61);
    pub const TRIGGER: Self = Self(0x7F);
    /// Test Request or System Request.
    pub const SYSREQ: Self = Self(0xF0);
    pub const ENTER: Self = Self(0x7D);
    pub const PEN: Self = Self(0x7E);
    pub const OPERATOR_ID: Self = Self(0xE6);
    pub const MAGNETIC_READER: Self = Self(0xE7);
    pub const CLEAR: Self = Self(0x6D);
    pub const CLEAR_PARTITION: Self = Self(0x6A);
    pub const PA1: Self = Self(0x6C);
    pub const PA2: Self = Self(0x6E);
    pub const PA3: Self = Self(0x6B);

    /// PF key 1 to 24.
    pub fn pf(number: u8) -> Option<Self> {
        let index = usize::from(number).checked_sub(1)?;
        PF_KEYS.get(index).map(|byte| Self(*byte))
    }

    /// PA key 1 to 3.
    pub fn pa(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::PA1),
            2 => Some(Self::PA2),
            3 => Some(Self::PA3),
            _ => None,
        }
    }

    /// 1 to 24 if this is a PF key.
    pub fn pf_number(self) -> Option<u8> {
        let index = PF_KEYS.iter().position(|byte| *byte == self.0)?;
        u8::try_from(index + 1).ok()
    }

    /// PA keys and CLEAR send no cursor and no data on a read modified.
    pub fn is_short_read(self) -> bool {
        matches!(
            self,
            Self::PA1 | Self::PA2 | Self::PA3 | Self::CLEAR | Self::CLEAR_PARTITION
        )
    }

    /// Any byte a terminal may send first.
    pub fn is_known(self) -> bool {
        self.fixed_name().is_some() || self.pf_number().is_some()
    }

    /// `ENTER`, `PF7`, `CLEAR` ...; names as DFHAID has them without the prefix.
    pub fn name(self) -> String {
        match (self.fixed_name(), self.pf_number()) {
            (Some(name), _) => name.to_owned(),
            (None, Some(number)) => format!("PF{number}"),
            (None, None) => format!("X'{:02X}'", self.0),
        }
    }

    /// The key of a name as [`Self::name`] gives it, upper or lower case; `PF07` is `PF7`.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        if let Some(number) = name.strip_prefix("PF") {
            return Self::pf(number.parse().ok()?);
        }
        FIXED.iter().find(|(_, n)| *n == name).map(|(aid, _)| *aid)
    }

    fn fixed_name(self) -> Option<&'static str> {
        FIXED.iter().find(|(aid, _)| *aid == self).map(|row| row.1)
    }
}

const FIXED: [(Aid, &str); 15] = [
    (Aid::ENTER, "ENTER"),
    (Aid::CLEAR, "CLEAR"),
    (Aid::PA1, "PA1"),
    (Aid::PA2, "PA2"),
    (Aid::PA3, "PA3"),
    (Aid::NONE, "NULL"),
    (Aid::NONE_PRINTER, "NULL-PRINTER"),
    (Aid::STRUCTURED_FIELD, "STRF"),
    (Aid::READ_PARTITION, "READ-PARTITION"),
    (Aid::TRIGGER, "TRIG"),
    (Aid::SYSREQ, "SYSREQ"),
    (Aid::PEN, "PEN"),
    (Aid::OPERATOR_ID, "OPID"),
    (Aid::MAGNETIC_READER, "MSRE"),
    (Aid::CLEAR_PARTITION, "CLRP"),
];

impl fmt::Debug for Aid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_names_and_names_have_keys() {
        for byte in 0..=255 {
            let aid = Aid(byte);
            if aid.is_known() {
                assert_eq!(Aid::from_name(&aid.name()), Some(aid));
            }
        }
        assert_eq!(Aid::pf(13).map(|a| a.0), Some(0xC1));
        assert_eq!(Aid::from_name("pf03").map(|a| a.0), Some(0xF3));
        assert!(Aid::from_name("PF25").is_none());
        assert!(Aid::PA2.is_short_read() && !Aid::ENTER.is_short_read());
    }
}
