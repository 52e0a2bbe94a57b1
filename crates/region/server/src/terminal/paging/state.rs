//! Pages while tasks build them, and the messages of a terminal.
//!
//! Not here: what a terminal shows of them (`screen`), what a user does with them (`session`).

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tokio::sync::oneshot;
use transom_region_api::Statistic;
use transom_wire::inbound::InboundRecord;

/// Messages that may wait at one terminal; more are dropped.
pub(crate) const MESSAGES_MAX: usize = 100;
/// Bytes a page takes besides its data.
const PAGE_BYTES: usize = 64;
/// Messages that may wait for their time; more raise TSIOERR.
pub(crate) const DELAYED_MAX: usize = 1_000;

/// Pages that tasks are building, and what all pages take.
#[derive(Default)]
pub(crate) struct Book {
    pub(super) building: HashMap<u32, HashMap<u16, Pages>>,
    used: Arc<AtomicUsize>,
    pub(super) delayed: usize,
    pub(super) last_id: u32,
}

/// The messages of a terminal.
#[derive(Default)]
pub(crate) struct Session {
    pub(super) waiting: VecDeque<Message>,
    pub(super) shown: Option<Shown>,
}

/// Pages, counted as long as anybody has them.
pub(crate) struct Pages {
    pub(super) records: Vec<Vec<u8>>,
    bytes: usize,
    used: Arc<AtomicUsize>,
}

/// A complete message.
#[derive(Clone)]
pub(crate) struct Message {
    pub(super) id: u32,
    pub(super) pages: Arc<Pages>,
    pub(super) title: String,
    pub(super) operator_purges: bool,
}

/// Where a task waits until the user has seen a message.
pub(crate) type Retained = oneshot::Sender<Option<InboundRecord>>;

/// The message on a screen.
pub(crate) struct Shown {
    pub(super) message: Message,
    /// Page on the screen, from 0.
    pub(super) at: usize,
    /// The task that goes on when the user has seen the message (RETAIN); it gets the input that
    /// ended the session, if one did.
    pub(super) retained: Option<Retained>,
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes, Relaxed);
    }
}

impl Book {
    /// Limits and counts.
    pub(crate) fn statistics(&self, bytes_max: usize) -> [Statistic; 3] {
        [
            ("paging_bytes", self.used.load(Relaxed)),
            ("paging_bytes_max", bytes_max),
            ("paging_delayed", self.delayed),
        ]
        .map(|(name, value)| Statistic {
            name,
            value: value as u64,
        })
    }

    /// Keeps pages of a task; `false`: there is no room for them.
    pub(super) fn keep(
        &mut self,
        task: u32,
        group: u16,
        pages: Vec<Vec<u8>>,
        bytes_max: usize,
    ) -> bool {
        let bytes: usize = pages.iter().map(|page| page.len() + PAGE_BYTES).sum();
        if self.used.load(Relaxed) + bytes > bytes_max {
            return false;
        }
        self.used.fetch_add(bytes, Relaxed);
        let groups = self.building.entry(task).or_default();
        let kept = groups.entry(group).or_insert_with(|| Pages {
            records: Vec::new(),
            bytes: 0,
            used: self.used.clone(),
        });
        kept.bytes += bytes;
        kept.records.extend(pages);
        true
    }
}

impl Session {
    /// A message is on the screen.
    pub(crate) fn is_shown(&self) -> bool {
        self.shown.is_some()
    }

    /// A task waits until the user has seen the message (RETAIN).
    pub(crate) fn retains(&self) -> bool {
        let shown = self.shown.as_ref();
        shown.is_some_and(|shown| shown.retained.is_some())
    }

    /// The task at the terminal is over: no input is for it any more, even if it was killed while
    /// it waited for one.
    pub(crate) fn task_ended(&mut self) {
        if let Some(shown) = &mut self.shown {
            shown.retained = None;
        }
    }

    /// The user is signed off: nobody else sees what was on the screen.
    pub(crate) fn forget_shown(&mut self) {
        self.shown = None;
    }

    /// The session with the terminal is over.
    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
        self.shown = None;
    }
}
