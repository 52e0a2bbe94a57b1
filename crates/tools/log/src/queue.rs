//! The thread that writes the log of a process that serves.
//!
//! What: lines wait in a bounded queue, one thread writes them to where they go. A full disk, a
//! closed pipe or a reader that stalls costs lines, never time or life of those who say something;
//! lost lines are counted, and the count is told as soon as lines can be written again. Not here:
//! what lines look like (`render`), and who is told what.

use crate::render::shown;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Most bytes of lines that wait for a reader; what comes beyond it is lost and counted.
const WAITING_MAX: usize = 4 << 20;
/// Most bytes written at once: what a stalled reader leaves half written is small.
const BATCH: usize = 64 << 10;

/// Where lines of a process that serves go. Clones share one queue.
#[derive(Clone, Default)]
pub(crate) struct Log {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// There is a line, or the last one is written.
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Lines that nobody will see, since the last time that was told.
    untold: u64,
    /// All of them.
    lost: u64,
    /// The thread has lines in its hands.
    writing: bool,
}

impl Log {
    /// Starts the thread, which ends with the process. `report` makes the line that says how many
    /// were lost.
    pub(crate) fn start(
        out: impl Write + Send + 'static,
        report: impl Fn(u64) -> Vec<u8> + Send + 'static,
    ) -> io::Result<Self> {
        let log = Self::default();
        let shared = log.shared.clone();
        let thread = std::thread::Builder::new().name("log".to_owned());
        thread.spawn(move || shared.write_all_of_it(out, report))?;
        Ok(log)
    }

    /// Takes a line without its end. Never waits for a reader. What a program or a client says may
    /// be in it: nothing of that steers the operator's terminal or looks like another line.
    pub(crate) fn line(&self, text: &str) {
        self.bytes(shown(text).into_bytes());
    }

    /// Takes a line with its end, as it is.
    pub(crate) fn bytes(&self, line: Vec<u8>) {
        let mut queue = self.shared.lock();
        if queue.bytes + line.len() > WAITING_MAX {
            queue.untold += 1;
            queue.lost += 1;
            return;
        }
        queue.bytes += line.len();
        queue.lines.push_back(line);
        drop(queue);
        self.shared.changed.notify_all();
    }

    /// Lines that nobody could write.
    pub(crate) fn lost(&self) -> u64 {
        self.shared.lock().lost
    }

    /// Waits until everything is written, or as long as a stalled reader is worth.
    pub(crate) fn flush(&self, patience: Duration) {
        let until = Instant::now() + patience;
        let mut queue = self.shared.lock();
        while queue.writing || !queue.lines.is_empty() {
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                return;
            };
            let waited = self.shared.changed.wait_timeout(queue, left);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Events of libraries come whole, one a call.
impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_all_of_it(&self, mut out: impl Write, report: impl Fn(u64) -> Vec<u8>) {
        loop {
            let (batch, lines, lost) = self.next();
            let told = match lost {
                0 => Vec::new(),
                _ => report(lost),
            };
            let written = out
                .write_all(&[told, batch].concat())
                .and_then(|()| out.flush());
            let mut queue = self.lock();
            if written.is_err() {
                queue.untold += lines + lost;
                queue.lost += lines;
            }
            queue.writing = false;
            drop(queue);
            self.changed.notify_all();
        }
    }

    /// Waits for lines; those that fit into one write, their number, and how many were lost before.
    fn next(&self) -> (Vec<u8>, u64, u64) {
        let mut queue = self.lock();
        while queue.lines.is_empty() {
            let waited = self.changed.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
        }
        queue.writing = true;
        let (mut batch, mut lines) = (Vec::new(), 0);
        while let Some(line) = queue.lines.pop_front() {
            batch.extend(&line);
            lines += 1;
            if batch.len() >= BATCH {
                break;
            }
        }
        queue.bytes -= batch.len();
        let lost = std::mem::take(&mut queue.untold);
        (batch, lines, lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Writes when it may, and fails when it must.
    struct Reader {
        may: mpsc::Receiver<bool>,
        seen: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Reader {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.may.recv() {
                Ok(true) => self.seen.lock().unwrap().extend(bytes),
                _ => return Err(io::ErrorKind::StorageFull.into()),
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn log() -> (Log, mpsc::SyncSender<bool>, Arc<Mutex<Vec<u8>>>) {
        let (allow, may) = mpsc::sync_channel(1 << 16);
        let seen = Arc::default();
        let reader = Reader {
            may,
            seen: Arc::clone(&seen),
        };
        let report =
            |lost| format!("{}\n", transom_messages::si::log_lines_lost(lost)).into_bytes();
        (Log::start(reader, report).unwrap(), allow, seen)
    }

    fn text(seen: &Mutex<Vec<u8>>) -> String {
        String::from_utf8(seen.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn lines_that_a_full_disk_took_are_told_when_there_is_room() {
        let (log, allow, seen) = log();
        for may in [false, true] {
            log.line("said");
            allow.send(may).unwrap();
            log.flush(Duration::from_secs(60));
        }
        let seen = text(&seen);
        assert!(seen.starts_with("TXMSI0027W "), "{seen}");
        assert!(seen.ends_with("\nsaid\n"), "{seen}");
        assert_eq!(seen.matches("said\n").count(), 1, "{seen}");
    }

    #[test]
    fn who_says_something_never_waits_for_a_reader() {
        let (log, allow, seen) = log();
        let line = "x".repeat(1000);
        let count = WAITING_MAX / 1001 * 2;
        (0..count).for_each(|_| log.line(&line));
        // Nobody has read anything; the end of the process does not wait for it either.
        log.flush(Duration::from_millis(20));
        (0..count).for_each(|_| allow.send(true).unwrap());
        log.flush(Duration::from_secs(60));
        log.line("and on");
        log.flush(Duration::from_secs(60));
        let seen = text(&seen);
        let lost: usize = seen
            .split("TXMSI0027W ")
            .skip(1)
            .filter_map(|rest| rest.split(' ').find_map(|word| word.parse::<usize>().ok()))
            .sum();
        let there = seen.matches(&line).count();
        assert_eq!(there + lost, count);
        assert!(lost > 0);
    }
}
