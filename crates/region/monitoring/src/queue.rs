//! Records that wait to be written.
//!
//! What: bodies of records in one piece of memory with a bound, which the writer takes as a whole.
//! Why a lock and no channel: a record costs its bytes and no wake-up; the writer comes by itself.
//! Only the first after the writer took all wakes it, so that it sleeps while there is nothing.
//! Not here: frames, files.

use crate::config::Figures;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use transom_monitoring::Record;

/// Bytes in front of a body: its length.
const LENGTH_BYTES: usize = 4;
/// From so many bytes on the writer does not wait any longer: what it writes at once stays small,
/// and the same two pieces of memory are filled by turns.
const ENOUGH_BYTES: usize = 256 << 10;

pub(crate) struct Queue {
    bytes_max: usize,
    waits: Mutex<Waits>,
    changed: Condvar,
}

#[derive(Default)]
struct Waits {
    bytes: Vec<u8>,
    records: u64,
    refused: u64,
    /// There is something for the writer elsewhere.
    called: bool,
    stopping: bool,
    figures: Figures,
}

impl Waits {
    fn is_nothing(&self) -> bool {
        !self.stopping && !self.called && self.records == 0 && self.refused == 0
    }
}

/// What the writer takes.
#[derive(Default)]
pub(crate) struct Taken {
    pub(crate) bytes: Vec<u8>,
    pub(crate) records: u64,
    /// Records there was no room for.
    pub(crate) refused: u64,
    pub(crate) is_last: bool,
}

impl Taken {
    /// Bodies of records, in their order.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = &self.bytes[..];
        std::iter::from_fn(move || {
            let (length, behind) = rest.split_first_chunk::<LENGTH_BYTES>()?;
            let (body, behind) = behind.split_at_checked(u32::from_be_bytes(*length) as usize)?;
            rest = behind;
            Some(body)
        })
    }
}

impl Queue {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            waits: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waits> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn put(&self, record: &Record) {
        let mut waits = self.lock();
        if waits.is_nothing() {
            self.changed.notify_one();
        }
        let at = waits.bytes.len();
        if !waits.stopping && at < self.bytes_max {
            waits.bytes.extend_from_slice(&[0; LENGTH_BYTES]);
            record.put(&mut waits.bytes);
            let length = (waits.bytes.len() - at - LENGTH_BYTES) as u32;
            waits.bytes[at..at + LENGTH_BYTES].copy_from_slice(&length.to_be_bytes());
        }
        let now = waits.bytes.len();
        if now == at || now > self.bytes_max {
            waits.bytes.truncate(at);
            waits.refused += 1;
            waits.figures.lost += 1;
            waits.figures.times_full += 1;
            return;
        }
        waits.records += 1;
        waits.figures.scheduled += 1;
        waits.figures.queued_bytes_peak = waits.figures.queued_bytes_peak.max(now as u64);
        let enough = self.enough();
        if at < enough && now >= enough {
            self.changed.notify_one();
        }
    }

    /// Bytes at which the writer is called.
    fn enough(&self) -> usize {
        ENOUGH_BYTES.min(self.bytes_max / 2)
    }

    /// Waits until there is something to write, or it is the end.
    pub(crate) fn wait(&self) {
        let waits = self.lock();
        let waited = self.changed.wait_while(waits, |waits| waits.is_nothing());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// The writer has something to do beside the records here.
    pub(crate) fn call(&self) {
        self.lock().called = true;
        self.changed.notify_one();
    }

    /// Waits for so long, or until there is enough or it is the end; takes all of it, and leaves
    /// the memory of what was taken before.
    pub(crate) fn take(&self, every: Duration, before: Taken) -> Taken {
        let mut bytes = before.bytes;
        bytes.clear();
        bytes.shrink_to(2 * ENOUGH_BYTES);
        let waits = self.lock();
        let waiting = |waits: &mut Waits| !waits.stopping && waits.bytes.len() < self.enough();
        let waited = self.changed.wait_timeout_while(waits, every, waiting);
        let (mut waits, _) = waited.unwrap_or_else(PoisonError::into_inner);
        waits.called = false;
        Taken {
            bytes: std::mem::replace(&mut waits.bytes, bytes),
            records: std::mem::take(&mut waits.records),
            refused: std::mem::take(&mut waits.refused),
            is_last: waits.stopping,
        }
    }

    pub(crate) fn stop(&self) {
        self.lock().stopping = true;
        self.changed.notify_one();
    }

    pub(crate) fn written(&self, records: u64) {
        self.lock().figures.written += records;
    }

    pub(crate) fn lost(&self, records: u64) {
        self.lock().figures.lost += records;
    }

    pub(crate) fn figures(&self) -> Figures {
        let waits = self.lock();
        Figures {
            queued_bytes: waits.bytes.len() as u64,
            ..waits.figures
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_monitoring::field;

    #[test]
    fn what_there_is_no_room_for_is_counted_and_nobody_waits() {
        let queue = Queue::new(200);
        let mut record = Record::default();
        record.set_text(field::OUSERCOR, &[b'x'; 64]);
        for _ in 0..10 {
            queue.put(&record);
        }
        let taken = queue.take(Duration::from_secs(3600), Taken::default());
        assert_eq!((taken.records, taken.refused), (2, 8));
        assert_eq!(taken.bodies().count(), 2);
        queue.put(&record);
        queue.written(2);
        let figures = queue.figures();
        assert_eq!(
            (figures.written, figures.lost, figures.times_full),
            (2, 8, 8)
        );
        assert!(figures.queued_bytes > 0 && figures.queued_bytes < figures.queued_bytes_peak);
        queue.stop();
        queue.put(&record);
        let last = queue.take(Duration::from_secs(3600), Taken::default());
        assert_eq!((last.records, last.refused, last.is_last), (1, 1, true));
    }

    #[test]
    fn the_writer_sleeps_until_there_is_something() {
        let queue = Queue::new(200);
        let wakes: [&(dyn Fn() + Sync); 3] =
            [&|| queue.put(&Record::default()), &|| queue.call(), &|| {
                queue.stop()
            }];
        for wake in wakes {
            std::thread::scope(|scope| {
                let sleeps = scope.spawn(|| queue.wait());
                std::thread::sleep(Duration::from_millis(20));
                assert!(!sleeps.is_finished());
                wake();
            });
            queue.take(Duration::ZERO, Taken::default());
        }
    }
}
