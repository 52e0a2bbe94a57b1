//! One thread per record file, fed through a bounded queue.
//!
//! What: a line that finds no room, or that the disk does not take, is dropped, counted and told;
//! or, where the operator wants every line (`[audit] when_full`), a request waits for its place
//! before it begins, and the writer tries until the disk takes what it has. Why before it begins:
//! who goes away in the middle of a request has done what he wanted, and leaves a line all the
//! same. Not here: what is in a line.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use transom_messages::{self as messages, Operator};

/// Lines that may wait for the writer.
const QUEUE_LINES: usize = 16_384;
/// A file of this size is renamed to `<name>.1` and begun anew, bytes; where no line may be lost,
/// to the next number that is free.
const FILE_BYTES: u64 = 256 * 1024 * 1024;
/// Bytes written together.
const BATCH: usize = 64 * 1024;
/// Lines are on disk (in the kernel) at most this long after the request.
const FLUSH_TIME: Duration = Duration::from_millis(500);
/// Between two tries of a line the disk does not take.
const AGAIN: Duration = Duration::from_millis(200);
/// The operator is told at most this often that lines are lost.
const TELL_EVERY: Duration = Duration::from_secs(60);

/// What becomes of a line there is no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhenFull {
    /// It is dropped and counted.
    #[default]
    Drop,
    /// Requests wait for room.
    Block,
}

/// A record file that cannot be opened.
#[derive(Debug)]
pub(crate) struct RecordsError {
    /// The file.
    pub file: PathBuf,
    /// The operating system's reason.
    pub reason: io::Error,
}

/// Where an interceptor puts its lines. Clones share the file.
#[derive(Debug, Clone)]
pub(crate) struct Records(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    queue: SyncSender<Message>,
    /// Room in the queue.
    room: Arc<Semaphore>,
    when_full: WhenFull,
    dropped: Arc<AtomicU64>,
    closing: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<()>>>,
    pub(crate) options: super::AuditOptions,
}

/// Room for a line.
#[derive(Debug)]
pub(crate) struct Place(Option<OwnedSemaphorePermit>);

enum Message {
    Line(String, Place),
    Stop,
}

impl Records {
    /// Opens the file for appending and starts its writer.
    pub(crate) fn open(
        file: &Path,
        options: super::AuditOptions,
        when_full: WhenFull,
        operator: &Operator,
    ) -> Result<Self, RecordsError> {
        let failed = |reason| RecordsError {
            file: file.to_owned(),
            reason,
        };
        let dropped = Arc::new(AtomicU64::new(0));
        let mut output = Output::open(file).map_err(failed)?;
        output.keeps_all = when_full == WhenFull::Block;
        let closing = Arc::new(AtomicBool::new(false));
        let mut losses = Losses {
            dropped: dropped.clone(),
            closing: closing.clone(),
            told: 0,
            at: None,
            operator: operator.clone(),
            file: file.to_owned(),
        };
        // Room for the lines that have a place, and for the word to stop.
        let (queue, lines) = sync_channel(QUEUE_LINES + 1);
        let thread = std::thread::Builder::new()
            .name("records".into())
            .spawn(move || write_all(&mut output, &lines, when_full, &mut losses))
            .map_err(failed)?;
        Ok(Self(Arc::new(Shared {
            queue,
            room: Arc::new(Semaphore::new(QUEUE_LINES)),
            when_full,
            dropped,
            closing,
            thread: Mutex::new(Some(thread)),
            options,
        })))
    }

    /// Room for a line of a request that begins: where no line may be lost, waits for it.
    pub(crate) async fn reserve(&self) -> Place {
        match self.0.when_full {
            WhenFull::Drop => Place(None),
            WhenFull::Block => Place(self.0.room.clone().acquire_owned().await.ok()),
        }
    }

    /// Queues a line, or drops and counts it where no room is kept for it and there is none.
    pub(crate) fn put(&self, line: String, place: Place) {
        let room = || self.0.room.clone().try_acquire_owned().ok();
        let place = Place(place.0.or_else(room));
        let has_room = place.0.is_some();
        let line = Message::Line(line, place);
        let queued = has_room && self.0.queue.try_send(line).is_ok();
        if !queued {
            self.0.dropped.fetch_add(1, Relaxed);
        }
    }

    /// Lines lost.
    pub(crate) fn dropped(&self) -> u64 {
        self.0.dropped.load(Relaxed)
    }

    /// Attributes of the interceptor that writes here.
    pub(crate) fn options(&self) -> &super::AuditOptions {
        &self.0.options
    }

    /// Writes what is queued and ends the writer.
    pub(crate) fn close(&self) {
        let thread = self
            .0
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            self.0.closing.store(true, Relaxed);
            thread.thread().unpark();
            let _ = self.0.queue.send(Message::Stop);
            let _ = thread.join();
        }
    }
}

/// What is lost, and what the operator knows of it.
struct Losses {
    dropped: Arc<AtomicU64>,
    /// Nobody waits any longer for what the disk does not take.
    closing: Arc<AtomicBool>,
    told: u64,
    at: Option<Instant>,
    operator: Operator,
    file: PathBuf,
}

impl Losses {
    fn add(&self, lines: usize) {
        self.dropped.fetch_add(lines as u64, Relaxed);
    }

    fn tell(&mut self) {
        let lost = self.dropped.load(Relaxed);
        let lately = self.at.is_some_and(|at| at.elapsed() < TELL_EVERY);
        if lost > self.told && !lately {
            let file = self.file.display();
            self.operator
                .tell(messages::gw::records_lost(lost - self.told, file));
            self.told = lost;
            self.at = Some(Instant::now());
        }
    }
}

fn write_all(
    output: &mut Output,
    lines: &Receiver<Message>,
    when_full: WhenFull,
    losses: &mut Losses,
) {
    let file = losses.file.clone();
    let mut stopping = false;
    while !stopping {
        // A line's place is free when the line is written, or waits with few others.
        match lines.recv_timeout(FLUSH_TIME) {
            Ok(Message::Line(line, _place)) => output.add(&line),
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => stopping = true,
            Err(RecvTimeoutError::Timeout) => output.due = true,
        }
        let mut told = false;
        while let Err(error) = output.write(stopping) {
            if when_full == WhenFull::Drop || losses.closing.load(Relaxed) {
                losses.add(output.forget());
                break;
            }
            if !std::mem::replace(&mut told, true) {
                losses
                    .operator
                    .tell(messages::gw::records_wait(file.display(), &error));
            }
            std::thread::park_timeout(AGAIN);
        }
        if told {
            losses
                .operator
                .tell(messages::gw::records_go_on(file.display()));
        }
        losses.tell();
    }
}

struct Output {
    path: PathBuf,
    file: File,
    size: u64,
    /// Lines that are not written, the first one maybe in part.
    waiting: Vec<u8>,
    /// They are written now, however few they are.
    due: bool,
    /// The last try left a line in part.
    torn: bool,
    /// No file is replaced by a later one.
    keeps_all: bool,
}

impl Output {
    fn open(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let size = file.metadata()?.len();
        Ok(Self {
            path: path.to_owned(),
            file,
            size,
            waiting: Vec::new(),
            due: false,
            torn: false,
            keeps_all: false,
        })
    }

    fn add(&mut self, line: &str) {
        self.waiting.extend_from_slice(line.as_bytes());
        self.waiting.push(b'\n');
    }

    /// Writes what waits, when it is worth it.
    fn write(&mut self, now: bool) -> io::Result<()> {
        if !now && !self.due && self.waiting.len() < BATCH {
            return Ok(());
        }
        if self.size >= FILE_BYTES && !self.torn {
            std::fs::rename(&self.path, self.earlier())?;
            let next = Self::open(&self.path)?;
            (self.file, self.size) = (next.file, next.size);
        }
        while !self.waiting.is_empty() {
            match self.file.write(&self.waiting) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    self.torn = self.waiting.get(written - 1) != Some(&b'\n');
                    self.size += written as u64;
                    self.waiting.drain(..written);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.due = false;
        Ok(())
    }

    /// Name for a file that is long enough.
    fn earlier(&self) -> PathBuf {
        let numbered = |number: u32| {
            let mut name = self.path.clone().into_os_string();
            name.push(format!(".{number}"));
            PathBuf::from(name)
        };
        let mut free = (1..)
            .map(numbered)
            .filter(|path| !self.keeps_all || !path.exists());
        free.next().unwrap_or_else(|| numbered(1))
    }

    /// Gives up what waits; how many lines. Of a line in part the end is kept, so that the next one
    /// begins where a line begins.
    fn forget(&mut self) -> usize {
        let lines = self.waiting.iter().filter(|byte| **byte == b'\n').count();
        self.waiting.clear();
        if self.torn {
            self.waiting.push(b'\n');
        }
        self.due = false;
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interceptors::AuditOptions;

    /// A disk that is full: every write fails.
    fn full() -> Option<Records> {
        let file = Path::new("/dev/full");
        if !file.exists() {
            println!("skipped: there is no /dev/full");
            return None;
        }
        Some(records(file, WhenFull::Drop, &Operator::nobody()))
    }

    fn records(file: &Path, when_full: WhenFull, operator: &Operator) -> Records {
        Records::open(file, AuditOptions::default(), when_full, operator).unwrap()
    }

    #[test]
    fn lines_a_full_disk_does_not_take_are_counted_where_they_may_be_lost() {
        let Some(records) = full() else {
            return;
        };
        (0..10).for_each(|n| records.put(format!("line {n}"), Place(None)));
        records.close();
        assert_eq!(records.dropped(), 10);
    }

    #[test]
    fn where_none_may_be_lost_requests_wait_and_every_line_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("lines");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if !made.is_ok_and(|made| made.success()) {
            println!("skipped: mkfifo cannot be run");
            return;
        }
        // Nobody reads yet: what does not fit into the pipe waits.
        let held = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&pipe)
            .unwrap();
        let records = records(&pipe, WhenFull::Block, &Operator::nobody());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let line = "x".repeat(100);
        let (mut taken, patience) = (0, Duration::from_millis(500));
        let waits = runtime.block_on(async {
            loop {
                match tokio::time::timeout(patience, records.reserve()).await {
                    Ok(place) => records.put(format!("{taken:06} {line}"), place),
                    Err(_) => break true,
                }
                taken += 1;
                if taken > 4 * QUEUE_LINES {
                    break false;
                }
            }
        });
        assert!(waits && taken >= QUEUE_LINES, "{taken}");
        let reader = std::thread::spawn(move || {
            use std::io::{BufRead as _, BufReader};
            let lines = BufReader::new(File::open(&pipe).unwrap()).lines();
            let numbers = lines
                .take(taken + 1)
                .map(|line| line.unwrap()[..6].parse().unwrap());
            numbers.collect::<Vec<usize>>()
        });
        let place = runtime.block_on(records.reserve());
        records.put(format!("{taken:06} {line}"), place);
        records.close();
        assert_eq!(reader.join().unwrap(), (0..=taken).collect::<Vec<_>>());
        assert_eq!(records.dropped(), 0);
        drop(held);
    }

    #[test]
    fn a_line_in_part_stays_a_line_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut output = Output::open(&folder.path().join("lines")).unwrap();
        output.add("one");
        output.torn = true;
        assert_eq!(output.forget(), 1);
        output.add("two");
        output.write(true).unwrap();
        assert_eq!(
            std::fs::read(folder.path().join("lines")).unwrap(),
            b"\ntwo\n"
        );
    }
}
