//! Pages of a data file that are not used.
//!
//! What: how many pages a transaction freed, and which pages nobody needs any more. Why: LMDB
//! writes a page anew for each change and cannot use the old one before the last checkpoint has
//! moved on; how many wait for that decides when the next one comes. Not here: what is done about
//! it (`durable`, `punch`). Written like `structure`: the free tree is read from the file, since
//! no call tells what is in it. Its keys are transactions, its records the pages they freed: how
//! many, then their numbers, eight bytes each.

use super::fields::{
    BIG, BRANCH, DEPTH_MAX, HEAD, ITEM_HEAD, LEAF, NO_PAGE, ROOT, below, int, items, long, page,
    short,
};
use super::header::{self, FREE_TREE, page_bytes};
use std::fs::File;
use std::path::Path;

/// Bytes of a page number, of a number of pages, of a transaction.
const WORD: usize = 8;

/// A checkpoint for less would only be work.
const FREED_LEAST: u64 = 1 << 20;

/// Bytes of freed pages after which a checkpoint begins, for data of so many bytes: two such lots
/// may wait for one, so the file is half as long again as its data, or longer by two logs.
pub(super) fn freed_max(net: u64, log_bytes: usize) -> u64 {
    (net / 4).max(log_bytes as u64).max(FREED_LEAST)
}

/// Bytes of the pages that the last commit freed; what cannot be read counts nothing.
pub(super) fn freed_by_last(file: &File, path: &Path) -> u64 {
    let pages = || {
        let header = header::newest(file, path).ok()?;
        let pages = freed_by(file, &header, header::transaction(&header)?)?;
        pages.checked_mul(page_bytes(&header)? as u64)
    };
    pages().unwrap_or(0)
}

/// Pages the transaction of a header freed. None: the tree is not what it should be.
fn freed_by(file: &File, header: &[u8], transaction: u64) -> Option<u64> {
    let size = page_bytes(header)?;
    let mut number = long(header, FREE_TREE + ROOT)?;
    if number == NO_PAGE {
        return Some(0);
    }
    for _ in 0..DEPTH_MAX {
        let bytes = page(file, number.checked_mul(size as u64)?, size)?;
        let last = *items(&bytes)?.last()?;
        if short(&bytes, 10)? & BRANCH != 0 {
            number = below(&bytes, last)?;
            continue;
        }
        if long(&bytes, last + ITEM_HEAD)? != transaction {
            return Some(0);
        }
        return long(&record(file, &bytes, last, size, WORD)?, 0);
    }
    None
}

/// Pages freed by transactions before this one, in order. None: the tree is not what it should be.
pub(super) fn freed_before(file: &File, header: &[u8], transaction: u64) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    each_freed(file, header, transaction, &mut |page| found.push(page))?;
    found.sort_unstable();
    Some(found)
}

/// Shows pages freed by transactions before this one. None: the tree is not what it should be.
pub(super) fn each_freed(
    file: &File,
    header: &[u8],
    transaction: u64,
    show: &mut dyn FnMut(u64),
) -> Option<()> {
    let size = page_bytes(header)?;
    let root = long(header, FREE_TREE + ROOT)?;
    let mut waiting = Vec::new();
    if root != NO_PAGE {
        waiting.push((root, 0));
    }
    while let Some((number, depth)) = waiting.pop() {
        let bytes = page(file, number.checked_mul(size as u64)?, size)?;
        let kind = short(&bytes, 10)?;
        for item in items(&bytes)? {
            if kind & BRANCH != 0 && depth < DEPTH_MAX {
                waiting.push((below(&bytes, item)?, depth + 1));
                continue;
            }
            if kind & LEAF == 0 {
                return None;
            }
            if long(&bytes, item + ITEM_HEAD)? >= transaction {
                continue;
            }
            let freed = record(file, &bytes, item, size, usize::MAX)?;
            let count = usize::try_from(long(&freed, 0)?).ok()?;
            for place in 1..=count {
                show(long(&freed, place.checked_mul(WORD)?)?);
            }
        }
    }
    Some(())
}

/// At most `most` bytes of the record of an item.
fn record(file: &File, bytes: &[u8], item: usize, size: usize, most: usize) -> Option<Vec<u8>> {
    let length = (int(bytes, item)? as usize).min(most);
    let data = item + ITEM_HEAD + usize::from(short(bytes, item + 6)?);
    match short(bytes, item + 4)? {
        0 => Some(bytes.get(data..data.checked_add(length)?)?.to_vec()),
        BIG => {
            let first = long(bytes, data)?.checked_mul(size as u64)?;
            page(file, first + HEAD as u64, length)
        }
        _ => None,
    }
}
