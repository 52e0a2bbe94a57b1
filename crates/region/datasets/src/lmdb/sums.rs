//! The file `sums`: a checksum of each page of the last checkpoint, apart from the pages.
//!
//! What: at each checkpoint the pages that are new get their sums, before the checkpoint counts.
//! Why apart: a disk that lost a write, or brings an old page back, has a page that is good in
//! itself; only somebody else can tell that it is not the last one. LMDB never writes over a page
//! of a state that is kept, so a sum holds as long as its page is used, and new pages are those
//! that the state before did not use: the sums of both states are in the file at once. A file of
//! sums of neither says nothing, since an older version has written the store meanwhile. Not here:
//! what is done about a page that is not the last (`pages`).
//!
//! A [`Head`] in 4,096 bytes, then 4 bytes for each page: CRC-32 of what is used of the page, or of
//! all pages of a long record at its first; 0: not known.

use super::error::io;
use super::fields::{BRANCH, LEAF, OVERFLOW, int, long, short};
use super::header::{self, page_bytes};
use super::log::named;
use super::used::Used;
use rustix::fs::{MemfdFlags, memfd_create};
use std::fs::File;
use std::io::{Error, Result as Done};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use transom_language::in_place::take_front;
use transom_language::little::Number;
use transom_language::{append, language};
use transom_recovery::StoreError;

pub(super) const NAME: &str = "sums";
const MAGIC: [u8; 4] = *b"TSUM";
const VERSION: u32 = 1;
const HEAD: u64 = 4_096;
/// Bytes of a [`Head`], and of what its checksum is over.
const HEAD_BYTES: usize = 40;
const SUMMED: usize = HEAD_BYTES - 4;
/// Sums that are read and written together, and their bytes.
const BLOCK: u64 = 1_024;
const SUM: u64 = 4;
/// Pages read at a time.
const PAGES_AT_ONCE: u64 = 64;

language! {
    /// What begins the file.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Head {
        magic: [u8; 4],
        version: Number<u32>,
        /// Mark of the checkpoint before; 0: none.
        before: Number<u64>,
        /// Mark of this one, and its number.
        now: Number<u64>,
        number: Number<u64>,
        /// Number of the store.
        store: Number<u32>,
        /// CRC-32 over all before.
        checksum: Number<u32>,
    }
}

/// A state of the tree, as a checkpoint has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    /// Header of the data file.
    pub(super) header: Vec<u8>,
    /// Mark of the generation behind: chosen for this checkpoint alone.
    pub(super) mark: u64,
    /// Of the checkpoint.
    pub(super) number: u64,
}

/// The file.
pub(super) struct Sums {
    file: File,
}

impl Sums {
    /// Opens the file of a folder; `None`: it has none that is of this state. Refused when the sums
    /// are of a later checkpoint of this store: then the disk has an old one.
    pub(super) fn open(folder: &Path, state: &State) -> Result<Option<Self>, StoreError> {
        let path = folder.join(NAME);
        let Ok(file) = File::options().read(true).write(true).open(path) else {
            return Ok(None);
        };
        let Some(head) = head(&file) else {
            return Ok(None);
        };
        if [head.before.0, head.now.0].contains(&state.mark) {
            return Ok(Some(Self { file }));
        }
        let store = header::number(&state.header);
        match store != 0 && head.store.0 == store && head.number.0 > state.number {
            true => Err(header::damaged(
                &folder.join("checkpoint"),
                "it is older than the file sums beside it; a store is copied as a whole folder",
            )),
            false => Ok(None),
        }
    }

    /// A file that knows no page. Where the disk has no room for one it is in memory: sums are no
    /// reason not to start.
    pub(super) fn make(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(NAME);
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(true);
        let new = named(&path, "new");
        let made = options.open(&new);
        let made = made.and_then(|file| std::fs::rename(&new, &path).map(|()| file));
        let made = made.map_err(|e| io("cannot make", &path, &e));
        let file = match made {
            Err(StoreError::NoSpace(_)) => memfd_create(NAME, MemfdFlags::CLOEXEC)
                .map(File::from)
                .map_err(|e| io("cannot make", &path, &e.into())),
            other => other,
        };
        file.map(|file| Self { file })
    }

    /// Whether it says anything.
    pub(super) fn is_empty(&self) -> bool {
        self.file.metadata().map_or(0, |found| found.len()) < HEAD
    }

    /// Forgets all pages.
    pub(super) fn forget(&self) -> Done<()> {
        self.file.set_len(0)
    }

    /// Brings the sums from one state to the next, in which nothing is written meanwhile; without
    /// one before, of all pages. On the device when this returns. What the new state uses.
    pub(super) fn update(&self, data: &File, before: Option<&State>, now: &State) -> Done<Used> {
        let size = page_bytes(&now.header).ok_or_else(unreadable)?;
        let used = Used::of(data, &now.header).ok_or_else(unreadable)?;
        let old = before.map(|state| Used::of(data, &state.header).ok_or_else(unreadable));
        let old = old.transpose()?;
        let mut head = Head {
            magic: MAGIC,
            version: Number(VERSION),
            before: Number(before.map_or(0, |state| state.mark)),
            now: Number(now.mark),
            number: Number(now.number),
            store: Number(header::number(&now.header)),
            checksum: Number(0),
        };
        head.checksum = Number(sum_of(&head));
        let mut bytes = Vec::with_capacity(HEAD as usize);
        append(&mut bytes, &head);
        bytes.resize(HEAD as usize, 0);
        self.file.write_all_at(&bytes, 0)?;
        let mut blocks = Blocks::new(&self.file);
        for run in used.runs(old.as_ref(), 0) {
            each_sum(data, size, run, &mut |page, pages, sum| {
                blocks.put(page, sum)?;
                (page + 1..page + pages).try_for_each(|rest| blocks.put(rest, 0))
            })?;
        }
        blocks.write()?;
        self.file.sync_data()?;
        Ok(used)
    }

    /// Shows pages from `begin` on that are used and do not have their sums, as long as `show`
    /// answers true and until so many are looked at. Where the next look begins.
    pub(super) fn compare(
        &self,
        (data, size): (&File, usize),
        used: &Used,
        (begin, most): (u64, u64),
        show: &mut dyn FnMut(u64),
    ) -> Done<u64> {
        let mut blocks = Blocks::new(&self.file);
        let (mut next, mut left) = (begin, most);
        for run in used.runs(None, begin) {
            if left == 0 {
                return Ok(next);
            }
            let run = run.start..run.end.min(run.start.saturating_add(left));
            left -= run.end - run.start;
            next = run.end;
            each_sum(data, size, run, &mut |page, pages, sum| {
                let known = blocks.get(page)?;
                if known != 0 && known != sum {
                    show(page);
                }
                next = next.max(page + pages);
                Ok(())
            })?;
        }
        Ok(if left == 0 { next } else { used.end() })
    }
}

fn unreadable() -> Error {
    Error::other("a page of the tree cannot be read")
}

fn head(file: &File) -> Option<Head> {
    let mut bytes = [0; HEAD_BYTES];
    file.read_exact_at(&mut bytes, 0).ok()?;
    let head: Head = take_front(&mut &bytes[..])?;
    let known = head.magic == MAGIC && head.version.0 == VERSION;
    (known && head.checksum.0 == sum_of(&head)).then_some(head)
}

fn sum_of(head: &Head) -> u32 {
    let mut bytes = Vec::with_capacity(HEAD_BYTES);
    append(&mut bytes, head);
    crc32fast::hash(&bytes[..SUMMED])
}

/// Shows the pages of a run with their sums: first page, how many belong together, sum. A long
/// record that goes beyond the run is shown as a whole.
fn each_sum(
    data: &File,
    size: usize,
    run: Range<u64>,
    show: &mut dyn FnMut(u64, u64, u32) -> Done<()>,
) -> Done<()> {
    let mut buffer = Vec::new();
    let mut at = run.start;
    while at < run.end {
        buffer.resize((run.end - at).min(PAGES_AT_ONCE) as usize * size, 0);
        data.read_exact_at(&mut buffer, at * size as u64)?;
        let mut pages = buffer.chunks_exact(size);
        while let Some(page) = pages.next() {
            let held = held(page, at);
            if held == 1 {
                show(at, 1, sum(page))?;
                at += 1;
                continue;
            }
            show(at, held, long_sum(data, size, at..at + held)?)?;
            at += held;
            // Those that were read are passed over, or read again behind a longer record.
            if held > pages.len() as u64 + 1 {
                break;
            }
            pages.by_ref().take(held as usize - 1).for_each(drop);
        }
    }
    Ok(())
}

/// CRC-32 of what is used of a page: what LMDB has left between the places of items and the items
/// is nobody's.
fn sum(page: &[u8]) -> u32 {
    let at = |place| short(page, place).map_or(0, usize::from);
    let (lower, upper) = (at(12), at(14));
    let mut sum = crc32fast::Hasher::new();
    let free = at(10) & usize::from(BRANCH | LEAF) != 0 && lower <= upper && upper <= page.len();
    let (first, last) = if free {
        (lower, upper)
    } else {
        (page.len(), page.len())
    };
    sum.update(&page[..first]);
    sum.update(&page[last..]);
    sum.finalize().max(1)
}

/// Pages that belong together from this one on.
fn held(page: &[u8], number: u64) -> u64 {
    let own = long(page, 0) == Some(number);
    let kind = short(page, 10).unwrap_or(0);
    match own && kind & OVERFLOW != 0 {
        true => u64::from(int(page, 12).unwrap_or(1)).max(1),
        false => 1,
    }
}

fn long_sum(data: &File, size: usize, pages: Range<u64>) -> Done<u32> {
    let mut sum = crc32fast::Hasher::new();
    let mut buffer = vec![0; size];
    for page in pages {
        data.read_exact_at(&mut buffer, page * size as u64)?;
        sum.update(&buffer);
    }
    Ok(sum.finalize().max(1))
}

/// The sums of a file, some at a time.
struct Blocks<'a> {
    file: &'a File,
    bytes: Vec<u8>,
    number: Option<u64>,
    changed: bool,
}

impl<'a> Blocks<'a> {
    fn new(file: &'a File) -> Self {
        Self {
            file,
            bytes: vec![0; (BLOCK * SUM) as usize],
            number: None,
            changed: false,
        }
    }

    fn get(&mut self, page: u64) -> Done<u32> {
        let place = self.place(page)?;
        Ok(int(&self.bytes, place.start).unwrap_or(0))
    }

    fn put(&mut self, page: u64, sum: u32) -> Done<()> {
        let place = self.place(page)?;
        self.bytes[place].copy_from_slice(&sum.to_le_bytes());
        self.changed = true;
        Ok(())
    }

    /// Where the sum of a page is in the block, which is read.
    fn place(&mut self, page: u64) -> Done<Range<usize>> {
        let number = page / BLOCK;
        if self.number != Some(number) {
            self.write()?;
            self.bytes.fill(0);
            let mut there = 0;
            // What is behind the end of the file is not known.
            while there < self.bytes.len() {
                let at = HEAD + number * BLOCK * SUM + there as u64;
                match self.file.read_at(&mut self.bytes[there..], at)? {
                    0 => break,
                    more => there += more,
                }
            }
            self.number = Some(number);
        }
        let place = (page % BLOCK * SUM) as usize;
        Ok(place..place + SUM as usize)
    }

    fn write(&mut self) -> Done<()> {
        if let Some(number) = self.number.filter(|_| self.changed) {
            self.file
                .write_all_at(&self.bytes, HEAD + number * BLOCK * SUM)?;
            self.changed = false;
        }
        Ok(())
    }
}
