//! START requests: the clock they wait for, the tasks they begin, the data RETRIEVE takes.
//!
//! What: [`answer`] serves START, RETRIEVE, CANCEL and INQUIRE REQID. Reading order: `book` (what
//! is waiting, no clock and no tasks), `timer` (one timer for all requests), `launch` (tasks of
//! expired requests), `protected` (requests in the store). Not here: the commands
//! (`crate::interval`).
//!
//! Limits: `QueueConfig::start_requests_max` requests and `start_bytes_max` bytes of data; beyond
//! them START raises IOERR.

mod absent;
mod book;
mod launch;
mod protected;
mod timer;

use super::Inner;
use super::config::QueueConfig;
use super::replier::{Replier, lock};
use book::Book;
use std::sync::{Arc, Mutex};
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::definitions::TransactionEntry;
use transom_wire::interval::{Request, StartRequest, Waiting};
use transom_wire::requests::RegionAnswer;

pub(super) use absent::{end_waits, task_refused, terminal_arrived, terminal_gone};
pub(crate) use book::{BYTES_MAX, REQUESTS_MAX};
pub(super) use launch::{task_began, task_ended};
pub(super) use protected::recover;

/// State of the service.
#[derive(Default)]
pub(crate) struct Intervals {
    book: Mutex<Book>,
    timer: timer::Timer,
    /// Requests an orderly end kept, until tasks can start.
    kept: Mutex<Vec<(u64, StartRequest)>>,
}

impl Intervals {
    /// Takes what the configuration says.
    pub(super) fn configure(&self, config: &QueueConfig) {
        lock(&self.book).limits = book::Limits {
            requests: config.start_requests_max,
            bytes: config.start_bytes_max,
        };
    }
}

/// Answers a worker.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    match Request::decode(request) {
        Some(Request::Start(wait_ms, request)) => start(inner, replier, wait_ms, request),
        Some(Request::Retrieve {
            wait,
            dtimout_ms,
            owner,
        }) => launch::retrieve(inner, replier, owner, wait, dtimout_ms),
        Some(Request::Cancel(reqid)) => replier.answer(&cancel(inner, reqid)),
        Some(Request::Inquire(reqid)) => replier.answer(&inquire(inner, reqid)),
        Some(Request::List) => {
            let names = lock(&inner.services.intervals.book).reqids();
            replier.answer(&RegionAnswer::with(&names));
        }
        None => replier.answer(&RegionAnswer::damaged()),
    }
}

/// Requests that wait and bytes of data, each with its limit, for statistics.
pub(super) fn counts(inner: &Inner) -> [(book::Figures, u64); 2] {
    let book = lock(&inner.services.intervals.book);
    let (requests, bytes) = book.counts();
    [(requests, book.limits.requests), (bytes, book.limits.bytes)]
}

/// Requests that are not protected, for an orderly end.
pub(super) fn unprotected(inner: &Inner) -> Vec<(u64, StartRequest)> {
    lock(&inner.services.intervals.book).unprotected()
}

/// Requests an orderly end kept: `recover` schedules them.
pub(super) fn keep_for_recovery(inner: &Inner, requests: Vec<(u64, StartRequest)>) {
    *lock(&inner.services.intervals.kept) = requests;
}

fn start(inner: &Arc<Inner>, replier: Replier, wait_ms: u64, mut request: StartRequest) {
    if let Err(refused) = check(inner, &mut request) {
        return replier.answer(&refused);
    }
    request.due_ms = inner.clock.unix_ms().saturating_add(wait_ms);
    let reqid = request.reqid;
    if request.protect {
        return protected::start(inner, replier, request);
    }
    let id = lock(&inner.services.intervals.book).new_id(inner.clock.unix_ns());
    schedule(inner, id, request);
    replier.answer(&RegionAnswer::with_data(reqid.to_vec()));
}

/// Definitions and room; makes up the REQID.
fn check(inner: &Inner, request: &mut StartRequest) -> Result<(), RegionAnswer> {
    let transid = request.transid;
    if TransactionEntry::find(inner.pool.shared(), transid).is_none() {
        let text = messages::xm::not_defined(transid);
        return Err(RegionAnswer::refused(Resp::TRANSIDERR, 0, text));
    }
    if let Some(termid) = request.termid
        && !inner.terminals.exists(termid)
    {
        let text = messages::ic::no_terminal(transid, termid);
        return Err(RegionAnswer::refused(Resp::TERMIDERR, 0, text));
    }
    let mut book = lock(&inner.services.intervals.book);
    if request.reqid == [0; 8] {
        request.reqid = book.make_reqid();
    } else if book.is_taken(request) {
        let text = messages::ic::reqid_in_use(transid);
        return Err(RegionAnswer::refused(Resp::IOERR, 0, text));
    }
    if !book.has_room(request) {
        let text =
            messages::ic::too_many_requests(transid, book.limits.requests, book.limits.bytes);
        inner.tell(text.clone());
        return Err(RegionAnswer::refused(Resp::IOERR, 0, text));
    }
    Ok(())
}

/// The request counts from now on: begins its task, or waits for its time.
fn schedule(inner: &Arc<Inner>, id: u64, request: StartRequest) {
    let left = request.due_ms.saturating_sub(inner.clock.unix_ms());
    if left == 0 {
        return launch::expired(inner, id, request);
    }
    lock(&inner.services.intervals.book).add(id, request);
    timer::wake_at(inner, id, left);
}

fn cancel(inner: &Arc<Inner>, reqid: [u8; 8]) -> RegionAnswer {
    let found = lock(&inner.services.intervals.book).cancel(&reqid);
    match found {
        None => RegionAnswer::refused(Resp::NOTFND, 0, ""),
        Some((id, request)) => {
            timer::tidy(inner);
            if request.protect {
                protected::forget(inner, id);
            }
            RegionAnswer::normal()
        }
    }
}

fn inquire(inner: &Inner, reqid: [u8; 8]) -> RegionAnswer {
    let book = lock(&inner.services.intervals.book);
    match book.find(&reqid) {
        None => RegionAnswer::refused(Resp::NOTFND, 1, ""),
        Some(request) => {
            let left_ms = request.due_ms.saturating_sub(inner.clock.unix_ms());
            let request = request.clone();
            RegionAnswer::with(&Waiting { left_ms, request })
        }
    }
}
