//! The unit of work that records of a step are written in.
//!
//! Why: each record by itself would cost a flush of the disk; VSAM in a job has no units of work,
//! so what was written stays, also after an abend. Not here: which records.

use super::places::VsamFile;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use transom_datasets::{Access, Condition};
use transom_recovery::{UowId, UowStore, Wait, wait};
use transom_types::Applid;

/// Changes after which they are committed.
const CHANGES_MAX: usize = 2_000;
/// Bytes of records after which they are.
const BYTES_MAX: usize = 16 << 20;

/// What was written and is not committed yet.
#[derive(Default)]
pub(crate) struct Unit {
    store: Option<Arc<dyn UowStore>>,
    id: Option<UowId>,
    changes: usize,
    bytes: usize,
}

impl Unit {
    /// Who changes a data set. All of a step lie in one store.
    pub(crate) fn access(&mut self, file: &VsamFile) -> Access {
        self.store
            .get_or_insert_with(|| file.datasets.store().clone());
        let uow = *self.id.get_or_insert_with(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let now = now.map_or(0, |d| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX));
            UowId::new(Applid::from_field(b"TXMBATCH"), now)
        });
        Access {
            uow,
            recoverable: true,
            wait: Wait::No,
        }
    }

    /// A record of so many bytes was changed.
    pub(crate) fn changed(&mut self, bytes: usize) -> Result<(), Condition> {
        self.changes += 1;
        self.bytes += bytes;
        if self.changes < CHANGES_MAX && self.bytes < BYTES_MAX {
            return Ok(());
        }
        self.commit()
    }

    /// Makes everything durable, and lets go of locks.
    pub(crate) fn commit(&mut self) -> Result<(), Condition> {
        let (Some(store), Some(id)) = (&self.store, self.id.take()) else {
            return Ok(());
        };
        (self.changes, self.bytes) = (0, 0);
        wait(store.commit(id)).map_err(Condition::from)
    }
}
