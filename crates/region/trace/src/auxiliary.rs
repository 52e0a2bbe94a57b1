//! The thread that takes entries from the rings of workers to the data set in use.
//!
//! Why a thread that looks every few milliseconds: workers then store an entry and nothing else. A
//! worker whose ring is full waits a little for this thread; what is overwritten all the same is
//! counted and stands in the data set. Not here: when it runs (`service`).

use crate::data_sets::DataSets;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use transom_messages::{Operator, mn};
use transom_trace::{Entry, Rings, file};
use transom_wire::system::Switching;

/// Between two looks at the rings.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The data sets, and how far each ring has been taken.
pub(crate) struct Writer {
    pub(crate) rings: Arc<dyn Rings>,
    pub(crate) operator: Operator,
    pub(crate) shared: Arc<Shared>,
}

/// What the writer and who commands it share.
pub(crate) struct Shared {
    pub(crate) end: AtomicBool,
    /// It stopped by itself: the data set is full, or cannot be written.
    pub(crate) stopped: AtomicBool,
    state: Mutex<State>,
}

/// What is written where.
pub(crate) struct State {
    pub(crate) data_sets: DataSets,
    pub(crate) switching: Switching,
    /// The newest entry taken of each ring.
    taken: HashMap<usize, u64>,
    out: Vec<u8>,
}

impl Shared {
    pub(crate) fn new(data_sets: DataSets, switching: Switching) -> Self {
        Self {
            end: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            state: Mutex::new(State {
                data_sets,
                switching,
                taken: HashMap::new(),
                out: Vec::new(),
            }),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writer {
    /// Runs until it is ended, or there is no place for more.
    pub(crate) fn run(self) {
        while !self.shared.end.load(SeqCst) {
            if !self.turn() {
                return;
            }
            std::thread::sleep(LOOK_EVERY);
        }
        // What came since the last look.
        self.turn();
    }

    /// Takes what there is; `false`: the trace has stopped.
    fn turn(&self) -> bool {
        let mut state = self.shared.state();
        let taken = state.take(&*self.rings);
        let written = taken.and_then(|()| state.write());
        let path = state.data_sets.path();
        match written {
            Ok(Room::Enough) => true,
            Ok(Room::Switched) => {
                self.operator.tell(mn::trace_switched(path.display()));
                true
            }
            Ok(Room::Full) => {
                self.stop(mn::trace_full(path.display()), &mut state);
                false
            }
            Err(why) => {
                self.stop(mn::trace_not_written(path.display(), &why), &mut state);
                false
            }
        }
    }

    fn stop(&self, message: transom_messages::Message, state: &mut State) {
        self.rings
            .set_flags(self.rings.flags().with_auxiliary(false));
        state.data_sets.close();
        self.shared.stopped.store(true, SeqCst);
        self.operator.tell(message);
    }
}

/// What became of a piece.
enum Room {
    Enough,
    /// It is in the other data set.
    Switched,
    /// There is none.
    Full,
}

impl State {
    /// Entries from now on: what is in the rings is older.
    pub(crate) fn begin(&mut self, rings: &dyn Rings) {
        for ring in 0..rings.count() {
            let newest = rings.newest(ring);
            rings.taken(ring, newest);
            self.taken.insert(ring, newest);
        }
    }

    /// To the other data set, after what these rings have had until now; without rings the trace
    /// does not run.
    pub(crate) fn switch(&mut self, rings: Option<&dyn Rings>) -> io::Result<()> {
        if let Some(rings) = rings {
            self.take(rings)?;
            let full = self.data_sets.is_full(self.out.len());
            if !full && self.data_sets.write(&self.out).is_ok() {
                self.out.clear();
            }
        }
        self.data_sets.switch();
        if rings.is_none() {
            return Ok(());
        }
        self.data_sets.open()?;
        match self.out.is_empty() {
            true => Ok(()),
            // There was no room, or no disk, where it belongs.
            false => self.data_sets.write(&self.out),
        }
    }

    /// Entries that came since the last time, as frames.
    fn take(&mut self, rings: &dyn Rings) -> io::Result<()> {
        self.out.clear();
        let mut entries: Vec<Entry> = Vec::new();
        for ring in 0..rings.count() {
            let newest = rings.newest(ring);
            let before = self.taken.insert(ring, newest).unwrap_or(newest);
            // A ring of a region that was made anew begins at 1.
            let from = if before > newest { 0 } else { before };
            if from == newest {
                continue;
            }
            let oldest = newest.saturating_sub(rings.length() as u64);
            entries.clear();
            let kept = from.max(oldest) + 1..=newest;
            entries.extend(kept.filter_map(|number| rings.entry(ring, number)));
            rings.taken(ring, newest);
            let lost = newest - from - entries.len() as u64;
            let number = u16::try_from(ring + 1).unwrap_or(u16::MAX);
            if lost > 0 {
                file::put_lost(&mut self.out, number, lost);
            }
            file::put_entries(&mut self.out, number, &entries);
        }
        Ok(())
    }

    fn write(&mut self) -> io::Result<Room> {
        if self.out.is_empty() {
            return Ok(Room::Enough);
        }
        let mut room = Room::Enough;
        if self.data_sets.is_full(self.out.len()) {
            match self.switching {
                Switching::No => return Ok(Room::Full),
                Switching::Next => self.switching = Switching::No,
                Switching::All => {}
            }
            self.data_sets.switch();
            self.data_sets.open()?;
            room = Room::Switched;
        }
        self.data_sets.write(&self.out)?;
        Ok(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::TraceConfig;
    use std::sync::atomic::AtomicU64;
    use transom_trace::{Component, Flags, Point};
    use transom_types::{Applid, SysId};

    /// One ring, whose entry of a number is on the line of that number.
    #[derive(Default)]
    struct One(AtomicU64);

    impl Rings for One {
        fn flags(&self) -> Flags {
            Flags(0)
        }

        fn set_flags(&self, _: Flags) {}

        fn count(&self) -> usize {
            1
        }

        fn length(&self) -> usize {
            100
        }

        fn newest(&self, _: usize) -> u64 {
            self.0.load(SeqCst)
        }

        fn entry(&self, _: usize, number: u64) -> Option<Entry> {
            let line = number as u32;
            let entry = Entry::new(Component::EI, Point::CommandEntry);
            Some(Entry { line, ..entry })
        }

        fn taken(&self, _: usize, _: u64) {}
    }

    fn state(bytes_max: u64) -> (tempfile::TempDir, State) {
        let folder = tempfile::tempdir().unwrap();
        let names = (Applid::from_field(b"TEST"), SysId::from_field(b"TEST"));
        let head = TraceConfig::head(names, 0, 0);
        let path = folder.path().to_owned();
        let shared = Shared::new(DataSets::new(path, head, bytes_max), Switching::No);
        (folder, shared.state.into_inner().unwrap())
    }

    #[test]
    fn what_came_before_a_switch_is_in_the_first_data_set() {
        let rings = One::default();
        for (bytes_max, [a, b]) in [(1 << 20, [3, 0]), (1, [0, 3])] {
            let (_folder, mut state) = state(bytes_max);
            state.data_sets.open().unwrap();
            rings.0.store(4, SeqCst);
            state.begin(&rings);
            rings.0.store(7, SeqCst);
            let first = state.data_sets.path();
            state.switch(Some(&rings)).unwrap();
            let entries = |path| {
                let bytes = std::fs::read(path).unwrap();
                let items = file::items(&bytes).into_iter();
                items
                    .filter(|item| matches!(item, file::Item::Entry { .. }))
                    .count()
            };
            let second = state.data_sets.path();
            assert_eq!([entries(first), entries(second)], [a, b], "{bytes_max}");
        }
    }
}
