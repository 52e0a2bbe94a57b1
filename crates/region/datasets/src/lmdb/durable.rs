//! What makes changes of the tree safe: the log at once, the tree itself at checkpoints.
//!
//! What: each group of changes is flushed to the log and then committed to the tree without a
//! flush, so readers see nothing that could be lost, but for what is too long for the log and
//! changes of tables: they are safe when they are answered. When the log is long enough the tree is
//! flushed in the background and the other log begins. After any end of the process the tree is set
//! back to the last checkpoint and the log is applied again. Why back: what LMDB wrote without
//! flushing is on the disk in any order. Two things make the way back possible: a reader that stays
//! at the checkpoint, so that LMDB uses none of its pages again, and a copy of the header. Not
//! here: what is in a group (`apply`).

use super::checkpoint::{Checkpoint, CheckpointFile};
use super::error::io;
use super::figures::LogFigures;
use super::found::{Found, log_paths};
use super::free::{Since, freed_max};
use super::header;
use super::keeper::{Keeper, Left};
use super::log::{LogFile, Mark, Place, fill};
use super::pages::{Watch, state_of};
use super::readers::Turn;
use super::replay::Replay;
use super::sums::State;
use heed::Env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use transom_recovery::{Batch, StoreError, fail_point};

/// The logs, the checkpoint and what is on its way.
pub(super) struct Durable {
    data: Arc<File>,
    data_path: PathBuf,
    /// Number of the store.
    store: u32,
    /// Bytes of a log after which the other one begins.
    limit: usize,
    logs: [LogFile; 2],
    /// Of the next record.
    next: Place,
    /// Of its generation and of the next one.
    marks: [Mark; 2],
    buffer: Vec<u8>,
    file: CheckpointFile,
    /// Keeps the state of the last checkpoint.
    kept: Keeper,
    /// A checkpoint whose flush is not over, and who began to read before its state was kept.
    pending: Option<(Keeper, Checkpoint, Vec<Turn>)>,
    /// Of an earlier one, for readers that are late.
    left: Left,
    /// Sums of its pages, and the state they are of.
    watch: Watch,
    state: State,
    broken: Option<StoreError>,
    figures: Arc<LogFigures>,
    since: Since,
    /// The last checkpoint has moved on since somebody looked at the pages that are free.
    moved_on: bool,
}

/// Applies what both logs have behind a checkpoint; answers the number that comes next.
fn replay(
    logs: &[LogFile; 2],
    checkpoint: &Checkpoint,
    store: u32,
    replay: &mut Replay<'_>,
) -> Result<u64, StoreError> {
    let Place { generation, number } = checkpoint.next;
    let [mark, later] = checkpoint.marks;
    let mut apply = |writes| replay.take(writes);
    let number = logs[log_of(generation)].replay(mark, store, number, &mut apply)?;
    let number = logs[log_of(generation + 1)].replay(later, store, number, &mut apply)?;
    replay.end().map(|()| number)
}

fn open_logs(folder: &Path, store: u32, fresh: bool) -> Result<[LogFile; 2], StoreError> {
    let [first, second] = log_paths(folder);
    let log = match fresh {
        true => LogFile::open_or_make,
        false => LogFile::open,
    };
    Ok([log(&first, store)?, log(&second, store)?])
}

fn open_data(path: &Path) -> Result<Arc<File>, StoreError> {
    let data = File::options().read(true).write(true).open(path);
    data.map(Arc::new).map_err(|e| io("cannot open", path, &e))
}

/// A store without logs so far: they begin with the first place.
fn first_checkpoint(
    folder: &Path,
    (data, path): (&File, &Path),
    header: Vec<u8>,
) -> Result<(CheckpointFile, Checkpoint), StoreError> {
    data.sync_data().map_err(|e| io("cannot flush", path, &e))?;
    let (generation, number) = (0, 0);
    let checkpoint = Checkpoint {
        header,
        next: Place { generation, number },
        marks: [Mark::fresh(), Mark::fresh()],
    };
    Ok((CheckpointFile::create(folder, &checkpoint)?, checkpoint))
}

impl Durable {
    /// Begins on a tree that was just mapped and not written: applies what the logs have, with
    /// `replayed`, and makes a checkpoint. A checkpoint without its logs is refused: what was
    /// committed after it would be missing.
    pub(super) fn start(
        folder: &Path,
        data_path: PathBuf,
        env: &Env,
        found: Found,
        limit: usize,
        left: Left,
        replayed: &mut Replay<'_>,
    ) -> Result<Self, StoreError> {
        let data = open_data(&data_path)?;
        let fresh = found.is_none();
        let now = header::newest(&data, &data_path)?;
        let store = header::number(&now);
        let logs = open_logs(folder, store, fresh)?;
        let (file, checkpoint) = match found {
            Some(found) => found,
            None => first_checkpoint(folder, (&data, &data_path), now)?,
        };
        let state = state_of(&checkpoint, file.number());
        let watch = Watch::start(folder, &data, &state, fresh)?;
        let kept = Keeper::start(env, data.clone(), watch.of(None, state.clone()))?;
        kept.wait_flushed()?;
        let (mut next, mut marks) = (checkpoint.next, checkpoint.marks);
        if !fresh {
            next.number = replay(&logs, &checkpoint, store, replayed)?;
        }
        // A store that just got its number is written down with it, and its logs begin again when
        // they are of the first format.
        let renumbered = header::number(&checkpoint.header) != store;
        let behind = renumbered || next != checkpoint.next || checkpoint.is_of_version_1();
        if behind {
            // Both logs are in use until the checkpoint below.
            next.generation += 1;
            marks = [marks[1], Mark::fresh()];
        }
        let mut durable = Self {
            since: Since::default().next(kept.transaction()),
            data,
            data_path,
            store,
            limit,
            logs,
            next,
            marks,
            buffer: Vec::new(),
            file,
            kept,
            pending: None,
            left,
            watch,
            state,
            broken: None,
            figures: Arc::default(),
            moved_on: true,
        };
        if behind {
            durable.checkpoint(env)?;
        }
        Ok(durable)
    }

    /// Makes changes safe before the tree shows them; false when they are too many for the log:
    /// then a checkpoint must follow the commit.
    pub(super) fn write<'b>(
        &mut self,
        batches: impl Iterator<Item = &'b Batch>,
    ) -> Result<bool, StoreError> {
        self.sound()?;
        self.moved_on |= self.left.let_go();
        let (number, limit, [mark, _]) = (self.next.number, self.limit, self.marks);
        if !fill(self.store, mark, number, batches, limit, &mut self.buffer)? {
            self.buffer = Vec::new();
            return Ok(false);
        }
        fail_point("log-write-before")?;
        self.logs[log_of(self.next.generation)].append(&self.buffer)?;
        self.next.number += 1;
        fail_point("log-write-after")?;
        Ok(true)
    }

    /// Tables were made, which the next checkpoint makes safe.
    pub(super) fn has_new_tables(&mut self) {
        self.since.new_tables = true;
    }

    /// Before anything is written: the log names tables, and a start must find them.
    pub(super) fn tables_are_safe(&mut self, env: &Env) -> Result<(), StoreError> {
        match self.since.new_tables {
            true => self.checkpoint(env),
            false => Ok(()),
        }
    }

    /// The tree did not take the changes written last.
    pub(super) fn take_back(&mut self) -> Result<(), StoreError> {
        let length = self.buffer.len();
        let taken = self.logs[log_of(self.next.generation)].take_back(length);
        match &taken {
            Ok(()) => self.next.number -= 1,
            Err(error) => self.broken = Some(error.clone()),
        }
        taken
    }

    /// The tree shows the changes. What follows from it must not keep those waiting who wait for
    /// the commit alone: [`Durable::pay`] does it.
    pub(super) fn committed(&mut self) {
        self.since.owes = true;
    }

    /// After a commit, the data of the tree having `net` bytes: begins a checkpoint when the log is
    /// long enough, or too many pages wait for one. Errors of it come with the next write.
    pub(super) fn pay(&mut self, env: &Env, net: u64) {
        if !std::mem::take(&mut self.since.owes) {
            return;
        }
        let used = self.used();
        let file = (&*self.data, &*self.data_path);
        self.since.add(self.buffer.len(), file);
        self.figures.used.store(used as u64, Relaxed);
        self.figures.peak.fetch_max(used as u64, Relaxed);
        let full = used >= self.limit || self.since.freed >= freed_max(net, self.limit);
        let flushed = self.pending.as_ref().and_then(|p| p.0.try_flushed());
        let done = match (flushed, full) {
            (Some(flushed), _) => flushed.and_then(|()| self.replace()),
            (None, true) if self.pending.is_some() => {
                self.figures.waited.fetch_add(1, Relaxed);
                self.finish()
            }
            (None, _) => Ok(()),
        };
        let begun = done.and_then(|()| match full && self.pending.is_none() {
            true => self.begin(env),
            false => Ok(()),
        });
        if let Err(error) = begun {
            self.broken = Some(final_error(error));
        }
    }

    /// Everything is in the tree and on the disk when this returns. The caller has committed what
    /// it wrote. An error is never one after which the store goes on: the tree may show what is not
    /// safe.
    pub(super) fn checkpoint(&mut self, env: &Env) -> Result<(), StoreError> {
        self.sound()?;
        let done = self.finish().and_then(|()| self.begin(env));
        let done = done.and_then(|()| self.finish());
        self.since.new_tables &= done.is_err();
        self.kept_sound(done)
    }

    /// The error after which nothing is written any more.
    pub(super) fn sound(&self) -> Result<(), StoreError> {
        self.watch.sound(&self.data_path)?;
        self.broken.clone().map_or(Ok(()), Err)
    }

    /// Whether a checkpoint would free pages or room of the log.
    pub(super) fn is_behind(&self) -> bool {
        self.used() > 0 || self.since.new_tables || self.pending.is_some()
    }

    /// Ends a checkpoint whose flush is over; whether one is still on its way.
    pub(super) fn settle(&mut self) -> Result<bool, StoreError> {
        self.moved_on |= self.left.let_go();
        let flushed = self.pending.as_ref().map(|p| p.0.try_flushed());
        let done = match flushed {
            None => return Ok(false),
            Some(None) => return Ok(true),
            Some(Some(flushed)) => flushed.and_then(|()| self.replace()),
        };
        self.kept_sound(done).map(|()| false)
    }

    /// Begins a checkpoint unless one is on its way.
    pub(super) fn begin_now(&mut self, env: &Env) -> Result<(), StoreError> {
        match self.pending.is_some() {
            true => Ok(()),
            false => {
                let begun = self.begin(env);
                self.kept_sound(begun)
            }
        }
    }

    /// Whether pages may have become free that nobody has looked at.
    pub(super) fn has_moved_on(&self) -> bool {
        self.moved_on
    }

    /// Somebody has.
    pub(super) fn is_trimmed(&mut self) {
        self.moved_on = false;
    }

    /// The data file, its path, and the transaction of the last checkpoint.
    pub(super) fn data(&self) -> (&File, &Path, u64) {
        (&self.data, &self.data_path, self.kept.transaction())
    }

    fn kept_sound(&mut self, done: Result<(), StoreError>) -> Result<(), StoreError> {
        let done = done.map_err(final_error);
        if let Err(error) = &done {
            self.broken = Some(error.clone());
        }
        done
    }

    /// Its figures.
    pub(super) fn figures(&self) -> Arc<LogFigures> {
        self.figures.clone()
    }

    fn used(&self) -> usize {
        self.logs[log_of(self.next.generation)].used()
    }

    /// Begins a checkpoint of the state committed last, and the other log.
    fn begin(&mut self, env: &Env) -> Result<(), StoreError> {
        fail_point("checkpoint-begin")?;
        let header = header::newest(&self.data, &self.data_path)?;
        let (marks, number) = ([self.marks[1], Mark::fresh()], self.file.number() + 1);
        let next = Place {
            generation: self.next.generation + 1,
            ..self.next
        };
        let checkpoint = Checkpoint {
            header,
            next,
            marks,
        };
        let now = state_of(&checkpoint, number);
        let pages = self.watch.of(Some(self.state.clone()), now);
        let keeper = Keeper::start(env, self.data.clone(), pages)?;
        // From here on whoever begins to read sees the state that was kept, or a later one.
        let before = self.left.reading()?;
        (self.next, self.marks) = (next, marks);
        self.logs[log_of(self.next.generation)].rewind();
        self.figures.used.store(0, Relaxed);
        self.since = self.since.next(keeper.transaction());
        self.pending = Some((keeper, checkpoint, before));
        Ok(())
    }

    /// Waits for the checkpoint on its way.
    fn finish(&mut self) -> Result<(), StoreError> {
        match &self.pending {
            Some((keeper, ..)) => {
                keeper.wait_flushed()?;
                self.replace()
            }
            None => Ok(()),
        }
    }

    /// The flush is over: the new checkpoint counts, and the pages of the old one may be used again
    /// when nobody reads any longer who may see them.
    fn replace(&mut self) -> Result<(), StoreError> {
        if let Some((keeper, checkpoint, before)) = self.pending.take() {
            fail_point("checkpoint-write")?;
            self.file.write(&checkpoint)?;
            self.state = state_of(&checkpoint, self.file.number());
            let old = std::mem::replace(&mut self.kept, keeper);
            self.left.take(old, before);
            self.left.let_go();
            self.moved_on = true;
        }
        Ok(())
    }
}

fn log_of(generation: u64) -> usize {
    usize::from(!generation.is_multiple_of(2))
}

/// After a checkpoint that failed the store must not go on, whatever the reason was.
fn final_error(error: StoreError) -> StoreError {
    match error {
        StoreError::Io(_) | StoreError::Closed => error,
        other => StoreError::Io(format!("checkpoint: {other}")),
    }
}
