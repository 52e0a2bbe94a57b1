//! An installed transaction.

use super::TransactionEntry;
use super::not_usable::NotUsable;
use transom_csd::Definition;
use transom_datastream::Aid;
use transom_types::{ProgramName, TransId};

impl TransactionEntry {
    /// A transaction with CICS's defaults.
    pub fn new(transid: TransId, program: ProgramName) -> Self {
        Self {
            program,
            ..Self::with_defaults(transid)
        }
    }

    /// Milliseconds its tasks wait for what others hold before they end; 0: no limit. Tasks of
    /// SPURGE(NO) are not ended by DTIMOUT.
    pub fn deadlock_timeout_ms(&self) -> u64 {
        if self.spurge { self.dtimout_ms } else { 0 }
    }

    /// `None` without a first program: only a transaction of another system needs none here.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let can_run = |entry: &Self| !entry.program.is_blank() || entry.is_remote();
        Ok(Some(Self::of_attributes(definition)).filter(can_run))
    }

    /// It belongs to another system. REMOTESYSTEM of the region itself was taken off when it was
    /// installed.
    pub fn is_remote(&self) -> bool {
        !self.remote_system.is_blank()
    }

    /// TASKREQ: the key that starts the transaction. The error is a value that names none.
    pub fn key(definition: &Definition) -> Option<Result<u8, &str>> {
        let name = definition.get("TASKREQ").filter(|text| !text.is_empty())?;
        Some(Aid::from_name(name).map(|aid| aid.0).ok_or(name))
    }
}
