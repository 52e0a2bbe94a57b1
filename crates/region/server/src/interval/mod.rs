//! START requests: the clock they wait for, the tasks they begin, the data RETRIEVE takes.
//!
//! What: [`Intervals::answer`] serves START, RETRIEVE, CANCEL and INQUIRE REQID. Reading order:
//! `book` (what is waiting, no clock and no tasks), `timer` and `schedule` (one timer for all
//! requests), `launch` (tasks of expired requests), `retrieve` (their data), `protected` (requests
//! in the store). Not here: the commands
//! (`crate::interval`).
//!
//! Limits: `QueueConfig::start_requests_max` requests and `start_bytes_max` bytes of data; beyond
//! them START raises IOERR.

mod absent;
mod launch;
mod protected;
mod retrieve;
mod schedule;
mod timer;

use super::kernel::Kernel;
use super::replier::{Replier, lock};
use super::starter::Starter;
use super::syncpoint::UnitsOfWork;
use super::terminal::Terminals;
use std::sync::{Arc, Mutex, Weak};
use timer::Timer;
use transom_messages as messages;
use transom_region_api::StatisticsGroup;
use transom_region_monitoring::group;
use transom_starts::requests::{Book, Limits};
use transom_types::{AbendCode, ReqId, Resp, TermId};
use transom_wire::definitions::TransactionEntry;
use transom_wire::interval::{NO_REQID, Request, StartRequest, Waiting};
use transom_wire::requests::RegionAnswer;

/// The service.
pub(crate) struct Intervals {
    me: Weak<Self>,
    kernel: Arc<Kernel>,
    uows: Arc<UnitsOfWork>,
    starter: Arc<dyn Starter>,
    terminals: Arc<Terminals>,
    book: Mutex<Book>,
    timer: Timer,
    /// Requests an orderly end kept, until tasks can start.
    kept: Mutex<Vec<(u64, StartRequest)>>,
}

/// What interval control stands on.
pub(crate) struct Means {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) uows: Arc<UnitsOfWork>,
    pub(crate) starter: Arc<dyn Starter>,
    pub(crate) terminals: Arc<Terminals>,
}

impl Intervals {
    /// At most so many requests, and bytes of their data.
    pub(crate) fn new(means: Means, requests_max: u64, bytes_max: u64) -> Arc<Self> {
        let mut book = Book::default();
        book.limits = Limits {
            requests: requests_max,
            bytes: bytes_max,
        };
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            kernel: means.kernel,
            uows: means.uows,
            starter: means.starter,
            terminals: means.terminals,
            book: Mutex::new(book),
            timer: Timer::default(),
            kept: Mutex::default(),
        })
    }

    /// Requests that wait and bytes of their data.
    pub(crate) fn statistics(&self) -> StatisticsGroup {
        let book = lock(&self.book);
        let (requests, bytes) = book.counts();
        group(
            "interval control",
            &[
                ("requests", requests.0),
                ("requests_peak", requests.1),
                ("requests_limit", book.limits.requests),
                ("times_at_requests_limit", requests.2),
                ("data_bytes", bytes.0),
                ("data_bytes_peak", bytes.1),
                ("data_bytes_limit", book.limits.bytes),
                ("times_at_data_bytes_limit", bytes.2),
            ],
        )
    }

    /// Requests that are not protected, for an orderly end.
    pub(crate) fn unprotected(&self) -> Vec<(u64, StartRequest)> {
        lock(&self.book).unprotected()
    }

    /// Requests an orderly end kept: [`Intervals::recover`] schedules them.
    pub(crate) fn keep_for_recovery(&self, requests: Vec<(u64, StartRequest)>) {
        *lock(&self.kept) = requests;
    }

    /// The region ends: tasks that wait for a further START get none.
    pub(crate) fn end_waits(&self, mut may: impl FnMut(u32) -> bool) {
        let tasks = lock(&self.book).retrieving();
        for task in tasks.into_iter().filter(|task| may(*task)) {
            self.starter
                .purge(task, AbendCode::from_field(b"AICB"), false);
        }
    }
}

impl Intervals {
    /// Answers a worker.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        match Request::decode(request) {
            Some(Request::Start(wait_ms, request)) => self.start(replier, wait_ms, request),
            Some(Request::Retrieve { wait, dtimout_ms }) => {
                self.retrieve(replier, wait, dtimout_ms);
            }
            Some(Request::Cancel(reqid)) => replier.answer(&self.cancel(reqid)),
            Some(Request::Inquire(reqid)) => replier.answer(&self.inquire(reqid)),
            Some(Request::List) => {
                let names = lock(&self.book).reqids();
                replier.answer(&RegionAnswer::with(&names));
            }
            None => replier.answer(&RegionAnswer::damaged()),
        }
    }

    fn start(self: &Arc<Self>, replier: Replier, wait_ms: u64, mut request: StartRequest) {
        if let Err(refused) = self.check(&mut request) {
            return replier.answer(&refused);
        }
        request.due_ms = self.kernel.clock.unix_ms().saturating_add(wait_ms);
        let reqid = request.reqid;
        if request.protect {
            return self.start_protected(replier, request);
        }
        let id = lock(&self.book).new_id(self.kernel.clock.unix_ns());
        self.schedule(id, request);
        replier.answer(&RegionAnswer::with(&reqid));
    }

    /// Definitions and room; makes up the REQID.
    fn check(&self, request: &mut StartRequest) -> Result<(), RegionAnswer> {
        let transid = request.transid;
        match TransactionEntry::named_so(self.kernel.shared(), transid) {
            None => {
                let text = messages::xm::not_defined(transid);
                return Err(RegionAnswer::refused(Resp::TRANSIDERR, 0, text));
            }
            Some(entry) if entry.is_remote() && !self.is_here(request.termid) => {
                let text = messages::xm::of_another_system(transid, entry.remote_system);
                if request.termid.is_none() {
                    self.kernel.tell_few(text.clone());
                }
                return Err(RegionAnswer::refused(Resp::SYSIDERR, 1, text));
            }
            Some(_) => {}
        }
        if let Some(termid) = request.termid
            && !self.terminals.exists(termid)
        {
            let text = messages::ic::no_terminal(transid, termid);
            return Err(RegionAnswer::refused(Resp::TERMIDERR, 0, text));
        }
        let mut book = lock(&self.book);
        if request.reqid == NO_REQID {
            request.reqid = book.make_reqid();
        } else if book.is_taken(request) {
            let text = messages::ic::reqid_in_use(transid);
            return Err(RegionAnswer::refused(Resp::IOERR, 0, text));
        }
        if !book.has_room(request) {
            let text =
                messages::ic::too_many_requests(transid, book.limits.requests, book.limits.bytes);
            self.kernel.tell_few(text.clone());
            return Err(RegionAnswer::refused(Resp::IOERR, 0, text));
        }
        Ok(())
    }

    /// The terminal is one of this region: its relay task has another one run the transaction.
    fn is_here(&self, termid: Option<TermId>) -> bool {
        termid.is_some_and(|termid| self.terminals.exists(termid))
    }

    fn cancel(self: &Arc<Self>, reqid: ReqId) -> RegionAnswer {
        let found = lock(&self.book).cancel(reqid);
        match found {
            None => RegionAnswer::refused(Resp::NOTFND, 0, ""),
            Some((id, request)) => {
                self.timer.tidy(&self.book);
                if request.protect {
                    self.forget(id);
                }
                RegionAnswer::normal()
            }
        }
    }

    fn inquire(&self, reqid: ReqId) -> RegionAnswer {
        let book = lock(&self.book);
        match book.find(reqid) {
            None => RegionAnswer::refused(Resp::NOTFND, 1, ""),
            Some(request) => {
                let now = self.kernel.clock.unix_ms();
                let left_ms = request.due_ms.saturating_sub(now);
                let request = request.clone();
                RegionAnswer::with(&Waiting { left_ms, request })
            }
        }
    }
}
