//! The catalog of datasets, inside the store.
//!
//! What: definitions by name, tables made and dropped with them, [`Dataset`]s for names. Why: data
//! and their definitions are backed up and recovered together. Not here: who has a file open.

use crate::dataset::{Dataset, Index, Parts};
use crate::define::{AlternateIndex, Cluster, PathEntry};
use crate::{Condition, DatasetName, KeyRules, load};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Arc, RwLock, RwLockReadGuard};
use transom_recovery::{Change, Direction, Lock, Match, UowStore, Wait, Write, guard};

/// Table of the definitions.
pub(crate) const TABLE: &str = "catalog/datasets";
/// Most datasets, indexes and paths of a store.
const ENTRIES_MAX: usize = 100_000;

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entry {
    /// Records.
    Cluster(Cluster),
    /// An alternate index.
    AlternateIndex(AlternateIndex),
    /// A path.
    Path(PathEntry),
}

/// All datasets of a store. Definitions are changed by one caller at a time.
pub struct Datasets {
    store: Arc<dyn UowStore>,
    entries: RwLock<BTreeMap<DatasetName, Entry>>,
    /// Who defines something: a table is emptied before its entry is there, so a second task that
    /// defines the same data set would empty what the first one has already written.
    defining: tokio::sync::Mutex<()>,
    /// Order of keys of data sets to be defined.
    rules: KeyRules,
    /// The store had no catalog before.
    new: bool,
}

impl Entry {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &DatasetName {
        match self {
            Self::Cluster(c) => &c.name,
            Self::AlternateIndex(a) => &a.name,
            Self::Path(p) => &p.name,
        }
    }

    /// What it cannot be without.
    fn needs(&self) -> Option<&DatasetName> {
        match self {
            Self::Cluster(_) => None,
            Self::AlternateIndex(a) => Some(&a.base),
            Self::Path(p) => Some(&p.entry),
        }
    }
}

impl Datasets {
    /// Reads the catalog of a store; a new store gets an empty one.
    pub async fn open(store: Arc<dyn UowStore>) -> Result<Self, Condition> {
        let new = store.define(TABLE).await?;
        let entries = read_entries(&*store).await?;
        let collating = Self::collating_of(&*store).await?.unwrap_or_default();
        Ok(Self {
            store,
            entries: RwLock::new(entries),
            defining: tokio::sync::Mutex::default(),
            rules: KeyRules {
                collating,
                exceptions: Vec::new(),
            },
            new,
        })
    }

    /// The same with rules of an order the store has agreed to.
    #[must_use]
    pub fn with_rules(mut self, rules: KeyRules) -> Self {
        self.rules = rules;
        self
    }

    /// What the order of keys of new data sets follows from.
    #[must_use]
    pub fn rules(&self) -> &KeyRules {
        &self.rules
    }

    pub(crate) fn set_rules(&mut self, rules: KeyRules) {
        self.rules = rules;
    }

    pub(crate) fn is_new(&self) -> bool {
        self.new
    }

    /// Reads the catalog again: another process may have changed it.
    pub async fn reload(&self) -> Result<(), Condition> {
        let entries = read_entries(&*self.store).await?;
        self.put_snapshot(entries);
        Ok(())
    }

    /// The store behind it.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn UowStore> {
        &self.store
    }

    /// One definition.
    #[must_use]
    pub fn entry(&self, name: &DatasetName) -> Option<Entry> {
        self.read().get(name).cloned()
    }

    /// The cluster or index a component belongs to.
    #[must_use]
    pub fn owner(&self, component: &DatasetName) -> Option<Entry> {
        let entries = self.read();
        let found = entries
            .values()
            .find(|e| e.extra().has_component(component));
        found.cloned()
    }

    /// Whose records, or entries, a table holds; none for tables of other things.
    #[must_use]
    pub fn name_of_table(&self, table: &str) -> Option<DatasetName> {
        let entries = self.read();
        let found = entries
            .values()
            .find(|e| e.table().as_deref() == Some(table));
        found.map(|e| e.name().clone())
    }

    /// All definitions, by name.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        self.read().values().cloned().collect()
    }

    /// Defines a cluster with no records.
    pub async fn define_cluster(&self, cluster: Cluster) -> Result<(), Condition> {
        cluster.check()?;
        self.add(Entry::Cluster(cluster)).await
    }

    /// Defines an alternate index. It has no entries before [`build_index`](Self::build_index),
    /// except for records written after the definition when it is an UPGRADE one.
    pub async fn define_index(&self, index: AlternateIndex) -> Result<(), Condition> {
        let base = match self.entry(&index.base) {
            Some(Entry::Cluster(cluster)) => cluster,
            Some(_) => return Err(Condition::Refused(format!("{} is no cluster", index.base))),
            None => return Err(Condition::NoDataset(index.base.to_string())),
        };
        index.check(&base)?;
        if self.store.place(&index.table()) != self.store.place(&base.table()) {
            return Err(Condition::Refused(format!(
                "{} and {} lie in different stores",
                index.name, index.base
            )));
        }
        self.add(Entry::AlternateIndex(index)).await
    }

    /// Defines a path over an alternate index or a cluster.
    pub async fn define_path(&self, path: PathEntry) -> Result<(), Condition> {
        match self.entry(&path.entry) {
            Some(Entry::Path(_)) => Err(Condition::Refused(format!("{} is a path", path.entry))),
            Some(_) => self.add(Entry::Path(path)).await,
            None => Err(Condition::NoDataset(path.entry.to_string())),
        }
    }

    /// Deletes an entry, with the records and everything defined over it. Names of all that was
    /// deleted.
    pub async fn delete(&self, name: &DatasetName) -> Result<Vec<DatasetName>, Condition> {
        let mut doomed = Vec::new();
        let mut open = vec![self.known(name)?];
        while let Some(entry) = open.pop() {
            let over = self.entries();
            open.extend(over.into_iter().filter(|e| e.needs() == Some(entry.name())));
            doomed.push(entry);
        }
        let erase = |e: &Entry| Write::new(TABLE, e.name().as_str().as_bytes(), Change::Erase);
        let writes = doomed.iter().map(erase).collect();
        self.store.write_now(None, writes, Wait::No).await?;
        for entry in &doomed {
            guard::write(&self.entries).remove(entry.name());
            if let Some(table) = entry.table() {
                self.store.drop_table(&table).await?;
            }
        }
        Ok(doomed.iter().map(|e| e.name().clone()).collect())
    }

    /// Makes the entries of an alternate index anew. Base keys of records left out because another
    /// record has the same unique alternate key. Nobody may change the base meanwhile.
    pub async fn build_index(&self, name: &DatasetName) -> Result<Vec<Vec<u8>>, Condition> {
        let Entry::AlternateIndex(definition) = self.known(name)? else {
            return Err(Condition::Refused(format!("{name} is no alternate index")));
        };
        let parts = self.parts(&definition.base, None)?;
        let index = index_of(&definition);
        load::build(&self.store, &parts, &index).await
    }

    /// A cluster, a path, or a base through one of its alternate indexes.
    pub fn dataset(&self, name: &DatasetName) -> Result<Dataset, Condition> {
        let parts = match self.known(name)? {
            Entry::Cluster(c) => self.parts(&c.name, None)?,
            Entry::AlternateIndex(a) => self.parts(&a.base, Some(&a))?,
            Entry::Path(p) => match self.known(&p.entry)? {
                Entry::AlternateIndex(a) => self.parts(&a.base, Some(&a))?,
                other => self.parts(other.name(), None)?,
            },
        };
        Ok(Dataset {
            store: self.store.clone(),
            parts: Arc::new(parts),
        })
    }

    pub(crate) fn parts(
        &self,
        base: &DatasetName,
        through: Option<&AlternateIndex>,
    ) -> Result<Parts, Condition> {
        let entries = self.read();
        let Some(Entry::Cluster(cluster)) = entries.get(base) else {
            return Err(Condition::NoDataset(base.to_string()));
        };
        let mut upgrade = Vec::new();
        for entry in entries.values() {
            if let Entry::AlternateIndex(index) = entry
                && index.base == *base
                && index.upgrade
            {
                upgrade.push(index_of(index));
            }
        }
        Ok(Parts {
            cluster: cluster.clone(),
            table: cluster.table(),
            upgrade,
            through: through.map(index_of),
        })
    }

    async fn add(&self, mut entry: Entry) -> Result<(), Condition> {
        let name = entry.name().clone();
        let _alone = self.defining.lock().await;
        if self.read().len() >= ENTRIES_MAX {
            return Err(Condition::Refused(format!(
                "the catalog holds {ENTRIES_MAX} entries"
            )));
        }
        self.check_free(&entry).await?;
        entry.extra_mut().keys = self.order_of(&entry)?;
        if let Entry::Cluster(cluster) = &mut entry {
            cluster.extra.load = crate::Load::Never;
        }
        // The table first: a table without a definition is harmless, a definition without its table
        // is not.
        if let Some(own) = entry.table() {
            let table = self.free_table(own.clone())?;
            self.store.define(&table).await?;
            self.store.empty(&table).await?;
            entry.extra_mut().table = (table != own).then_some(table);
        }
        let text = as_json(&entry)?;
        let write = Write::new(TABLE, name.as_str().as_bytes(), Change::Insert(text));
        let written = self.store.write_now(None, vec![write], Wait::No).await;
        written.map_err(|error| match error.into() {
            Condition::Duplicate => Condition::Exists(name.to_string()),
            other => other,
        })?;
        let mut entries = guard::write(&self.entries);
        entries.insert(name, entry);
        Ok(())
    }

    /// Whether no entry and no component has one of its names. The store is asked too: another
    /// process may have defined it.
    async fn check_free(&self, entry: &Entry) -> Result<(), Condition> {
        for name in entry.names() {
            let taken = |e: &Entry| e.names().any(|n| n == name);
            if self.read().values().any(taken) || entry.names().filter(|n| *n == name).count() > 1 {
                return Err(Condition::Exists(name.to_string()));
            }
        }
        let name = entry.name();
        let key = name.as_str().as_bytes();
        let found = self.store.read(None, TABLE, key, Match::Equal, Lock::None);
        match found.await? {
            Some(_) => Err(Condition::Exists(name.to_string())),
            None => Ok(()),
        }
    }

    /// A table that no entry uses: a renamed one keeps the table that has its old name.
    pub(crate) fn free_table(&self, wanted: String) -> Result<String, Condition> {
        let used: BTreeSet<String> = self.read().values().filter_map(Entry::table).collect();
        let mut table = wanted.clone();
        let mut number = 1;
        while used.contains(&table) {
            number += 1;
            table = format!("{wanted}~{number}");
        }
        if self.store.place(&table) != self.store.place(&wanted) {
            let text = format!("{wanted} still holds a data set that was renamed");
            return Err(Condition::Refused(text));
        }
        Ok(table)
    }

    pub(crate) fn snapshot(&self) -> BTreeMap<DatasetName, Entry> {
        self.read().clone()
    }

    pub(crate) fn put_snapshot(&self, entries: BTreeMap<DatasetName, Entry>) {
        *guard::write(&self.entries) = entries;
    }

    fn known(&self, name: &DatasetName) -> Result<Entry, Condition> {
        self.entry(name)
            .ok_or_else(|| Condition::NoDataset(name.to_string()))
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<DatasetName, Entry>> {
        guard::read(&self.entries)
    }
}

/// A definition as it is stored.
pub(crate) fn as_json(entry: &Entry) -> Result<Vec<u8>, Condition> {
    serde_json::to_vec(entry).map_err(|e| Condition::Refused(e.to_string()))
}

async fn read_entries(store: &dyn UowStore) -> Result<BTreeMap<DatasetName, Entry>, Condition> {
    let mut entries = BTreeMap::new();
    let mut from = Bound::Unbounded;
    loop {
        let bound = from.as_ref().map(Vec::as_slice);
        let forward = Direction::Forward;
        let rows = store.scan(None, TABLE, bound, &[], forward, 1_000).await?;
        let Some(last) = rows.last() else {
            return Ok(entries);
        };
        let next = Bound::Excluded(last.key.clone());
        for row in &rows {
            let entry: Entry = serde_json::from_slice(&row.record).map_err(|e| {
                let name = String::from_utf8_lossy(&row.key);
                Condition::Damaged(format!("definition of {name}: {e}"))
            })?;
            entries.insert(entry.name().clone(), entry);
        }
        from = next;
    }
}

fn index_of(definition: &AlternateIndex) -> Index {
    Index {
        table: definition.table(),
        definition: definition.clone(),
    }
}
