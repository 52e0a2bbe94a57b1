//! What a region is told of program list tables, and the transaction of their programs.
//!
//! Not here: running them (`program_lists`).

use std::collections::BTreeMap;
use transom_csd::ProgramList;
use transom_types::{ProgramName, TransId, UserId};
use transom_wire::definitions::TransactionEntry;

/// Transaction of the programs.
pub(crate) const TRANSACTION: &[u8] = b"CPLT";
/// Its first program: there is none of the name, so nobody starts the transaction from outside.
const NO_PROGRAM: &[u8] = b"DFHSIPLT";

/// What is run at the start and the end.
#[derive(Debug, Clone, Default)]
pub struct ProgramListConfig {
    /// PLTPI.
    pub initialization: Option<ProgramList>,
    /// PLTSD.
    pub shutdown: Option<ProgramList>,
    /// All tables there are, by name: PERFORM SHUTDOWN may name another one than PLTSD.
    pub tables: BTreeMap<String, ProgramList>,
    /// PLTPIUSR; `None`: DFLTUSER.
    pub user: Option<UserId>,
    /// PLTPISEC=CMDSEC or ALL: their system programming commands are checked.
    pub check_commands: bool,
    /// PLTPISEC=RESSEC or ALL: their resources are checked.
    pub check_resources: bool,
}

impl ProgramListConfig {
    /// The transaction of the programs.
    pub(crate) fn transaction(&self) -> TransactionEntry {
        let program = ProgramName::from_field(NO_PROGRAM);
        let mut entry = TransactionEntry::new(TransId::from_field(TRANSACTION), program);
        entry.cmdsec = self.check_commands;
        entry.ressec = self.check_resources;
        entry
    }
}
