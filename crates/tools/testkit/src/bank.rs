//! Accounts, transfers between them, and the checks that nothing was lost or done twice.
//!
//! What: a transfer changes two accounts, adds an entry to a journal and, where there is one, an item to a queue, all in
//! one unit of work. With a second store one account and a copy of the entry lie there, and the outcome is decided by
//! two-phase commit: the second store prepares, the commit of the first decides. Why the journal: it tells from the
//! data alone which transfers happened. Not here: what goes wrong meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_datasets::{LocalOptions, PgOptions, PgStore, open_local};
use transom_recovery::*;
use transom_types::Applid;

const ACCOUNTS: &str = "file/ACCOUNTS";
const JOURNAL: &str = "file/JOURNAL";
const QUEUE: &str = "td/TORT";
const SCRATCH: &str = "file/SCRATCH";
/// Accounts there are.
const ACCOUNTS_MAX: u64 = 20;
/// What `prepare` is told.
const INFO: &[u8] = b"transfer";
/// How long a check waits for the server to notice that a session is dead.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the money lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Target {
    /// Files of the embedded store.
    Local,
    /// The same and a recoverable queue.
    Queue,
    /// Files and a queue in PostgreSQL.
    Postgres,
    /// Files of the embedded store and, in the same unit of work, of PostgreSQL.
    Both,
}

/// An open bank.
pub(crate) struct Bank {
    first: Arc<dyn UowStore>,
    second: Option<Arc<dyn UowStore>>,
    queue: bool,
    applid: Applid,
    padding: usize,
}

/// How a transfer ended, as far as one can say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Committed,
    BackedOut,
    /// Whole or not at all; the error that came in between.
    Unknown(StoreError),
}

/// What is in the stores.
#[derive(Debug)]
pub(crate) struct Found {
    /// Numbers of the transfers that happened.
    pub(crate) transfers: BTreeSet<u64>,
}

impl Target {
    /// True when the embedded store takes part.
    pub(crate) fn is_local(self) -> bool {
        self != Self::Postgres
    }

    /// True when PostgreSQL takes part.
    pub(crate) fn is_postgres(self) -> bool {
        matches!(self, Self::Postgres | Self::Both)
    }
}

/// Each folder is a region of its own: one server keeps the prepared work of all of them apart by their names.
fn applid(folder: &Path) -> Applid {
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_uppercase();
    let tail: String = name.chars().rev().take(7).collect();
    let name: String = std::iter::once('T').chain(tail.chars().rev()).collect();
    Applid::from_field(name.as_bytes())
}

impl Bank {
    /// Opens the stores and makes sure their tables exist.
    pub(crate) fn open(
        target: Target,
        folder: &Path,
        connect: &str,
        map_bytes: usize,
    ) -> Result<Self, StoreError> {
        let applid = applid(folder);
        let local = || -> Result<Arc<dyn UowStore>, StoreError> {
            let store = open_local(folder, LocalOptions { map_bytes }, Settings::default())?;
            Ok(Arc::new(store))
        };
        let postgres = || -> Result<Arc<dyn UowStore>, StoreError> {
            Ok(Arc::new(PgStore::open(PgOptions::new(connect, applid))?))
        };
        let bank = Self {
            first: if target.is_local() {
                local()?
            } else {
                postgres()?
            },
            second: match target {
                Target::Both => Some(postgres()?),
                _ => None,
            },
            queue: matches!(target, Target::Queue | Target::Postgres),
            applid,
            padding: 0,
        };
        for store in bank.stores() {
            for table in [ACCOUNTS, JOURNAL, QUEUE] {
                wait(store.define(table))?;
            }
        }
        Ok(bank)
    }

    /// The same with longer journal entries.
    pub(crate) fn padded(mut self, bytes: usize) -> Self {
        self.padding = bytes;
        self
    }

    fn uow(&self, number: u64) -> UowId {
        UowId::new(self.applid, number)
    }

    fn stores(&self) -> impl Iterator<Item = &Arc<dyn UowStore>> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// Moves money, or begins to and backs out.
    pub(crate) fn transfer(&self, n: u64) -> Ended {
        match self.begin(n) {
            Ok(()) if n.is_multiple_of(6) => self.give_up(n, None),
            Ok(()) => self.commit(n),
            Err(error) => self.give_up(n, Some(error)),
        }
    }

    /// A caller that died: what it had goes.
    pub(crate) fn abandon(&self, n: u64) {
        self.stores().for_each(|s| s.release(self.uow(n)));
    }

    fn begin(&self, n: u64) -> Result<(), StoreError> {
        let u = self.uow(n);
        let (from, to, amount) = movement(n);
        let entry = [amount.to_be_bytes().to_vec(), vec![b'.'; self.padding]].concat();
        let entry = Change::Insert(entry);
        let other = self.second.as_ref().unwrap_or(&self.first);
        for (store, account, change) in [(&self.first, from, -amount), (other, to, amount)] {
            let key = account.to_be_bytes();
            let patience = Wait::Until(Instant::now() + PATIENCE);
            // An account that does not exist yet is not locked by reading it.
            wait(store.lock(u, ACCOUNTS, &key, patience))?;
            let lock = Lock::Update(patience);
            let row = wait(store.read(Some(u), ACCOUNTS, &key, Match::Equal, lock))?;
            let balance = row.map_or(0, |r| number(&r.record)) + change;
            let put = Change::Put(balance.to_be_bytes().to_vec());
            wait(store.stage(u, ACCOUNTS, &key, put, patience))?;
        }
        for store in self.stores() {
            wait(store.stage(u, JOURNAL, &n.to_be_bytes(), entry.clone(), Wait::No))?;
        }
        if self.queue {
            let place = wait(self.first.allocate(QUEUE, 1))?.to_be_bytes();
            let item = Change::Insert(n.to_be_bytes().to_vec());
            wait(self.first.stage(u, QUEUE, &place, item, Wait::No))?;
        }
        match &self.second {
            Some(second) => wait(second.prepare(u, INFO)),
            None if n.is_multiple_of(3) => wait(self.first.prepare(u, INFO)),
            None => Ok(()),
        }
    }

    fn commit(&self, n: u64) -> Ended {
        // A refusal for want of room is certain; a device error may come after the data were safe.
        let error = match wait(self.first.commit(self.uow(n))) {
            Ok(()) => match &self.second {
                None => return Ended::Committed,
                // Decided. What the second store cannot do now it does after a restart.
                Some(second) => match wait(second.commit(self.uow(n))) {
                    Ok(()) => return Ended::Committed,
                    Err(_) => {
                        second.retain(self.uow(n));
                        return Ended::Committed;
                    }
                },
            },
            Err(error @ StoreError::NoSpace(_)) => return self.give_up(n, Some(error)),
            Err(error) => error,
        };
        match &self.second {
            // Only a restart can tell what was decided.
            Some(second) => second.retain(self.uow(n)),
            None => {
                let _ = self.give_up(n, None);
            }
        }
        Ended::Unknown(error)
    }

    fn give_up(&self, n: u64, why: Option<StoreError>) -> Ended {
        let mut failed = None;
        for store in self.stores() {
            if let Err(error) = wait(store.backout(self.uow(n))) {
                store.release(self.uow(n));
                failed = Some(error);
            }
        }
        match failed.or(why.filter(|e| matches!(e, StoreError::Io(_) | StoreError::Closed))) {
            Some(error) => Ended::Unknown(error),
            None => Ended::BackedOut,
        }
    }

    /// Work outside of units of work: a table comes, gets a record, is emptied.
    pub(crate) fn scratch(&self) -> Result<(), StoreError> {
        wait(self.first.define(SCRATCH))?;
        let write = Write::new(SCRATCH, *b"k", Change::Put(vec![0; 100]));
        wait(self.first.write_now(None, vec![write], Wait::No))?;
        wait(self.first.empty(SCRATCH))
    }

    /// Ends what earlier runs left in doubt: as the first store decided, or, where it has to be decided, at random.
    pub(crate) fn resolve(&self, mut coin: impl FnMut() -> bool) -> Result<(), StoreError> {
        for doubt in wait(self.first.in_doubt())? {
            let outcome = if coin() {
                Outcome::Commit
            } else {
                Outcome::Backout
            };
            wait(self.first.resolve(doubt.uow, outcome))?;
        }
        let Some(second) = &self.second else {
            return Ok(());
        };
        for doubt in wait(second.in_doubt())? {
            let key = doubt.uow.number.to_be_bytes();
            let decided = wait(
                self.first
                    .read(None, JOURNAL, &key, Match::Equal, Lock::None),
            )?;
            let outcome = match decided {
                Some(_) => Outcome::Commit,
                None => Outcome::Backout,
            };
            wait(second.resolve(doubt.uow, outcome))?;
        }
        Ok(())
    }

    /// Locks that are held and units of work in doubt, of all stores; waits until locks given back are free.
    pub(crate) fn left(&self) -> Result<(u64, usize), StoreError> {
        let mut doubts = 0;
        for store in self.stores() {
            doubts += wait(store.in_doubt())?.len();
        }
        let named = |s: &Arc<dyn UowStore>| {
            let limits = s.stats().limits;
            limits
                .iter()
                .find(|l| l.name == "record locks")
                .map_or(0, |l| l.now)
        };
        Ok((self.stores().map(named).sum(), doubts))
    }

    /// Compares balances, journal and queue; every record must have its checksum.
    pub(crate) fn check(&self) -> Result<Found, String> {
        let failed = |e: StoreError| format!("the store answered: {e}");
        let mut balances: BTreeMap<u64, i64> = BTreeMap::new();
        let mut journals: Vec<BTreeSet<u64>> = Vec::new();
        for store in self.stores() {
            let damage = wait(store.verify("")).map_err(failed)?;
            if let Some(first) = damage.first() {
                return Err(format!("{} damaged records, first {first:?}", damage.len()));
            }
            for (account, balance) in all(&**store, ACCOUNTS).map_err(failed)? {
                *balances.entry(key_number(&account)).or_default() += number(&balance);
            }
            let entries = all(&**store, JOURNAL).map_err(failed)?;
            journals.push(entries.iter().map(|(k, _)| key_number(k)).collect());
        }
        if journals.windows(2).any(|w| w[0] != w[1]) {
            return Err(format!(
                "the journals of the two stores differ: {journals:?}"
            ));
        }
        let transfers = journals.pop().unwrap_or_default();
        let sum = balances.values().sum::<i64>();
        if sum != 0 {
            let account = compare(&balances, &transfers);
            return Err(format!("the sum of all accounts is {sum}, {account:?}"));
        }
        compare(&balances, &transfers)?;
        if self.queue {
            let items = all(&*self.first, QUEUE).map_err(failed)?;
            let count = items.len();
            let queued: BTreeSet<u64> = items.iter().map(|(_, n)| key_number(n)).collect();
            if queued != transfers || count != queued.len() {
                return Err(format!("queue and journal differ: {count} items"));
            }
        }
        Ok(Found { transfers })
    }

    /// Nothing may be locked any more: every account can be had.
    pub(crate) fn check_locks(&self) -> Result<(), String> {
        let u = self.uow(u64::MAX);
        for store in self.stores() {
            for account in 0..ACCOUNTS_MAX {
                let patience = Wait::Until(Instant::now() + PATIENCE);
                let locked = wait(store.lock(u, ACCOUNTS, &account.to_be_bytes(), patience));
                locked.map_err(|e| format!("account {account} is locked: {e}"))?;
            }
            store.release(u);
        }
        Ok(())
    }

    /// Highest number used in the journal.
    pub(crate) fn last(&self) -> Result<u64, StoreError> {
        let mut last = 0;
        for store in self.stores() {
            let journal = all(&**store, JOURNAL)?;
            last = last.max(journal.last().map_or(0, |(k, _)| key_number(k)));
        }
        Ok(last)
    }
}

/// From account, to account, amount.
fn movement(n: u64) -> (u64, u64, i64) {
    let amount = i64::try_from(n % 100).unwrap_or(0);
    (n * 7 % ACCOUNTS_MAX, n * 11 % ACCOUNTS_MAX, amount)
}

fn compare(balances: &BTreeMap<u64, i64>, transfers: &BTreeSet<u64>) -> Result<(), String> {
    let mut wanted: BTreeMap<u64, i64> = BTreeMap::new();
    for n in transfers {
        let (from, to, amount) = movement(*n);
        *wanted.entry(from).or_default() -= amount;
        *wanted.entry(to).or_default() += amount;
    }
    for account in 0..ACCOUNTS_MAX {
        let (is, must) = (balances.get(&account), wanted.get(&account));
        let (is, must) = (is.copied().unwrap_or(0), must.copied().unwrap_or(0));
        if is != must {
            return Err(format!(
                "account {account} has {is}, its transfers say {must}"
            ));
        }
    }
    Ok(())
}

fn number(bytes: &[u8]) -> i64 {
    bytes.try_into().map_or(i64::MIN, i64::from_be_bytes)
}

fn key_number(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(u64::MAX, u64::from_be_bytes)
}

/// Key and record.
type Pair = (Vec<u8>, Vec<u8>);

fn all(store: &dyn UowStore, table: &str) -> Result<Vec<Pair>, StoreError> {
    let mut found = Vec::new();
    let mut from = Bound::Unbounded;
    loop {
        let bound = from.as_ref().map(Vec::as_slice);
        let rows = wait(store.scan(None, table, bound, &[], Direction::Forward, 1_000))?;
        let Some(last) = rows.last() else {
            return Ok(found);
        };
        from = Bound::Excluded(last.key.clone());
        found.extend(rows.into_iter().map(|r| (r.key, r.record)));
    }
}
