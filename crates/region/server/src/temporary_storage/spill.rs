//! Auxiliary temporary storage on disk: items that shared storage has no room for.
//!
//! What: a file without name that ends with the region, in pieces of [`UNIT`] bytes; items by
//! numbers that never come again, each of one queue, under whose name alone it is found: a number
//! comes from memory where programs can store. A reader keeps its item: the place is free when the
//! last one is done. Why a file of its own: nothing here is recoverable, so no write waits for the
//! disk. Not here: which items come (`crate::temporary_storage`).
//!
//! Limit: `QueueConfig::auxiliary_bytes_max`; beyond it WRITEQ TS raises NOSPACE when shared
//! storage is full too. The file is at most twice as long: free places have lengths, and lie
//! between others. The token of an item whose task was killed between two steps of its WRITEQ is
//! freed with the region.

use crate::replier::lock;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use transom_region_monitoring::Gauge;

/// Bytes an item takes at least.
const UNIT: u64 = 4_096;
/// Units of the longest item.
const UNITS_MAX: usize = 9;
/// Bytes of auxiliary storage on disk when nothing else is said.
pub(crate) const AUXILIARY_BYTES_MAX: u64 = 4 << 30;

/// The items.
pub(crate) struct Spill {
    folder: PathBuf,
    bytes_max: u64,
    space: Mutex<Option<Arc<Space>>>,
    items: Mutex<HashMap<u64, Arc<Extent>>>,
    last: AtomicU64,
    /// Bytes on disk.
    bytes: Arc<Gauge>,
}

struct Space {
    file: File,
    places: Mutex<Places>,
}

/// Units in use end at `end`; free places by their number of units.
#[derive(Default)]
struct Places {
    end: u64,
    free: [Vec<u64>; UNITS_MAX + 1],
}

/// An item's place; free when nobody reads it any more.
struct Extent {
    queue: Vec<u8>,
    space: Arc<Space>,
    at: u64,
    units: usize,
    bytes: usize,
    counted: Arc<Gauge>,
}

impl Drop for Extent {
    fn drop(&mut self) {
        lock(&self.space.places).give(self.at, self.units);
        self.counted.take(self.units as u64 * UNIT);
    }
}

impl Spill {
    /// Where the file lies, and how long it may become.
    pub(super) fn new(folder: Option<&Path>, bytes_max: u64) -> Self {
        Self {
            folder: folder.map_or_else(std::env::temp_dir, Path::to_path_buf),
            bytes_max,
            space: Mutex::default(),
            items: Mutex::default(),
            last: AtomicU64::new(0),
            bytes: Arc::default(),
        }
    }

    /// Bytes on disk, the most there were, times the limit was reached; the limit.
    pub(crate) fn figures(&self) -> ((u64, u64, u64), u64) {
        (self.bytes.figures(), self.bytes_max)
    }

    /// Stores an item; answers its number, `None` when the limit is reached. May wait for the file.
    pub(crate) fn put(&self, queue: &[u8], data: &[u8]) -> io::Result<Option<u64>> {
        let units = data.len().div_ceil(UNIT as usize).max(1);
        let limit = self.bytes_max;
        let takes = units as u64 * UNIT;
        if units > UNITS_MAX || !self.bytes.add(takes, limit) {
            return Ok(None);
        }
        let space = self.space().inspect_err(|_| self.bytes.take(takes))?;
        let Some(at) = lock(&space.places).take(units, 2 * (limit / UNIT)) else {
            self.bytes.take(takes);
            self.bytes.refused();
            return Ok(None);
        };
        let extent = Extent {
            queue: queue.to_vec(),
            at,
            units,
            bytes: data.len(),
            counted: self.bytes.clone(),
            space,
        };
        // A failure gives place and bytes back.
        extent.space.file.write_all_at(data, at * UNIT)?;
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        lock(&self.items).insert(number, Arc::new(extent));
        Ok(Some(number))
    }

    /// An item of a queue; `None`: it is gone. May wait for the file.
    pub(crate) fn get(&self, queue: &[u8], number: u64) -> io::Result<Option<Vec<u8>>> {
        let found = lock(&self.items).get(&number).cloned();
        let Some(extent) = found.filter(|extent| extent.queue == queue) else {
            return Ok(None);
        };
        let mut data = vec![0; extent.bytes];
        extent
            .space
            .file
            .read_exact_at(&mut data, extent.at * UNIT)?;
        Ok(Some(data))
    }

    /// The item of a queue is gone.
    pub(crate) fn free(&self, queue: &[u8], number: u64) {
        let mut items = lock(&self.items);
        let is_its = items.get(&number).is_some_and(|e| e.queue == queue);
        let extent = is_its.then(|| items.remove(&number)).flatten();
        drop(items);
        drop(extent);
    }

    fn space(&self) -> io::Result<Arc<Space>> {
        let mut space = lock(&self.space);
        if let Some(space) = &*space {
            return Ok(space.clone());
        }
        let made = Arc::new(Space {
            file: nameless(&self.folder)?,
            places: Mutex::default(),
        });
        *space = Some(made.clone());
        Ok(made)
    }
}

impl Places {
    /// A place of so many units; none when the file would have more than `most`.
    fn take(&mut self, units: usize, most: u64) -> Option<u64> {
        let found = self.take_free(units);
        found.or_else(|| self.take_end(units, most)).or_else(|| {
            // Places of other lengths may lie side by side.
            self.join();
            self.take_free(units).or_else(|| self.take_end(units, most))
        })
    }

    fn take_end(&mut self, units: usize, most: u64) -> Option<u64> {
        let end = self.end + units as u64;
        (end <= most).then(|| std::mem::replace(&mut self.end, end))
    }

    fn take_free(&mut self, units: usize) -> Option<u64> {
        for size in units..=UNITS_MAX {
            let Some(at) = self.free.get_mut(size).and_then(Vec::pop) else {
                continue;
            };
            self.give(at + units as u64, size - units);
            return Some(at);
        }
        None
    }

    fn give(&mut self, at: u64, units: usize) {
        match self.free.get_mut(units) {
            Some(free) if units > 0 => free.push(at),
            _ => {}
        }
    }

    /// Makes free places as long as they can be; those at the end are no part of the file any more.
    fn join(&mut self) {
        let mut all: Vec<(u64, usize)> = Vec::new();
        for (units, free) in self.free.iter_mut().enumerate() {
            all.extend(free.drain(..).map(|at| (at, units)));
        }
        all.sort_unstable();
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for (at, units) in all {
            match runs.last_mut() {
                Some((_, end)) if *end == at => *end += units as u64,
                _ => runs.push((at, at + units as u64)),
            }
        }
        if let Some((at, _)) = runs.pop_if(|(_, end)| *end == self.end) {
            self.end = at;
        }
        for (mut at, end) in runs {
            while at < end {
                let units = (end - at).min(UNITS_MAX as u64);
                self.give(at, units as usize);
                at += units;
            }
        }
    }
}

/// A file that goes away with the process, however it ends.
fn nameless(folder: &Path) -> io::Result<File> {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!(".auxiliary-{}-{number}", std::process::id()));
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const Q: &[u8] = b"QUEUE           ";

    #[test]
    fn places_are_used_again_and_the_limit_holds() {
        let spill = Spill::new(None, 5 * UNIT);
        let put = |bytes: usize, fill: u8| spill.put(Q, &vec![fill; bytes]).unwrap();
        let (one, two) = (put(3 * UNIT as usize, 1).unwrap(), put(10, 2).unwrap());
        assert_eq!(put(UNIT as usize + 1, 3), None, "one unit is left");
        assert_eq!(spill.get(Q, two).unwrap(), Some(vec![2; 10]));
        spill.free(Q, one);
        assert_eq!(spill.get(Q, one).unwrap(), None);
        let (three, four) = (put(20, 3).unwrap(), put(2 * UNIT as usize, 4).unwrap());
        assert_eq!(spill.get(Q, three).unwrap(), Some(vec![3; 20]));
        assert_eq!(
            spill.get(Q, four).unwrap(),
            Some(vec![4; 2 * UNIT as usize])
        );
        assert_eq!(spill.figures(), ((4 * UNIT, 4 * UNIT, 1), 5 * UNIT));
        let space = spill.space().unwrap();
        assert_eq!(lock(&space.places).end, 4, "no place was wasted");
    }

    #[test]
    fn the_file_does_not_grow_for_ever_when_lengths_change() {
        let spill = Spill::new(None, 18 * UNIT);
        for units in [1, 9, 2, 6, 3, 1, 9] {
            let data = vec![units as u8; units * UNIT as usize];
            let put = || spill.put(Q, &data).unwrap();
            let numbers: Vec<u64> = (0..18 / units).map(|_| put().unwrap()).collect();
            assert_eq!(put(), None);
            for number in numbers {
                assert_eq!(spill.get(Q, number).unwrap().as_ref(), Some(&data));
                spill.free(Q, number);
            }
            let file = spill.space().unwrap().file.metadata().unwrap();
            assert!(file.len() <= 36 * UNIT, "{units}: {}", file.len());
        }
    }

    /// A number is found in memory where programs store.
    #[test]
    fn an_item_is_found_under_the_name_of_its_queue_alone() {
        let spill = Spill::new(None, 5 * UNIT);
        let number = spill.put(Q, b"mine").unwrap().unwrap();
        let other = b"OTHER           ";
        assert_eq!(spill.get(other, number).unwrap(), None);
        spill.free(other, number);
        assert_eq!(spill.get(Q, number).unwrap().as_deref(), Some(&b"mine"[..]));
    }
}
