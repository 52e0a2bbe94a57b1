//! What a file journals automatically.
//!
//! Not here: journals (`region/server/file_control::journal`).

use transom_csd::Definition;

/// A kind of request that leaves a record in the journal of its file, or how it is written. Values
/// can be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileJournal {
    /// JNLREAD(READONLY), (ALL): records read without UPDATE.
    Reads = 1,
    /// JNLREAD(UPDATEONLY), (ALL): records read with UPDATE.
    ReadUpdates = 2,
    /// JNLUPDATE(YES): REWRITE and DELETE.
    Updates = 4,
    /// JNLADD(BEFORE), (ALL): WRITE, before it is done.
    AddsBefore = 8,
    /// JNLADD(AFTER), (ALL): WRITE that was done.
    AddsAfter = 16,
    /// JNLSYNCREAD(YES): the task waits until a read is on the device.
    SyncReads = 32,
    /// JNLSYNCWRITE(YES): the same for changes.
    SyncWrites = 64,
}

impl FileJournal {
    /// The values of a FILE definition.
    pub fn from_definition(definition: &Definition) -> u8 {
        let is = |attribute, values: &[&str]| {
            let value = definition.get(attribute).unwrap_or_default();
            values.contains(&value)
        };
        let chosen = [
            (Self::Reads, is("JNLREAD", &["READONLY", "ALL"])),
            (Self::ReadUpdates, is("JNLREAD", &["UPDATEONLY", "ALL"])),
            (Self::Updates, definition.is_yes("JNLUPDATE")),
            (Self::AddsBefore, is("JNLADD", &["BEFORE", "ALL"])),
            (Self::AddsAfter, is("JNLADD", &["AFTER", "ALL"])),
            (Self::SyncReads, definition.is_yes("JNLSYNCREAD")),
            (Self::SyncWrites, !is("JNLSYNCWRITE", &["NO"])),
        ];
        let values = chosen.into_iter().filter(|(_, chosen)| *chosen);
        values.map(|(value, _)| value as u8).sum()
    }
}
