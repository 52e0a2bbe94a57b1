//! What START requests there are: waiting for their time, or for RETRIEVE.
//!
//! What: requests by id and REQID, the data of expired ones by task, limits. Why apart: no clock,
//! no tasks, no store, so it can be tested alone. Not here: those (`timer`, `launch`, `protected`).

use std::collections::{HashMap, VecDeque};
use tokio::sync::oneshot;
use transom_region_dispatcher::ByTask;
use transom_region_monitoring::Gauge;
use transom_types::{ReqId, TermId, TransId};
use transom_wire::interval::{Owner, StartRequest};

/// Most requests that wait for their time or their task, when nothing else is said.
pub const REQUESTS_MAX: u64 = 100_000;
/// Most bytes of their data, when nothing else is said.
pub const BYTES_MAX: u64 = 256 << 20;

/// Tasks at one terminal for one transaction share their requests.
pub type Key = (TermId, TransId);

/// A request whose time has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expired {
    pub id: u64,
    pub request: StartRequest,
}

/// Expired requests of one transaction at one terminal, in the order they expired.
#[derive(Default)]
pub struct AtTerminal {
    pub expired: VecDeque<Expired>,
    /// The request a task was started for that has not ended.
    pub task: Option<u64>,
    /// The task waits in RETRIEVE WAIT.
    pub waiter: Option<oneshot::Sender<()>>,
}

/// How much a book holds.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub requests: u64,
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests: REQUESTS_MAX,
            bytes: BYTES_MAX,
        }
    }
}

/// Now, the most there were, how often the limit was reached.
pub type Figures = (u64, u64, u64);

/// All requests.
#[derive(Default)]
pub struct Book {
    waiting: HashMap<u64, StartRequest>,
    by_reqid: HashMap<ReqId, Vec<u64>>,
    /// Requests of tasks without terminal, until RETRIEVE or the end of the task.
    pub alone: HashMap<u64, StartRequest>,
    pub terminals: HashMap<Key, AtTerminal>,
    /// What tasks were started for.
    pub running: ByTask<Owner>,
    /// Requests and their bytes, with the most there were.
    requests: Gauge,
    bytes: Gauge,
    pub limits: Limits,
    last_id: u64,
    last_reqid: u64,
}

impl Book {
    /// An id no request of this or an earlier run has; `now` in nanoseconds since 1970.
    pub fn new_id(&mut self, now: u64) -> u64 {
        self.last_id = now.max(self.last_id + 1);
        self.last_id
    }

    /// A REQID for a request without one: `DF` and six characters.
    pub fn make_reqid(&mut self) -> ReqId {
        const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        loop {
            self.last_reqid += 1;
            let (mut reqid, mut rest) = (*b"DF000000", self.last_reqid);
            for digit in reqid.iter_mut().skip(2).rev() {
                *digit = DIGITS[(rest % 36) as usize];
                rest /= 36;
            }
            let reqid = ReqId::new(reqid);
            if !self.by_reqid.contains_key(&reqid) {
                return reqid;
            }
        }
    }

    /// The REQID belongs to a request that waits, and one of the two has data.
    pub fn is_taken(&self, request: &StartRequest) -> bool {
        let others = self.by_reqid.get(&request.reqid);
        others.is_some_and(|ids| {
            request.data.is_some()
                || ids
                    .iter()
                    .filter_map(|id| self.waiting.get(id))
                    .any(|other| other.data.is_some())
        })
    }

    /// `false` counts as a limit reached.
    pub fn has_room(&self, request: &StartRequest) -> bool {
        let (requests, bytes) = self.counts();
        if requests.0 >= self.limits.requests {
            self.requests.refused();
            return false;
        }
        let room = bytes.0 + request.bytes() as u64 <= self.limits.bytes;
        if !room {
            self.bytes.refused();
        }
        room
    }

    /// Requests and bytes: now, the most there were, how often the limit was reached.
    pub fn counts(&self) -> (Figures, Figures) {
        (self.requests.figures(), self.bytes.figures())
    }

    /// Counts a request that waits or has expired; [`Book::drop_one`] is its end.
    pub fn count(&mut self, request: &StartRequest) {
        // Room was looked for when it came; one that goes on waiting is not sent away.
        self.requests.add(1, u64::MAX);
        self.bytes.add(request.bytes() as u64, u64::MAX);
    }

    /// The request is gone.
    pub fn drop_one(&mut self, request: &StartRequest) {
        self.requests.take(1);
        self.bytes.take(request.bytes() as u64);
    }

    /// Waits for its time.
    pub fn add(&mut self, id: u64, request: StartRequest) {
        self.count(&request);
        self.by_reqid.entry(request.reqid).or_default().push(id);
        self.waiting.insert(id, request);
    }

    /// Its time has come; `None`: it was cancelled.
    pub fn take(&mut self, id: u64) -> Option<StartRequest> {
        let request = self.waiting.remove(&id)?;
        if let Some(ids) = self.by_reqid.get_mut(&request.reqid) {
            ids.retain(|other| *other != id);
            if ids.is_empty() {
                self.by_reqid.remove(&request.reqid);
            }
        }
        self.drop_one(&request);
        Some(request)
    }

    /// Takes the oldest request of this REQID out.
    pub fn cancel(&mut self, reqid: ReqId) -> Option<(u64, StartRequest)> {
        let id = *self.by_reqid.get(&reqid)?.first()?;
        self.take(id).map(|request| (id, request))
    }

    /// The request of this name that waits for its time or its task.
    pub fn find(&self, reqid: ReqId) -> Option<&StartRequest> {
        let id = self.by_reqid.get(&reqid)?.first()?;
        self.waiting.get(id)
    }

    /// The next data of a transaction at a terminal.
    pub fn next_data(&mut self, key: &Key) -> Option<Expired> {
        let place = self.terminals.get_mut(key)?;
        let has_data = |expired: &Expired| expired.request.data.is_some();
        let at = place.expired.iter().position(has_data)?;
        let found = place.expired.remove(at)?;
        self.drop_one(&found.request);
        Some(found)
    }

    /// The task at a terminal ended: its request is over. Answers the request of the next task, and
    /// the one that is over when its data was not taken.
    pub fn next_task(&mut self, key: &Key) -> (Option<StartRequest>, Option<Expired>) {
        let Some(place) = self.terminals.get_mut(key) else {
            return (None, None);
        };
        let ended = place.task.take();
        let at = place.expired.iter().position(|e| Some(e.id) == ended);
        let over = at.and_then(|at| place.expired.remove(at));
        place.waiter = None;
        let next = place.expired.front().map(|next| {
            place.task = Some(next.id);
            next.request.clone()
        });
        if next.is_none() {
            self.terminals.remove(key);
        }
        if let Some(over) = &over {
            self.drop_one(&over.request);
        }
        (next, over)
    }

    /// The request to start a task for now; `None`: a task is there, or nothing waits.
    pub fn begin(&mut self, key: &Key) -> Option<StartRequest> {
        let place = self.terminals.get_mut(key)?;
        if place.task.is_some() {
            return None;
        }
        let next = place.expired.front()?;
        place.task = Some(next.id);
        Some(next.request.clone())
    }

    /// No task was started after all; the requests wait on.
    pub fn not_begun(&mut self, key: &Key) {
        if let Some(place) = self.terminals.get_mut(key) {
            place.task = None;
            place.waiter = None;
        }
    }

    /// Transactions whose requests wait for this terminal.
    pub fn keys_at(&self, terminal: TermId) -> Vec<Key> {
        let keys = self.terminals.keys().copied();
        keys.filter(|key| key.0 == terminal).collect()
    }

    /// A task of this transaction runs at the terminal.
    pub fn is_running(&self, key: &Key) -> bool {
        let owner = Owner::Terminal(*key);
        self.running.values().any(|running| *running == owner)
    }

    /// Drops the requests of a transaction at a terminal that are not protected and for which no
    /// task runs.
    pub fn drop_unprotected(&mut self, key: &Key) -> usize {
        let Some(place) = self.terminals.get_mut(key) else {
            return 0;
        };
        let task = place.task;
        let stays = |expired: &Expired| expired.request.protect || Some(expired.id) == task;
        let (kept, dropped): (VecDeque<_>, VecDeque<_>) = std::mem::take(&mut place.expired)
            .into_iter()
            .partition(stays);
        place.expired = kept;
        if place.expired.is_empty() && task.is_none() {
            self.terminals.remove(key);
        }
        dropped.iter().for_each(|e| self.drop_one(&e.request));
        dropped.len()
    }

    /// Tasks in RETRIEVE WAIT.
    pub fn retrieving(&self) -> Vec<u32> {
        let waits = |owner: &Owner| match owner {
            Owner::Terminal(key) => {
                let place = self.terminals.get(key);
                place.is_some_and(|place| place.waiter.is_some())
            }
            _ => false,
        };
        let tasks = self.running.iter().filter(|(_, owner)| waits(owner));
        tasks.map(|(task, _)| *task).collect()
    }

    /// Requests that are not in the store, with those that wait for a terminal.
    pub fn unprotected(&self) -> Vec<(u64, StartRequest)> {
        let waiting = self.waiting.iter().map(|(id, request)| (*id, request));
        let places = self.terminals.values();
        let expired = places.flat_map(|place| place.expired.iter().map(|e| (e.id, &e.request)));
        let mut found: Vec<_> = waiting
            .chain(expired)
            .filter(|(_, request)| !request.protect)
            .map(|(id, request)| (id, request.clone()))
            .collect();
        found.sort_by_key(|(id, _)| *id);
        found
    }

    /// Requests that wait for their time.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The request waits for its time.
    pub fn is_waiting(&self, id: u64) -> bool {
        self.waiting.contains_key(&id)
    }

    /// REQIDs of requests that wait, in order.
    pub fn reqids(&self) -> Vec<ReqId> {
        let mut names: Vec<ReqId> = self.by_reqid.keys().copied().collect();
        names.sort_unstable();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_types::UserId;
    use transom_wire::interval::StartData;

    fn request(reqid: &[u8; 8], from: &[u8]) -> StartRequest {
        StartRequest {
            reqid: ReqId::new(*reqid),
            transid: TransId::from_field(b"PAY1"),
            termid: None,
            userid: UserId::BLANK,
            protect: false,
            attach: false,
            due_ms: 0,
            data: StartData {
                from: Some(from.to_vec()),
                ..StartData::default()
            },
            channel: None,
            inherited: None,
        }
    }

    #[test]
    fn a_reqid_finds_its_request_until_it_expires() {
        let mut book = Book::default();
        let id = book.new_id(1_000);
        book.add(id, request(b"ONE     ", b"data"));
        assert!(book.is_taken(&request(b"ONE     ", b"")));
        let one = ReqId::from_field(b"ONE");
        assert_eq!(book.reqids(), [one]);
        assert_eq!(book.cancel(one).map(|found| found.0), Some(id));
        assert_eq!(book.cancel(one), None);
        assert_eq!(book.counts().0, (0, 1, 0));

        let id = book.new_id(1_000);
        book.add(id, request(b"TWO     ", b"data"));
        assert!(book.take(id).is_some());
        assert!(book.take(id).is_none(), "it expires once");
        assert_ne!(book.make_reqid(), book.make_reqid());
    }

    #[test]
    fn a_task_at_a_terminal_takes_all_data_that_expired() {
        let mut book = Book::default();
        let key = (TermId::from_field(b"T001"), TransId::from_field(b"PAY1"));
        let expire = |book: &mut Book, id: u64, data: &[u8]| {
            let mut request = request(b"REQ     ", data);
            if data.is_empty() {
                request.data = StartData::default();
            }
            book.count(&request);
            let place = book.terminals.entry(key).or_default();
            place.expired.push_back(Expired { id, request });
            place.task = place.task.or(Some(id));
        };
        for (id, data) in [(1, "a"), (2, "b"), (3, ""), (4, "c")] {
            expire(&mut book, id, data.as_bytes());
        }
        assert_eq!(book.next_data(&key).map(|e| e.id), Some(1));
        assert_eq!(book.next_data(&key).map(|e| e.id), Some(2));
        let (next, over) = book.next_task(&key);
        assert!(next.is_some_and(|r| !r.data.is_some()) && over.is_none());
        let (next, over) = book.next_task(&key);
        assert!(next.is_some_and(|r| r.data.is_some()));
        assert_eq!(over.map(|e| e.id), Some(3));
        assert_eq!(book.next_task(&key).1.map(|e| e.id), Some(4), "never taken");
        let (requests, bytes) = book.counts();
        assert_eq!((requests.0, bytes.0, book.terminals.len()), (0, 0, 0));
    }

    #[test]
    fn requests_wait_for_a_terminal_that_is_not_there() {
        let mut book = Book::default();
        let key = (TermId::from_field(b"T001"), TransId::from_field(b"PAY1"));
        for id in [1, 2] {
            let mut request = request(b"REQ     ", b"data");
            request.protect = id == 2;
            book.count(&request);
            let place = book.terminals.entry(key).or_default();
            place.expired.push_back(Expired { id, request });
        }
        assert!(book.begin(&key).is_some());
        assert!(book.begin(&key).is_none(), "one task at a time");
        book.not_begun(&key);
        assert_eq!((book.drop_unprotected(&key), book.counts().0.0), (1, 1));
        assert!(book.unprotected().is_empty());
        assert!(book.begin(&key).is_some_and(|request| request.protect));
    }

    #[test]
    fn data_is_limited() {
        let mut book = Book::default();
        book.limits.bytes = 1_000;
        let big = request(b"BIG     ", &[0; 1_000]);
        assert!(!book.has_room(&big));
        let small = request(b"SMALL   ", b"x");
        assert!(book.has_room(&small));
        book.count(&small);
        book.drop_one(&small);
        assert_eq!(book.counts().1.2, 1, "the limit was reached once");
    }
}
