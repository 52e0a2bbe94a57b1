//! Whose a page is that does not have its sum, and whether records say so themselves.
//!
//! What: of pages in question the first that is part of the tree and is good in itself. Why: a page
//! that only holds a changed record is no reason to refuse a store, since that record is named
//! and refused when it is read; an old page is one, since its records are believed. Walks all
//! of the tree, which is done only when there is something in question. Not here: sums.

use super::fields::{
    BIG, BRANCH, HEAD, ITEM_HEAD, LEAF, NO_PAGE, ROOT, TREE, below, int, items, long, page, short,
};
use super::header::{FREE_TREE, MAIN_TREE, page_bytes};
use super::layout::unseal;
use std::collections::BTreeSet;
use std::fs::File;

/// The tree whose records have checksums of their own.
const RECORDS: &[u8] = b"records";

/// The first page in question that the state of a header has and that no record betrays; a page
/// that cannot be read is one.
pub(super) fn first_old(data: &File, header: &[u8], asked: &BTreeSet<u64>) -> Option<u64> {
    let Some(size) = page_bytes(header) else {
        return asked.first().copied();
    };
    let search = Search { data, size, asked };
    let roots = [FREE_TREE, MAIN_TREE].map(|tree| long(header, tree + ROOT));
    let found = roots
        .into_iter()
        .flatten()
        .map(|root| search.tree(root, false));
    found.collect::<Result<(), u64>>().err()
}

struct Search<'a> {
    data: &'a File,
    size: usize,
    asked: &'a BTreeSet<u64>,
}

impl Search<'_> {
    /// Ends with a page that is found. Trees that a leaf describes are walked, too.
    fn tree(&self, root: u64, records: bool) -> Result<(), u64> {
        let mut waiting = Vec::from_iter((root != NO_PAGE).then_some(root));
        while let Some(number) = waiting.pop() {
            let at = number.checked_mul(self.size as u64).ok_or(number)?;
            let bytes = page(self.data, at, self.size).ok_or(number)?;
            let kind = short(&bytes, 10).ok_or(number)?;
            let items = items(&bytes).ok_or(number)?;
            let asked = self.asked.contains(&number);
            if kind & BRANCH != 0 {
                for item in items {
                    waiting.push(below(&bytes, item).ok_or(number)?);
                }
                if asked {
                    return Err(number);
                }
                continue;
            }
            let betrayed = records && items.iter().any(|item| self.is_changed(&bytes, *item));
            if kind & LEAF == 0 || (asked && !betrayed) {
                return Err(number);
            }
            for item in items {
                self.item(&bytes, item, records).ok_or(number)??;
            }
        }
        Ok(())
    }

    /// What an item of a leaf points at; `None` if it does not lie in its page.
    fn item(&self, bytes: &[u8], item: usize, records: bool) -> Option<Result<(), u64>> {
        let (name, data) = key(bytes, item)?;
        match short(bytes, item + 4)? {
            BIG => {
                let first = long(bytes, data)?;
                let old = self.asked.contains(&first)
                    && !(records && self.is_long_changed(bytes, item).unwrap_or(true));
                Some(if old { Err(first) } else { Ok(()) })
            }
            TREE => Some(self.tree(long(bytes, data + ROOT)?, name == RECORDS)),
            _ => Some(Ok(())),
        }
    }

    /// Whether a record that lies in its leaf has a wrong checksum.
    fn is_changed(&self, bytes: &[u8], item: usize) -> bool {
        let sound = || {
            let (key, data) = key(bytes, item)?;
            if short(bytes, item + 4)? == BIG {
                return Some(());
            }
            let length = int(bytes, item)? as usize;
            unseal(key, bytes.get(data..data.checked_add(length)?)?).map(drop)
        };
        sound().is_none()
    }

    /// The same of one with pages of its own.
    fn is_long_changed(&self, bytes: &[u8], item: usize) -> Option<bool> {
        let (key, data) = key(bytes, item)?;
        let at = long(bytes, data)?.checked_mul(self.size as u64)? + HEAD as u64;
        let value = page(self.data, at, int(bytes, item)? as usize)?;
        Some(unseal(key, &value).is_none())
    }
}

/// Key of an item of a leaf, and where its data begin.
fn key(bytes: &[u8], item: usize) -> Option<(&[u8], usize)> {
    let begin = item + ITEM_HEAD;
    let data = begin + usize::from(short(bytes, item + 6)?);
    Some((bytes.get(begin..data)?, data))
}
