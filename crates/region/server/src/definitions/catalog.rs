//! What CREATE and CEDA INSTALL have installed and DISCARD has taken off, kept for warm and
//! emergency starts.
//!
//! What: a row for each in a table of the store; a cold or initial start empties it. Not here: what
//! a start installs from decks: every start reads them.

use crate::kernel::Kernel;
use crate::syncpoint::UnitsOfWork;
use std::collections::HashSet;
use std::ops::Bound;
use std::sync::Arc;
use transom_csd::Definition;
use transom_recovery::{Change, Direction, Row, StoreError, UowStore, Wait, Write};
use transom_wire::definitions::Kept;

/// Rows read or written in one piece.
const BATCH: usize = 1_000;
/// The table. Calls wait for the store: they are for threads that may.
pub(super) struct Catalog {
    pub(super) kernel: Arc<Kernel>,
    pub(super) uows: Arc<UnitsOfWork>,
}

impl Catalog {
    /// Keeps or replaces definitions.
    pub(super) fn keep(&self, definitions: &[&Definition]) -> Result<(), StoreError> {
        for some in definitions.chunks(BATCH) {
            let changes = some.iter().map(|definition| {
                let key = Kept::key(definition.kind.keyword(), &definition.name);
                (key, Change::Put(Kept::installed(definition)))
            });
            self.write(changes.collect())?;
        }
        Ok(())
    }

    /// Keeps that one is not installed.
    pub(super) fn keep_discarded(&self, kind: &str, name: &str) -> Result<(), StoreError> {
        let gone = Change::Put(Kept::discarded(kind, name));
        self.write(vec![(Kept::key(kind, name), gone)])
    }

    /// Forgets one, if it is there.
    pub(super) fn forget(&self, kind: &str, name: &str) -> Result<(), StoreError> {
        match self.write(vec![(Kept::key(kind, name), Change::Delete)]) {
            Err(StoreError::NotFound) => Ok(()),
            done => done,
        }
    }

    /// Forgets those of these that are there.
    pub(super) fn forget_all(&self, names: &[(&str, &str)]) -> Result<(), StoreError> {
        let names: HashSet<_> = names.iter().map(|(k, n)| Kept::key(k, n)).collect();
        let keys = self.rows()?.into_iter().map(|row| row.key);
        let there = keys.filter(|key| names.contains(key));
        self.write(there.map(|key| (key, Change::Delete)).collect())
    }

    /// Forgets all.
    pub(super) fn empty(&self) -> Result<(), StoreError> {
        let Some(store) = self.store() else {
            return Ok(());
        };
        let table = self.table();
        transom_recovery::wait(async {
            store.define(&table).await?;
            store.empty(&table).await.map(drop)
        })
    }

    /// All there is.
    pub(super) fn all(&self) -> Result<Vec<Kept>, StoreError> {
        let rows = self.rows()?.into_iter();
        Ok(rows.map(|row| Kept::read(&row.key, &row.record)).collect())
    }

    fn rows(&self) -> Result<Vec<Row>, StoreError> {
        let Some(store) = self.store() else {
            return Ok(Vec::new());
        };
        let table = self.table();
        transom_recovery::wait(async {
            store.define(&table).await?;
            let mut kept = Vec::new();
            let mut after: Option<Vec<u8>> = None;
            loop {
                let from = after
                    .as_ref()
                    .map_or(Bound::Unbounded, |key| Bound::Excluded(&key[..]));
                let rows = store.scan(None, &table, from, b"", Direction::Forward, BATCH);
                let rows = rows.await?;
                let Some(last) = rows.last() else {
                    return Ok(kept);
                };
                after = Some(last.key.clone());
                kept.extend(rows);
            }
        })
    }

    fn write(&self, changes: Vec<(Vec<u8>, Change)>) -> Result<(), StoreError> {
        let Some(store) = self.store().filter(|_| !changes.is_empty()) else {
            return Ok(());
        };
        let table = self.table();
        let writes = changes.into_iter();
        let writes = writes.map(|(key, change)| Write::new(&*table, key, change));
        transom_recovery::wait(store.write_now(None, writes.collect(), Wait::No))
    }

    /// `None`: nothing outlives the region.
    fn store(&self) -> Option<Arc<dyn UowStore>> {
        self.uows.store().filter(|store| store.caps().durable)
    }

    /// Regions that share a store keep apart what is their own.
    fn table(&self) -> String {
        format!("catalog/{}", self.kernel.system.applid)
    }
}
