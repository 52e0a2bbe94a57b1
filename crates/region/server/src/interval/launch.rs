//! Tasks of expired START requests.
//!
//! What: a task without terminal for each request; at a terminal one task that takes the data of
//! all expired requests of its transaction, and another when it ends before it took all. What the
//! region has no place for is tried again. Not here: when a request expires (`schedule`), terminals
//! that come and go (`absent`), the data (`retrieve`).

use super::Intervals;
use crate::replier::lock;
use crate::starter::{Again, Ended, Ending, NewTask, TaskEvents};
use crate::terminal::NotStarted;
use std::sync::Arc;
use std::time::Duration;
use transom_messages as messages;
use transom_region_api::{Fault, LinkFailure, Payload, StartedBy};
use transom_starts::requests::{Book, Expired, Key};
use transom_wire::definitions::TransactionEntry;
use transom_wire::interval::{Owner, StartRequest};
use transom_wire::payload::{Section, Sections, TaskReply, read_reply};

/// Milliseconds until a task that found no place is tried again.
const RETRY_MS: u64 = 500;

impl Intervals {
    /// The time of a request has come.
    pub(super) fn expired(self: &Arc<Self>, id: u64, request: StartRequest) {
        match request.termid {
            None => self.start_alone(id, request, 0),
            Some(termid) => {
                let key = (termid, request.transid);
                self.at_terminal(key, Expired { id, request });
            }
        }
    }

    /// A task without terminal, which ran so often before and abended.
    fn start_alone(self: &Arc<Self>, id: u64, request: StartRequest, restarts: u16) {
        if self.kernel.is_initializing() && !request.attach {
            return self.try_again(id, request);
        }
        let mut task = new_task(&request, &Owner::Alone(id));
        task.restarts = restarts;
        let is_protected = request.protect;
        let kept = self.restartable(&request);
        {
            let mut book = lock(&self.book);
            book.count(&request);
            book.alone.insert(id, request.clone());
        }
        let service = self.clone();
        let on_end = Box::new(move |ended: Ended| {
            let left = drop_alone(&mut lock(&service.book), id);
            let busy = |failure: &LinkFailure| failure.fault == Fault::Busy;
            if ended.result.as_ref().is_err_and(busy)
                && let Some(request) = left
            {
                // It waited for a place among the tasks and found none among the workers.
                return service.try_again(id, request);
            }
            // Data that was taken comes back with the unit of work only where it is protected.
            let synced = ended
                .again
                .as_ref()
                .is_some_and(|again| again.undone.synced);
            match (ended.again, left.or(kept.filter(|_| !synced))) {
                (Some(again), Some(request)) => service.decide(id, request, *again),
                _ if is_protected => service.forget(id),
                _ => {}
            }
        });
        let Err(failure) = self.starter.start(task, on_end) else {
            return;
        };
        drop_alone(&mut lock(&self.book), id);
        if failure.fault == Fault::Busy {
            return self.try_again(id, request);
        }
        let text = messages::ic::not_started(request.transid, &failure.text);
        self.kernel.tell_few(text);
        if is_protected && !self.kernel.is_stopping() {
            self.forget(id);
        }
    }

    /// A protected request of a transaction with RESTART(YES), whose data a backout brings back.
    fn restartable(&self, request: &StartRequest) -> Option<StartRequest> {
        if !request.protect {
            return None;
        }
        let entry = TransactionEntry::named_so(self.kernel.shared(), request.transid)?;
        entry.restart.then(|| request.clone())
    }

    /// Its task abended and may run again.
    fn decide(self: &Arc<Self>, id: u64, request: StartRequest, again: Again) {
        let service = self.clone();
        let decided = Box::new(move |task: Option<NewTask>| match task {
            Some(task) => service.start_alone(id, request, task.restarts),
            None if request.protect => service.forget(id),
            None => {}
        });
        self.starter.decide(again, decided);
    }

    /// The request waits once more; a region that ends keeps it.
    fn try_again(self: &Arc<Self>, id: u64, request: StartRequest) {
        lock(&self.book).add(id, request);
        if !self.kernel.is_stopping() {
            self.wake_at(id, RETRY_MS);
        }
    }

    fn at_terminal(self: &Arc<Self>, key: Key, expired: Expired) {
        {
            let mut book = lock(&self.book);
            book.count(&expired.request);
            let place = book.terminals.entry(key).or_default();
            place.expired.push_back(expired);
            if let Some(waiter) = place.waiter.take() {
                // The task may have been purged in the meantime: its end starts another.
                let _gone = waiter.send(());
            }
        }
        self.begin(key);
    }

    /// Starts a task for the first request of a transaction at a terminal, unless one is there.
    pub(super) fn begin(self: &Arc<Self>, key: Key) {
        let request = lock(&self.book).begin(&key);
        if let Some(request) = request {
            self.start_at_terminal(key, &request);
        }
    }

    fn start_at_terminal(self: &Arc<Self>, key: Key, request: &StartRequest) {
        let task = new_task(request, &Owner::Terminal(key));
        let Err(why) = self.terminals.start_at(key.0, task) else {
            return;
        };
        lock(&self.book).not_begun(&key);
        match why {
            NotStarted::Full => self.begin_later(key),
            NotStarted::Absent => self.wait_for_terminal(key),
        }
    }

    /// The terminal or the region is too busy: tries again in a while.
    pub(super) fn begin_later(self: &Arc<Self>, key: Key) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let service = Arc::downgrade(self);
        let soon = self.kernel.clock.sleep(Duration::from_millis(RETRY_MS));
        runtime.spawn(async move {
            soon.await;
            let service = service.upgrade();
            if let Some(service) = service.filter(|service| !service.kernel.is_stopping()) {
                service.begin(key);
            }
        });
    }

    /// The request a task was started for is over: the next one's turn.
    fn over(self: &Arc<Self>, key: Key) {
        let (next, over) = lock(&self.book).next_task(&key);
        if let Some(over) = over.filter(|over| over.request.protect) {
            self.forget(over.id);
        }
        if let Some(next) = next {
            self.start_at_terminal(key, &next);
        }
    }
}

/// The end of tasks at terminals; the others are followed by who started them.
impl TaskEvents for Intervals {
    fn task_began(&self, task_number: u32, sections: &Sections) {
        if let Some(owner) = started_for(sections) {
            lock(&self.book).running.insert(task_number, owner);
        }
    }

    fn task_refused(&self, sections: &Sections, busy: bool) {
        let at_terminal = sections.get(Section::Terminal).is_some();
        let key = requests_at_terminal(sections).filter(|_| at_terminal);
        let (Some(key), Some(me)) = (key, self.me.upgrade()) else {
            return;
        };
        match busy {
            true => me.again(key),
            false => me.over(key),
        }
    }

    fn task_ended(&self, task_number: u32, ending: Ending) {
        let owner = lock(&self.book).running.remove(&task_number);
        let (Some(Owner::Terminal(key)), Some(me)) = (owner, self.me.upgrade()) else {
            return;
        };
        match ending {
            Ending::NoPlace => me.again(key),
            _ => me.over(key),
        }
    }
}

/// What a task is started for.
fn started_for(sections: &Sections) -> Option<Owner> {
    sections.get(Section::Retrieve).and_then(Owner::decode)
}

/// The requests a task at a terminal is started for.
fn requests_at_terminal(sections: &Sections) -> Option<Key> {
    match started_for(sections)? {
        Owner::Terminal(key) => Some(key),
        _ => None,
    }
}

fn drop_alone(book: &mut Book, id: u64) -> Option<StartRequest> {
    let request = book.alone.remove(&id)?;
    book.drop_one(&request);
    Some(request)
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
    if let Some(inherited) = &request.inherited {
        sections.add(Section::Origin, &inherited.encode());
    }
    NewTask {
        transid: request.transid,
        program: None,
        userid: Some(request.userid),
        payload,
        reply_bytes_max: 0,
        started_by: StartedBy::Start,
        start_code: request.start_code(),
        client: None,
        sections,
        restarts: 0,
    }
}
