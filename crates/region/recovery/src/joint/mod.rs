//! One store out of several: that of the region, and partners that hold some of its tables.
//!
//! What: a [`UowStore`] that sends each table to the store that keeps it and ends units of work in
//! all of them alike: partners with changes prepare, the commit of the region's own store decides
//! (the record that says so is one write with its changes), partners are told, the record is
//! forgotten. Without the record a prepared unit of work is backed out (presumed abort). One
//! changed store alone commits in one phase; one that was only read is just let go. Why here: files
//! and queues need not know where a table lies. Not here: stores, locks, what a table holds.

mod ends;
mod interface;
mod patience;
mod resync;

use crate::{Outcome, StoreError, StoreFuture, UowId, UowStore, wait};
use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use transom_messages::{self as messages, Operator};

/// Decisions whose partners do not all know them yet; written with the changes they decide.
const DECIDED: &str = "uow/decided";
/// The number of this system, and which stores belong to it.
const SYSTEM: &str = "uow/system";
/// Key of the number of this system.
const NUMBER: &[u8] = b"number";
/// Most partners; each costs a look at each end of a unit of work.
const PARTNERS_MAX: usize = 16;

/// Opens a partner for the system of this number. May block; called again while it answers
/// [`StoreError::Unavailable`].
pub type Connect = Box<dyn Fn(u64) -> Result<Arc<dyn UowStore>, StoreError> + Send + Sync>;

/// A store beside that of the region.
pub struct Partner {
    /// Its name, for messages and in decisions. Not empty, at most 32 bytes, no comma.
    pub name: String,
    /// Opens it.
    pub connect: Connect,
    /// Whether it keeps a table.
    pub owns: Box<dyn Fn(&str) -> bool + Send + Sync>,
}

/// Several stores as one.
pub struct JointStore {
    inner: Arc<Inner>,
    /// Runs ends of units of work and what is to be told to partners later.
    thread: Option<JoinHandle<()>>,
}

struct Inner {
    local: Arc<dyn UowStore>,
    members: Vec<Member>,
    system: u64,
    /// Units of work whose end is under way.
    ending: Mutex<HashSet<UowId>>,
    /// What partners have to be told still.
    untold: Mutex<BTreeMap<(UowId, usize), Told>>,
    /// Decisions that all partners know.
    settled: Mutex<Vec<UowId>>,
    work: Notify,
    stop: AtomicBool,
    /// Longest wait that may be part of a circle through two stores, in milliseconds.
    across_ms: AtomicU64,
    runtime: OnceLock<Handle>,
    operator: Operator,
}

struct Member {
    partner: Partner,
    store: OnceLock<Arc<dyn UowStore>>,
    /// Its units of work of earlier runs are ended.
    clean: AtomicBool,
    /// That it is away, or wrong, was said.
    complained: AtomicBool,
}

#[derive(Clone, Copy)]
struct Told {
    outcome: Outcome,
    since: SystemTime,
}

fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

impl JointStore {
    /// Puts the region's own store and its partners together, and ends what earlier runs left: in
    /// doubt at a partner and decided here is committed, the rest backed out. A partner that cannot
    /// be reached is asked again in the background; any other refusal is an error.
    pub fn open(
        local: Arc<dyn UowStore>,
        partners: Vec<Partner>,
        operator: Operator,
    ) -> Result<Self, StoreError> {
        if partners.len() > PARTNERS_MAX {
            return Err(StoreError::Limit("stores of a region"));
        }
        wait(local.define(DECIDED))?;
        wait(local.define(SYSTEM))?;
        let member = |partner| Member {
            partner,
            store: OnceLock::new(),
            clean: AtomicBool::new(false),
            complained: AtomicBool::new(false),
        };
        let inner = Arc::new(Inner {
            system: wait(number(&*local))?,
            local,
            members: partners.into_iter().map(member).collect(),
            ending: Mutex::default(),
            untold: Mutex::default(),
            settled: Mutex::default(),
            work: Notify::new(),
            stop: AtomicBool::new(false),
            across_ms: AtomicU64::new(patience::ACROSS_MAX.as_millis() as u64),
            runtime: OnceLock::new(),
            operator,
        });
        wait(inner.check_places())?;
        wait(inner.read_decisions())?;
        for n in 0..inner.members.len() {
            match inner.connect(n) {
                Ok(()) => {}
                Err(error @ StoreError::Unavailable(_)) => inner.complain(n, &error),
                Err(error) => return Err(error),
            }
        }
        wait(inner.resync());
        let thread = resync::start(&inner)?;
        Ok(Self {
            inner,
            thread: Some(thread),
        })
    }

    /// How long a unit of work that holds something in one store may wait in another where it would
    /// wait without end; then it is refused as in a deadlock. 30 seconds at first.
    pub fn set_patience(&self, most: Duration) {
        let most = u64::try_from(most.as_millis()).unwrap_or(u64::MAX);
        self.inner.across_ms.store(most, Ordering::Relaxed);
    }

    /// Name, identity and whether it can be reached, of each partner.
    #[must_use]
    pub fn partners(&self) -> Vec<(&str, Option<String>, bool)> {
        let members = self.inner.members.iter();
        members
            .map(|member| {
                let store = member.store.get();
                let identity = store.and_then(|s| s.identity());
                (member.partner.name.as_str(), identity, store.is_some())
            })
            .collect()
    }
}

impl Drop for JointStore {
    fn drop(&mut self) {
        self.inner.stop.store(true, Ordering::SeqCst);
        self.inner.work.notify_one();
        if let Some(thread) = self.thread.take() {
            // Ends under way are waited for there.
            let _ = thread.join();
        }
    }
}

impl Inner {
    /// The store that keeps a table.
    fn at(&self, table: &str) -> Result<&dyn UowStore, StoreError> {
        match self.member_of(table) {
            None => Ok(&*self.local),
            Some(member) => member.get(),
        }
    }

    fn member_of(&self, table: &str) -> Option<&Member> {
        // Syncpoints, catalog and queues stay with the region.
        let file = table.starts_with("file/") || table.starts_with("aix/");
        let mut members = self.members.iter();
        members.find(|member| file && (member.partner.owns)(table))
    }

    /// Partners that can be reached, with their numbers.
    fn present(&self) -> impl Iterator<Item = (usize, &dyn UowStore)> {
        let members = self.members.iter().enumerate();
        members.filter_map(|(n, member)| Some((n, &**member.store.get()?)))
    }

    /// Records of a data set that was given to a partner later would not be seen any more.
    async fn check_places(&self) -> Result<(), StoreError> {
        for table in self.local.tables("").await? {
            if let Some(member) = self.member_of(&table) {
                return Err(StoreError::Wrong(format!(
                    "{} lies in the region's own store; copy it before store {} gets it",
                    table.split_once('/').map_or(table.as_str(), |t| t.1),
                    member.partner.name
                )));
            }
        }
        Ok(())
    }

    /// Connects a partner; its identity must be that of earlier runs.
    fn connect(&self, n: usize) -> Result<(), StoreError> {
        let Some(member) = self.members.get(n) else {
            return Ok(());
        };
        let store = (member.partner.connect)(self.system)?;
        if let Some(identity) = store.identity() {
            wait(self.recognise(&member.partner.name, &identity))?;
        }
        let _ = member.store.set(store);
        Ok(())
    }

    async fn recognise(&self, name: &str, identity: &str) -> Result<(), StoreError> {
        use crate::{Change, Lock, Match, Wait, Write};
        let key = format!("store/{name}").into_bytes();
        let known = self
            .local
            .read(None, SYSTEM, &key, Match::Equal, Lock::None);
        match known.await? {
            Some(row) if row.record == identity.as_bytes() => Ok(()),
            Some(_) => Err(StoreError::Wrong(format!(
                "store {name} is not the database that earlier runs of this system used"
            ))),
            None => {
                let write = Write::new(SYSTEM, key, Change::Put(identity.as_bytes().to_vec()));
                self.local.write_now(None, vec![write], Wait::No).await
            }
        }
    }

    fn complain(&self, n: usize, error: &StoreError) {
        let Some(member) = self.members.get(n) else {
            return;
        };
        if !member.complained.swap(true, Ordering::Relaxed) {
            let name = &member.partner.name;
            self.operator.tell(messages::rm::store_away(name, error));
        }
    }

    fn name(&self, n: usize) -> &str {
        self.members.get(n).map_or("", |m| m.partner.name.as_str())
    }
}

impl Member {
    fn get(&self) -> Result<&dyn UowStore, StoreError> {
        match self.store.get() {
            Some(store) => Ok(&**store),
            None => Err(StoreError::Unavailable(format!(
                "store {} is away",
                self.partner.name
            ))),
        }
    }
}

/// The number of this system: chosen once, by chance.
async fn number(local: &dyn UowStore) -> Result<u64, StoreError> {
    use crate::{Change, Lock, Match, Wait, Write};
    let stored = local.read(None, SYSTEM, NUMBER, Match::Equal, Lock::None);
    let stored = stored
        .await?
        .and_then(|row| row.record.try_into().ok())
        .map(u64::from_be_bytes);
    if let Some(number) = stored {
        return Ok(number);
    }
    // 0 is the number of regions without a store of their own.
    let number = RandomState::new().build_hasher().finish().max(1);
    let put = Change::Put(number.to_be_bytes().to_vec());
    let write = Write::new(SYSTEM, NUMBER, put);
    local.write_now(None, vec![write], Wait::No).await?;
    Ok(number)
}

/// All records of a small table.
async fn rows(local: &dyn UowStore, table: &str) -> Result<Vec<crate::Row>, StoreError> {
    let mut all: Vec<crate::Row> = Vec::new();
    loop {
        let from = all
            .last()
            .map_or(Bound::Unbounded, |row| Bound::Excluded(row.key.clone()));
        let bound = from.as_ref().map(Vec::as_slice);
        let found = local.scan(
            None,
            table,
            bound,
            &[],
            transom_types::Direction::Forward,
            1_000,
        );
        let found = found.await?;
        if found.is_empty() {
            return Ok(all);
        }
        all.extend(found);
    }
}

fn refused<'a, T: Send + 'a>(error: StoreError) -> StoreFuture<'a, T> {
    Box::pin(std::future::ready(Err(error)))
}
