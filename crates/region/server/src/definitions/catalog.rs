//! What CREATE made, kept for warm and emergency starts.
//!
//! What: a statement for each definition in a table of the store, by kind and name; DISCARD takes
//! it out, a cold or initial start empties the table. Not here: what decks define: every start
//! reads them.

use crate::kernel::Kernel;
use crate::syncpoint::UnitsOfWork;
use std::ops::Bound;
use std::sync::Arc;
use transom_recovery::{Change, Direction, StoreError, UowStore, Wait, Write};

/// Rows read in one piece.
const BATCH: usize = 1_000;

/// The table. Calls wait for the store: they are for threads that may.
pub(super) struct Catalog {
    pub(super) kernel: Arc<Kernel>,
    pub(super) uows: Arc<UnitsOfWork>,
}

impl Catalog {
    /// Keeps or replaces a definition.
    pub(super) fn keep(&self, kind: &str, name: &str, statement: &str) -> Result<(), StoreError> {
        let change = Change::Put(statement.as_bytes().to_vec());
        self.write(kind, name, change)
    }

    /// Forgets one, if it is there.
    pub(super) fn forget(&self, kind: &str, name: &str) -> Result<(), StoreError> {
        match self.write(kind, name, Change::Delete) {
            Err(StoreError::NotFound) => Ok(()),
            done => done,
        }
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

    /// The statements of all.
    pub(super) fn all(&self) -> Result<Vec<String>, StoreError> {
        let Some(store) = self.store() else {
            return Ok(Vec::new());
        };
        let table = self.table();
        transom_recovery::wait(async {
            store.define(&table).await?;
            let mut statements = Vec::new();
            let mut after: Option<Vec<u8>> = None;
            loop {
                let from = after
                    .as_ref()
                    .map_or(Bound::Unbounded, |key| Bound::Excluded(&key[..]));
                let rows = store.scan(None, &table, from, b"", Direction::Forward, BATCH);
                let rows = rows.await?;
                let Some(last) = rows.last() else {
                    return Ok(statements);
                };
                after = Some(last.key.clone());
                let texts = rows.iter().map(|row| String::from_utf8_lossy(&row.record));
                statements.extend(texts.map(|text| text.into_owned()));
            }
        })
    }

    fn write(&self, kind: &str, name: &str, change: Change) -> Result<(), StoreError> {
        let Some(store) = self.store() else {
            return Ok(());
        };
        let table = self.table();
        let key = format!("{kind} {name}").into_bytes();
        transom_recovery::wait(async {
            let write = Write::new(&*table, key, change);
            store.write_now(None, vec![write], Wait::No).await
        })
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
