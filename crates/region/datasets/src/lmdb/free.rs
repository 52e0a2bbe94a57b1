//! Pages of a data file that are not used.
//!
//! What: how many pages were freed lately, and which pages nobody needs any more. Why: LMDB
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

/// What has happened since the last checkpoint began.
#[derive(Default)]
pub(super) struct Since {
    /// Bytes of pages that were freed. Nobody uses them, and LMDB cannot before the next
    /// checkpoint.
    pub(super) freed: u64,
    /// They are counted up to this transaction.
    counted: u64,
    /// Groups and bytes of the log that are not counted yet.
    groups: u32,
    logged: usize,
    /// There are tables that no checkpoint has and that nothing was written to.
    pub(super) new_tables: bool,
    /// Somebody was answered, and what follows a commit has not been done yet.
    pub(super) owes: bool,
}

/// Groups, and bytes of them in the log, after which pages are counted: reading where LMDB writes
/// them down takes as long as a tenth of a small commit.
const COUNTED_EVERY: (u32, usize) = (16, 256 << 10);

impl Since {
    /// A group was committed.
    pub(super) fn add(&mut self, logged: usize, (file, path): (&File, &Path)) {
        self.groups += 1;
        self.logged += logged;
        let (groups, bytes) = COUNTED_EVERY;
        if self.groups < groups && self.logged < bytes {
            return;
        }
        (self.groups, self.logged) = (0, 0);
        // What cannot be read counts nothing.
        if let Some((freed, last)) = freed_behind(file, path, self.counted) {
            self.freed += freed;
            self.counted = last;
        }
    }

    /// A checkpoint of this transaction begins; tables are safe when it has ended.
    pub(super) fn next(&self, transaction: u64) -> Self {
        Self {
            counted: transaction,
            new_tables: self.new_tables,
            ..Self::default()
        }
    }
}

/// Bytes of the pages that were freed behind a transaction, and the last one. None: the tree is not
/// what it should be.
fn freed_behind(file: &File, path: &Path, transaction: u64) -> Option<(u64, u64)> {
    let header = header::newest(file, path).ok()?;
    let size = page_bytes(&header)?;
    let root = long(&header, FREE_TREE + ROOT)?;
    let mut pages = 0;
    if root != NO_PAGE {
        add_behind((file, size), (root, 0), transaction, &mut pages)?;
    }
    let bytes = pages.checked_mul(size as u64)?;
    Some((bytes, header::transaction(&header)?))
}

/// Adds what a page and those below it have of later transactions, the last one first: what was
/// freed since a little while ago lies in one or two pages. True: there may be more in front of it.
fn add_behind(
    (file, size): (&File, usize),
    (number, depth): (u64, usize),
    transaction: u64,
    pages: &mut u64,
) -> Option<bool> {
    let bytes = page(file, number.checked_mul(size as u64)?, size)?;
    let is_branch = short(&bytes, 10)? & BRANCH != 0;
    for item in items(&bytes)?.into_iter().rev() {
        let more = if is_branch {
            if depth == DEPTH_MAX {
                return None;
            }
            let below = (below(&bytes, item)?, depth + 1);
            add_behind((file, size), below, transaction, pages)?
        } else if long(&bytes, item + ITEM_HEAD)? <= transaction {
            false
        } else {
            *pages += long(&record(file, &bytes, item, size, WORD)?, 0)?;
            true
        };
        if !more {
            return Some(false);
        }
    }
    Some(true)
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
