//! What START requests there are: waiting for their time, or for RETRIEVE.
//!
//! What: requests by id and REQID, the data of expired ones by task, limits. Why apart: no clock, no
//! tasks, no store, so it can be tested alone. Not here: those (`clock`, `launch`, `protected`).

use crate::codec::{Reader, Writer};
use crate::interval::request::{StartRequest, TRIGGER};
use std::collections::{HashMap, VecDeque};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;
use transom_types::{TermId, TransId};

/// Most requests that wait for their time or their task.
pub(crate) const REQUESTS_MAX: usize = 100_000;
/// Most bytes of their data.
pub(crate) const BYTES_MAX: usize = 256 << 20;

/// Tasks at one terminal for one transaction share their requests.
pub(crate) type Key = (TermId, TransId);

/// What a task was started for, as its section `Retrieve` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// One request, without terminal.
    Alone(u64),
    /// Requests of a transaction at a terminal.
    Terminal(Key),
    /// A cycle of the trigger of a transient data queue, at a terminal.
    Trigger([u8; 4], u64),
}

impl Owner {
    /// The section.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(16);
        match self {
            Self::Alone(id) => out.u8(1).u64(*id),
            Self::Terminal((termid, transid)) => {
                out.u8(2).raw(termid.as_bytes()).raw(transid.as_bytes())
            }
            Self::Trigger(queue, cycle) => out.u8(TRIGGER).raw(queue).u64(*cycle),
        };
        out.0
    }

    /// Reads the section.
    pub(crate) fn decode(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.u8()? {
            1 => Self::Alone(from.u64()?),
            2 => Self::Terminal((
                TermId::from_field(from.raw(4)?),
                TransId::from_field(from.raw(4)?),
            )),
            TRIGGER => Self::Trigger(from.raw(4)?.try_into().ok()?, from.u64()?),
            _ => return None,
        })
    }
}

/// A request whose time has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expired {
    pub(super) id: u64,
    pub(super) request: StartRequest,
}

/// Expired requests of one transaction at one terminal, in the order they expired.
#[derive(Default)]
pub(super) struct AtTerminal {
    pub(super) expired: VecDeque<Expired>,
    /// The request a task was started for that has not ended.
    pub(super) task: Option<u64>,
    /// The task waits in RETRIEVE WAIT.
    pub(super) waiter: Option<oneshot::Sender<()>>,
}

/// All requests.
#[derive(Default)]
pub(super) struct Book {
    waiting: HashMap<u64, StartRequest>,
    by_reqid: HashMap<[u8; 8], Vec<u64>>,
    /// Requests of tasks without terminal, until RETRIEVE or the end of the task.
    pub(super) alone: HashMap<u64, StartRequest>,
    pub(super) terminals: HashMap<Key, AtTerminal>,
    /// Tasks at terminals, and tasks of triggers at terminals.
    pub(super) running: HashMap<u32, Owner>,
    bytes: usize,
    requests: usize,
    last_id: u64,
    last_reqid: u64,
}

impl Book {
    /// An id no request of this or an earlier run has.
    pub(super) fn new_id(&mut self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| u64::try_from(now.as_nanos()).unwrap_or(0));
        self.last_id = now.max(self.last_id + 1);
        self.last_id
    }

    /// A REQID for a request without one: `DF` and six characters.
    pub(super) fn make_reqid(&mut self) -> [u8; 8] {
        const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        loop {
            self.last_reqid += 1;
            let (mut reqid, mut rest) = (*b"DF000000", self.last_reqid);
            for digit in reqid.iter_mut().skip(2).rev() {
                *digit = DIGITS[(rest % 36) as usize];
                rest /= 36;
            }
            if !self.by_reqid.contains_key(&reqid) {
                return reqid;
            }
        }
    }

    /// The REQID belongs to a request that waits, and one of the two has data.
    pub(super) fn is_taken(&self, request: &StartRequest) -> bool {
        let others = self.by_reqid.get(&request.reqid);
        others.is_some_and(|ids| {
            request.data.is_some()
                || ids
                    .iter()
                    .filter_map(|id| self.waiting.get(id))
                    .any(|other| other.data.is_some())
        })
    }

    pub(super) fn has_room(&self, request: &StartRequest) -> bool {
        self.requests < REQUESTS_MAX && self.bytes + request.bytes() <= BYTES_MAX
    }

    /// Requests and bytes.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.requests, self.bytes)
    }

    /// Counts a request that waits or has expired; [`Book::drop_one`] is its end.
    pub(super) fn count(&mut self, request: &StartRequest) {
        self.requests += 1;
        self.bytes += request.bytes();
    }

    /// The request is gone.
    pub(super) fn drop_one(&mut self, request: &StartRequest) {
        self.requests = self.requests.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(request.bytes());
    }

    /// Waits for its time.
    pub(super) fn add(&mut self, id: u64, request: StartRequest) {
        self.count(&request);
        self.by_reqid.entry(request.reqid).or_default().push(id);
        self.waiting.insert(id, request);
    }

    /// Its time has come; `None`: it was cancelled.
    pub(super) fn take(&mut self, id: u64) -> Option<StartRequest> {
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
    pub(super) fn cancel(&mut self, reqid: &[u8; 8]) -> Option<(u64, StartRequest)> {
        let id = *self.by_reqid.get(reqid)?.first()?;
        self.take(id).map(|request| (id, request))
    }

    pub(super) fn find(&self, reqid: &[u8; 8]) -> Option<&StartRequest> {
        let id = self.by_reqid.get(reqid)?.first()?;
        self.waiting.get(id)
    }

    /// The next data of a transaction at a terminal.
    pub(super) fn next_data(&mut self, key: &Key) -> Option<Expired> {
        let place = self.terminals.get_mut(key)?;
        let has_data = |expired: &Expired| expired.request.data.is_some();
        let at = place.expired.iter().position(has_data)?;
        let found = place.expired.remove(at)?;
        self.drop_one(&found.request);
        Some(found)
    }

    /// The task at a terminal ended: its request is over. Answers the request of the next task, and
    /// the one that is over when its data was not taken.
    pub(super) fn next_task(&mut self, key: &Key) -> (Option<StartRequest>, Option<Expired>) {
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

    /// The terminal is gone, and all that waited for it.
    pub(super) fn drop_terminal(&mut self, terminal: TermId) -> Vec<Expired> {
        let keys: Vec<Key> = self.terminals.keys().copied().collect();
        let mut dropped = Vec::new();
        for key in keys.iter().filter(|key| key.0 == terminal) {
            let place = self.terminals.remove(key).unwrap_or_default();
            dropped.extend(place.expired);
        }
        dropped.iter().for_each(|e| self.drop_one(&e.request));
        dropped
    }

    /// REQIDs of requests that wait, in order.
    pub(super) fn reqids(&self) -> Vec<[u8; 8]> {
        let mut names: Vec<[u8; 8]> = self.by_reqid.keys().copied().collect();
        names.sort_unstable();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::request::StartData;
    use transom_types::UserId;

    fn request(reqid: &[u8; 8], from: &[u8]) -> StartRequest {
        StartRequest {
            reqid: *reqid,
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
        }
    }

    #[test]
    fn a_reqid_finds_its_request_until_it_expires() {
        let mut book = Book::default();
        let id = book.new_id();
        book.add(id, request(b"ONE     ", b"data"));
        assert!(book.is_taken(&request(b"ONE     ", b"")));
        assert_eq!(book.reqids(), [*b"ONE     "]);
        assert_eq!(book.cancel(b"ONE     ").map(|found| found.0), Some(id));
        assert_eq!(book.cancel(b"ONE     "), None);
        assert_eq!(book.counts(), (0, 0));

        let id = book.new_id();
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
        assert_eq!((book.counts(), book.terminals.len()), ((0, 0), 0));
    }

    #[test]
    fn data_is_limited() {
        let mut book = Book::default();
        let big = request(b"BIG     ", &vec![0; BYTES_MAX]);
        assert!(!book.has_room(&big));
        let small = request(b"SMALL   ", b"x");
        assert!(book.has_room(&small));
        book.count(&small);
        book.drop_one(&small);
        assert_eq!(book.counts(), (0, 0));
    }
}
