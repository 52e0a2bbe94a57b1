//! Pages of a data file and the numbers in them, as bytes on disk.
//!
//! What: little-endian fields at a place, absent when the place lies outside. Why: headers and
//! trees of a damaged file are read alike and never past the end. Not here: what a field means.

use std::fs::File;
use std::os::unix::fs::FileExt;

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
