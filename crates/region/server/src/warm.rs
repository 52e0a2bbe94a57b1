//! What an orderly end keeps for the next start: a warm start.
//!
//! What: auxiliary temporary storage and transient data that are not recoverable, places of READQ
//! NEXT and START requests that are not protected. [`WarmStart::keep`] writes them when all tasks
//! have ended, [`WarmStart::open`] takes them up; a region that was killed finds none (an emergency
//! start). Why apart: these things live in memory, no command waits for the disk because of them.
//! Not here: what is recoverable, it lies in the store anyway.
//!
//! Limit: `QueueConfig::kept_bytes_max`; queues beyond it are not kept and counted in a message.

use super::cold::{self, began};
use super::config::StartMode;
use super::interval::Intervals;
use super::kernel::Kernel;
use super::syncpoint::UnitsOfWork;
use super::temporary_storage::Queues;
use super::transient_data::TransientData;
use std::ops::Bound;
use std::sync::Arc;
use transom_messages::{self as messages, Message};
use transom_recovery::{
    Change, Direction, Lock, Match, OwnTables, StoreError, UowStore, Wait, Write,
};
use transom_types::TdQueueName;
use transom_wire::Space;
use transom_wire::definitions::{LastStarts, StartType};
use transom_wire::interval::StartRequest;
use transom_wire::temporary_storage::Header;

/// Bytes written in one piece.
const BATCH_BYTES: usize = 1 << 20;
/// Records written or read in one piece.
const BATCH: usize = 1_000;
/// Bytes a record takes besides its own, about.
const OVERHEAD: u64 = 40;

/// First byte of a key: how the last run ended.
const STATE: u8 = 0;
/// Item of a queue: name, number; number 0 is the header.
const ITEM: u8 = 1;
/// Place of READQ NEXT of a recoverable queue: name.
const CURSOR: u8 = 2;
/// Transient data record: queue, number.
const RECORD: u8 = 3;
/// START request: id.
const START: u8 = 4;
/// When the region last started in each way.
const LASTS: u8 = 5;

/// Record of [`STATE`]: the region runs, or ended otherwise than in order.
const RUNNING: &[u8] = b"R1";
/// Record of [`STATE`]: everything is there for a warm start.
const ORDERLY: &[u8] = b"W1";

/// The service.
pub(crate) struct WarmStart {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) uows: Arc<UnitsOfWork>,
    pub(crate) queues: Arc<Queues>,
    pub(crate) transient: Arc<TransientData>,
    pub(crate) intervals: Arc<Intervals>,
    /// Most bytes an orderly end keeps.
    pub(crate) kept_bytes_max: u64,
    /// START.
    pub(crate) start: StartMode,
}

impl WarmStart {
    /// Writes what a warm start takes up. Call it when no task runs and no worker is left.
    pub(crate) async fn keep(&self) {
        let Some(store) = self.uows.store() else {
            return;
        };
        if !store.caps().durable {
            return;
        }
        let mut keeper = Keeper {
            from: self,
            store: &*store,
            table: self.table(),
            batch: Vec::new(),
            batch_bytes: 0,
            left: self.kept_bytes_max,
            refused: 0,
        };
        match keeper.keep_all().await {
            Ok(()) if keeper.refused == 0 => {}
            Ok(()) => self
                .kernel
                .tell(messages::ts::too_much_to_keep(keeper.refused)),
            Err(error) => self.kernel.tell(messages::ts::next_start_emergency(&error)),
        }
    }

    /// Takes up the last run on the thread that starts the region, before the first task.
    ///
    /// # Errors
    /// The region must not start in the way it was told to.
    pub(crate) fn open_now(&self) -> Result<(), Message> {
        let store = self.uows.store().filter(|store| store.caps().durable);
        let Some(store) = store else {
            began(&self.kernel, StartType::Initial, LastStarts::default());
            return Ok(());
        };
        let region = self.kernel.system.applid;
        let taken = OwnTables::take_over(&store, region.as_str(), &cold::EMPTIED);
        match transom_recovery::wait(taken) {
            Ok(0) => {}
            Ok(records) => self.kernel.tell(messages::ts::taken_over(records)),
            Err(error) => self.kernel.tell(messages::ts::not_taken_over(&error)),
        }
        if self.start != StartMode::Auto {
            let queues = OwnTables::of(store.clone(), region.as_str());
            transom_recovery::wait(cold::clear(&self.kernel, &self.uows, &*queues, self.start))?;
        }
        if let Err(error) = transom_recovery::wait(self.open(&*store)) {
            self.kernel
                .tell(messages::ts::last_run_not_readable(&error));
        }
        Ok(())
    }

    /// Takes up what the last run left, or says that it was killed.
    async fn open(&self, store: &dyn UowStore) -> Result<(), StoreError> {
        let table = self.table();
        store.define(&table).await?;
        let lasts = store.read(None, &table, &[LASTS], Match::Equal, Lock::None);
        let lasts = lasts.await?.and_then(|row| LastStarts::decode(&row.record));
        let mut taken = Taken::default();
        if self.start != StartMode::Auto {
            store.empty(&table).await?;
        }
        let read = taken.read_all(self, store, &table).await;
        let kind = match self.start {
            StartMode::Cold => StartType::Cold,
            StartMode::Initial { .. } => StartType::Initial,
            StartMode::Auto if taken.orderly => StartType::Warm,
            StartMode::Auto if taken.had_a_past || read.is_err() => StartType::Emergency,
            StartMode::Auto => StartType::Initial,
        };
        let lasts = began(&self.kernel, kind, lasts.unwrap_or_default());
        // First empty, then running: a crash between the two leaves a region without a past. Also
        // when not all could be read: it must not come back once more after a later end of whatever
        // kind.
        if taken.had_a_past || read.is_err() {
            store.empty(&table).await?;
        }
        let running = Write::new(&*table, [STATE], Change::Put(RUNNING.to_vec()));
        let lasts = Write::new(&*table, [LASTS], Change::Put(lasts.encode()));
        store
            .write_now(None, vec![running, lasts], Wait::No)
            .await?;
        taken.say(&self.kernel);
        self.intervals.keep_for_recovery(taken.starts);
        read
    }

    /// Regions that share a store keep apart what is their own.
    fn table(&self) -> String {
        format!("warm/{}", self.kernel.system.applid)
    }
}

struct Keeper<'a> {
    from: &'a WarmStart,
    store: &'a dyn UowStore,
    table: String,
    batch: Vec<Write>,
    batch_bytes: usize,
    left: u64,
    refused: usize,
}

impl Keeper<'_> {
    async fn keep_all(&mut self) -> Result<(), StoreError> {
        let from = self.from;
        let shared = from.kernel.shared();
        let mut names = shared.group_names(Space::TsMain);
        names.sort();
        let (all, mut pace) = (names.len(), from.kernel.pace());
        for (done, name) in names.iter().enumerate() {
            self.queue(name).await?;
            if pace.is_due(from.kernel.clock.now()) {
                from.kernel.tell(messages::ts::keeping(done, all));
            }
        }
        for (name, item) in from.queues.cursors() {
            self.put(
                key(CURSOR, name.as_bytes(), None),
                item.to_be_bytes().to_vec(),
            )
            .await?;
        }
        for (name, records) in from.transient.unrecoverable() {
            let bytes = records.iter().map(|record| record.len() as u64 + OVERHEAD);
            if !self.has_room(bytes.sum()) {
                continue;
            }
            for (number, record) in records.into_iter().enumerate() {
                let number = (number as u64).to_be_bytes();
                self.put(key(RECORD, name.as_bytes(), Some(&number)), record)
                    .await?;
            }
        }
        for (id, request) in from.intervals.unprotected() {
            let bytes = request.encode();
            if bytes.len() <= self.store.caps().record_max
                && self.has_room(bytes.len() as u64 + OVERHEAD)
            {
                self.put(key(START, &id.to_be_bytes(), None), bytes).await?;
            }
        }
        self.flush().await?;
        let ended = Write::new(&*self.table, [STATE], Change::Put(ORDERLY.to_vec()));
        self.store.write_now(None, vec![ended], Wait::No).await
    }

    async fn queue(&mut self, name: &[u8]) -> Result<(), StoreError> {
        let mut header = None;
        let shared = self.from.kernel.shared();
        shared.with_group(Space::TsMain, name, &mut |group| {
            header = Header::read(group);
        });
        let Some(header) = header.filter(|header| !header.main) else {
            return Ok(());
        };
        if !self.has_room(header.bytes + OVERHEAD * (u64::from(header.count) + 1)) {
            return Ok(());
        }
        let mut record = Some(header.encode());
        for item in 0..=header.count {
            if item > 0 {
                record = self.from.queues.copy(name, item);
            }
            if let Some(record) = record.take() {
                let key = key(ITEM, name, Some(&item.to_be_bytes()));
                self.put(key, record).await?;
            }
        }
        Ok(())
    }

    fn has_room(&mut self, bytes: u64) -> bool {
        let room = bytes <= self.left;
        if room {
            self.left -= bytes;
        } else {
            self.refused += 1;
        }
        room
    }

    async fn put(&mut self, key: Vec<u8>, record: Vec<u8>) -> Result<(), StoreError> {
        self.batch_bytes += key.len() + record.len();
        self.batch
            .push(Write::new(&*self.table, key, Change::Put(record)));
        if self.batch.len() >= BATCH || self.batch_bytes >= BATCH_BYTES {
            self.flush().await?;
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<(), StoreError> {
        self.batch_bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        self.store.write_now(None, batch, Wait::No).await
    }
}

/// What a warm start found.
#[derive(Default)]
struct Taken {
    had_a_past: bool,
    orderly: bool,
    queues: usize,
    records: usize,
    starts: Vec<(u64, StartRequest)>,
    /// Queues that did not fit into shared storage, or whose definition is another one now.
    lost: usize,
    /// The queue that did not fit.
    skipped: Vec<u8>,
}

impl Taken {
    async fn read_all(
        &mut self,
        to: &WarmStart,
        store: &dyn UowStore,
        table: &str,
    ) -> Result<(), StoreError> {
        let mut after: Option<Vec<u8>> = None;
        let (mut done, mut pace) = (0, to.kernel.pace());
        loop {
            let from = after
                .as_ref()
                .map_or(Bound::Unbounded, |key| Bound::Excluded(&key[..]));
            let rows = store.scan(None, table, from, b"", Direction::Forward, BATCH);
            let rows = rows.await?;
            let Some(last) = rows.last() else {
                return Ok(());
            };
            self.had_a_past = true;
            after = Some(last.key.clone());
            for row in &rows {
                self.row(to, &row.key, &row.record);
            }
            done += rows.len();
            if pace.is_due(to.kernel.clock.now()) {
                to.kernel.tell(messages::ts::taking_up(done));
            }
            if !self.orderly {
                return Ok(());
            }
        }
    }

    fn row(&mut self, to: &WarmStart, key: &[u8], record: &[u8]) {
        let Some((kind, rest)) = key.split_first() else {
            return;
        };
        match *kind {
            STATE => self.orderly = record == ORDERLY,
            _ if !self.orderly => {}
            LASTS => {}
            ITEM => self.item(to, rest, record),
            CURSOR => {
                if let (Ok(name), Ok(item)) = (rest.try_into(), record.try_into()) {
                    let item = u32::from_be_bytes(item);
                    to.queues.set_cursor(name, item);
                }
            }
            RECORD => {
                let name = rest.first_chunk::<4>().copied().unwrap_or_default();
                if to.transient.put_back(TdQueueName::new(name), record) {
                    self.records += 1;
                } else if self.skipped != name {
                    self.skipped = name.to_vec();
                    self.lost += 1;
                }
            }
            START => {
                let id = rest.try_into().map(u64::from_be_bytes);
                match (id, StartRequest::read(record)) {
                    (Ok(id), Some(request)) => self.starts.push((id, request)),
                    _ => self.lost += 1,
                }
            }
            _ => self.lost += 1,
        }
    }

    fn item(&mut self, to: &WarmStart, rest: &[u8], record: &[u8]) {
        let Some((name, item)) = rest.split_last_chunk::<4>() else {
            return;
        };
        if self.skipped == name {
            return;
        }
        let item = u32::from_be_bytes(*item);
        let mut stored = false;
        if item > 0 {
            stored = to.queues.put_back(name, item, record);
        } else {
            let shared = to.kernel.shared();
            shared.with_group(Space::TsMain, name, &mut |group| {
                stored = group.put(0, record);
            });
        }
        if !stored {
            to.queues.drop_queue(name);
            self.skipped = name.to_vec();
            self.lost += 1;
            self.queues = self.queues.saturating_sub(usize::from(item > 0));
        } else if item == 0 {
            self.queues += 1;
        }
    }

    fn say(&self, kernel: &Kernel) {
        if self.orderly {
            kernel.tell(messages::ts::warm_start(
                self.queues,
                self.records,
                self.starts.len(),
            ));
        } else if self.had_a_past {
            kernel.tell(messages::ts::emergency_start());
        }
        if self.lost > 0 {
            kernel.tell(messages::ts::queues_not_taken_up(self.lost));
        }
    }
}

fn key(kind: u8, name: &[u8], rest: Option<&[u8]>) -> Vec<u8> {
    [&[kind], name, rest.unwrap_or_default()].concat()
}
