//! Which units of work forward recovery logs have to learn the end of, and whose they have learnt.
//!
//! Why apart: it knows no file, so nothing else is locked behind its locks. Not here: the rows in
//! the store, what is said (`forward`).

use crate::replier::lock;
use std::collections::{HashMap, VecDeque};
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
    /// By task and file, in the unit of work of now: whether its log has a change.
    begun: Mutex<HashMap<(u32, FileName), bool>>,
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
        let mut begun = lock(&self.begun);
        let new = !begun.contains_key(&(task, file));
        begun.entry((task, file)).or_insert(false);
        new
    }

    /// A change goes to the log.
    pub(super) fn writes(&self, task: u32, file: FileName) {
        lock(&self.begun).insert((task, file), true);
    }

    /// The log has a change of its unit of work.
    pub(super) fn has_written(&self, task: u32, file: FileName) -> bool {
        lock(&self.begun)
            .get(&(task, file))
            .copied()
            .unwrap_or(false)
    }

    /// Its unit of work is over; true: the log has a change of it.
    pub(super) fn over(&self, task: u32, file: FileName) -> bool {
        lock(&self.begun).remove(&(task, file)).unwrap_or(false)
    }

    /// An end stands in its log; rows to be deleted now: many of a busy minute are not deleted
    /// while one task waits for its commit.
    pub(super) fn said(&self, now: Instant, key: Vec<u8>) -> Vec<Vec<u8>> {
        let mut said = lock(&self.said);
        said.push_back((now, key));
        let is_due = |(at, _): &&(Instant, Vec<u8>)| now.duration_since(*at) > KEPT;
        let due = said.iter().take(TOGETHER).take_while(is_due).count();
        match due == TOGETHER {
            true => said.drain(..due).map(|(_, key)| key).collect(),
            false => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_region_dispatcher::{Clock as _, SystemClock};

    #[test]
    fn rows_of_a_busy_minute_go_in_pieces() {
        let (ends, begin) = (Ends::default(), SystemClock.now());
        for n in 0..1_000_u32 {
            let young = ends.said(begin, n.to_be_bytes().to_vec());
            assert!(young.is_empty(), "a backup may need it");
        }
        let later = begin + KEPT + Duration::from_secs(1);
        let first = ends.said(later, b"new".to_vec());
        assert_eq!(first.len(), TOGETHER);
        assert_eq!(first[0], 0_u32.to_be_bytes());
        let pieces = (0..9).map(|_| ends.said(later, b"new".to_vec()).len());
        assert_eq!(pieces.sum::<usize>(), 1_000 - TOGETHER);
    }
}
