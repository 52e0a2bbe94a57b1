//! User journals: files that are only added to.
//!
//! What: which journal a name means (JOURNALMODELs), whether it is enabled, and what workers ask.
//! The records are those of `formats/journal`. TYPE(MVS): a
//! file of the journal's own, or with a STREAMNAME without &JNAME one that several journals share;
//! TYPE(SMF): file SMF; TYPE(DUMMY): records go nowhere. Why not in the store: journals are read by
//! other programs and are never backed out. Not here: the commands (`crate::journal`,
//! `crate::inquire::journal`).

mod error;
mod log_stream;

use crate::kernel::Kernel;
use crate::replier::{Replier, lock};
use error::JournalError;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use transom_journal::Record;
use transom_messages as messages;
use transom_monitoring::statistics::{Counted, JOURNAL, Value};
use transom_region_api::StatisticsGroup;
use transom_region_monitoring::{Gauge, group};
use transom_sequential::journal::Stream;
use transom_types::{JournalName, Resp};
use transom_wire::definitions::{JournalKind, JournalModel};
use transom_wire::journal::{JournalAction, JournalChange, JournalRequest, JournalState};
use transom_wire::requests::RegionAnswer;

/// Journals of a region; one more gets JIDERR.
pub(crate) const JOURNALS_MAX: usize = 1_000;
/// Bytes of prefix and data of a record of TYPE(SMF).
const SMF_BYTES_MAX: usize = 32_768 - 400;
/// Begins the names of journals that stand for log streams of the catalog (`log_stream`).
const STREAM: &str = "&LS.";

/// The journals of the region.
pub(crate) struct Journals {
    pub(super) kernel: Arc<Kernel>,
    /// Where they lie; none: there are no journals.
    folder: Option<PathBuf>,
    known: Mutex<HashMap<JournalName, Journal>>,
    open: Mutex<HashMap<String, Arc<Stream>>>,
    /// Held while a file is opened, which reads it: nobody who looks at what is open waits for
    /// that.
    opening: Mutex<()>,
    refused: Gauge,
}

/// A journal somebody has named.
#[derive(Clone)]
struct Journal {
    kind: JournalKind,
    /// Name of its file without `.jnl`.
    file: String,
    enabled: bool,
    /// In this run of the region.
    written: bool,
}

impl Journals {
    pub(crate) fn new(kernel: Arc<Kernel>, folder: Option<PathBuf>) -> Self {
        Self {
            kernel,
            folder,
            known: Mutex::default(),
            open: Mutex::default(),
            opening: Mutex::default(),
            refused: Gauge::default(),
        }
    }

    /// Whether there is, or can be, a journal of this name. The error says why not.
    pub(crate) fn can_write(&self, name: JournalName) -> Result<(), JournalError> {
        let Some(journal) = self.named(name) else {
            return Err(JournalError::Unknown(name));
        };
        match self.stream(&journal) {
            Ok(_) => Ok(()),
            Err(error) => Err(JournalError::NotOpened(name, error)),
        }
    }

    /// Whether a record can be added without waiting for more than that.
    pub(crate) fn is_open(&self, name: JournalName) -> bool {
        let journal = lock(&self.known).get(&name).cloned();
        journal.is_some_and(|journal| {
            journal.kind == JournalKind::Dummy || lock(&self.open).contains_key(&journal.file)
        })
    }

    /// Journals, their files, and what was written.
    pub(crate) fn statistics(&self) -> StatisticsGroup {
        let journals = lock(&self.known).len() as u64;
        let open = lock(&self.open);
        let sum = |of: fn(&Stream) -> u64| open.values().map(|stream| of(stream)).sum();
        group(
            "journals",
            &[
                ("journals", journals),
                ("journals_limit", JOURNALS_MAX as u64),
                ("times_at_journals_limit", self.refused.figures().2),
                ("files", open.len() as u64),
                ("writes", sum(|stream| stream.writes.load(Relaxed))),
                ("flushes", sum(|stream| stream.flushes.load(Relaxed))),
            ],
        )
    }

    /// Statistics records: of all journals somebody has named, or of the one with this name.
    pub(crate) fn counted(&self, of: Option<&[u8]>) -> Vec<Counted> {
        let of = of.map(JournalName::from_field);
        let (known, open) = (lock(&self.known), lock(&self.open));
        let mut names: Vec<_> = known
            .keys()
            .filter(|name| of.is_none_or(|of| of == **name))
            .collect();
        names.sort();
        let counted = |name: &JournalName| {
            let journal = known.get(name)?;
            let stream = open.get(&journal.file);
            let file = stream.map_or_else(Vec::new, |_| journal.file.clone().into_bytes());
            let count = |of: fn(&Stream) -> &AtomicU64| {
                Value::Number(stream.map_or(0, |stream| of(stream).load(Relaxed)))
            };
            let values = vec![
                Value::Text(name.as_str().as_bytes().to_vec()),
                Value::Text(file),
                count(|stream| &stream.writes),
                count(|stream| &stream.flushes),
            ];
            Some(Counted::new(&JOURNAL, values))
        };
        names.into_iter().filter_map(counted).collect()
    }

    /// The journal of a name, known from now on; `None`: the region has no journals, or too many.
    fn named(&self, name: JournalName) -> Option<Journal> {
        self.folder.as_ref()?;
        let mut known = lock(&self.known);
        if let Some(journal) = known.get(&name) {
            return Some(journal.clone());
        }
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@#$".contains(&byte);
        if name.is_blank() || !name.as_str().bytes().all(plain) {
            return None;
        }
        if known.len() >= JOURNALS_MAX {
            self.refused.refused();
            return None;
        }
        let models = JournalModel::all(self.kernel.shared());
        let model = JournalModel::of(&models, name.as_str());
        let journal = Journal {
            kind: model.map_or(JournalKind::Mvs, |model| model.kind),
            file: model.map_or_else(
                || name.as_str().to_owned(),
                |model| model.file(name.as_str()),
            ),
            enabled: true,
            written: false,
        };
        known.insert(name, journal.clone());
        Some(journal)
    }

    /// The file of a journal; `None`: it has none.
    fn stream(&self, journal: &Journal) -> io::Result<Option<Arc<Stream>>> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        if journal.kind == JournalKind::Dummy {
            return Ok(None);
        }
        let found = || lock(&self.open).get(&journal.file).cloned();
        if let Some(stream) = found() {
            return Ok(Some(stream));
        }
        let _one_at_a_time = lock(&self.opening);
        if let Some(stream) = found() {
            return Ok(Some(stream));
        }
        let stream = Arc::new(Stream::open(folder, &journal.file)?);
        lock(&self.open).insert(journal.file.clone(), stream.clone());
        Ok(Some(stream))
    }

    fn change(&self, name: JournalName, change: impl FnOnce(&mut Journal)) {
        if let Some(journal) = lock(&self.known).get_mut(&name) {
            change(journal);
        }
    }
}

impl Journals {
    /// Answers a worker. A journal is written on a thread that may wait for the device.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        let task = replier.task_number();
        let Some(request) = JournalRequest::decode(request) else {
            let text = messages::ei::request_damaged();
            return replier.answer(&RegionAnswer::refused(Resp::INVREQ, 0, text));
        };
        let service = self.clone();
        let work = move || service.done(task, &request);
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => replier.answer_with(async move {
                let done = runtime.spawn_blocking(work).await;
                done.unwrap_or_else(|_| RegionAnswer::refused(Resp::IOERR, 5, ""))
            }),
            Err(_) => replier.answer(&work()),
        }
    }

    /// Does a request; waits for the device when it asks for that.
    pub(crate) fn done(&self, task: u32, request: &JournalRequest) -> RegionAnswer {
        let name = request.journal;
        match &request.what {
            JournalAction::List => return self.list(),
            JournalAction::Inquire => return self.inquire(name),
            // It names a journal and makes none.
            JournalAction::Wait(_) if !lock(&self.known).contains_key(&name) => {
                return unknown(name, 1);
            }
            _ => {}
        }
        let set = matches!(request.what, JournalAction::Set(_));
        let Some(journal) = self.named(name) else {
            return unknown(name, if set { 2 } else { 1 });
        };
        let stream = match self.stream(&journal) {
            Ok(stream) => stream,
            Err(error) => return self.failed(request, &error),
        };
        if let Some(stream) = &stream {
            self.say_cut(&journal.file, stream.cut.swap(0, Relaxed));
        }
        self.act(task, request, &journal, stream)
    }

    /// Does a request to a journal that is there.
    fn act(
        &self,
        task: u32,
        request: &JournalRequest,
        journal: &Journal,
        stream: Option<Arc<Stream>>,
    ) -> RegionAnswer {
        let name = request.journal;
        match &request.what {
            JournalAction::Set(change) => self.set(request, *change, journal, stream),
            _ if !journal.enabled => not_open(name, "is disabled"),
            _ if stream.as_ref().is_some_and(|stream| stream.has_failed()) => {
                not_open(name, "has failed")
            }
            JournalAction::Wait(_) if !journal.written => not_open(name, "was not written yet"),
            JournalAction::Wait(number) => match stream {
                None => RegionAnswer::with_data(number.to_be_bytes().to_vec()),
                Some(stream) if *number > stream.last() => {
                    RegionAnswer::refused(Resp::INVREQ, 3, "")
                }
                Some(stream) => self.answered(request, stream.flush(*number).map(|()| *number)),
            },
            JournalAction::Write(kind, prefix, data, wait) => {
                if journal.kind == JournalKind::Smf && prefix.len() + data.len() > SMF_BYTES_MAX {
                    return RegionAnswer::refused(Resp::LENGERR, 1, "");
                }
                self.change(name, |journal| journal.written = true);
                let Some(stream) = stream else {
                    return RegionAnswer::with_data(1_u32.to_be_bytes().to_vec());
                };
                let number = stream.add(|number| {
                    let record = Record {
                        number,
                        unix_ms: self.kernel.clock.unix_ms(),
                        task,
                        transid: *request.transid.as_bytes(),
                        kind: *kind,
                        prefix,
                        data,
                    };
                    record.body()
                });
                let number = match number {
                    Ok(number) if *wait => stream.flush(number).map(|()| number),
                    written => written,
                };
                self.answered(request, number)
            }
            JournalAction::List | JournalAction::Inquire => RegionAnswer::normal(),
        }
    }

    fn list(&self) -> RegionAnswer {
        let mut names: Vec<[u8; 8]> = lock(&self.known)
            .keys()
            .filter(|name| !name.as_str().starts_with(STREAM))
            .map(|name| *name.as_bytes())
            .collect();
        names.sort_unstable();
        RegionAnswer::with_data(names.concat())
    }

    fn inquire(&self, name: JournalName) -> RegionAnswer {
        let Some(journal) = lock(&self.known).get(&name).cloned() else {
            return unknown(name, 1);
        };
        let stream = lock(&self.open).get(&journal.file).cloned();
        let state = JournalState {
            kind: journal.kind,
            enabled: journal.enabled,
            failed: stream.is_some_and(|stream| stream.has_failed()),
            stream: match journal.kind {
                JournalKind::Mvs => journal.file,
                _ => String::new(),
            },
        };
        RegionAnswer::with_data(state.encode())
    }

    /// SET JOURNALNAME.
    fn set(
        &self,
        request: &JournalRequest,
        change: JournalChange,
        journal: &Journal,
        stream: Option<Arc<Stream>>,
    ) -> RegionAnswer {
        let name = request.journal;
        let flushed = match (&stream, change) {
            (None, JournalChange::Flush | JournalChange::Reset) => {
                return RegionAnswer::refused(Resp::INVREQ, 7, "");
            }
            // It is opened anew; what the device has shows then.
            (Some(stream), JournalChange::Reset) if stream.has_failed() => Ok(()),
            (
                Some(stream),
                JournalChange::Flush | JournalChange::Reset | JournalChange::Disable,
            ) => stream.flush(0),
            _ => Ok(()),
        };
        if let Err(error) = flushed {
            let refused = self.failed(request, &error);
            return RegionAnswer {
                resp2: 6,
                ..refused
            };
        }
        match change {
            JournalChange::Flush => {}
            JournalChange::Reset | JournalChange::Enable => {
                if stream.is_some_and(|stream| stream.has_failed())
                    || change == JournalChange::Reset
                {
                    lock(&self.open).remove(&journal.file);
                }
                self.change(name, |journal| journal.enabled = true);
            }
            JournalChange::Disable => self.change(name, |journal| journal.enabled = false),
        }
        RegionAnswer::normal()
    }

    fn answered(&self, request: &JournalRequest, number: io::Result<u32>) -> RegionAnswer {
        match number {
            Ok(number) => RegionAnswer::with_data(number.to_be_bytes().to_vec()),
            Err(error) => self.failed(request, &error),
        }
    }

    fn failed(&self, request: &JournalRequest, error: &io::Error) -> RegionAnswer {
        let name = request.journal;
        let text = messages::jc::not_written(name, error);
        self.kernel.tell_few(text.clone());
        RegionAnswer::refused(Resp::IOERR, 5, text)
    }

    fn say_cut(&self, file: &str, bytes: u64) {
        if bytes > 0 {
            self.kernel.tell(messages::jc::cut(bytes, file));
        }
    }
}

fn unknown(name: JournalName, resp2: u32) -> RegionAnswer {
    let text = messages::jc::not_found(name);
    RegionAnswer::refused(Resp::JIDERR, resp2, text)
}

fn not_open(name: JournalName, why: &str) -> RegionAnswer {
    let text = messages::jc::not_open(name, why);
    RegionAnswer::refused(Resp::NOTOPEN, 0, text)
}
