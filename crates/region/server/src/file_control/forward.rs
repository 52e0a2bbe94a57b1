//! Forward recovery logs, so that they say of each unit of work what became of it.
//!
//! What: the first change of a unit of work in a file with such a log also writes a row of its own
//! into the store (table [`FORWARD`]), in the unit of work. When its commit stands in the log the
//! row is deleted, with others, a minute later at least. A start says in the log what rows are
//! left: the region died between the commit and the log. Why a minute: a backup that is made
//! meanwhile has the row, and so knows that the unit of work is in it. Not here: the records of
//! changes (`automatic`), applying a log (utilities).

use super::Files;
use super::automatic::{Image, Journaling};
use super::ends::TOGETHER;
use super::journal::Journals;
use std::ops::Bound;
use std::sync::Arc;
use transom_journal::Entry;
use transom_messages::{self as messages, Message};
use transom_recovery::{
    Change, Direction, FORWARD, Outcome, Restored, StoreError, UowId, UowStore, Wait, Write, wait,
};
use transom_types::{AbendCode, FileName, JournalName, Resp};
use transom_wire::requests::RegionAnswer;

impl Files {
    /// A task is about to change a file. With a forward recovery log it answers a list for the keys
    /// of what is changed. The error refuses the change.
    pub(super) async fn will_change(
        self: &Arc<Self>,
        task: u32,
        file: FileName,
        journaling: Option<&Arc<Journaling>>,
    ) -> Result<Option<Vec<Vec<u8>>>, RegionAnswer> {
        let Some(log) = journaling.and_then(|journaling| journaling.forward()) else {
            return Ok(None);
        };
        let refused = |text: String| RegionAnswer::refused(Resp::IOERR, 120, text);
        if !self.journals.can_go_on(log) {
            return Err(refused(
                messages::jc::not_open(log, "has failed").to_string(),
            ));
        }
        if !self.ends.begins(task, file) {
            return Ok(Some(Vec::new()));
        }
        let uow = self.uows.current(task);
        let key = [
            &uow.number.to_be_bytes(),
            self.journals.file_of(log).as_bytes(),
        ]
        .concat();
        let noted = match self.note(uow, &key).await {
            Ok(()) => self.learns(task, file, log, uow, key),
            Err(error) => Err(error),
        };
        match noted {
            Ok(()) => Ok(Some(Vec::new())),
            Err(error) => {
                self.ends.over(task, file);
                Err(refused(messages::rm::not_committed(uow, error).to_string()))
            }
        }
    }

    /// A task has changed records of a file: writes them to its forward recovery log.
    pub(super) async fn changed(
        &self,
        (task, file): (u32, FileName),
        journaling: Option<&Arc<Journaling>>,
        image: Option<&Image>,
        keys: Option<Vec<Vec<u8>>>,
    ) {
        let (Some(journaling), Some(image), Some(keys)) = (journaling, image, keys) else {
            return;
        };
        if keys.is_empty() {
            return;
        }
        let uow = self.uows.current(task).number;
        self.ends.writes(task, file);
        if !journaling.forwards(task, uow, image, keys).await {
            // What the log does not have must not be committed.
            self.starter.purge(task, AbendCode::AKC3, true);
        }
    }

    async fn note(&self, uow: UowId, key: &[u8]) -> Result<(), StoreError> {
        let store = self.uows.store().ok_or(StoreError::Closed)?;
        if !self.ends.is_defined() {
            store.define(FORWARD).await?;
            self.ends.is_defined_now();
        }
        let row = Change::Put(b"committed".to_vec());
        store.stage(uow, FORWARD, key, row, Wait::No).await
    }

    /// The end of the unit of work goes to the log: of a commit before the task goes on.
    fn learns(
        self: &Arc<Self>,
        task: u32,
        file: FileName,
        log: JournalName,
        uow: UowId,
        key: Vec<u8>,
    ) -> Result<(), StoreError> {
        let service = self.clone();
        let committed = move || {
            let written = service.ends.has_written(task, file);
            if !written || service.journals.unit_ended(task, log, uow.number, true) {
                service.said(key);
            }
        };
        let service = self.clone();
        let ended = move |outcome| {
            if service.ends.over(task, file) && outcome == Outcome::Backout {
                service.journals.unit_ended(task, log, uow.number, false);
            }
        };
        let both = self.uows.subscribe_aside(task, committed) && self.uows.subscribe(task, ended);
        match both {
            true => Ok(()),
            false => Err(StoreError::Limit("subscribers of a unit of work")),
        }
    }

    /// On a thread that may wait.
    fn said(&self, key: Vec<u8>) {
        let due = self.ends.said(self.kernel.clock.now(), key);
        if let (false, Some(store)) = (due.is_empty(), self.uows.store()) {
            // What stays is said once more by the next start, which does no harm.
            let _ = wait(forget(&*store, due));
        }
    }

    /// Says in the logs what an earlier run could not, before anything changes. The error is one of
    /// the store.
    pub(crate) fn settle_logs(&self) -> Result<(), Message> {
        let Some(store) = self.uows.store() else {
            return Ok(());
        };
        let failed = |e: StoreError| messages::rm::store_not_opened(&e);
        if let Some(restored) = wait(Restored::read(&*store)).map_err(failed)?
            && restored.open
        {
            // Behind this the logs are of the restored store.
            for file in self.journals.forward_logs() {
                if !self.journals.says(&file, &Entry::Restored) {
                    return Err(messages::jc::not_written(&file, "the region was restored"));
                }
            }
            restored.forget_logs(&*store).map_err(failed)?;
        }
        let rows = wait(left(&*store)).map_err(failed)?;
        let mut said = Vec::new();
        for key in rows {
            let Some((uow, file)) = key.split_first_chunk() else {
                continue;
            };
            let (uow, committed) = (u64::from_be_bytes(*uow), true);
            let file = String::from_utf8_lossy(file);
            if self.journals.says(&file, &Entry::Ended { uow, committed }) {
                said.push(key);
            }
        }
        for keys in said.chunks(TOGETHER) {
            wait(forget(&*store, keys.to_vec())).map_err(failed)?;
        }
        Ok(())
    }
}

async fn forget(store: &dyn UowStore, keys: Vec<Vec<u8>>) -> Result<(), StoreError> {
    let writes = keys
        .into_iter()
        .map(|key| Write::new(FORWARD, key, Change::Erase));
    store.write_now(None, writes.collect(), Wait::No).await
}

/// Keys of all rows.
async fn left(store: &dyn UowStore) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut keys: Vec<Vec<u8>> = Vec::new();
    loop {
        let from = keys
            .last()
            .map_or(Bound::Unbounded, |key| Bound::Excluded(key.clone()));
        let bound = from.as_ref().map(Vec::as_slice);
        let rows = store.scan(None, FORWARD, bound, &[], Direction::Forward, 1_000);
        let rows = match rows.await {
            Err(StoreError::NoTable(_)) => return Ok(keys),
            rows => rows?,
        };
        if rows.is_empty() {
            return Ok(keys);
        }
        keys.extend(rows.into_iter().map(|row| row.key));
    }
}

impl Journals {
    /// Says something in the file of a log, at a start; true: it is on the device.
    fn says(&self, file: &str, entry: &Entry<'_>) -> bool {
        let log = self.of_stream(file);
        log.is_some_and(|log| self.write_entry(0, log, entry, true))
    }
}
