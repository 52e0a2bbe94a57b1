//! Takes records at the price of their bytes, and writes them on a thread of its own.
//!
//! Why so: whoever ends a task never waits for a disk. What the queue has no room for, and what the
//! disk does not take, is lost, counted, told, and said in the stream itself. Not here: what a
//! record says, when one is made.

use crate::beside::Beside;
use crate::config::{Figures, RecorderConfig};
use crate::files::Files;
use crate::queue::{Queue, Taken};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use transom_messages::{Operator, mn};
use transom_monitoring::statistics::Written;
use transom_monitoring::stream::{Begin, Frames};
use transom_monitoring::{FieldId, Record};

/// Memory for a piece that is kept for the next one.
const OUT_BYTES_KEPT: usize = 1 << 20;

/// Takes records.
pub struct Recorder {
    config: RecorderConfig,
    /// How a file begins, and which of its fields records go without.
    begin: (Begin, Vec<FieldId>),
    operator: Operator,
    queue: Arc<Queue>,
    beside: Arc<Beside>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Recorder {
    /// A recorder that has not begun.
    pub fn new(config: RecorderConfig, begin: (Begin, Vec<FieldId>), operator: Operator) -> Self {
        Self {
            queue: Arc::new(Queue::new(config.queue_bytes_max)),
            beside: Arc::new(Beside::new(config.queue_bytes_max)),
            config,
            begin,
            operator,
            thread: Mutex::default(),
        }
    }

    /// Begins to write, if it has not begun yet.
    pub fn start(&self) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_some() {
            return;
        }
        let writer = Writer {
            files: Files::new(self.config.clone()),
            begin: self.begin.clone(),
            operator: self.operator.clone(),
            queue: self.queue.clone(),
            beside: self.beside.clone(),
            frames: Frames::default(),
            out: Vec::new(),
            failing: false,
            lost: 0,
        };
        let every = self.config.flush_every;
        let begun = std::thread::Builder::new()
            .name("monitoring".to_owned())
            .spawn(move || writer.run(every));
        match begun {
            Ok(begun) => *thread = Some(begun),
            Err(why) => self
                .operator
                .tell(mn::not_written(self.config.folder.display(), &why)),
        }
    }

    /// Takes a record; never waits for more than another record that is being taken.
    pub fn record(&self, record: &Record) {
        self.queue.put(record);
    }

    /// Takes a statistics record; it is written behind the records of tasks that wait.
    pub fn statistics(&self, written: Written) {
        self.start();
        self.beside.put(written);
        self.queue.call();
    }

    /// What has become of records.
    pub fn figures(&self) -> Figures {
        self.queue.figures()
    }

    /// Writes what waits, and ends.
    pub fn stop(&self) {
        self.queue.stop();
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = thread.take() {
            // A writer that has panicked has said so itself.
            let _ended = thread.join();
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The thread.
struct Writer {
    files: Files,
    begin: (Begin, Vec<FieldId>),
    operator: Operator,
    queue: Arc<Queue>,
    beside: Arc<Beside>,
    frames: Frames,
    /// The last piece that was written; its memory is used again.
    out: Vec<u8>,
    /// The last piece could not be written.
    failing: bool,
    /// Records lost that the stream does not say yet.
    lost: u64,
}

impl Writer {
    fn run(mut self, every: Duration) {
        let mut taken = Taken::default();
        while !taken.is_last {
            // What was lost is to be said in the stream as soon as it can be written again.
            if self.lost == 0 {
                self.queue.wait();
            }
            taken = self.queue.take(every, taken);
            self.write(&taken);
        }
    }

    fn write(&mut self, taken: &Taken) {
        let beside = self.beside.take();
        self.queue.lost(beside.refused);
        self.lost += taken.refused + beside.refused;
        if taken.records == 0 && self.lost == 0 && beside.records.is_empty() {
            return;
        }
        let before = self.frames;
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        if self.files.begins_next() {
            let (begin, excluded) = &self.begin;
            self.frames.begin(&mut out, begin);
            if !excluded.is_empty() {
                self.frames.excluded(&mut out, excluded);
            }
        }
        if self.lost > 0 {
            self.frames.lost(&mut out, self.lost);
        }
        for body in taken.bodies() {
            self.frames.task(&mut out, body);
        }
        for written in &beside.records {
            self.frames.statistics(&mut out, written);
        }
        let written = self.files.append(&out);
        self.out = out;
        self.out.shrink_to(OUT_BYTES_KEPT);
        match written {
            Ok(()) => {
                self.queue.written(taken.records);
                if self.failing || self.lost > 0 {
                    self.operator.tell(mn::written_again(self.lost));
                }
                (self.failing, self.lost) = (false, 0);
            }
            Err((file, why)) => {
                if !self.failing {
                    self.operator.tell(mn::not_written(file.display(), why));
                }
                self.failing = true;
                self.frames = before;
                let lost = taken.records + beside.records.len() as u64;
                self.lost += lost;
                self.queue.lost(lost);
            }
        }
    }
}
