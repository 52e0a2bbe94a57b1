//! The header of a data file: the state committed last, and which store the file is of.
//!
//! What: reading it, putting that of a checkpoint back, and the number that data file, checkpoint
//! and logs of a store share. The number lies in the pages of the header behind what LMDB uses;
//! LMDB never writes there. A store gets it when its checkpoint is made, so that a copy which
//! begins a life of its own is another store; 0: made before stores had one. Why: files of another
//! store would be believed, and what is committed lost. Not here: pages behind the header
//! (`structure`).

use super::error::io;
use super::fields::{HEAD, int, long, page, short};
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::unix::fs::FileExt;
use std::path::Path;
use transom_recovery::StoreError;

const MAGIC: u32 = 0xBEEF_C0DE;
/// Kind of the page of a header.
const KIND: u16 = 8;
/// Places in the page of a header.
const MAP_BYTES: usize = HEAD + 16;
pub(super) const FREE_TREE: usize = HEAD + 24;
pub(super) const MAIN_TREE: usize = HEAD + 72;
/// Number of the last page.
pub(super) const LAST_PAGE: usize = HEAD + 120;
const TRANSACTION: usize = HEAD + 128;
const NUMBER: usize = 256;
/// Bytes of a header that are used, and some more.
pub(super) const HEADER_BYTES: usize = 512;
/// Pages of a header are as long as those of the machine that made it.
const PAGE_MIN: usize = 4_096;
const PAGE_MAX: usize = 65_536;

/// The header of the state committed last; refused when one of the two is damaged.
pub(super) fn newest(file: &File, path: &Path) -> Result<Vec<u8>, StoreError> {
    let newest = || {
        let size = page_bytes(&page(file, 0, HEADER_BYTES)?)?;
        let (first, second) = (valid(file, 0, size)?, valid(file, size as u64, size)?);
        let newer = transaction(&first)? < transaction(&second)?;
        Some(if newer { second } else { first })
    };
    newest().ok_or_else(|| none(path))
}

/// The header of the state that a transaction committed, if it is one of the last two.
pub(super) fn committed_by(file: &File, wanted: u64) -> Option<Vec<u8>> {
    let places = places(&page(file, 0, HEADER_BYTES)?)?;
    let mut there = places
        .into_iter()
        .filter_map(|(at, size)| valid(file, at, size));
    there.find(|header| transaction(header) == Some(wanted))
}

/// Refused when a file does not have the state of a header: it is an older one, or that of another
/// store.
pub(super) fn must_fit(file: &File, path: &Path, header: &[u8]) -> Result<(), StoreError> {
    let places = places(header).ok_or_else(|| none(path))?;
    let there = places.map(|(at, size)| valid(file, at, size));
    let newest = there.iter().flatten().filter_map(|h| transaction(h)).max();
    let wanted = number(header);
    // A copy that was never opened has no number, and may be one of this store.
    let other = |h: &Vec<u8>| ![0, wanted].contains(&number(h));
    if wanted != 0 && there.iter().flatten().any(other) {
        return Err(other_store(path));
    }
    if newest.ok_or_else(|| none(path))? < transaction(header).ok_or_else(|| none(path))? {
        return Err(damaged(path, "it is older than its checkpoint"));
    }
    match wanted != 0 && there.iter().flatten().any(|h| number(h) != wanted) {
        true => Err(other_store(path)),
        false => Ok(()),
    }
}

/// Makes a header that fits the one that counts: what was written since it was the newest was not
/// flushed and is forgotten.
pub(super) fn restore(path: &Path, header: &[u8]) -> Result<(), StoreError> {
    let file = open(path)?;
    let own = transaction(header).ok_or_else(|| none(path))?;
    let places = places(header).ok_or_else(|| none(path))?;
    let there = places.map(|(at, size)| valid(&file, at, size));
    let newest = there.iter().flatten().filter_map(|h| transaction(h)).max();
    if newest == Some(own) && there.iter().flatten().any(|h| h == header) {
        return Ok(());
    }
    for (number, (at, _)) in (0_u64..).zip(places) {
        let mut page = header.to_vec();
        // The other one is a transaction older, and never counts.
        let older = own.checked_sub(u64::from(own % 2 != number));
        put(&mut page, 0, &number.to_le_bytes());
        put(&mut page, TRANSACTION, &older.unwrap_or(0).to_le_bytes());
        file.write_all_at(&page, at)
            .map_err(|e| io("cannot write", path, &e))?;
    }
    file.sync_data().map_err(|e| io("cannot flush", path, &e))
}

/// Gives a store a new number. It is not mapped meanwhile.
pub(super) fn renumber(path: &Path) -> Result<(), StoreError> {
    let file = open(path)?;
    let places = places(&newest(&file, path)?).ok_or_else(|| none(path))?;
    // Enough to tell files of stores apart that somebody copied.
    let number = (RandomState::new().build_hasher().finish() as u32).max(1);
    for (at, _) in places {
        file.write_all_at(&number.to_le_bytes(), at + NUMBER as u64)
            .map_err(|e| io("cannot write", path, &e))?;
    }
    file.sync_data().map_err(|e| io("cannot flush", path, &e))
}

/// Lets readers map so many bytes at least. LMDB tells them with the next commit, which may come
/// after they have mapped less; then they could not read what lies behind. Lost with a crash, not
/// needed before the next start.
pub(super) fn announce(path: &Path, bytes: usize) -> Result<(), StoreError> {
    let file = open(path)?;
    let newest = newest(&file, path)?;
    if long(&newest, MAP_BYTES).is_some_and(|known| known >= bytes as u64) {
        return Ok(());
    }
    for (at, _) in places(&newest).ok_or_else(|| none(path))? {
        file.write_all_at(&(bytes as u64).to_le_bytes(), at + MAP_BYTES as u64)
            .map_err(|e| io("cannot write", path, &e))?;
    }
    Ok(())
}

/// Number of the store a header is of.
pub(super) fn number(header: &[u8]) -> u32 {
    int(header, NUMBER).unwrap_or(0)
}

/// Bytes of a page, as a header says.
pub(super) fn page_bytes(header: &[u8]) -> Option<usize> {
    let size = int(header, FREE_TREE)? as usize;
    let known = size.is_power_of_two() && (PAGE_MIN..=PAGE_MAX).contains(&size);
    known.then_some(size)
}

/// The file has no header that could be used.
pub(super) fn none(path: &Path) -> StoreError {
    damaged(path, "it has no valid header")
}

pub(super) fn damaged(path: &Path, what: &str) -> StoreError {
    let text = "is damaged, restore a backup";
    StoreError::Io(format!("{} {text}: {what}", path.display()))
}

pub(super) fn other_store(path: &Path) -> StoreError {
    let text =
        "is of another store than the checkpoint beside it; a store is copied as a whole folder";
    StoreError::Wrong(format!("{} {text}", path.display()))
}

fn open(path: &Path) -> Result<File, StoreError> {
    let file = File::options().read(true).write(true).open(path);
    file.map_err(|e| io("cannot open", path, &e))
}

/// Where the two headers lie, and how long their pages are.
fn places(header: &[u8]) -> Option<[(u64, usize); 2]> {
    let size = page_bytes(header)?;
    Some([(0, size), (size as u64, size)])
}

/// The header at a place, if it is one of pages of this size.
fn valid(file: &File, at: u64, size: usize) -> Option<Vec<u8>> {
    let header = page(file, at, HEADER_BYTES)?;
    let (kind, magic, version) = (
        short(&header, 10),
        int(&header, HEAD),
        int(&header, HEAD + 4),
    );
    let known = (kind, magic, version) == (Some(KIND), Some(MAGIC), Some(1));
    (known && page_bytes(&header) == Some(size)).then_some(header)
}

/// The transaction that wrote it.
pub(super) fn transaction(header: &[u8]) -> Option<u64> {
    long(header, TRANSACTION)
}

fn put(page: &mut [u8], at: usize, value: &[u8]) {
    if let Some(field) = page.get_mut(at..at + value.len()) {
        field.copy_from_slice(value);
    }
}
