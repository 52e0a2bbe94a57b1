//! Changes of definitions: other names, other attributes, loads that have not ended.
//!
//! What: catalog changes that leave records where they are, each in one write of the store. Why: a
//! table keeps its name when its cluster gets another one, so that a rename is a change of
//! definitions alone, whole on every store and however many records there are. Not here: which
//! attribute ALTER may name (executable), who has a file open.

use crate::catalog::{Entry, TABLE, as_json};
use crate::dataset::Index;
use crate::define::{AlternateIndex, Cluster, Extra, Load};
use crate::{Condition, DatasetName, Datasets, load};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;
use transom_recovery::{Change, Wait, Write};

type Entries = BTreeMap<DatasetName, Entry>;

impl Entry {
    /// What else the catalog keeps of it.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        match self {
            Self::Cluster(c) => &c.extra,
            Self::AlternateIndex(a) => &a.extra,
            Self::Path(p) => &p.extra,
        }
    }

    /// The same, to be changed before [`Datasets::redefine`].
    pub fn extra_mut(&mut self) -> &mut Extra {
        match self {
            Self::Cluster(c) => &mut c.extra,
            Self::AlternateIndex(a) => &mut a.extra,
            Self::Path(p) => &mut p.extra,
        }
    }

    /// Other names for a definition that is not in a catalog: pairs of old and new. Its records, if
    /// it had any, are forgotten.
    pub fn give_names(&mut self, names: &[(DatasetName, DatasetName)]) {
        let map: BTreeMap<_, _> = names.iter().map(|(old, new)| (old, new)).collect();
        let mut entry = self.clone().renamed(&map);
        // Components called after their entry still are.
        let (old, new) = (self.name().to_string(), entry.name().to_string());
        let extra = entry.extra_mut();
        for component in extra.data.iter_mut().chain(&mut extra.index) {
            let ending = component.as_str().strip_prefix(&old).map(str::to_owned);
            let own = ending.filter(|e| e.starts_with('.') && old != new);
            if let Some(Ok(name)) = own.map(|e| DatasetName::new(&format!("{new}{e}"))) {
                *component = name;
            }
        }
        extra.table = None;
        *self = entry;
    }

    /// Its name and those of its components.
    pub(crate) fn names(&self) -> impl Iterator<Item = &DatasetName> {
        let extra = self.extra();
        let components = extra.data.iter().chain(&extra.index);
        std::iter::once(self.name()).chain(components)
    }

    /// Table of its records; a path has none.
    pub(crate) fn table(&self) -> Option<String> {
        match self {
            Self::Cluster(c) => Some(c.table()),
            Self::AlternateIndex(a) => Some(a.table()),
            Self::Path(_) => None,
        }
    }

    /// With other names in it; the records stay where they are.
    fn renamed(mut self, names: &BTreeMap<&DatasetName, &DatasetName>) -> Self {
        let other = |name: &mut DatasetName| {
            if let Some(new) = names.get(name) {
                *name = (*new).clone();
            }
        };
        let table = self.table();
        let before = self.name().clone();
        match &mut self {
            Self::Cluster(c) => other(&mut c.name),
            Self::AlternateIndex(a) => {
                other(&mut a.name);
                other(&mut a.base);
            }
            Self::Path(p) => {
                other(&mut p.name);
                other(&mut p.entry);
            }
        }
        let moved = *self.name() != before;
        let extra = self.extra_mut();
        extra
            .data
            .iter_mut()
            .chain(&mut extra.index)
            .for_each(other);
        if moved {
            extra.table = table;
        }
        self
    }
}

impl Datasets {
    /// Gives entries and components other names, all or none: pairs of old and new. What refers to
    /// them follows. No unit of work and no open file may use them.
    pub async fn rename(&self, names: &[(DatasetName, DatasetName)]) -> Result<(), Condition> {
        let before = self.snapshot();
        let map: BTreeMap<_, _> = names.iter().map(|(old, new)| (old, new)).collect();
        let known: BTreeSet<&DatasetName> = before.values().flat_map(Entry::names).collect();
        if let Some((unknown, _)) = names.iter().find(|(old, _)| !known.contains(old)) {
            return Err(Condition::NoDataset(unknown.to_string()));
        }
        let mut after = Entries::new();
        let mut taken = BTreeSet::new();
        for entry in before.values() {
            let entry = entry.clone().renamed(&map);
            for name in entry.names() {
                if !taken.insert(name.clone()) {
                    return Err(Condition::Exists(name.to_string()));
                }
            }
            after.insert(entry.name().clone(), entry);
        }
        self.replace(&before, after).await
    }

    /// Puts a changed definition in the place of the one with its name. Where records or entries
    /// would not fit the new one, it is refused; an index whose keys need not be unique any more is
    /// built again.
    pub async fn redefine(&self, mut entry: Entry) -> Result<(), Condition> {
        let before = self.snapshot();
        let name = entry.name().clone();
        let Some(old) = before.get(&name) else {
            return Err(Condition::NoDataset(name.to_string()));
        };
        if discriminant(old) != discriminant(&entry) {
            return Err(Condition::Refused(format!("{name} is of another type")));
        }
        // Records and entries stay where they are.
        entry.extra_mut().keys = old.extra().keys.clone();
        let mut left = None;
        match (old, &mut entry) {
            (Entry::Cluster(old), Entry::Cluster(new)) => {
                self.check_cluster(old, new).await?;
                if old.organization != new.organization {
                    new.extra.keys = self.order_of(&Entry::Cluster(new.clone()))?;
                }
            }
            (Entry::AlternateIndex(old), Entry::AlternateIndex(new)) => {
                left = self.check_index(old, new).await?;
            }
            _ => {}
        }
        let mut after = before.clone();
        after.insert(name, entry);
        self.replace(&before, after).await?;
        if let Some(table) = left {
            self.store().drop_table(&table).await?;
        }
        Ok(())
    }

    /// Says that the loads of entries have ended, and which clusters got records by them; entries
    /// that are gone are passed over.
    pub async fn loaded(
        &self,
        made: &[DatasetName],
        filled: &[DatasetName],
    ) -> Result<(), Condition> {
        let before = self.snapshot();
        let mut after = before.clone();
        for name in made {
            if let Some(entry) = after.get_mut(name) {
                entry.extra_mut().loading = false;
            }
        }
        for name in filled {
            if let Some(Entry::Cluster(cluster)) = after.get_mut(name) {
                cluster.extra.load = Load::Done;
            }
        }
        self.replace(&before, after).await
    }

    /// Says how far the load of a cluster is.
    pub async fn set_load(&self, name: &DatasetName, load: Load) -> Result<(), Condition> {
        let before = self.snapshot();
        let mut after = before.clone();
        if let Some(Entry::Cluster(cluster)) = after.get_mut(name) {
            cluster.extra.load = load;
        }
        self.replace(&before, after).await
    }

    async fn check_cluster(&self, old: &Cluster, new: &Cluster) -> Result<(), Condition> {
        new.check()?;
        if discriminant(&old.organization) != discriminant(&new.organization) {
            return Err(Condition::Refused("the organization stays".to_owned()));
        }
        let same = old.organization == new.organization;
        if same && (old.max, old.fixed) == (new.max, new.fixed) {
            return Ok(());
        }
        for entry in self.entries() {
            if let Entry::AlternateIndex(index) = entry
                && index.base == old.name
            {
                index.check(new)?;
            }
        }
        self.check_empty(&old.table(), &old.name).await
    }

    /// The table to be dropped when the entries were made anew in another one.
    async fn check_index(
        &self,
        old: &AlternateIndex,
        new: &mut AlternateIndex,
    ) -> Result<Option<String>, Condition> {
        let base = match self.entry(&new.base) {
            Some(Entry::Cluster(base)) if old.base == new.base => base,
            _ => return Err(Condition::Refused("the base cluster stays".to_owned())),
        };
        new.check(&base)?;
        let keys = |i: &AlternateIndex| (i.key_offset, i.key_length);
        let stricter = (new.unique && !old.unique) || (new.upgrade && !old.upgrade);
        if stricter || keys(old) != keys(new) {
            self.check_empty(&old.table(), &old.name).await?;
        }
        if keys(old) != keys(new) {
            new.extra.keys = self.order_of(&Entry::AlternateIndex(new.clone()))?;
        }
        let table = old.table();
        if new.unique || !old.unique || self.store().count(&table).await? == 0 {
            return Ok(None);
        }
        let fresh = self.free_table(table.clone())?;
        self.store().define(&fresh).await?;
        new.extra.table = Some(fresh.clone());
        let index = Index {
            definition: new.clone(),
            table: fresh,
        };
        let parts = self.parts(&old.base, None)?;
        load::build(self.store(), &parts, &index).await?;
        Ok(Some(table))
    }

    async fn check_empty(&self, table: &str, name: &DatasetName) -> Result<(), Condition> {
        match self.store().count(table).await? {
            0 => Ok(()),
            _ => Err(Condition::Refused(format!("{name} is not empty"))),
        }
    }

    /// Writes the difference of two catalogs at once.
    pub(crate) async fn replace(&self, before: &Entries, after: Entries) -> Result<(), Condition> {
        let key = |name: &DatasetName| name.as_str().as_bytes().to_vec();
        let mut writes = Vec::new();
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            writes.push(Write::new(TABLE, key(name), Change::Delete));
        }
        for (name, entry) in &after {
            let text = as_json(entry)?;
            match before.get(name) {
                Some(old) if old == entry => {}
                Some(_) => writes.push(Write::new(TABLE, key(name), Change::Put(text))),
                None => writes.push(Write::new(TABLE, key(name), Change::Insert(text))),
            }
        }
        if writes.is_empty() {
            return Ok(());
        }
        let written = self.store().write_now(None, writes, Wait::No).await;
        written.map_err(|error| match error.into() {
            // Another process was faster.
            Condition::Duplicate | Condition::NotFound => Condition::Busy,
            other => other,
        })?;
        self.put_snapshot(after);
        Ok(())
    }
}
