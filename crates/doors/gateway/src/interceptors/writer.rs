//! One thread per record file, fed through a bounded queue.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Lines that may wait for the writer.
const QUEUE_LINES: usize = 16_384;
/// A file of this size is renamed to `<name>.1` and begun anew, bytes.
const FILE_BYTES: u64 = 256 * 1024 * 1024;
/// Lines are on disk (in the kernel) at most this long after the request.
const FLUSH_TIME: Duration = Duration::from_millis(500);

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
    dropped: AtomicU64,
    thread: Mutex<Option<JoinHandle<()>>>,
    pub(crate) options: super::AuditOptions,
}

enum Message {
    Line(String),
    Stop,
}

impl Records {
    /// Opens the file for appending and starts its writer.
    pub(crate) fn open(file: &Path, options: super::AuditOptions) -> Result<Self, RecordsError> {
        let failed = |reason| RecordsError {
            file: file.to_owned(),
            reason,
        };
        let mut output = Output::open(file).map_err(failed)?;
        let (queue, lines) = sync_channel(QUEUE_LINES);
        let thread = std::thread::Builder::new()
            .name("records".into())
            .spawn(move || output.write_all(&lines))
            .map_err(failed)?;
        Ok(Self(Arc::new(Shared {
            queue,
            dropped: AtomicU64::new(0),
            thread: Mutex::new(Some(thread)),
            options,
        })))
    }

    /// Queues a line, or drops and counts it.
    pub(crate) fn put(&self, line: String) {
        if let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) =
            self.0.queue.try_send(Message::Line(line))
        {
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
            let _ = self.0.queue.send(Message::Stop);
            let _ = thread.join();
        }
    }
}

struct Output {
    path: PathBuf,
    file: BufWriter<File>,
    size: u64,
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
            file: BufWriter::with_capacity(64 * 1024, file),
            size,
        })
    }

    fn write_all(&mut self, lines: &Receiver<Message>) {
        loop {
            match lines.recv_timeout(FLUSH_TIME) {
                Ok(Message::Line(line)) => {
                    // A full disk must not stop the gateway; the next line tries again.
                    let _ = self.put(&line);
                }
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.file.flush();
                }
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let _ = self.file.flush();
    }

    fn put(&mut self, line: &str) -> io::Result<()> {
        if self.size >= FILE_BYTES {
            self.file.flush()?;
            let mut old = self.path.clone().into_os_string();
            old.push(".1");
            std::fs::rename(&self.path, old)?;
            *self = Self::open(&self.path)?;
        }
        self.size += line.len() as u64 + 1;
        self.file.write_all(line.as_bytes())?;
        self.file.write_all(b"\n")
    }
}
