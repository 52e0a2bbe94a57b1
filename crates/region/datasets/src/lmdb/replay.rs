//! What a log has, put into the tree again.
//!
//! What: changes of many groups as one transaction, only the last one of each record. Why: a group
//! by itself writes all pages from its records up to the root; a log has a hundred thousand groups.
//! Nobody reads meanwhile, so nobody sees that they come together. Not here: reading a log (`log`).

use super::apply::Group;
use super::folder::Inside;
use std::collections::BTreeMap;
use std::sync::Arc;
use transom_recovery::{Action, Batch, EngineWrite, StoreError};

/// Bytes of changes put into the tree together.
const BYTES: usize = 32 << 20;
/// What a change takes beside its bytes, about.
const EACH: usize = 100;

/// Changes that are not in the tree yet.
pub(super) struct Replay<'e> {
    inside: &'e Inside,
    changes: BTreeMap<(Arc<str>, Vec<u8>), Action>,
    bytes: usize,
}

impl<'e> Replay<'e> {
    /// None yet.
    pub(super) fn new(inside: &'e Inside) -> Self {
        Self {
            inside,
            changes: BTreeMap::new(),
            bytes: 0,
        }
    }

    /// Takes those of a group.
    pub(super) fn take(&mut self, writes: Vec<EngineWrite>) -> Result<(), StoreError> {
        for write in writes {
            let record = match &write.action {
                Action::Put(record) | Action::Insert(record) => record.len(),
                Action::Delete | Action::Erase => 0,
            };
            self.bytes += write.key.len() + record + EACH;
            self.changes.insert((write.table, write.key), write.action);
        }
        match self.bytes >= BYTES {
            true => self.end(),
            false => Ok(()),
        }
    }

    /// Puts into the tree what is left, in a transaction that is not flushed.
    pub(super) fn end(&mut self) -> Result<(), StoreError> {
        self.bytes = 0;
        let changes = std::mem::take(&mut self.changes).into_iter();
        let writes: Vec<EngineWrite> = changes
            .map(|((table, key), action)| EngineWrite { table, key, action })
            .collect();
        if writes.is_empty() {
            return Ok(());
        }
        let mut group = Group::begin(self.inside)?;
        group.write(&Batch { writes })?;
        group.commit().map(|_| ())
    }
}
