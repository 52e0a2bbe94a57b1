//! Transient data: intrapartition queues with triggers, extrapartition files, internal readers.
//!
//! What: [`TransientData::answer`] hands a request to the kind of its queue: memory (`memory`),
//! store (`stored`), files, jobs and log (`extrapartition`). `transom_starts` says when a queue
//! starts its task, `ati` starts it. Not here: the commands and the conditions a definition alone
//! decides (`crate::transient_data`).
//!
//! Limit: `QueueConfig::td_memory_bytes_max` bytes in queues that are not recoverable, beyond it
//! NOSPACE.

mod ati;
mod extrapartition;
mod memory;
mod queue;
mod stored;
mod supplied;

use super::kernel::Kernel;
use super::replier::{Replier, lock};
use super::starter::Starter;
use super::syncpoint::UnitsOfWork;
use super::terminal::Terminals;
use queue::{Asked, Pending, Queue};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use transom_region_api::StatisticsGroup;
use transom_region_dispatcher::ByTask;
use transom_region_monitoring::{Gauge, group};
use transom_sequential::extrapartition::QueueFile;
use transom_types::{Resp, TdQueueName};
use transom_wire::definitions::{TdKind, TdQueueEntry, TdRecovery};
use transom_wire::requests::RegionAnswer;
use transom_wire::transient_data::{Action, Request};
use transom_wire::{Shared, Space};

/// The service.
pub(crate) struct TransientData {
    me: Weak<Self>,
    kernel: Arc<Kernel>,
    uows: Arc<UnitsOfWork>,
    starter: Arc<dyn Starter>,
    terminals: Arc<Terminals>,
    folders: Folders,
    queues: Mutex<HashMap<TdQueueName, Arc<Queue>>>,
    /// Bytes of records in memory.
    bytes: Gauge,
    bytes_max: u64,
    /// What units of work in progress did to recoverable queues.
    pending: Mutex<Pending>,
    /// Tasks of triggers: queue and cycle.
    running: Mutex<ByTask<(TdQueueName, u64)>>,
}

/// What was counted of a queue.
#[derive(Debug, Default)]
pub(crate) struct QueueCounts {
    pub(crate) written: u64,
    pub(crate) read: u64,
    pub(crate) deleted: u64,
    pub(crate) triggered: u64,
    pub(crate) records: u64,
}

/// Where queues outside the region lie.
pub(crate) struct Folders {
    /// Extrapartition data sets; `None`: what programs write to them goes to the log.
    pub(crate) files: Option<PathBuf>,
    /// Permissions that output there does not get.
    pub(crate) umask: u32,
    /// Jobs; `None`: `jobs` in the folder above.
    pub(crate) jobs: Option<PathBuf>,
}

/// What transient data stands on.
pub(crate) struct Means {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) uows: Arc<UnitsOfWork>,
    pub(crate) starter: Arc<dyn Starter>,
    pub(crate) terminals: Arc<Terminals>,
}

impl TransientData {
    /// Most bytes of records in memory: `bytes_max`.
    pub(crate) fn new(means: Means, mut folders: Folders, bytes_max: u64) -> Arc<Self> {
        let beside_files = || Some(folders.files.as_ref()?.join("jobs"));
        folders.jobs = folders.jobs.clone().or_else(beside_files);
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            kernel: means.kernel,
            uows: means.uows,
            starter: means.starter,
            terminals: means.terminals,
            folders,
            queues: Mutex::default(),
            bytes: Gauge::default(),
            bytes_max,
            pending: Mutex::default(),
            running: Mutex::default(),
        })
    }

    /// Installs supplied and own queues; `false`: there was no room for all.
    #[must_use]
    pub(crate) fn install(&self, queues: &[TdQueueEntry]) -> bool {
        let mut stored = true;
        for entry in supplied::queues().chain(queues.iter().cloned()) {
            stored &= entry.install(self.kernel.shared());
        }
        stored
    }

    /// Bytes of records in memory.
    pub(crate) fn statistics(&self) -> StatisticsGroup {
        let (now, peak, reached) = self.bytes.figures();
        group(
            "transient data",
            &[
                ("memory_bytes", now),
                ("memory_bytes_peak", peak),
                ("memory_bytes_limit", self.bytes_max),
                ("times_at_memory_bytes_limit", reached),
            ],
        )
    }

    /// Since the region started, with what its trigger started and its records now.
    pub(crate) fn counts(&self, name: TdQueueName) -> QueueCounts {
        let Some(queue) = lock(&self.queues).get(&name).cloned() else {
            return QueueCounts::default();
        };
        let (records, triggered) = queue.trigger_counts();
        QueueCounts {
            written: queue.requests.written.load(Relaxed),
            read: queue.requests.read.load(Relaxed),
            deleted: queue.requests.deleted.load(Relaxed),
            triggered,
            records,
        }
    }

    /// Queues in memory that have records.
    pub(crate) fn unrecoverable(&self) -> Vec<(TdQueueName, Vec<Vec<u8>>)> {
        let mut queues: Vec<_> = lock(&self.queues)
            .iter()
            .map(|(name, queue)| (*name, lock(&queue.records).iter().cloned().collect()))
            .filter(|(_, records): &(_, Vec<_>)| !records.is_empty())
            .collect();
        queues.sort();
        queues
    }

    /// A record of the last run, in order. `false`: the queue is another one now, or there is no
    /// room.
    pub(crate) fn put_back(&self, name: TdQueueName, record: &[u8]) -> bool {
        let entry = TdQueueEntry::find(self.kernel.shared(), name);
        let is_in_memory = entry
            .is_some_and(|entry| entry.kind == TdKind::Intra && entry.recovery == TdRecovery::No);
        is_in_memory && self.put_back_record(&self.queue(name), record)
    }

    fn queue(&self, name: TdQueueName) -> Arc<Queue> {
        lock(&self.queues).entry(name).or_default().clone()
    }

    /// Installed queues of these kinds.
    fn installed(&self, wanted: impl Fn(&TdQueueEntry) -> bool) -> Vec<TdQueueEntry> {
        let shared = self.kernel.shared();
        let names = shared.group_names(Space::TransientData);
        let entries = names
            .iter()
            .filter_map(|name| TdQueueEntry::find(shared, name[..].try_into().ok()?));
        entries.filter(wanted).collect()
    }
}

impl TransientData {
    /// Answers a worker.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        let Some(request) = Request::decode(request) else {
            return replier.answer(&RegionAnswer::damaged());
        };
        let Some((asked, action)) = self.asked(request) else {
            return replier.answer(&RegionAnswer::refused(Resp::QIDERR, 0, ""));
        };
        asked.queue.requests.count(&action);
        match (action, asked.entry.kind) {
            (Action::Inquire, _) => {
                replier.answer(&RegionAnswer::with(&lock(&asked.queue.trigger).count));
            }
            (Action::Close, _) => {
                *lock(&asked.queue.file) = QueueFile::Closed;
                replier.answer(&RegionAnswer::normal());
            }
            (Action::Write(record), TdKind::Output) => self.write_file(replier, asked, record),
            (Action::Write(record), TdKind::Log) => {
                self.write_log(replier.task_number(), &asked, &record);
                replier.answer(&RegionAnswer::normal());
            }
            (Action::Write(record), TdKind::Reader) => self.write_job(replier, &asked, &record),
            (Action::Read { .. }, TdKind::Input) => self.read_file(replier, asked),
            (action, TdKind::Intra) if asked.entry.recovery == TdRecovery::No => {
                let answer = self.answer_memory(action, &asked);
                replier.answer(&answer);
            }
            (action, TdKind::Intra) => self.answer_stored(replier, action, asked),
            _ => replier.answer(&RegionAnswer::refused(Resp::INVREQ, 0, "")),
        }
    }

    fn asked(&self, request: Request) -> Option<(Asked, Action)> {
        let (shared, dtimout_ms) = (self.kernel.shared(), request.dtimout_ms);
        let entry = match request.action {
            Action::Inquire | Action::Close => TdQueueEntry::find(shared, request.queue),
            _ => TdQueueEntry::led_to(shared, request.queue),
        }?;
        let asked = Asked {
            queue: self.queue(entry.name),
            entry,
            dtimout: (dtimout_ms > 0).then(|| Duration::from_millis(dtimout_ms)),
        };
        Some((asked, request.action))
    }
}
