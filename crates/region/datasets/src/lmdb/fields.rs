//! Pages of a data file and the numbers in them, as bytes on disk.
//!
//! What: little-endian fields at a place, absent when the place lies outside, and what all who read
//! trees must know of pages and items. Why: headers and trees of a damaged file are read alike and
//! never past the end. Not here: the trees themselves (`structure`, `free`), headers (`header`).

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Bytes of the head of every page.
pub(super) const HEAD: usize = 16;
/// Place of the root in the description of a tree.
pub(super) const ROOT: usize = 40;
/// Root of a tree without pages.
pub(super) const NO_PAGE: u64 = u64::MAX;
/// Kinds of pages.
pub(super) const BRANCH: u16 = 1;
pub(super) const LEAF: u16 = 2;
/// The first of the pages of a long record.
pub(super) const OVERFLOW: u16 = 4;
/// Kinds of items: the record has pages of its own; the item describes a tree.
pub(super) const BIG: u16 = 1;
pub(super) const TREE: u16 = 2;
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

/// Places of the items of a page.
pub(super) fn items(bytes: &[u8]) -> Option<Vec<usize>> {
    let lower = usize::from(short(bytes, 12)?);
    let items = (HEAD..lower.min(bytes.len())).step_by(2);
    items.map(|at| short(bytes, at).map(usize::from)).collect()
}

/// The page an item of a branch points at.
pub(super) fn below(bytes: &[u8], item: usize) -> Option<u64> {
    let high = u64::from(short(bytes, item + 4)?);
    Some(u64::from(int(bytes, item)?) | high << 32)
}
