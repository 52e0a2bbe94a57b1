//! Automatic journaling of files, and their forward recovery log.
//!
//! What: records of requests in journal DFHJnn of the file, written as user journals are, without a
//! part of the program. JTYPEID: `RO` read, `RU` read for update, `WU` rewritten, `WA` added, `WD`
//! deleted, `WG` deleted by generic key. The prefix is the file's name (8) and the key in the base;
//! the data is the record, nothing for a delete. Records of a forward recovery log are entries of
//! `formats/journal`: each change as it is done, with its key in the base; then the end of the unit
//! of work, a commit on the device before anything else happens to the task. Why in the region: it
//! alone writes journals. Not here: the files of journals (`journal`), which ends a log has to
//! learn (`forward`), applying a log.

use super::journal::Journals;
use std::sync::Arc;
use transom_journal::{Change, Entry};
use transom_types::{JournalName, Resp, TransId};
use transom_wire::definitions::{FileEntry, FileJournal, Recovery, TaskEntry};
use transom_wire::file_control::{Action, records_of};
use transom_wire::journal::{JournalAction, JournalRequest};
use transom_wire::requests::RegionAnswer;

/// What an open file writes to journals.
#[derive(Clone)]
pub(super) struct Journaling {
    journals: Arc<Journals>,
    /// Definition of the file as it was opened.
    entry: FileEntry,
    journal: Option<JournalName>,
    /// Forward recovery log.
    forward: Option<JournalName>,
}

/// A request as it stands in a journal.
pub(super) struct Image {
    kind: [u8; 2],
    key: Vec<u8>,
    record: Vec<u8>,
}

/// The forward recovery log that a definition names.
pub(super) fn fwdrecov_log(entry: &FileEntry) -> Option<JournalName> {
    numbered(entry.forward_log).filter(|_| entry.recovery == Recovery::All)
}

fn numbered(number: u8) -> Option<JournalName> {
    let text = format!("DFHJ{number:02}");
    (number > 0).then(|| JournalName::from_field(text.as_bytes()))
}

impl Journaling {
    /// `None`: the file has neither.
    pub(super) fn of(
        entry: &FileEntry,
        forward: Option<JournalName>,
        journals: &Arc<Journals>,
    ) -> Option<Self> {
        let wanted =
            entry.journaling & !(FileJournal::SyncReads as u8 | FileJournal::SyncWrites as u8);
        let journal = numbered(entry.journal).filter(|_| wanted != 0);
        (journal.is_some() || forward.is_some()).then(|| Self {
            journals: journals.clone(),
            entry: entry.clone(),
            journal,
            forward,
        })
    }

    /// Its journals.
    pub(super) fn names(&self) -> impl Iterator<Item = JournalName> {
        self.journal.into_iter().chain(self.forward)
    }

    /// The forward recovery log.
    pub(super) fn forward(&self) -> Option<JournalName> {
        self.forward
    }

    /// Opens its journals where that may wait; whether they can be used shows when the file is
    /// opened.
    pub(super) async fn open_journals(self: Arc<Self>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let work = move || {
            for journal in self.names() {
                let _known_then = self.journals.can_write(journal);
            }
        };
        drop(runtime.spawn_blocking(work).await);
    }

    /// Writes what comes before a change is made. The error refuses the change.
    pub(super) async fn before(
        &self,
        task: u32,
        image: Option<&Image>,
    ) -> Result<(), RegionAnswer> {
        let (Some(image), Some(journal)) = (image, self.journal) else {
            return Ok(());
        };
        let what = match image.kind {
            [b'W', b'A'] => FileJournal::AddsBefore,
            _ => FileJournal::Updates,
        };
        if !self.entry.journals(what) {
            return Ok(());
        }
        self.write(task, journal, image, FileJournal::SyncWrites)
            .await
    }

    /// Writes changes to the forward recovery log; false: not all of them are there.
    pub(super) async fn forwards(
        &self,
        task: u32,
        uow: u64,
        image: &Image,
        keys: Vec<Vec<u8>>,
    ) -> bool {
        let Some(log) = self.forward else {
            return true;
        };
        let change = match image.kind {
            [_, b'A'] => Change::Added,
            [_, b'U'] => Change::Updated,
            _ => Change::Deleted,
        };
        for key in &keys {
            let entry = Entry::Changed {
                uow,
                file: *self.entry.name.as_bytes(),
                change,
                key,
                record: &image.record,
            };
            let (kind, prefix, data) = entry.parts();
            if self
                .journals
                .add(task, log, (kind, prefix, data, false))
                .await
                .is_err()
            {
                return false;
            }
        }
        true
    }

    /// Says in the forward recovery log which data set the file is.
    pub(super) fn tie_up(&self, data_set: &str) {
        if let Some(log) = self.forward {
            let entry = Entry::DataSet {
                file: *self.entry.name.as_bytes(),
                name: data_set.as_bytes(),
            };
            // What goes wrong shows when the first change is refused.
            self.journals.write_entry(0, log, &entry, false);
        }
    }

    /// Writes what comes when a request was done. What goes wrong is said to the operator by the
    /// journal.
    pub(super) async fn after(&self, task: u32, image: Option<Image>, answer: &[u8], update: bool) {
        if let Some(image) = image {
            if image.kind == *b"WA"
                && self.entry.journals(FileJournal::AddsAfter)
                && let Some(journal) = self.journal
            {
                let _said = self
                    .write(task, journal, &image, FileJournal::SyncWrites)
                    .await;
            }
            return;
        }
        let (what, kind) = match update {
            true => (FileJournal::ReadUpdates, *b"RU"),
            false => (FileJournal::Reads, *b"RO"),
        };
        let Some(journal) = self.journal.filter(|_| self.entry.journals(what)) else {
            return;
        };
        for found in records_of(answer) {
            let image = Image {
                kind,
                key: found.position.base,
                record: found.record,
            };
            let _said = self
                .write(task, journal, &image, FileJournal::SyncReads)
                .await;
        }
    }

    async fn write(
        &self,
        task: u32,
        journal: JournalName,
        image: &Image,
        sync: FileJournal,
    ) -> Result<(), RegionAnswer> {
        let prefix = [self.entry.name.as_bytes(), image.key.as_slice()].concat();
        let wait = self.entry.journals(sync);
        let record = (image.kind, prefix, image.record.clone(), wait);
        self.journals.add(task, journal, record).await
    }
}

impl Image {
    /// The change a request makes; `None`: it makes none.
    pub(super) fn of(action: &Action) -> Option<Self> {
        let (kind, key, record) = match action {
            Action::Insert(slot, record, _) => {
                let key = slot.map_or(Vec::new(), |slot| slot.to_be_bytes().to_vec());
                (*b"WA", key, record.clone())
            }
            Action::Rewrite(position, record, _) => (*b"WU", position.base.clone(), record.clone()),
            Action::Delete(position, _) => (*b"WD", position.base.clone(), Vec::new()),
            Action::DeleteKey(key, _) => (*b"WD", key.clone(), Vec::new()),
            Action::DeleteGeneric(key, _) => (*b"WG", key.clone(), Vec::new()),
            _ => return None,
        };
        Some(Self { kind, key, record })
    }
}

type Parts = ([u8; 2], Vec<u8>, Vec<u8>, bool);

impl Journals {
    /// The unit of work of a task has ended: its changes in a forward recovery log count, or do
    /// not. True: the log says so.
    pub(super) fn unit_ended(
        &self,
        task: u32,
        log: JournalName,
        uow: u64,
        committed: bool,
    ) -> bool {
        self.write_entry(task, log, &Entry::Ended { uow, committed }, committed)
    }

    /// Writes an entry of a forward recovery log; may wait for the device.
    pub(super) fn write_entry(
        &self,
        task: u32,
        log: JournalName,
        entry: &Entry<'_>,
        wait: bool,
    ) -> bool {
        let (kind, prefix, data) = entry.parts();
        let request = self.request(task, log, (kind, prefix, data, wait));
        self.done(task, &request).resp == Resp::NORMAL
    }

    /// Adds a record; one that is waited for is flushed on a thread that may wait.
    async fn add(
        self: &Arc<Self>,
        task: u32,
        journal: JournalName,
        parts: Parts,
    ) -> Result<(), RegionAnswer> {
        // A journal that is opened is read to its end.
        let wait = parts.3 || !self.is_open(journal);
        let request = self.request(task, journal, parts);
        let answer = match tokio::runtime::Handle::try_current() {
            Ok(runtime) if wait => {
                let service = self.clone();
                let work = runtime.spawn_blocking(move || service.done(task, &request));
                work.await
                    .unwrap_or_else(|_| RegionAnswer::refused(Resp::IOERR, 120, ""))
            }
            _ => self.done(task, &request),
        };
        match answer.resp {
            Resp::NORMAL => Ok(()),
            _ => Err(RegionAnswer::refused(Resp::IOERR, 120, answer.text)),
        }
    }

    fn request(&self, task: u32, journal: JournalName, parts: Parts) -> JournalRequest {
        let running = TaskEntry::find(self.kernel.shared(), task);
        let (kind, prefix, data, wait) = parts;
        JournalRequest {
            journal,
            transid: running.map_or(TransId::BLANK, |task| task.transid),
            what: JournalAction::Write(kind, prefix, data, wait),
        }
    }
}
