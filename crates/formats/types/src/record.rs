//! Records of a data set: which one a key means, where one lies in the order of a browse.
//!
//! Not here: data sets, the bytes between processes.

/// Which record a key means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Find {
    /// The record with the whole key.
    Equal,
    /// The first record whose key is not lower; the key may be short (GENERIC with GTEQ).
    GreaterOrEqual,
    /// The first record whose key begins so.
    Generic,
}

/// Place of a record in the order it is browsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Key, RBA (8 bytes), slot number (4 bytes) or alternate key.
    pub key: Vec<u8>,
    /// Key in the base: the same, unless an alternate index was used.
    pub base: Vec<u8>,
    /// Place among records with the same alternate key; 0: none, or an entry without one.
    pub arrival: u64,
}

impl Position {
    /// The same key in both orders.
    #[must_use]
    pub fn of_base(key: &[u8]) -> Self {
        Self {
            key: key.to_vec(),
            base: key.to_vec(),
            arrival: 0,
        }
    }

    /// RBA of a record of an ESDS.
    #[must_use]
    pub fn rba(&self) -> Option<u64> {
        self.base.as_slice().try_into().ok().map(u64::from_be_bytes)
    }

    /// Slot number of a record of an RRDS.
    #[must_use]
    pub fn rrn(&self) -> Option<u32> {
        self.base.as_slice().try_into().ok().map(u32::from_be_bytes)
    }
}

/// A record that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub position: Position,
    /// The record.
    pub record: Vec<u8>,
    /// More records with the same alternate key follow (DUPKEY).
    pub duplicate: bool,
}

/// Order of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Ascending keys.
    Forward,
    /// Descending keys.
    Backward,
}

/// Where a batch begins.
#[derive(Debug, Clone, Copy)]
pub enum Start<'a> {
    /// At the first record (forward) or the last (backward).
    End,
    /// At this key or the next one in the direction. The key may be short; backward it then
    /// includes all keys that begin so.
    At(&'a [u8]),
    /// Behind a record that was read.
    After(&'a Position),
}
