//! Who is there: all terminals, found by name.
//!
//! What: the table under its lock, and the configuration that says who may log on. Not here: who
//! gets which name (`table`), what happens in a session (`record`, `run`).

use super::super::config::TerminalConfig;
use super::super::replier::lock;
use super::record::Shared;
use super::table::{Table, counted};
use std::sync::{Mutex, MutexGuard};
use transom_monitoring::statistics::Counted;
use transom_types::{TermId, TransId};

/// All terminals of a region.
pub(crate) struct Directory {
    config: TerminalConfig,
    table: Mutex<Table>,
}

impl Directory {
    pub(super) fn new(config: TerminalConfig) -> Self {
        let mut table = Table::default();
        table.define(&config.definitions);
        Self {
            config,
            table: Mutex::new(table),
        }
    }

    pub(super) fn config(&self) -> &TerminalConfig {
        &self.config
    }

    pub(super) fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }

    /// A terminal with a session.
    pub(super) fn find(&self, terminal: TermId) -> Option<Shared> {
        self.table().by_name.get(&terminal).cloned()
    }

    pub(super) fn by_netname(&self, netname: &str) -> Option<Shared> {
        self.table().session_of(netname).cloned()
    }

    /// All terminals with a session.
    pub(super) fn sessions(&self) -> Vec<Shared> {
        self.table().by_name.values().cloned().collect()
    }

    /// Statistics of all sessions there are, or of the one of this terminal.
    pub(crate) fn counted(&self, of: Option<&[u8]>) -> Vec<Counted> {
        let sessions = match of {
            Some(name) => self.find(TermId::from_field(name)).into_iter().collect(),
            None => self.sessions(),
        };
        let mut all: Vec<Counted> = sessions.iter().map(|one| counted(&lock(one))).collect();
        all.sort_by(|a, b| a.resource().cmp(b.resource()));
        all
    }

    /// Transaction of a key with TASKREQ.
    pub(super) fn of_key(&self, aid: u8) -> Option<TransId> {
        let keys = &self.config.key_transactions;
        keys.iter().find(|(key, _)| *key == aid).map(|(_, t)| *t)
    }
}
