//! What START requests there are: waiting for their time, or for RETRIEVE.
//!
//! What: requests by id and REQID, the data of expired ones by task, limits. Why apart: no clock, no
//! tasks, no store, so it can be tested alone. Not here: those (`clock`, `launch`, `protected`).

use crate::interval::request::StartRequest;
use std::collections::{HashMap, VecDeque};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;
use transom_types::{TermId, TransId};

/// Most requests that wait for their time or their task.
pub(crate) const REQUESTS_MAX: usize = 100_000;
/// Most bytes of their data.
pub(crate) const BYTES_MAX: usize = 256 << 20;

/// Tasks at one terminal for one transaction share their requests.
pub(super) type Key = (TermId, TransId);

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
    /// A task was started and has not ended.
    pub(super) task: bool,
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
