//! Threads of DB2CONN and DB2ENTRY: how many units of work use SQL at a time.
//!
//! What: a task has a thread from its first statement to the end of its unit of work. THREADLIMIT
//! says how many a DB2ENTRY and the pool have, TCBLIMIT how many there are in all, THREADWAIT
//! whether who comes later waits, gets one of the pool, or ends. Who waits is served in the order
//! of coming. Not here: what runs statements (`sessions`), what a task may do (`attachment`).

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_recovery::guard::lock;
use transom_types::AbendCode;
use transom_wire::definitions::{Db2Connection, Db2ThreadEntry, Db2ThreadWait};

/// All threads of a region.
#[derive(Default)]
pub(crate) struct Threads(Mutex<State>);

/// Whose threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Pool,
    Entry([u8; 8]),
}

/// What a task may have.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    entry: Option<OfEntry>,
    pool: u32,
    pool_waits: bool,
    /// TCBLIMIT.
    all: u32,
    /// The task keeps it to its end, not only to the end of its unit of work.
    to_the_end: bool,
}

#[derive(Clone, Copy)]
struct OfEntry {
    name: [u8; 8],
    limit: u32,
    wait: Db2ThreadWait,
}

impl Wanted {
    /// By the connection, and by the entry of the transaction where there is one that is enabled.
    pub(crate) fn of(
        connection: &Db2Connection,
        entry: Option<&Db2ThreadEntry>,
        at_terminal: bool,
    ) -> Self {
        Self {
            entry: entry.map(|entry| OfEntry {
                name: entry.name,
                limit: entry.thread_limit.into(),
                wait: entry.thread_wait,
            }),
            pool: connection.thread_limit.into(),
            pool_waits: connection.thread_wait,
            all: connection.tcb_limit.into(),
            to_the_end: !at_terminal && !connection.nontermrel,
        }
    }
}

/// What a task got.
pub(crate) enum Taken {
    Has,
    /// There may be one for it now.
    Waits(oneshot::Receiver<()>),
    /// The abend of the task, and its text.
    Refused(AbendCode, String),
}

/// What is counted of the threads of a DB2ENTRY.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EntryThreads {
    /// Units of work that use SQL by them.
    pub now: u64,
    /// Most of them since the start of the region.
    pub peak: u64,
    /// Tasks that waited, or had a thread of the pool instead.
    pub passed: u64,
}

#[derive(Default)]
struct State {
    /// By task.
    held: HashMap<u32, Held>,
    used: HashMap<Place, u32>,
    peaks: HashMap<Place, u32>,
    /// Tasks that found no thread of their entry.
    passed: HashMap<[u8; 8], u64>,
    waiting: VecDeque<Waiting>,
    peak: usize,
    waits: u64,
    refused: u64,
}

struct Held {
    place: Place,
    to_the_end: bool,
}

struct Waiting {
    task: u32,
    wanted: Wanted,
    wake: oneshot::Sender<()>,
}

impl Threads {
    /// A thread for a task; one that has one keeps it. Who waits asks again when it is woken, or
    /// when limits may have changed, and keeps its place.
    pub(crate) fn take(&self, task: u32, wanted: Wanted) -> Taken {
        let mut state = lock(&self.0);
        if state.held.contains_key(&task) {
            return Taken::Has;
        }
        let place = state.waiting.iter().position(|one| one.task == task);
        if place.is_none() {
            let free = state.free(&wanted);
            if let Ok(place) = free {
                if place == Place::Pool {
                    state.passes(&wanted);
                }
                state.hold(task, place, &wanted);
                return Taken::Has;
            }
            if let Err(Some((code, text))) = free.map_err(|full| wanted.refusal(full)) {
                state.refused += 1;
                return Taken::Refused(code, text);
            }
        }
        let (wake, woken) = oneshot::channel();
        let waiting = Waiting { task, wanted, wake };
        match place {
            Some(place) => state.waiting[place] = waiting,
            None => {
                state.waits += 1;
                state.passes(&wanted);
                state.waiting.push_back(waiting);
            }
        }
        state.serve();
        match state.held.contains_key(&task) {
            true => Taken::Has,
            false => Taken::Waits(woken),
        }
    }

    /// The unit of work of a task has ended; `keeps`: it left something that needs its thread.
    pub(crate) fn unit_ended(&self, task: u32, keeps: bool) {
        let mut state = lock(&self.0);
        let to_the_end = state.held.get(&task).is_some_and(|held| held.to_the_end);
        if !keeps && !to_the_end {
            state.release(task);
        }
    }

    /// A task is over.
    pub(crate) fn task_ended(&self, task: u32) {
        let mut state = lock(&self.0);
        state.waiting.retain(|one| one.task != task);
        state.release(task);
    }

    /// Figures for the statistics.
    pub(crate) fn figures(&self) -> [(&'static str, u64); 5] {
        let state = lock(&self.0);
        [
            ("now", state.held.len() as u64),
            ("peak", state.peak as u64),
            ("waiting", state.waiting.len() as u64),
            ("waits", state.waits),
            ("refused", state.refused),
        ]
    }

    /// Those of a DB2ENTRY.
    pub(crate) fn of_entry(&self, name: [u8; 8]) -> EntryThreads {
        let (state, place) = (lock(&self.0), Place::Entry(name));
        let at = |counts: &HashMap<Place, u32>| counts.get(&place).copied().unwrap_or(0).into();
        EntryThreads {
            now: at(&state.used),
            peak: at(&state.peaks),
            passed: state.passed.get(&name).copied().unwrap_or(0),
        }
    }
}

/// Which limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Full {
    All,
    Entry([u8; 8]),
    Pool,
}

impl Wanted {
    /// What ends the task; `None`: it waits.
    fn refusal(&self, full: Full) -> Option<(AbendCode, String)> {
        let waits = match self.entry.map(|entry| entry.wait) {
            Some(Db2ThreadWait::Yes) => true,
            Some(Db2ThreadWait::No) => false,
            Some(Db2ThreadWait::Pool) | None => self.pool_waits,
        };
        if waits {
            return None;
        }
        let (code, text) = match full {
            Full::All => (AbendCode::AD2Y, messages::sq::no_tcb(self.all)),
            Full::Entry(name) => {
                let limit = self.entry.map_or(0, |entry| entry.limit);
                let name = String::from_utf8_lossy(&name).trim_end().to_owned();
                (AbendCode::AD2P, messages::sq::no_entry_thread(limit, name))
            }
            Full::Pool => (AbendCode::AD3T, messages::sq::no_pool_thread(self.pool)),
        };
        Some((code, text.to_string()))
    }
}

impl State {
    /// Where there is a thread.
    fn free(&self, wanted: &Wanted) -> Result<Place, Full> {
        let used = |place| self.used.get(&place).copied().unwrap_or(0);
        if self.held.len() >= wanted.all as usize {
            return Err(Full::All);
        }
        if let Some(entry) = wanted.entry {
            let place = Place::Entry(entry.name);
            if used(place) < entry.limit {
                return Ok(place);
            }
            if entry.wait != Db2ThreadWait::Pool {
                return Err(Full::Entry(entry.name));
            }
        }
        match used(Place::Pool) < wanted.pool {
            true => Ok(Place::Pool),
            false => Err(Full::Pool),
        }
    }

    fn hold(&mut self, task: u32, place: Place, wanted: &Wanted) {
        let used = self.used.entry(place).or_default();
        *used += 1;
        let peak = self.peaks.entry(place).or_default();
        *peak = (*peak).max(*used);
        let to_the_end = wanted.to_the_end;
        self.held.insert(task, Held { place, to_the_end });
        self.peak = self.peak.max(self.held.len());
    }

    /// A task gets no thread of its entry at once.
    fn passes(&mut self, wanted: &Wanted) {
        if let Some(entry) = wanted.entry {
            *self.passed.entry(entry.name).or_default() += 1;
        }
    }

    fn release(&mut self, task: u32) {
        let Some(held) = self.held.remove(&task) else {
            return;
        };
        if let Some(used) = self.used.get_mut(&held.place) {
            *used = used.saturating_sub(1);
        }
        self.serve();
    }

    /// Gives threads to those who wait, the first one first. One whose task is gone gives it back
    /// when its end is told.
    fn serve(&mut self) {
        let mut still = VecDeque::new();
        for one in std::mem::take(&mut self.waiting) {
            match self.free(&one.wanted) {
                Ok(place) => {
                    self.hold(one.task, place, &one.wanted);
                    let _ = one.wake.send(());
                }
                Err(_) => still.push_back(one),
            }
        }
        self.waiting = still;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(pool: u32, pool_waits: bool) -> Wanted {
        Wanted {
            entry: None,
            pool,
            pool_waits,
            all: 12,
            to_the_end: false,
        }
    }

    fn entry(limit: u32, wait: Db2ThreadWait, rest: Wanted) -> Wanted {
        let name = *b"PAYENTRY";
        Wanted {
            entry: Some(OfEntry { name, limit, wait }),
            ..rest
        }
    }

    fn code(taken: Taken) -> String {
        match taken {
            Taken::Has => "has".to_owned(),
            Taken::Waits(_) => "waits".to_owned(),
            Taken::Refused(code, _) => code.to_string(),
        }
    }

    #[test]
    fn who_waits_is_served_in_order_and_gone_tasks_are_passed() {
        let threads = Threads::default();
        let take = |task| threads.take(task, pool(1, true));
        assert_eq!(code(take(1)), "has");
        let Taken::Waits(mut second) = take(2) else {
            panic!("no wait")
        };
        assert_eq!(code(take(3)), "waits");
        assert_eq!(code(take(1)), "has");
        threads.unit_ended(1, true);
        assert!(second.try_recv().is_err());
        threads.unit_ended(1, false);
        assert_eq!(second.try_recv(), Ok(()));
        assert_eq!(code(take(2)), "has");
        // Nobody hears that it is its turn: its end gives the thread on.
        threads.task_ended(2);
        threads.task_ended(3);
        assert_eq!(code(take(4)), "has");
        assert_eq!(threads.figures().map(|one| one.1), [1, 1, 0, 2, 0]);
    }

    #[test]
    fn threadwait_says_what_becomes_of_who_comes_too_late() {
        let threads = Threads::default();
        let yes = entry(1, Db2ThreadWait::Yes, pool(1, false));
        let no = entry(1, Db2ThreadWait::No, pool(1, true));
        let over = entry(1, Db2ThreadWait::Pool, pool(1, false));
        assert_eq!(code(threads.take(1, yes)), "has");
        assert_eq!(code(threads.take(2, yes)), "waits");
        assert_eq!(code(threads.take(3, no)), "AD2P");
        assert_eq!(code(threads.take(4, over)), "has");
        assert_eq!(code(threads.take(5, over)), "AD3T");
        let counted = EntryThreads {
            now: 1,
            peak: 1,
            passed: 2,
        };
        assert_eq!(threads.of_entry(*b"PAYENTRY"), counted);
        assert_eq!(code(threads.take(6, pool(1, false))), "AD3T");
        // No threads of its own: all of them are the pool's.
        let none = entry(0, Db2ThreadWait::Pool, pool(1, true));
        assert_eq!(code(threads.take(7, none)), "waits");
        threads.task_ended(4);
        assert_eq!(code(threads.take(7, none)), "has");
        let few = Wanted {
            all: 2,
            ..pool(9, false)
        };
        assert_eq!(code(threads.take(8, few)), "AD2Y");
    }

    #[test]
    fn a_limit_that_is_raised_lets_in_who_waits() {
        let threads = Threads::default();
        assert_eq!(code(threads.take(1, pool(1, true))), "has");
        assert_eq!(code(threads.take(2, pool(1, true))), "waits");
        assert_eq!(code(threads.take(2, pool(2, true))), "has");
    }

    #[test]
    fn without_nontermrel_a_task_keeps_its_thread() {
        let threads = Threads::default();
        let keeps = Wanted {
            to_the_end: true,
            ..pool(1, false)
        };
        assert_eq!(code(threads.take(1, keeps)), "has");
        threads.unit_ended(1, false);
        assert_eq!(code(threads.take(2, keeps)), "AD3T");
        threads.task_ended(1);
        assert_eq!(code(threads.take(2, keeps)), "has");
    }
}
