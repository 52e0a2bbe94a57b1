//! Whether the pages of a data file belong together.
//!
//! What: every tree from its root: numbers of pages lie in the file, pages say what they are, items
//! lie in their page. Why: LMDB maps the file and believes it; a page number from a damaged page
//! ends the process with a signal, and a writer takes places of items from it. So all pages of a
//! small store are looked at when it is opened, only the branches (about one page in a hundred) of
//! a big one; `verify` looks at all of them. Not here: headers (`header`); records, which have
//! checksums of their own; repair. The layout is that of LMDB 0.9 on 64-bit little-endian machines,
//! as its manual and header describe it.

use super::error::io;
use super::fields::{
    BIG, BRANCH, DEPTH_MAX, HEAD, ITEM_HEAD, LEAF, NO_PAGE, OVERFLOW, ROOT, TREE, int, long, page,
    short,
};
use super::header::{self, FREE_TREE, MAIN_TREE};
use std::fs::File;
use std::path::Path;
use transom_recovery::StoreError;

/// Bytes of the description of a tree.
const TREE_BYTES: usize = 48;

/// Longest data file whose leaves are checked at each start: about half a second.
pub(super) const LEAVES_AT_OPEN_MAX: u64 = 1 << 30;

/// How far a check goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// Leaves too when the file is not too long for each start, else branches of all trees; what
    /// they point at lies in the file.
    AtOpen,
    /// Leaves and records with pages of their own, too.
    Leaves,
}

/// Checks a data file, from its own header or from that of its checkpoint, which must be one of
/// this file. A file that is not there, or empty, is a new one.
pub(super) fn check(
    path: &Path,
    depth: Depth,
    checkpoint: Option<&[u8]>,
) -> Result<(), StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(io("cannot open", path, &error)),
    };
    let length = file.metadata().map_err(|e| io("cannot read", path, &e))?;
    if length.len() == 0 {
        return Ok(());
    }
    let header = match checkpoint {
        Some(checkpoint) => {
            header::must_fit(&file, path, checkpoint)?;
            checkpoint.to_vec()
        }
        None => header::newest(&file, path)?,
    };
    let size = header::page_bytes(&header).ok_or_else(|| header::none(path))?;
    let walk = Walk {
        file: &file,
        size,
        pages: length.len() / size as u64,
        leaves: depth == Depth::Leaves || length.len() <= LEAVES_AT_OPEN_MAX,
    };
    for (tree, named) in [(FREE_TREE, false), (MAIN_TREE, true)] {
        let root = long(&header, tree + ROOT).unwrap_or(NO_PAGE);
        let checked = walk.tree(root, named);
        checked.map_err(|page| {
            header::damaged(path, &format!("page {page} is not what it should be"))
        })?;
    }
    Ok(())
}

struct Walk<'a> {
    file: &'a File,
    /// Bytes of a page.
    size: usize,
    /// Pages of the file.
    pages: u64,
    /// Leaves are looked at.
    leaves: bool,
}

impl Walk<'_> {
    /// Checks a tree; the error is the number of the page that is wrong. Leaves of a tree with
    /// `named` trees are always looked at.
    fn tree(&self, root: u64, named: bool) -> Result<(), u64> {
        if root == NO_PAGE {
            return Ok(());
        }
        let mut waiting = vec![(root, 0)];
        while let Some((number, level)) = waiting.pop() {
            if number < 2 || number >= self.pages || level > DEPTH_MAX {
                return Err(number);
            }
            // Leaves lie on the lowest level; a tree that was never split has nothing else.
            let bytes = self.read(number)?;
            match short(&bytes, 10).ok_or(number)? & !0x10 {
                BRANCH => {
                    let below = self.branch(&bytes).ok_or(number)?;
                    if !self.leaves && !named && self.is_leaf(&below) {
                        // Not read; that they are in the file is enough.
                        if let Some(outside) = below.iter().find(|p| **p < 2 || **p >= self.pages) {
                            return Err(*outside);
                        }
                        continue;
                    }
                    waiting.extend(below.into_iter().map(|p| (p, level + 1)));
                }
                LEAF => self.leaf(&bytes, number, named)?,
                _ => return Err(number),
            }
            if waiting.len() as u64 > self.pages {
                return Err(number);
            }
        }
        Ok(())
    }

    /// Whether the first of these pages is a leaf: then all of them should be.
    fn is_leaf(&self, pages: &[u64]) -> bool {
        let first = pages.first().filter(|p| **p >= 2 && **p < self.pages);
        first
            .and_then(|p| page(self.file, p * self.size as u64, HEAD))
            .and_then(|b| short(&b, 10))
            .is_some_and(|kind| kind & LEAF != 0)
    }

    fn read(&self, number: u64) -> Result<Vec<u8>, u64> {
        let bytes = page(self.file, number * self.size as u64, self.size).ok_or(number)?;
        match long(&bytes, 0) == Some(number) {
            true => Ok(bytes),
            false => Err(number),
        }
    }

    /// Pages below a branch.
    fn branch(&self, bytes: &[u8]) -> Option<Vec<u64>> {
        let items = self.items(bytes)?;
        let below = items.into_iter().map(|item| {
            let low = u64::from(int(bytes, item)?);
            let high = u64::from(short(bytes, item + 4)?);
            let key = usize::from(short(bytes, item + 6)?);
            (item + ITEM_HEAD + key <= self.size).then_some(low | high << 32)
        });
        let below: Vec<u64> = below.collect::<Option<_>>()?;
        // A branch with one way is none.
        (below.len() >= 2).then_some(below)
    }

    fn leaf(&self, bytes: &[u8], number: u64, named: bool) -> Result<(), u64> {
        for item in self.items(bytes).ok_or(number)? {
            self.item(bytes, item, named).ok_or(number)??;
        }
        Ok(())
    }

    /// One item of a leaf; `None` if it does not lie in its page.
    fn item(&self, bytes: &[u8], item: usize, named: bool) -> Option<Result<(), u64>> {
        let length = int(bytes, item)? as usize;
        let flags = short(bytes, item + 4)?;
        let data = item + ITEM_HEAD + usize::from(short(bytes, item + 6)?);
        match flags {
            0 if data + length <= self.size => Some(Ok(())),
            BIG => {
                let first = long(bytes, data)?;
                Some(self.big(first, length).ok_or(first))
            }
            TREE if named && length == TREE_BYTES => {
                Some(self.tree(long(bytes, data + ROOT)?, false))
            }
            _ => None,
        }
    }

    /// A record with pages of its own.
    fn big(&self, first: u64, length: usize) -> Option<()> {
        let pages = ((HEAD - 1 + length) / self.size + 1) as u64;
        let head = page(self.file, first.checked_mul(self.size as u64)?, HEAD)?;
        let same = long(&head, 0)? == first && short(&head, 10)? & !0x10 == OVERFLOW;
        let held = u64::from(int(&head, 12)?);
        (same && first >= 2 && held >= pages && first + held <= self.pages).then_some(())
    }

    /// Places of the items of a page.
    fn items(&self, bytes: &[u8]) -> Option<Vec<usize>> {
        let (lower, upper) = (
            usize::from(short(bytes, 12)?),
            usize::from(short(bytes, 14)?),
        );
        if lower < HEAD || lower % 2 != 0 || lower > upper || upper > self.size {
            return None;
        }
        let items = (HEAD..lower).step_by(2).map(|at| {
            let place = usize::from(short(bytes, at)?);
            (place >= upper && place + ITEM_HEAD <= self.size).then_some(place)
        });
        items.collect()
    }
}
