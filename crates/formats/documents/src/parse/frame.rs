//! Objects and arrays of JSON that are open.
//!
//! Not here: what is read of them (`walk`).

/// An object or array, the innermost last.
#[derive(Debug)]
pub(super) enum Frame {
    /// An object, of a group; without one that around the receiver.
    Object {
        of: Option<usize>,
        first: bool,
        seen: Vec<Seen>,
    },
    /// An array, of a table.
    Array {
        of: usize,
        first: bool,
        index: u32,
        count: u32,
    },
}

/// A member of an object that an item has taken.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) target: usize,
    pub(super) from: usize,
    /// 0 while it is open.
    pub(super) to: usize,
}
