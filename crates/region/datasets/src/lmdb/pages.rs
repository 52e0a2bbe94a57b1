//! Pages of the data file against their sums: at checkpoints, at the start, in between.
//!
//! What: each checkpoint brings the sums up to date; a start looks at all pages of a file that is
//! not big, `verify` at those of any; while a store is open some are looked at every few seconds,
//! all of them in turn. A page that is not the one that was written last ends the store: who reads
//! it gets an old state. Not here: the file of sums (`sums`).

use super::checkpoint::Checkpoint;
use super::error::io;
use super::header::{self, page_bytes};
use super::owner::first_old;
use super::structure::{Depth, LEAVES_AT_OPEN_MAX};
use super::sums::{NAME, State, Sums};
use super::used::Used;
use std::collections::BTreeSet;
use std::fs::File;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use transom_recovery::StoreError;

/// No page.
const NONE: u64 = u64::MAX;
/// Pages in question that are looked into at a time.
const ASKED_MAX: usize = 1_000;
/// Between two looks, and pages looked at: 64 GiB take two days.
const LOOK_EVERY: Duration = Duration::from_secs(5);
const LOOKED_AT: u64 = 512;

/// The state of a checkpoint with this number.
pub(super) fn state_of(checkpoint: &Checkpoint, number: u64) -> State {
    State {
        header: checkpoint.header.clone(),
        mark: checkpoint.marks[1].number().0,
        number,
    }
}

/// Looks at the pages of a state. Without sums of it there is nothing to say.
pub(super) fn check(
    folder: &Path,
    path: &Path,
    state: &State,
    depth: Depth,
) -> Result<(), StoreError> {
    let Some(sums) = Sums::open(folder, state)? else {
        return Ok(());
    };
    let failed = |e: &std::io::Error| io("cannot read", path, e);
    let data = File::open(path).map_err(|e| io("cannot open", path, &e))?;
    if depth == Depth::AtOpen && is_big(&data) {
        return Ok(());
    }
    let known = Used::of(&data, &state.header);
    // The free pages themselves may be what is wrong.
    let used = match &known {
        Some(used) => used,
        None => &Used::all(&data, &state.header),
    };
    let look = look(&sums, &data, (state, used), (0, u64::MAX));
    match look.map_err(|e| failed(&e))?.1 {
        Some(page) => Err(not_the_last(path, page)),
        None if known.is_none() => Err(header::damaged(path, "its free pages cannot be read")),
        None => Ok(()),
    }
}

/// Refused when the checkpoint is not the last of its store.
pub(super) fn must_be_last(folder: &Path, state: &State) -> Result<(), StoreError> {
    Sums::open(folder, state).map(drop)
}

/// Where the next look begins, and the first page that is not the last.
fn look(
    sums: &Sums,
    data: &File,
    (state, used): (&State, &Used),
    part: (u64, u64),
) -> std::io::Result<(u64, Option<u64>)> {
    let mut asked = BTreeSet::new();
    let size = page_bytes(&state.header).unwrap_or_default();
    let next = sums.compare((data, size), used, part, &mut |page| {
        if asked.len() < ASKED_MAX {
            asked.insert(page);
        }
    })?;
    let old = match asked.is_empty() {
        true => None,
        false => first_old(data, &state.header, &asked),
    };
    Ok((next, old))
}

/// Brings sums up to date. Sums that cannot be written are no reason to stop: then no page is known
/// any more.
fn update(
    sums: &Sums,
    data: &File,
    before: Option<&State>,
    now: &State,
) -> std::io::Result<Option<Used>> {
    match sums.update(data, before, now) {
        Ok(used) => Ok(Some(used)),
        Err(_) => sums.forget().map(|()| None),
    }
}

fn not_the_last(path: &Path, page: u64) -> StoreError {
    let text = format!("page {page} is not the one that was written last, says its sum in {NAME}");
    header::damaged(path, &text)
}

fn is_big(data: &File) -> bool {
    data.metadata().is_ok_and(|m| m.len() > LEAVES_AT_OPEN_MAX)
}

/// The sums of an open store.
pub(super) struct Watch {
    sums: Arc<Sums>,
    /// A page that is not the last, found while the store was open.
    found: Arc<AtomicU64>,
    /// Where the next look begins; [`NONE`]: all pages have been looked at.
    next: Arc<AtomicU64>,
}

impl Watch {
    /// Begins at a checkpoint. A file without sums gets those of all pages, a big one only when it
    /// is `new`: at the start there is no time for it.
    pub(super) fn start(
        folder: &Path,
        data: &File,
        state: &State,
        new: bool,
    ) -> Result<Self, StoreError> {
        let sums = match Sums::open(folder, state)? {
            Some(sums) => sums,
            None => Sums::make(folder)?,
        };
        let watch = Self {
            sums: Arc::new(sums),
            found: Arc::new(AtomicU64::new(NONE)),
            next: Arc::default(),
        };
        if watch.sums.is_empty() && (new || !is_big(data)) {
            let made = update(&watch.sums, data, None, state);
            made.map_err(|e| io("cannot write sums in", folder, &e))?;
        }
        Ok(watch)
    }

    /// For a state that is kept; `before`: the sums are not yet those of this state. Pages that
    /// have all been looked at are looked at once more.
    pub(super) fn of(&self, before: Option<State>, now: State) -> Pages {
        let _ = self.next.compare_exchange(NONE, 0, Relaxed, Relaxed);
        Pages(Some(Work {
            sums: self.sums.clone(),
            found: self.found.clone(),
            next: self.next.clone(),
            before,
            now,
            used: None,
        }))
    }

    /// An error when a page was found that is not the last.
    pub(super) fn sound(&self, path: &Path) -> Result<(), StoreError> {
        match self.found.load(Relaxed) {
            NONE => Ok(()),
            page => Err(not_the_last(path, page)),
        }
    }
}

/// What is done with the pages of a state while it is kept; nothing any more when they cannot be
/// read.
pub(super) struct Pages(Option<Work>);

struct Work {
    sums: Arc<Sums>,
    found: Arc<AtomicU64>,
    next: Arc<AtomicU64>,
    before: Option<State>,
    now: State,
    used: Option<Used>,
}

impl Pages {
    /// Pages that are new get their sums.
    pub(super) fn bring(&mut self, data: &File) -> std::io::Result<()> {
        let Some(work) = &mut self.0 else {
            return Ok(());
        };
        let Some(before) = &work.before else {
            return Ok(());
        };
        // Lost before: they begin again, with all pages where that is soon done.
        let anew = work.sums.is_empty() && !is_big(data);
        let before = Some(before).filter(|_| !anew);
        work.used = update(&work.sums, data, before, &work.now)?;
        Ok(())
    }

    /// How long until the next look; `None`: all pages have been looked at.
    pub(super) fn pause(&self) -> Option<Duration> {
        let work = self.0.as_ref()?;
        let done = work.next.load(Relaxed) == NONE || work.sums.is_empty();
        (!done).then_some(LOOK_EVERY)
    }

    /// Looks at some pages of the disk. What cannot be read is told to whoever needs it.
    pub(super) fn look(&mut self, data: &File) {
        let Some(work) = &mut self.0 else {
            return;
        };
        if work.used.is_none() {
            work.used = Used::of(data, &work.now.header);
        }
        let Some(used) = &work.used else {
            self.0 = None;
            return;
        };
        let begin = work.next.load(Relaxed);
        let size = page_bytes(&work.now.header).unwrap_or_default() as u64;
        // What memory has is not what the disk has.
        let (at, length) = (begin * size, NonZero::new(LOOKED_AT * size));
        let _ = rustix::fs::fadvise(data, at, length, rustix::fs::Advice::DontNeed);
        match look(&work.sums, data, (&work.now, used), (begin, LOOKED_AT)) {
            Ok((next, old)) => {
                let next = Some(next).filter(|next| *next < used.end());
                work.next.store(next.unwrap_or(NONE), Relaxed);
                if let Some(page) = old {
                    work.found.store(page, Relaxed);
                }
            }
            Err(_) => work.next.store(NONE, Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lmdb::checkpoint::CheckpointFile;
    use crate::{LocalOptions, open_local};
    use std::os::unix::fs::FileExt;
    use transom_recovery::{Change, Settings, Units, Upkeep, Wait, Write, wait};

    const PAGE: usize = 4_096;

    /// Writes all records of a store anew.
    fn round(folder: &Path, text: u8) -> Vec<u8> {
        let store = open_local(folder, LocalOptions::default(), Settings::default()).unwrap();
        wait(store.define("file/A")).unwrap();
        let write = |key: u32| Write::new("file/A", key.to_be_bytes(), Change::Put(vec![text; 40]));
        wait(store.write_now(None, (0..4_000).map(write).collect(), Wait::No)).unwrap();
        drop(store);
        std::fs::read(folder.join("data.mdb")).unwrap()
    }

    #[test]
    fn pages_of_an_open_store_are_looked_at_in_turn() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let old = (1..5).fold(Vec::new(), |_, text| round(folder, text));
        let new = round(folder, 9);
        let (file, checkpoint) = CheckpointFile::open(folder).unwrap().unwrap();
        let state = state_of(&checkpoint, file.number());
        let path = folder.join("data.mdb");
        let data = File::options().read(true).write(true).open(&path).unwrap();
        let used = Used::of(&data, &state.header).unwrap();
        let watch = Watch::start(folder, &data, &state, false).unwrap();
        let mut pages = watch.of(None, state.clone());
        for _ in 0..used.end().div_ceil(LOOKED_AT) {
            assert_eq!(pages.pause(), Some(LOOK_EVERY));
            pages.look(&data);
        }
        assert_eq!((pages.pause(), watch.sound(&path)), (None, Ok(())));
        let is_leaf = |bytes: &[u8], page: usize| {
            let own = bytes[page * PAGE..].starts_with(&(page as u64).to_le_bytes());
            own && bytes[page * PAGE + 10] & 2 != 0
        };
        let page = used
            .runs(None, 0)
            .flatten()
            .map(|page| page as usize)
            .find(|page| {
                let range = page * PAGE..(page + 1) * PAGE;
                let there = range.end <= old.len() && old[range.clone()] != new[range];
                there && is_leaf(&old, *page) && is_leaf(&new, *page)
            });
        let page = page.unwrap();
        let at = page * PAGE;
        data.write_all_at(&old[at..at + PAGE], at as u64).unwrap();
        let mut pages = watch.of(None, state);
        while pages.pause().is_some() {
            pages.look(&data);
        }
        let text = watch.sound(&path).unwrap_err().to_string();
        let named = format!("page {page} is not the one that was written last");
        assert!(text.contains(&named), "{text}");
    }
}
