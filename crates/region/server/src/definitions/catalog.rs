//! What CREATE and CEDA INSTALL have installed, kept for warm and emergency starts.
//!
//! What: a statement for each definition in a table of the store, by kind and name; DISCARD takes
//! it out, a cold or initial start empties the table. Not here: what a start installs from decks:
//! every start reads them.

use crate::kernel::Kernel;
use crate::syncpoint::UnitsOfWork;
use std::ops::Bound;
use std::sync::Arc;
use transom_csd::{Definition, write_definition};
use transom_recovery::{Change, Direction, StoreError, UowStore, Wait, Write};

/// Rows read or written in one piece.
const BATCH: usize = 1_000;
/// Group of all definitions in the statements.
pub(super) const GROUP: &str = "CREATED";

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
                let statement = Change::Put(statement(definition).into_bytes());
                (key(definition.kind.keyword(), &definition.name), statement)
            });
            self.write(changes.collect())?;
        }
        Ok(())
    }

    /// Forgets one, if it is there.
    pub(super) fn forget(&self, kind: &str, name: &str) -> Result<(), StoreError> {
        match self.write(vec![(key(kind, name), Change::Delete)]) {
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

    fn write(&self, changes: Vec<(Vec<u8>, Change)>) -> Result<(), StoreError> {
        let Some(store) = self.store() else {
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

fn key(kind: &str, name: &str) -> Vec<u8> {
    format!("{kind} {name}").into_bytes()
}

/// As a deck would have it.
fn statement(definition: &Definition) -> String {
    let mut kept = definition.clone();
    kept.group = GROUP.to_owned();
    write_definition(&kept)
}
