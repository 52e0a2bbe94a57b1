//! What the domains of a worker keep from task to task.
//!
//! The sum of their leaves, as `task_state` is for a task. Not here: how each is filled.

use crate::known::Known;
use crate::known_file::KnownFile;
use crate::mapsets::MapsetCache;
use crate::program::Modules;
use crate::reading::Reading;
use std::cell::OnceCell;
use std::rc::Rc;
use transom_monitoring::ControlTable;
use transom_types::{FileName, ProgramName, TransId};
use transom_wire::definitions::{ProgramEntry, TransactionEntry};
use transom_wire::{Shared, Space};

/// Caches of a worker.
pub struct Caches {
    /// Files.
    pub files: Known<FileName, KnownFile>,
    /// Programs.
    pub programs: Known<ProgramName, ProgramEntry>,
    /// Transactions.
    pub transactions: Known<TransId, TransactionEntry>,
    /// Modules this worker could load once.
    pub modules: Modules,
    /// Maps this worker has read.
    pub mapsets: MapsetCache,
    /// The record store mapped for reading.
    pub reading: Reading,
    /// The database of EXEC SQL opened for reading.
    pub sql: crate::sql_reading::Reading,
    /// The monitoring control table, from the first MONITOR on.
    pub control_table: OnceCell<Option<Rc<ControlTable>>>,
}

impl Caches {
    /// The installed transaction.
    pub fn transaction(
        &mut self,
        shared: &dyn Shared,
        transid: TransId,
    ) -> Option<Rc<TransactionEntry>> {
        let read = |transid| TransactionEntry::find(shared, transid);
        self.transactions.find(shared, transid, read)
    }
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            files: Known::of(Space::File),
            programs: Known::of(Space::Program),
            transactions: Known::of(Space::Transaction),
            modules: Modules::default(),
            mapsets: MapsetCache::default(),
            reading: Reading::default(),
            sql: Default::default(),
            control_table: OnceCell::new(),
        }
    }
}
