//! Pages of a data file and the numbers in them, as bytes on disk.
//!
//! What: little-endian fields at a place, absent when the place lies outside, and what all who read
//! trees must know of pages and items. Why: headers and trees of a damaged file are read alike and
//! never past the end. Not here: the trees themselves (`structure`, `free`), headers (`header`).

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Place of the root in the description of a tree.
pub(super) const ROOT: usize = 40;
/// Root of a tree without pages.
pub(super) const NO_PAGE: u64 = u64::MAX;
/// Kinds of pages.
pub(super) const BRANCH: u16 = 1;
pub(super) const LEAF: u16 = 2;
/// Kind of an item: the record has pages of its own.
pub(super) const BIG: u16 = 1;
/// Bytes of the head of an item: length or page number, flags, length of the key.
pub(super) const ITEM_HEAD: usize = 8;
/// Pages below each other; LMDB itself allows 32.
pub(super) const DEPTH_MAX: usize = 32;

pub(super) fn page(file: &File, at: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, at).ok()?;
    Some(bytes)
}

pub(super) fn short(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..at.checked_add(2)?)?;
    field.try_into().ok().map(u16::from_le_bytes)
}

pub(super) fn int(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    field.try_into().ok().map(u32::from_le_bytes)
}

pub(super) fn long(bytes: &[u8], at: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(8)?)?;
    field.try_into().ok().map(u64::from_le_bytes)
}
