//! Tasks of expired START requests, and what RETRIEVE hands them.
//!
//! What: a task without terminal for each request; at a terminal one task that takes the data of
//! all expired requests of its transaction, and another when it ends before it took all. Not here:
//! when a request expires (`timer`), terminals (`terminals`).

use super::super::Inner;
use super::super::replier::{Replier, lock};
use super::super::starter::{Ended, Ending, NewTask, Starter};
use super::super::terminal::NotStarted;
use super::super::transient_data;
use super::book::{Book, Expired, Key};
use super::{absent, protected, timer};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_region_api::{Fault, LinkFailure, Payload, StartedBy};
use transom_types::{AbendCode, Resp};
use transom_wire::interval::{Owner, Retrieved, StartRequest};
use transom_wire::payload::{Section, Sections, TaskReply, read_reply};
use transom_wire::requests::RegionAnswer;

/// Milliseconds until a task that found no place is tried again.
const RETRY_MS: u64 = 500;

/// The time of a request has come.
pub(super) fn expired(inner: &Arc<Inner>, id: u64, request: StartRequest) {
    match request.termid {
        None => start_alone(inner, id, request),
        Some(termid) => at_terminal(inner, (termid, request.transid), Expired { id, request }),
    }
}

fn start_alone(inner: &Arc<Inner>, id: u64, request: StartRequest) {
    let task = new_task(&request, &Owner::Alone(id));
    let is_protected = request.protect;
    let book = &inner.services.intervals.book;
    {
        let mut book = lock(book);
        book.count(&request);
        book.alone.insert(id, request.clone());
    }
    let region = inner.clone();
    let on_end = Box::new(move |ended: Ended| {
        let inner = &region;
        let left = drop_alone(&mut lock(&inner.services.intervals.book), id);
        let is_busy = |failure: LinkFailure| failure.fault == Fault::Busy;
        if ended.result.is_err_and(is_busy)
            && let Some(request) = left
        {
            // It waited for a place among the tasks and found none among the workers.
            return try_again(inner, id, request);
        }
        if is_protected {
            protected::forget(inner, id);
        }
    });
    let Err(failure) = inner.tasks.start(task, on_end) else {
        return;
    };
    drop_alone(&mut lock(book), id);
    if failure.fault == Fault::Busy {
        return try_again(inner, id, request);
    }
    not_started(inner, &request, &failure);
    if is_protected && !inner.is_stopping() {
        protected::forget(inner, id);
    }
}

/// The request waits once more; a region that ends keeps it.
fn try_again(inner: &Arc<Inner>, id: u64, request: StartRequest) {
    lock(&inner.services.intervals.book).add(id, request);
    if !inner.is_stopping() {
        timer::wake_at(inner, id, RETRY_MS);
    }
}

fn drop_alone(book: &mut Book, id: u64) -> Option<StartRequest> {
    let request = book.alone.remove(&id)?;
    book.drop_one(&request);
    Some(request)
}

fn at_terminal(inner: &Arc<Inner>, key: Key, expired: Expired) {
    {
        let mut book = lock(&inner.services.intervals.book);
        book.count(&expired.request);
        let place = book.terminals.entry(key).or_default();
        place.expired.push_back(expired);
        if let Some(waiter) = place.waiter.take() {
            // The task may have been purged in the meantime: its end starts another.
            let _gone = waiter.send(());
        }
    }
    begin(inner, key);
}

/// Starts a task for the first request of a transaction at a terminal, unless one is there.
pub(super) fn begin(inner: &Arc<Inner>, key: Key) {
    let request = lock(&inner.services.intervals.book).begin(&key);
    if let Some(request) = request {
        start_at_terminal(inner, key, &request);
    }
}

fn start_at_terminal(inner: &Arc<Inner>, key: Key, request: &StartRequest) {
    let task = new_task(request, &Owner::Terminal(key));
    let Err(why) = inner.terminals.start_at(key.0, task) else {
        return;
    };
    lock(&inner.services.intervals.book).not_begun(&key);
    match why {
        NotStarted::Full => begin_later(inner, key),
        NotStarted::Absent => absent::waits(inner, key),
    }
}

/// The terminal or the region is too busy: tries again in a while.
pub(super) fn begin_later(inner: &Arc<Inner>, key: Key) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let region = Arc::downgrade(inner);
    let soon = inner.clock.sleep(Duration::from_millis(RETRY_MS));
    runtime.spawn(async move {
        soon.await;
        if let Some(region) = region.upgrade().filter(|region| !region.is_stopping()) {
            begin(&region, key);
        }
    });
}

/// A task got its number.
pub(in super::super) fn task_began(inner: &Inner, task_number: u32, sections: &Sections) {
    let Some(section) = sections.get(Section::Retrieve) else {
        return;
    };
    if let Some(owner) = Owner::decode(section)
        && !matches!(owner, Owner::Alone(_))
    {
        let mut book = lock(&inner.services.intervals.book);
        book.running.insert(task_number, owner);
    }
}

/// A task is over, or did not come to run.
pub(in super::super) fn task_ended(inner: &Arc<Inner>, task_number: u32, ending: Ending) {
    let mut book = lock(&inner.services.intervals.book);
    let Some(owner) = book.running.remove(&task_number) else {
        return;
    };
    match owner {
        Owner::Alone(_) => {}
        Owner::Trigger(queue, cycle) => {
            drop(book);
            match ending {
                Ending::NoPlace => transient_data::not_started(inner, queue, cycle, true),
                _ => transient_data::trigger_ended(inner, queue, cycle, ending == Ending::Normal),
            }
        }
        Owner::Terminal(key) => {
            drop(book);
            match ending {
                Ending::NoPlace => absent::again(inner, key),
                _ => over(inner, key),
            }
        }
    }
}

/// The request a task was started for is over: the next one's turn.
pub(super) fn over(inner: &Arc<Inner>, key: Key) {
    let (next, over) = lock(&inner.services.intervals.book).next_task(&key);
    if let Some(over) = over.filter(|over| over.request.protect) {
        protected::forget(inner, over.id);
    }
    if let Some(next) = next {
        start_at_terminal(inner, key, &next);
    }
}

fn new_task(request: &StartRequest, owner: &Owner) -> NewTask {
    let channel = request.channel.clone().map(read_reply);
    let payload = match channel {
        Some(Ok(TaskReply::Normal(payload, _))) => payload,
        _ => Payload::Commarea(Vec::new()),
    };
    let mut sections = Sections::default();
    // A task at a terminal is followed by its section, with data or without.
    if request.data.is_some() || matches!(owner, Owner::Terminal(_)) {
        sections.add(Section::Retrieve, &owner.encode());
    }
    NewTask {
        transid: request.transid,
        program: None,
        userid: Some(request.userid),
        payload,
        reply_bytes_max: 0,
        started_by: StartedBy::Start,
        start_code: request.start_code(),
        sections,
    }
}

fn not_started(inner: &Inner, request: &StartRequest, failure: &LinkFailure) {
    inner.tell(messages::ic::not_started(request.transid, &failure.text));
}

/// RETRIEVE.
pub(super) fn retrieve(
    inner: &Arc<Inner>,
    replier: Replier,
    owner: Owner,
    wait: bool,
    dtimout_ms: u64,
) {
    let task = replier.task_number();
    let region = inner.clone();
    replier.answer_with(async move {
        let wanted = wait_for_data(&region, task, owner, wait);
        if !wait || dtimout_ms == 0 {
            return wanted.await;
        }
        let limit = Duration::from_millis(dtimout_ms);
        let answered = region.clock.timeout(limit, wanted).await;
        answered.unwrap_or_else(|_| {
            let text = messages::ic::retrieve_timed_out(dtimout_ms);
            RegionAnswer::abend(AbendCode::AKCS, text)
        })
    });
}

async fn wait_for_data(region: &Arc<Inner>, task: u32, owner: Owner, wait: bool) -> RegionAnswer {
    loop {
        match take(region, &owner, wait) {
            Taken::Request(found) => return data(region, task, *found).await,
            Taken::Nothing => return RegionAnswer::refused(Resp::ENDDATA, 0, ""),
            Taken::Wait(more) => {
                // An error: the terminal is gone, and with it what could come.
                if more.await.is_err() {
                    return RegionAnswer::refused(Resp::ENDDATA, 0, "");
                }
            }
        }
    }
}

enum Taken {
    Request(Box<Expired>),
    Wait(oneshot::Receiver<()>),
    Nothing,
}

fn take(inner: &Inner, owner: &Owner, wait: bool) -> Taken {
    let mut book = lock(&inner.services.intervals.book);
    let found = match owner {
        Owner::Trigger(..) => None,
        Owner::Alone(id) => {
            let request = book.alone.remove(id);
            if let Some(request) = &request {
                book.drop_one(request);
            }
            request.map(|request| Expired { id: *id, request })
        }
        Owner::Terminal(key) => {
            let found = book.next_data(key);
            if found.is_none()
                && wait
                && let Some(place) = book.terminals.get_mut(key)
            {
                let (post, posted) = oneshot::channel();
                place.waiter = Some(post);
                return Taken::Wait(posted);
            }
            found
        }
    };
    match found {
        None => Taken::Nothing,
        Some(found) => Taken::Request(Box::new(found)),
    }
}

/// The answer; a protected request goes away with the unit of work that took its data.
async fn data(inner: &Arc<Inner>, task: u32, found: Expired) -> RegionAnswer {
    let is_protected = found.request.protect;
    if is_protected && let Err(refused) = protected::retrieved(inner, task, found.id).await {
        return refused;
    }
    RegionAnswer::with(&Retrieved {
        recoverable: is_protected,
        data: found.request.data,
    })
}
