//! Which units of work forward recovery logs have to learn the end of, and whose they have learnt.
//!
//! Why apart: it knows no file, so nothing else is locked behind its locks. Not here: the rows in
//! the store, what is said (`forward`).

use crate::replier::lock;
use std::collections::{HashSet, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use transom_types::FileName;

/// How long a row stays at least.
const KEPT: Duration = Duration::from_secs(60);
/// Rows one write deletes, and that may wait beyond their time.
pub(super) const TOGETHER: usize = 200;

/// Units of work whose end the logs have to learn.
#[derive(Default)]
pub(super) struct Ends {
    /// The table is there.
    defined: AtomicBool,
    /// By task and file, in the unit of work of now.
    begun: Mutex<HashSet<(u32, FileName)>>,
    /// Rows of ends that stand in their logs, the oldest first.
    said: Mutex<VecDeque<(Instant, Vec<u8>)>>,
}

impl Ends {
    /// The table of rows is there.
    pub(super) fn is_defined(&self) -> bool {
        self.defined.load(Relaxed)
    }

    /// From now on it is.
    pub(super) fn is_defined_now(&self) {
        self.defined.store(true, Relaxed);
    }

    /// A task changes a file; true: for the first time in its unit of work.
    pub(super) fn begins(&self, task: u32, file: FileName) -> bool {
        lock(&self.begun).insert((task, file))
    }

    /// Its unit of work is over.
    pub(super) fn over(&self, task: u32, file: FileName) {
        lock(&self.begun).remove(&(task, file));
    }

    /// An end stands in its log; rows to be deleted now.
    pub(super) fn said(&self, now: Instant, key: Vec<u8>) -> Vec<Vec<u8>> {
        let mut said = lock(&self.said);
        said.push_back((now, key));
        let is_due = |(at, _): &&(Instant, Vec<u8>)| now.duration_since(*at) > KEPT;
        let due = said.iter().take_while(is_due).count();
        match due >= TOGETHER {
            true => said.drain(..due).map(|(_, key)| key).collect(),
            false => Vec::new(),
        }
    }
}
