//! Journals: what workers ask the region, and what it answers.
//!
//! Not here: the commands, the files.

use crate::definitions::JournalKind;
use crate::language;
use transom_types::{JournalName, TransId};

/// Bytes of user data and prefix of one record; more raise LENGERR.
pub const JOURNAL_RECORD_MAX: usize = 1 << 20;

language! {
    /// A record, or a wait for one to be on the device.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct JournalRequest {
        pub journal: JournalName,
        pub transid: TransId,
        pub what: JournalAction,
    }

    /// What is asked.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum JournalAction {
        /// Adds a record: JTYPEID, prefix, data; waits until it is on the device if so asked.
        /// Answer: its number.
        1 = Write(kind: [u8; 2], prefix: Vec<u8>, data: Vec<u8>, wait: bool),
        /// Waits for the record of this number; 0: for all so far.
        2 = Wait(number: u32),
        /// INQUIRE JOURNALNAME: answers a [`JournalState`].
        3 = Inquire,
        /// Names of all journals, whatever the name.
        4 = List,
        /// SET JOURNALNAME.
        5 = Set(change: JournalChange),
    }

    /// What SET JOURNALNAME does.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum JournalChange {
        0 = Flush,
        1 = Reset,
        2 = Enable,
        3 = Disable,
    }

    /// What INQUIRE JOURNALNAME answers.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct JournalState {
        pub kind: JournalKind,
        pub enabled: bool,
        /// A write failed; RESET or ENABLED tries anew.
        pub failed: bool,
        /// File of a journal of TYPE(MVS).
        pub stream: String,
    }
}
