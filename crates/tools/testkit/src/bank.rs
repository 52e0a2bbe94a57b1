//! Accounts, transfers between them, and the checks that nothing was lost or done twice.
//!
//! What: a transfer changes two accounts, adds an entry to a journal and, where there is one, an
//! item to a queue, all in one unit of work. With a second store, or the SQL engine, one account
//! lies there, with a journal of its own, and the region's coordinator ([`JointStore`]) ends the
//! unit of work in both.
//! Why the journal: it tells from the data alone which transfers happened. Not here: what goes
//! wrong meanwhile.

pub(crate) use crate::target::Target;

use crate::books::{ACCOUNTS_MAX, Pair, all, compare, key_number, movement, number};
use crate::sql_money::SqlMoney;
use crate::target::Opened;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_recovery::*;
use transom_types::Applid;

const ACCOUNTS: &str = "file/ACCOUNTS";
const JOURNAL: &str = "file/JOURNAL";
/// The same in the second store.
const THEIR_ACCOUNTS: &str = "file/BANK.ACCOUNTS";
const THEIR_JOURNAL: &str = "file/BANK.JOURNAL";
const QUEUE: &str = "td/TORT";
const SCRATCH: &str = "file/SCRATCH";
/// What `prepare` is told.
const INFO: &[u8] = b"transfer";
/// How long a check waits for the server to notice that a session is dead.
const PATIENCE: Duration = Duration::from_secs(10);

/// An open bank.
pub(crate) struct Bank {
    store: Arc<dyn UowStore>,
    sql: Option<SqlMoney>,
    target: Target,
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

impl Bank {
    /// Opens the stores and makes sure their tables exist.
    pub(crate) fn open(
        target: Target,
        folder: &Path,
        connect: &str,
        map_bytes: usize,
    ) -> Result<Self, StoreError> {
        let Opened { store, sql, applid } = target.open(folder, connect, map_bytes)?;
        let bank = Self {
            store,
            sql,
            target,
            queue: target != Target::Local,
            applid,
            padding: 0,
        };
        for table in [ACCOUNTS, JOURNAL, QUEUE].iter().chain(bank.theirs()) {
            if bank.sql_of(table).is_none() {
                wait(bank.store.define(table))?;
            }
        }
        Ok(bank)
    }

    fn theirs(&self) -> &'static [&'static str] {
        match self.target {
            Target::Both | Target::Sql | Target::Server => &[THEIR_ACCOUNTS, THEIR_JOURNAL],
            _ => &[],
        }
    }

    /// Where a table lies that is none of a store.
    fn sql_of(&self, table: &str) -> Option<&SqlMoney> {
        let is_theirs = table == THEIR_ACCOUNTS || table == THEIR_JOURNAL;
        self.sql.as_ref().filter(|_| is_theirs)
    }

    /// All rows of a table.
    fn rows(&self, table: &str) -> Result<Vec<Pair>, StoreError> {
        match self.sql_of(table) {
            Some(sql) => sql.all(table == THEIR_JOURNAL),
            None => all(&*self.store, table),
        }
    }

    /// The same with longer journal entries.
    pub(crate) fn padded(mut self, bytes: usize) -> Self {
        self.padding = bytes;
        self
    }

    fn uow(&self, number: u64) -> UowId {
        UowId::new(self.applid, number)
    }

    /// Moves money, or begins to and backs out.
    pub(crate) fn transfer(&self, n: u64) -> Ended {
        let ended = match self.begin(n) {
            Ok(()) if n.is_multiple_of(6) => self.give_up(n, None),
            Ok(()) => self.commit(n),
            Err(error) => self.give_up(n, Some(error)),
        };
        self.sql.iter().for_each(|sql| sql.ended(n));
        ended
    }

    /// A caller that died: what it had goes.
    pub(crate) fn abandon(&self, n: u64) {
        self.store.release(self.uow(n));
        self.sql.iter().for_each(|sql| sql.ended(n));
    }

    /// Tables of the two accounts of a transfer: with a second store most have one in each.
    fn accounts(&self, n: u64) -> [&'static str; 2] {
        match (self.target.is_joint(), n % 5) {
            (true, 1) | (false, _) => [ACCOUNTS, ACCOUNTS],
            (true, 2) => [THEIR_ACCOUNTS, THEIR_ACCOUNTS],
            (true, _) => [ACCOUNTS, THEIR_ACCOUNTS],
        }
    }

    fn begin(&self, n: u64) -> Result<(), StoreError> {
        let (u, store) = (self.uow(n), &self.store);
        let (from, to, amount) = movement(n);
        let entry = [amount.to_be_bytes().to_vec(), vec![b'.'; self.padding]].concat();
        let [first, second] = self.accounts(n);
        for (table, account, change) in [(first, from, -amount), (second, to, amount)] {
            if let Some(sql) = self.sql_of(table) {
                sql.add(n, u, account, change)?;
                continue;
            }
            let key = account.to_be_bytes();
            let patience = Wait::Until(Instant::now() + PATIENCE);
            // An account that does not exist yet is not locked by reading it.
            wait(store.lock(u, table, &key, patience))?;
            let lock = Lock::Update(patience);
            let row = wait(store.read(Some(u), table, &key, Match::Equal, lock))?;
            let balance = row.map_or(0, |r| number(&r.record)) + change;
            let put = Change::Put(balance.to_be_bytes().to_vec());
            wait(store.stage(u, table, &key, put, patience))?;
        }
        let journals = self.journals(n);
        for journal in journals {
            if let Some(sql) = self.sql_of(journal) {
                sql.enter(n, u, amount)?;
                continue;
            }
            let entry = Change::Insert(entry.clone());
            wait(store.stage(u, journal, &n.to_be_bytes(), entry, Wait::No))?;
        }
        if self.queue && journals.contains(&JOURNAL) {
            let place = wait(store.allocate(QUEUE, 1))?.to_be_bytes();
            let item = Change::Insert(n.to_be_bytes().to_vec());
            wait(store.stage(u, QUEUE, &place, item, Wait::No))?;
        }
        match !self.target.is_joint() && n.is_multiple_of(3) {
            true => wait(store.prepare(u, INFO)),
            false => Ok(()),
        }
    }

    /// Journals that have an entry of a transfer.
    fn journals(&self, n: u64) -> &'static [&'static str] {
        match self.accounts(n) {
            [ACCOUNTS, ACCOUNTS] => &[JOURNAL],
            [THEIR_ACCOUNTS, THEIR_ACCOUNTS] => &[THEIR_JOURNAL],
            _ => &[JOURNAL, THEIR_JOURNAL],
        }
    }

    fn commit(&self, n: u64) -> Ended {
        // A refusal for want of room, or because a store was away, is certain; a device error may
        // come after the data were safe.
        match wait(self.store.commit(self.uow(n))) {
            Ok(()) => Ended::Committed,
            Err(error @ (StoreError::NoSpace(_) | StoreError::Unavailable(_))) => {
                self.give_up(n, Some(error))
            }
            Err(error) => {
                if !self.target.is_joint() {
                    let _ = self.give_up(n, None);
                }
                Ended::Unknown(error)
            }
        }
    }

    fn give_up(&self, n: u64, why: Option<StoreError>) -> Ended {
        let mut failed = None;
        if let Err(error) = wait(self.store.backout(self.uow(n))) {
            self.store.release(self.uow(n));
            failed = Some(error);
        }
        match failed.or(why.filter(|e| matches!(e, StoreError::Io(_) | StoreError::Closed))) {
            Some(error) => Ended::Unknown(error),
            None => Ended::BackedOut,
        }
    }

    /// Work outside of units of work: a table comes, gets a record, is emptied.
    pub(crate) fn scratch(&self) -> Result<(), StoreError> {
        wait(self.store.define(SCRATCH))?;
        let write = Write::new(SCRATCH, *b"k", Change::Put(vec![0; 100]));
        wait(self.store.write_now(None, vec![write], Wait::No))?;
        wait(self.store.empty(SCRATCH))
    }

    /// Ends what earlier runs left in doubt: at random where it has to be decided; the coordinator
    /// does it by itself.
    pub(crate) fn resolve(&self, mut coin: impl FnMut() -> bool) -> Result<(), StoreError> {
        if self.target.is_joint() {
            return self.settled();
        }
        for doubt in wait(self.store.in_doubt())? {
            let outcome = if coin() {
                Outcome::Commit
            } else {
                Outcome::Backout
            };
            wait(self.store.resolve(doubt.uow, outcome))?;
        }
        Ok(())
    }

    fn settled(&self) -> Result<(), StoreError> {
        let begin = Instant::now();
        loop {
            let doubts = wait(self.store.in_doubt())?.len();
            let decisions = wait(self.store.count("uow/decided"))?;
            if doubts == 0 && decisions == 0 {
                return Ok(());
            }
            if begin.elapsed() > PATIENCE {
                let text = format!("{doubts} in doubt, {decisions} decisions after {PATIENCE:?}");
                return Err(StoreError::Unknown(text));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Locks that are held and units of work in doubt; waits until locks given back are free.
    pub(crate) fn left(&self) -> Result<(u64, usize), StoreError> {
        let doubts = wait(self.store.in_doubt())?.len();
        let limits = self.store.stats().limits;
        let locks = limits.iter().find(|l| l.name == "record locks");
        Ok((locks.map_or(0, |l| l.now), doubts))
    }

    /// Compares balances, journals and queue; every record must have its checksum.
    pub(crate) fn check(&self) -> Result<Found, String> {
        let failed = |e: StoreError| format!("the store answered: {e}");
        let damage = wait(self.store.verify("")).map_err(failed)?;
        if let Some(first) = damage.first() {
            return Err(format!("{} damaged records, first {first:?}", damage.len()));
        }
        let mut balances: BTreeMap<u64, i64> = BTreeMap::new();
        let mut journals: Vec<(&str, BTreeSet<u64>)> = Vec::new();
        for table in [ACCOUNTS, JOURNAL].iter().chain(self.theirs()) {
            let rows = self.rows(table).map_err(failed)?;
            if table.ends_with("JOURNAL") {
                journals.push((table, rows.iter().map(|(k, _)| key_number(k)).collect()));
                continue;
            }
            for (account, balance) in rows {
                *balances.entry(key_number(&account)).or_default() += number(&balance);
            }
        }
        let transfers: BTreeSet<u64> = journals.iter().flat_map(|(_, n)| n).copied().collect();
        for (table, entries) in &journals {
            let torn = transfers
                .iter()
                .find(|n| self.journals(**n).contains(table) != entries.contains(*n));
            if let Some(n) = torn {
                return Err(format!("transfer {n} is there in part: {table}"));
            }
        }
        let sum = balances.values().sum::<i64>();
        if sum != 0 {
            let account = compare(&balances, &transfers);
            return Err(format!("the sum of all accounts is {sum}, {account:?}"));
        }
        compare(&balances, &transfers)?;
        if self.queue {
            let items = all(&*self.store, QUEUE).map_err(failed)?;
            let count = items.len();
            let queued: BTreeSet<u64> = items.iter().map(|(_, n)| key_number(n)).collect();
            let here = |n: &&u64| self.journals(**n).contains(&JOURNAL);
            let wanted: BTreeSet<u64> = transfers.iter().filter(here).copied().collect();
            if queued != wanted || count != queued.len() {
                return Err(format!("queue and journal differ: {count} items"));
            }
        }
        Ok(Found { transfers })
    }

    /// Nothing may be locked any more: every account can be had.
    pub(crate) fn check_locks(&self) -> Result<(), String> {
        let u = self.uow(u64::MAX >> 1);
        let theirs = self.theirs().iter().filter(|t| t.ends_with("ACCOUNTS"));
        for table in [ACCOUNTS].iter().chain(theirs) {
            if let Some(sql) = self.sql_of(table) {
                let written = sql.add(0, u, 0, 0);
                written.map_err(|e| format!("nobody may write by SQL: {e}"))?;
                continue;
            }
            for account in 0..ACCOUNTS_MAX {
                let patience = Wait::Until(Instant::now() + PATIENCE);
                let locked = wait(self.store.lock(u, table, &account.to_be_bytes(), patience));
                locked.map_err(|e| format!("account {account} of {table} is locked: {e}"))?;
            }
        }
        self.store.release(u);
        self.sql.iter().for_each(|sql| sql.ended(0));
        Ok(())
    }

    /// Highest number used in the journal.
    pub(crate) fn last(&self) -> Result<u64, StoreError> {
        let mut last = 0;
        for table in [JOURNAL].iter().chain(self.theirs()) {
            if table.ends_with("JOURNAL") {
                let journal = self.rows(table)?;
                last = last.max(journal.last().map_or(0, |(k, _)| key_number(k)));
            }
        }
        Ok(last)
    }
}
