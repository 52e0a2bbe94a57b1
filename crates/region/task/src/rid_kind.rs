//! What RIDFLD holds: key, RBA or slot number.

use transom_wire::definitions::FileShape;

/// What RIDFLD holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RidKind {
    /// A key.
    Key,
    /// Four bytes of RBA.
    Rba,
    /// Eight bytes of RBA.
    Xrba,
    /// Four bytes of slot number.
    Rrn,
}

impl RidKind {
    /// Bytes of RIDFLD for a whole identification.
    pub fn bytes(self, shape: &FileShape) -> usize {
        match self {
            Self::Key => usize::from(shape.key_length),
            Self::Rba | Self::Rrn => 4,
            Self::Xrba => 8,
        }
    }

    /// What the data set calls this RIDFLD.
    pub fn key(self, field: &[u8]) -> Vec<u8> {
        match self {
            Self::Key | Self::Xrba | Self::Rrn => field.to_vec(),
            Self::Rba => [&[0; 4], field].concat(),
        }
    }

    /// What RIDFLD shows for a record with this key, RBA or slot number.
    pub fn field(self, key: &[u8]) -> &[u8] {
        match self {
            Self::Rba => key.get(4..).unwrap_or_default(),
            Self::Key | Self::Xrba | Self::Rrn => key,
        }
    }
}
