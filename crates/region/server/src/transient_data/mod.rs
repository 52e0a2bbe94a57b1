//! Transient data: intrapartition queues with triggers, extrapartition files, internal readers.
//!
//! What: [`answer`] hands a request to the kind of its queue: memory (`memory`), store (`stored`),
//! files (`files`), jobs (`jobs`), log. `trigger` says when a queue starts its task, `ati` starts
//! it. Not here: the commands and the conditions a definition alone decides
//! (`crate::transient_data`).
//!
//! Limit: `QueueConfig::td_memory_bytes_max` bytes in queues that are not recoverable, beyond it
//! NOSPACE.

mod ati;
mod files;
mod jobs;
mod memory;
mod stored;
mod supplied;
mod trigger;

use super::Inner;
use super::config::QueueConfig;
use super::gauge::Gauge;
use super::replier::{Replier, lock};
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use transom_messages::{self as messages, Line, Operator, Severity, Source};
use transom_types::Resp;
use transom_wire::definitions::{TdKind, TdQueueEntry, TdRecovery};
use transom_wire::requests::RegionAnswer;
use transom_wire::transient_data::{Action, Request};
use transom_wire::{Shared, Space};

pub(super) use ati::{not_started, terminal_arrived, trigger_ended};
pub(super) use stored::recover;

/// Most bytes of records in memory when nothing else is said.
pub(crate) const MEMORY_BYTES_MAX: u64 = 64 << 20;

/// State of the service.
#[derive(Default)]
pub(crate) struct TransientData {
    queues: Mutex<HashMap<[u8; 4], Arc<Queue>>>,
    /// Bytes of records in memory.
    bytes: Gauge,
    bytes_max: AtomicU64,
    /// What units of work in progress did to recoverable queues.
    pending: Mutex<stored::Pending>,
    folders: OnceLock<Folders>,
}

#[derive(Default)]
struct Folders {
    files: Option<PathBuf>,
    jobs: Option<PathBuf>,
}

/// What the region keeps for one queue.
#[derive(Default)]
struct Queue {
    trigger: Mutex<trigger::Trigger>,
    /// The table of a recoverable queue is there and its records are counted.
    ready: AtomicBool,
    /// It was said that its terminal takes no task.
    waits_for_terminal: AtomicBool,
    records: Mutex<VecDeque<Vec<u8>>>,
    file: Mutex<files::QueueFile>,
    jobs: Mutex<jobs::Collector>,
}

/// One request.
struct Asked {
    entry: TdQueueEntry,
    queue: Arc<Queue>,
    /// DTIMOUT of the task.
    dtimout: Option<Duration>,
}

impl TransientData {
    /// Installs supplied and own queues.
    pub(super) fn install(&self, config: &QueueConfig, shared: &dyn Shared, operator: &Operator) {
        self.bytes_max
            .store(config.td_memory_bytes_max, Ordering::Relaxed);
        let jobs = config.job_dir.clone();
        let files = config.extrapartition_dir.clone();
        // Set once: a region is configured once.
        let _first = self.folders.set(Folders {
            jobs: jobs.or_else(|| files.as_ref().map(|folder| folder.join("jobs"))),
            files,
        });
        let mut stored = true;
        for entry in supplied::queues().chain(config.td_queues.iter().cloned()) {
            stored &= entry.install(shared);
        }
        for model in &config.ts_models {
            stored &= model.install(shared);
        }
        if !stored {
            operator.tell(messages::sm::shared_full_not_all("queue definition"));
        }
    }

    /// Bytes of records in memory: now, the most there were, times the limit was reached; the
    /// limit.
    pub(super) fn memory_bytes(&self) -> ((u64, u64, u64), u64) {
        (self.bytes.figures(), self.bytes_max.load(Ordering::Relaxed))
    }

    /// `false`: there is no room for so many bytes.
    fn has_room(&self, bytes: usize) -> bool {
        self.bytes
            .add(bytes as u64, self.bytes_max.load(Ordering::Relaxed))
    }

    /// Queues in memory that have records.
    pub(super) fn unrecoverable(&self) -> Vec<([u8; 4], Vec<Vec<u8>>)> {
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
    pub(super) fn put_back(&self, inner: &Inner, name: [u8; 4], record: &[u8]) -> bool {
        let entry = TdQueueEntry::find(inner.pool.shared(), name);
        let is_in_memory = entry
            .is_some_and(|entry| entry.kind == TdKind::Intra && entry.recovery == TdRecovery::No);
        is_in_memory && memory::put_back(inner, &self.queue(name), record)
    }

    fn queue(&self, name: [u8; 4]) -> Arc<Queue> {
        lock(&self.queues).entry(name).or_default().clone()
    }
}

/// Answers a worker.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    let Some(request) = Request::decode(request) else {
        return replier.answer(&RegionAnswer::damaged());
    };
    let Some((asked, action)) = asked(inner, request) else {
        return replier.answer(&RegionAnswer::refused(Resp::QIDERR, 0, ""));
    };
    match (action, asked.entry.kind) {
        (Action::Inquire, _) => {
            replier.answer(&RegionAnswer::with(&lock(&asked.queue.trigger).count));
        }
        (Action::Close, _) => {
            *lock(&asked.queue.file) = files::QueueFile::Closed;
            replier.answer(&RegionAnswer::normal());
        }
        (Action::Write(record), TdKind::Output) => write_file(inner, replier, asked, record),
        (Action::Write(record), TdKind::Log) => {
            to_log(inner, &replier, &asked, &record);
            replier.answer(&RegionAnswer::normal());
        }
        (Action::Write(record), TdKind::Reader) => write_job(inner, replier, &asked, &record),
        (Action::Read { .. }, TdKind::Input) => read_file(inner, replier, asked),
        (action, TdKind::Intra) if asked.entry.recovery == TdRecovery::No => {
            let answer = memory::answer(inner, action, &asked);
            replier.answer(&answer);
        }
        (action, TdKind::Intra) => stored::answer(inner, replier, action, asked),
        _ => replier.answer(&RegionAnswer::refused(Resp::INVREQ, 0, "")),
    }
}

fn asked(inner: &Inner, request: Request) -> Option<(Asked, Action)> {
    let (name, dtimout_ms) = (request.queue, request.dtimout_ms);
    let asked = Asked {
        entry: TdQueueEntry::find(inner.pool.shared(), name)?,
        queue: inner.services.transient.queue(name),
        dtimout: (dtimout_ms > 0).then(|| Duration::from_millis(dtimout_ms)),
    };
    Some((asked, request.action))
}

fn write_file(inner: &Arc<Inner>, replier: Replier, asked: Asked, record: Vec<u8>) {
    let Some(folder) = folders(inner).and_then(|folders| folders.files.clone()) else {
        to_log(inner, &replier, &asked, &record);
        return replier.answer(&RegionAnswer::normal());
    };
    let Asked { entry, queue, .. } = asked;
    blocking(inner, replier, entry, move |entry| {
        let path = files::path(&folder, entry).ok_or_else(bad_name)?;
        lock(&queue.file).write(&path, entry, &record)?;
        Ok(RegionAnswer::normal())
    });
}

fn read_file(inner: &Arc<Inner>, replier: Replier, asked: Asked) {
    let folder = folders(inner).and_then(|folders| folders.files.clone());
    let Asked { entry, queue, .. } = asked;
    blocking(inner, replier, entry, move |entry| {
        let Some(folder) = folder else {
            return Ok(RegionAnswer::refused(Resp::QZERO, 0, ""));
        };
        let path = files::path(&folder, entry).ok_or_else(bad_name)?;
        Ok(match lock(&queue.file).read(&path, entry)? {
            Some(record) => RegionAnswer::with_data(record),
            None => RegionAnswer::refused(Resp::QZERO, 0, ""),
        })
    });
}

fn write_job(inner: &Arc<Inner>, replier: Replier, asked: &Asked, record: &[u8]) {
    let collected = lock(&asked.queue.jobs).add(record);
    let complete = match collected {
        Ok(complete) if complete.is_empty() => return replier.answer(&RegionAnswer::normal()),
        Ok(complete) => complete,
        Err(jobs::Full) => {
            let text = messages::td::job_too_long(asked.entry.text(), jobs::JOB_BYTES_MAX);
            inner.tell(text.clone());
            return replier.answer(&RegionAnswer::refused(Resp::NOSPACE, 0, text));
        }
    };
    let Some(folder) = folders(inner).and_then(|folders| folders.jobs.clone()) else {
        let text = messages::td::no_job_folder(asked.entry.text());
        inner.tell(text.clone());
        return replier.answer(&RegionAnswer::refused(Resp::IOERR, 0, text));
    };
    let region = inner.clone();
    blocking(inner, replier, asked.entry.clone(), move |entry| {
        for job in complete {
            let path = jobs::store(&folder, &job)?;
            region.tell(messages::td::job_stored(entry.text(), path.display()));
        }
        Ok(RegionAnswer::normal())
    });
}

/// Runs file work where it may block; a failure is IOERR with a message.
fn blocking(
    inner: &Arc<Inner>,
    replier: Replier,
    entry: TdQueueEntry,
    work: impl FnOnce(&TdQueueEntry) -> std::io::Result<RegionAnswer> + Send + 'static,
) {
    let region = inner.clone();
    let name = entry.text();
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        let text = messages::ei::no_runtime();
        return replier.answer(&RegionAnswer::refused(Resp::IOERR, 0, text));
    };
    let done = runtime.spawn_blocking(move || work(&entry));
    replier.answer_with(async move {
        let reason = match done.await {
            Ok(Ok(answer)) => return answer,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the work was given up".to_owned(),
        };
        let text = messages::td::not_written(&name, &reason);
        region.tell(text.clone());
        RegionAnswer::refused(Resp::IOERR, 0, text)
    });
}

fn to_log(inner: &Inner, replier: &Replier, asked: &Asked, record: &[u8]) {
    let text = String::from_utf8_lossy(record);
    let text = format!("{} {}", asked.entry.text(), text.trim_end());
    let line = Line::text(Severity::Information, text).of_task(replier.task_number());
    inner.operator.of(Source::Command).tell(line);
}

fn folders(inner: &Inner) -> Option<&Folders> {
    inner.services.transient.folders.get()
}

fn bad_name() -> std::io::Error {
    std::io::Error::other("the name of its data set is not one for a file")
}

/// Installed queues of these kinds.
fn installed(inner: &Inner, wanted: impl Fn(&TdQueueEntry) -> bool) -> Vec<TdQueueEntry> {
    let shared = inner.pool.shared();
    let names = shared.group_names(Space::TransientData);
    let entries = names
        .iter()
        .filter_map(|name| TdQueueEntry::find(shared, name[..].try_into().ok()?));
    entries.filter(wanted).collect()
}
