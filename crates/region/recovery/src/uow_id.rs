//! The name of a unit of work.
//!
//! What: APPLID of the region and a number it never uses twice. Why: the name goes into logs,
//! markers and prepared transactions of other systems, so it must be unique across regions and
//! restarts. Not here: where numbers come from (the region).

use std::fmt;
use transom_types::Applid;

/// Identifies a unit of work and owns its locks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UowId {
    /// The region that began it.
    pub applid: Applid,
    /// Never used twice by that region, also after a restart.
    pub number: u64,
}

impl UowId {
    /// Length of [`UowId::to_bytes`].
    pub const LEN: usize = 16;

    /// Puts the two parts together.
    pub fn new(applid: Applid, number: u64) -> Self {
        Self { applid, number }
    }

    /// 8 bytes APPLID, 8 bytes number, big-endian: sorts by region, then by number.
    pub fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[..8].copy_from_slice(self.applid.as_bytes());
        bytes[8..].copy_from_slice(&self.number.to_be_bytes());
        bytes
    }

    /// Reads [`UowId::to_bytes`]; `None` when the length is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (applid, number) = bytes.split_at_checked(8)?;
        let number = u64::from_be_bytes(number.try_into().ok()?);
        Some(Self::new(Applid::from_field(applid), number))
    }
}

impl fmt::Display for UowId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:016X}", self.applid.as_str(), self.number)
    }
}

impl fmt::Debug for UowId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UowId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let id = UowId::new(Applid::from_field(b"CICSA"), 0x1234);
        assert_eq!(UowId::from_bytes(&id.to_bytes()), Some(id));
        assert_eq!(UowId::from_bytes(b"short"), None);
        assert_eq!(id.to_string(), "CICSA.0000000000001234");
    }
}
