//! The format that a data file says, read before anything is written to it.
//!
//! What: the record of the format, found from the root of a header page by page, as far as pages
//! are what they should be. Why without LMDB: its header is set back, and told how much to map,
//! before it can be asked; a store of a later release must be left as it is. Not here: what a
//! format means (`layout`), whether pages belong together (`structure`).

use super::fields::{
    BRANCH, DEPTH_MAX, HEAD, ITEM_HEAD, LEAF, NO_PAGE, ROOT, TREE, below, int, items, long, page,
    short,
};
use super::folder::other_format;
use super::header::{self, MAIN_TREE};
use super::layout::{BEFORE_LOG, FORMAT};
use std::fs::File;
use std::path::Path;
use transom_recovery::StoreError;

/// Pages that are looked at for a key; the trees have a few.
const PAGES_MAX: usize = 1_000;

/// Refuses the data of a folder if they say a format that is not known. Data that say none are new,
/// or damaged, which others find. `checkpoint`: the header that counts, if it is not the file's.
pub(super) fn must_be_known(
    folder: &Path,
    data: &Path,
    checkpoint: Option<&[u8]>,
) -> Result<(), StoreError> {
    let known = [FORMAT, BEFORE_LOG].map(u32::to_be_bytes);
    match File::open(data)
        .ok()
        .and_then(|file| said(&file, data, checkpoint))
    {
        Some(format) if !known.iter().any(|known| *known == *format) => {
            Err(StoreError::Io(other_format(folder, &format)))
        }
        _ => Ok(()),
    }
}

/// What the record of the format has.
fn said(file: &File, path: &Path, checkpoint: Option<&[u8]>) -> Option<Vec<u8>> {
    let header = match checkpoint {
        Some(header) => header.to_vec(),
        None => header::newest(file, path).ok()?,
    };
    let size = header::page_bytes(&header)?;
    let meta = found(file, size, long(&header, MAIN_TREE + ROOT)?, b"meta")?;
    let (TREE, described) = meta else {
        return None;
    };
    let (0, format) = found(file, size, long(&described, ROOT)?, b"format")? else {
        return None;
    };
    Some(format)
}

/// Flags and data of the item with a key in a tree.
fn found(file: &File, size: usize, root: u64, key: &[u8]) -> Option<(u16, Vec<u8>)> {
    let mut waiting = vec![(root, 0)];
    for _ in 0..PAGES_MAX {
        let (number, level) = waiting.pop()?;
        if number == NO_PAGE || level > DEPTH_MAX {
            return None;
        }
        let bytes = page(file, number.checked_mul(size as u64)?, size)?;
        let kind = short(&bytes, HEAD - 6)?;
        for item in items(&bytes)? {
            if kind & BRANCH != 0 {
                waiting.push((below(&bytes, item)?, level + 1));
                continue;
            }
            let from = item + ITEM_HEAD;
            let data = from + usize::from(short(&bytes, item + 6)?);
            if kind & LEAF == 0 || bytes.get(from..data)? != key {
                continue;
            }
            let length = int(&bytes, item)? as usize;
            let record = bytes.get(data..data.checked_add(length)?)?;
            return Some((short(&bytes, item + 4)?, record.to_vec()));
        }
    }
    None
}
