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
use transom_types::{FileName, ProgramName, SysId, TransId};
use transom_wire::definitions::{ConnectionEntry, IpConnEntry, ProgramEntry, TransactionEntry};
use transom_wire::{Shared, Space};

/// Caches of a worker.
pub struct Caches {
    /// Files.
    pub files: Known<FileName, KnownFile>,
    /// Programs.
    pub programs: Known<ProgramName, ProgramEntry>,
    /// Transactions.
    pub transactions: Known<TransId, TransactionEntry>,
    /// Systems with a CONNECTION, and those with an IPCONN.
    links: [Known<SysId, ()>; 2],
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

    /// The installed file.
    pub fn file(&mut self, shared: &dyn Shared, file: FileName) -> Option<Rc<KnownFile>> {
        let read = |file| KnownFile::read(shared, file);
        self.files.find(shared, file, read)
    }

    /// KEYLENGTH of the definition of a file; 0: there is none.
    pub fn key_length(&mut self, shared: &dyn Shared, file: Option<[u8; 8]>) -> usize {
        let known = file.and_then(|name| self.file(shared, FileName::from_field(&name)));
        known.map_or(0, |file| usize::from(file.entry.key_length))
    }

    /// The installed program.
    pub fn program(
        &mut self,
        shared: &dyn Shared,
        program: ProgramName,
    ) -> Option<Rc<ProgramEntry>> {
        let read = |program| ProgramEntry::find(shared, program);
        self.programs.find(shared, program, read)
    }

    /// There is a definition of a link to this system.
    pub fn is_linked(&mut self, shared: &dyn Shared, system: SysId) -> bool {
        let [connections, ipconns] = &mut self.links;
        let connection = |system| ConnectionEntry::to(shared, system).map(drop);
        let ipconn = |system| IpConnEntry::to(shared, system).map(drop);
        connections.find(shared, system, connection).is_some()
            || ipconns.find(shared, system, ipconn).is_some()
    }
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            files: Known::of(Space::File),
            programs: Known::of(Space::Program),
            transactions: Known::of(Space::Transaction),
            links: [Known::of(Space::Connection), Known::of(Space::IpConn)],
            modules: Modules::default(),
            mapsets: MapsetCache::default(),
            reading: Reading::default(),
            sql: Default::default(),
            control_table: OnceCell::new(),
        }
    }
}
