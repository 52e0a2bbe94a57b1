//! How many records a table has, without looking at them.
//!
//! What: the leaves that a table has to itself say how many items they have, in the first bytes of
//! their pages; keys are read in the branches, and in the two leaves where it begins and ends. Why:
//! all tables lie in one tree, so no count of LMDB's is that of a table, and LISTCAT would read
//! every key. The caller holds a read transaction, so that no page of its state is used again. Not
//! here: a count where a page is not what it should be (`map` reads the keys then). Written like
//! `structure`, which has the layout.

use super::fields::{BRANCH, DEPTH_MAX, HEAD, ITEM_HEAD, LEAF, ROOT, int, long, page, short};
use super::header::{MAIN_TREE, page_bytes};
use super::layout::ID;
use std::fs::File;

/// A pair of bounds of keys: from the first one on, before the second one. None: no bound.
type Range = (Option<Vec<u8>>, Option<Vec<u8>>);

/// Records of the table `id` of a tree in a file, in the state of a header. None: it cannot be
/// told.
pub(super) fn count(file: &File, header: &[u8], tree: &str, id: u32) -> Option<u64> {
    let size = page_bytes(header)?;
    let root = named(file, size, long(header, MAIN_TREE + ROOT)?, tree.as_bytes())?;
    let pages = file.metadata().ok()?.len() / size as u64;
    let walk = Walk {
        file,
        size,
        pages,
        low: id.to_be_bytes(),
        high: id.checked_add(1)?.to_be_bytes(),
    };
    match root {
        u64::MAX => Some(0),
        root => walk.below(root, (None, None), 0),
    }
}

/// Root of a tree with a name.
fn named(file: &File, size: usize, main: u64, name: &[u8]) -> Option<u64> {
    // So few names lie in one leaf.
    let bytes = page(file, main.checked_mul(size as u64)?, size)?;
    if short(&bytes, 10)? & LEAF == 0 {
        return None;
    }
    let item = items(&bytes)?
        .into_iter()
        .find(|item| key(&bytes, *item) == Some(name))?;
    long(&bytes, item + ITEM_HEAD + name.len() + ROOT)
}

struct Walk<'a> {
    file: &'a File,
    /// Bytes of a page.
    size: usize,
    /// Pages of the file.
    pages: u64,
    /// First bytes of the keys of the table, and of the one behind it.
    low: [u8; ID],
    high: [u8; ID],
}

impl Walk<'_> {
    /// Records of the table in the pages below one whose keys lie in a range.
    fn below(&self, number: u64, range: Range, depth: usize) -> Option<u64> {
        if !(2..self.pages).contains(&number) || depth > DEPTH_MAX {
            return None;
        }
        let at = number * self.size as u64;
        let head = page(self.file, at, HEAD)?;
        if long(&head, 0)? != number {
            return None;
        }
        let (kind, whole) = (short(&head, 10)?, self.is_whole(&range));
        if kind & LEAF != 0 && whole {
            return Some(places(&head)? as u64);
        }
        let bytes = page(self.file, at, self.size)?;
        let items = items(&bytes)?;
        if kind & LEAF != 0 {
            let own =
                |item: &usize| key(&bytes, *item).is_some_and(|key| key.starts_with(&self.low));
            return Some(items.iter().filter(|item| own(item)).count() as u64);
        }
        if kind & BRANCH == 0 {
            return None;
        }
        let mut sum = 0;
        for (place, item) in items.iter().enumerate() {
            // The first one has no key: it begins where the page does.
            let from = match place {
                0 => range.0.clone(),
                _ => Some(key(&bytes, *item)?.to_vec()),
            };
            let to = match items.get(place + 1) {
                Some(next) => Some(key(&bytes, *next)?.to_vec()),
                None => range.1.clone(),
            };
            let outside = from.as_deref().is_some_and(|from| from >= &self.high[..])
                || to.as_deref().is_some_and(|to| to <= &self.low[..]);
            if !outside {
                let high = u64::from(short(&bytes, item + 4)?);
                let child = u64::from(int(&bytes, *item)?) | high << 32;
                sum += self.below(child, (from, to), depth + 1)?;
            }
        }
        Some(sum)
    }

    /// All keys of a range are of the table.
    fn is_whole(&self, (from, to): &Range) -> bool {
        from.as_deref().is_some_and(|from| from >= &self.low[..])
            && to.as_deref().is_some_and(|to| to <= &self.high[..])
    }
}

/// Number of items of a page, by its head.
fn places(head: &[u8]) -> Option<usize> {
    Some(usize::from(short(head, 12)?).checked_sub(HEAD)? / 2)
}

fn items(bytes: &[u8]) -> Option<Vec<usize>> {
    let places = (0..places(bytes)?).map(|place| short(bytes, HEAD + 2 * place).map(usize::from));
    places.collect()
}

fn key(bytes: &[u8], item: usize) -> Option<&[u8]> {
    let length = usize::from(short(bytes, item + 6)?);
    bytes.get(item + ITEM_HEAD..)?.get(..length)
}

#[cfg(test)]
mod tests {
    use super::super::{LmdbEngine, LocalOptions};
    use std::sync::Arc;
    use transom_recovery::{Action, Batch, Engine, EngineWrite};

    fn batch(table: &str, numbers: impl Iterator<Item = u64>, bytes: usize) -> Batch {
        let table: Arc<str> = table.into();
        let writes = numbers.map(|number| EngineWrite {
            table: table.clone(),
            key: number
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .to_be_bytes()
                .to_vec(),
            action: Action::Put(vec![number as u8; bytes]),
        });
        Batch {
            writes: writes.collect(),
        }
    }

    #[test]
    fn pages_tell_what_every_key_tells() {
        let folder = tempfile::tempdir().unwrap();
        let engine = LmdbEngine::open(folder.path(), LocalOptions::default()).unwrap();
        let names = ["A", "B", "C", "D", "E"];
        let mut wanted = [0; 5];
        for name in names {
            engine.define(name).unwrap();
        }
        // B is empty; D has records with pages of their own; E ends the tree.
        for (place, count, bytes) in [(0, 1, 10), (2, 20_000, 90), (3, 60, 9_000), (4, 3_000, 300)]
        {
            for result in engine.apply(&[batch(names[place], 0..count, bytes)]) {
                result.unwrap();
            }
            wanted[place] = count;
            let map = &engine.inside().map;
            let told = names.map(|name| map.count_pages(name).unwrap());
            assert_eq!(told, wanted.map(Some));
        }
        let table: Arc<str> = "C".into();
        let gone = |number: u64| EngineWrite {
            table: table.clone(),
            key: number
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .to_be_bytes()
                .to_vec(),
            action: Action::Delete,
        };
        let writes = (0..20_000).filter(|n| n % 7 != 0).map(gone).collect();
        engine.apply(&[Batch { writes }]).remove(0).unwrap();
        assert_eq!(engine.count("C").unwrap(), 2_858);
        assert_eq!(engine.inside().map.count_pages("C").unwrap(), Some(2_858));
        assert!(engine.count("F").is_err());
    }
}
