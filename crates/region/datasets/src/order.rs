//! The order a store remembers, and its data sets put into another one.
//!
//! What: the order of characters is written into a store when it is new; what a start asks for is
//! compared with it and with each data set. Why: keys that lie in two orders would be lost between
//! them. Not here: what an order does to a key (`keys`).

use crate::catalog::{Entry, TABLE as CATALOG};
use crate::define::Organization;
use crate::{Collating, Condition, DatasetName, Datasets, KeyException, KeyOrder, KeyRules};
use std::fmt;
use std::ops::Bound;
use transom_recovery::{Change, Direction, Lock, Match, UowStore, Wait, Write};

/// Table with the order of the store.
const TABLE: &str = "catalog/order";
const KEY: &[u8] = b"collating";
/// Table of units of work whose outcome is not known; they name tables and keys.
const PREPARED: &str = "uow/prepared";
/// Records moved together.
const BATCH: usize = 1_000;

/// Why a store cannot be used as it is asked for.
#[derive(Debug, PartialEq, Eq)]
pub enum OrderError {
    /// The store has another order.
    Store {
        /// What it has.
        has: Collating,
        /// What was asked for.
        wanted: Collating,
    },
    /// The keys of a data set are ordered otherwise than its name or copybook says.
    DataSet(DatasetName),
    /// The store did not answer.
    Condition(Condition),
}

impl<E: Into<Condition>> From<E> for OrderError {
    fn from(error: E) -> Self {
        Self::Condition(error.into())
    }
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store { has, wanted } => {
                write!(f, "it has the order {}, not {}", has.name(), wanted.name())
            }
            Self::DataSet(name) => write!(f, "the keys of {name} have another order"),
            Self::Condition(condition) => condition.fmt(f),
        }
    }
}

impl Datasets {
    /// The order of a store without a catalog in memory: of one that only can be read, too. None:
    /// the store is new.
    pub async fn collating_of(store: &dyn UowStore) -> Result<Option<Collating>, Condition> {
        let tables = store.tables("catalog/").await?;
        let has = |table: &str| tables.iter().any(|known| known == table);
        match (has(TABLE), has(CATALOG)) {
            (true, _) => Ok(Some(remembered(store).await?.unwrap_or_default())),
            (false, true) => Ok(Some(Collating::Ascii)),
            (false, false) => Ok(None),
        }
    }

    /// Agrees with the store on its order: a new one takes what is wanted, EBCDIC037 if nothing is;
    /// another one keeps what it has and must be asked for nothing else. Data sets that are defined
    /// from now on get the order that follows.
    pub async fn settle(
        &mut self,
        wanted: Option<Collating>,
        exceptions: Vec<KeyException>,
    ) -> Result<Collating, OrderError> {
        let store = self.store().clone();
        let has = Self::collating_of(&*store).await?.unwrap_or_default();
        let empty = self.entries().is_empty();
        let collating = match wanted {
            _ if self.is_new() => wanted.unwrap_or(Collating::Ebcdic037),
            Some(wanted) if wanted != has && !empty => {
                return Err(OrderError::Store { has, wanted });
            }
            wanted => wanted.unwrap_or(has),
        };
        if self.is_new() || collating != has {
            self.remember(collating).await?;
        }
        self.set_rules(KeyRules {
            collating,
            exceptions,
        });
        for entry in self.entries() {
            if entry.extra().keys != self.order_of(&entry)? {
                return Err(OrderError::DataSet(entry.name().clone()));
            }
        }
        Ok(collating)
    }

    /// Puts all data sets into the order that is wanted, or into that of the store where their
    /// names or copybooks say something else than before; whose keys were moved. Each data set
    /// changes in one step, so that a rebuild that was interrupted goes on when it is run again. No
    /// region may use the store.
    pub async fn rebuild(
        &mut self,
        wanted: Option<Collating>,
        exceptions: Vec<KeyException>,
    ) -> Result<Vec<DatasetName>, Condition> {
        let store = self.store().clone();
        let has = Self::collating_of(&*store).await?.unwrap_or_default();
        let tables = store.tables(PREPARED).await?;
        if tables.iter().any(|t| t == PREPARED) && store.count(PREPARED).await? > 0 {
            let text = "units of work are in doubt; start the region and let them end";
            return Err(Condition::Refused(text.to_owned()));
        }
        let collating = wanted.unwrap_or(has);
        self.set_rules(KeyRules {
            collating,
            exceptions,
        });
        let mut moved = Vec::new();
        for entry in self.entries() {
            let order = self.order_of(&entry)?;
            if entry.extra().keys != order {
                self.move_keys(&entry, order).await?;
                moved.push(entry.name().clone());
            }
        }
        self.remember(collating).await?;
        Ok(moved)
    }

    /// A key of a table of the store as programs have it; what follows an alternate key stays.
    #[must_use]
    pub fn shown_key(&self, table: &str, key: &[u8]) -> Vec<u8> {
        let entry = self.name_of_table(table).and_then(|name| self.entry(&name));
        let Some(entry) = entry else {
            return key.to_vec();
        };
        let (key, rest) = key.split_at(key_length(&entry).min(key.len()));
        [&entry.extra().keys.show(key.to_vec()), rest].concat()
    }

    /// The order an entry gets by the rules; refused where its keys can have none.
    pub(crate) fn order_of(&self, entry: &Entry) -> Result<KeyOrder, Condition> {
        let rules = self.rules();
        let order = match entry {
            Entry::Cluster(cluster) => match cluster.organization {
                Organization::Ksds {
                    key_offset,
                    key_length,
                } => rules.order(&cluster.name, None, key_offset, key_length),
                Organization::Esds | Organization::Rrds => Ok(KeyOrder::Bytes),
            },
            Entry::AlternateIndex(index) => {
                let (offset, length) = (index.key_offset, index.key_length);
                rules.order(&index.name, Some(&index.base), offset, length)
            }
            Entry::Path(_) => Ok(KeyOrder::Bytes),
        };
        order.map_err(|why| Condition::Refused(format!("{}: {why}", entry.name())))
    }

    /// Copies records, or entries, into a table in the new order and puts it in the place of the
    /// old one.
    async fn move_keys(&self, entry: &Entry, order: KeyOrder) -> Result<(), Condition> {
        let (Some(from), length) = (entry.table(), key_length(entry)) else {
            return Ok(());
        };
        let own = from.split('~').next().unwrap_or(&from).to_owned();
        let to = self.free_table(own.clone())?;
        let store = self.store();
        store.define(&to).await?;
        store.empty(&to).await?;
        let old = &entry.extra().keys;
        let mut last = Bound::Unbounded;
        let mut arrivals = 0;
        loop {
            let bound = last.as_ref().map(Vec::as_slice);
            let forward = Direction::Forward;
            let rows = store.scan(None, &from, bound, &[], forward, BATCH).await?;
            let Some(end) = rows.last() else { break };
            let next = Bound::Excluded(end.key.clone());
            let mut writes = Vec::new();
            for row in rows {
                let (key, rest) = row.key.split_at(length.min(row.key.len()));
                let arrival = <[u8; 8]>::try_from(rest).map(u64::from_be_bytes);
                arrivals = arrivals.max(arrival.unwrap_or(0));
                let key = [&order.store(old.show(key.to_vec())), rest].concat();
                writes.push(Write::new(to.as_str(), key, Change::Put(row.record)));
            }
            store.write_now(None, writes, Wait::No).await?;
            last = next;
        }
        if arrivals > 0 {
            // Entries to come follow those that are there.
            store.allocate(&to, arrivals).await?;
        }
        let mut changed = entry.clone();
        let extra = changed.extra_mut();
        extra.table = (to != default_table(entry)).then_some(to);
        extra.keys = order;
        let before = self.snapshot();
        let mut after = before.clone();
        after.insert(entry.name().clone(), changed);
        self.replace(&before, after).await?;
        store.drop_table(&from).await?;
        Ok(())
    }

    async fn remember(&self, collating: Collating) -> Result<(), Condition> {
        self.store().define(TABLE).await?;
        let name = Change::Put(collating.name().as_bytes().to_vec());
        let write = Write::new(TABLE, KEY, name);
        Ok(self.store().write_now(None, vec![write], Wait::No).await?)
    }
}

async fn remembered(store: &dyn UowStore) -> Result<Option<Collating>, Condition> {
    let row = store
        .read(None, TABLE, KEY, Match::Equal, Lock::None)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let name = String::from_utf8_lossy(&row.record).into_owned();
    match Collating::by_name(&name) {
        Some(collating) => Ok(Some(collating)),
        None => Err(Condition::Refused(format!(
            "the store has the order {name}"
        ))),
    }
}

fn key_length(entry: &Entry) -> usize {
    match entry {
        Entry::Cluster(cluster) => cluster.key_length(),
        Entry::AlternateIndex(index) => index.key_length,
        Entry::Path(_) => 0,
    }
}

/// The table an entry has when it was never renamed or built again.
fn default_table(entry: &Entry) -> String {
    let mut plain = entry.clone();
    plain.extra_mut().table = None;
    plain.table().unwrap_or_default()
}
