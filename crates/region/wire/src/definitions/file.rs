//! An installed file and how often it was used.
//!
//! What: a FILE definition with its state, and, while the file is open, the shape of its data set;
//! counters beside it. Why: workers check and read a file without asking the region. Not here:
//! records, locks, data sets.

use super::file_journal::FileJournal;
use super::not_usable::{DSNAME_MAX, NotUsable};
use super::{DataTable, Enablement, FileEntry, Recovery};
use crate::shared::{Group, Shared, Space};
use transom_csd::Definition;
use transom_messages::{self as messages, Message};
use transom_types::FileName;

/// Item with the counters.
const COUNTERS: u32 = 2;
impl Enablement {
    /// It waits for the tasks that use it.
    pub fn is_ending(self) -> bool {
        matches!(self, Self::Disabling | Self::Unenabling)
    }
}

/// What is counted of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileUse {
    /// READ.
    Read,
    /// READ UPDATE.
    ReadUpdate,
    /// READNEXT and READPREV.
    Browse,
    /// WRITE.
    Add,
    /// REWRITE.
    Update,
    /// DELETE; each record of a generic one.
    Delete,
}

/// Number of [`FileUse`]s.
const FILE_USES: usize = 6;
/// Counters in the order of [`FileUse`].
pub type FileCounts = [u64; FILE_USES];

impl FileEntry {
    /// A file with CICS's defaults: read only, not recoverable.
    pub fn new(name: FileName, dsname: &str) -> Self {
        Self {
            dsname: dsname.to_owned(),
            ..Self::with_defaults(name)
        }
    }

    /// All operations are allowed.
    #[must_use]
    pub fn with_all_operations(mut self) -> Self {
        (self.add, self.browse, self.delete, self.update) = (true, true, true, true);
        self
    }

    /// Reads a FILE definition of a deck. The error names the attribute that does not fit.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let mut entry = Self::of_attributes(definition);
        if entry.dsname.is_empty() {
            entry.name.as_str().clone_into(&mut entry.dsname);
        }
        if entry.dsname.len() > DSNAME_MAX {
            return Err(NotUsable::DsnameTooLong);
        }
        // A file that may be updated or browsed may be read.
        entry.read |= entry.update || entry.browse;
        entry.journaling = FileJournal::from_definition(definition);
        Ok(Some(entry))
    }

    /// What an operator should know of the definition.
    pub fn warning(&self) -> Option<Message> {
        (self.table == DataTable::Cf).then(|| messages::fc::coupling_facility_table(self.name))
    }

    /// What is journaled automatically; nothing without JOURNAL.
    pub fn journals(&self, what: FileJournal) -> bool {
        self.journal > 0 && self.journaling & what as u8 != 0
    }

    /// Recovery in effect while the file is open, else that of the definition.
    pub fn recovery_in_effect(&self) -> Recovery {
        let open = self.shape.as_ref();
        open.map_or(self.recovery, |shape| shape.recovery)
    }

    /// Its records are a user-maintained data table's: apart from the data set since they were
    /// loaded.
    pub fn is_user_table(&self) -> bool {
        self.table == DataTable::User
    }

    /// Changes are backed out with their unit of work.
    pub fn is_recoverable(&self) -> bool {
        self.recovery_in_effect() != Recovery::None
    }

    /// Counts uses of an installed file.
    pub fn count(shared: &dyn Shared, name: FileName, used: FileUse, times: u64) {
        shared.with_group(Space::File, name.as_bytes(), &mut |group| {
            group.count(COUNTERS, FILE_USES, used as usize, times);
        });
    }

    /// How often a file was used since it was installed.
    pub fn counts(shared: &dyn Shared, name: FileName) -> FileCounts {
        let mut counts = FileCounts::default();
        shared.with_group(Space::File, name.as_bytes(), &mut |group| {
            counts = read_counts(group);
        });
        counts
    }
}

fn read_counts(group: &dyn Group) -> FileCounts {
    let mut counts = FileCounts::default();
    let bytes = group.get(COUNTERS).unwrap_or_default();
    for (count, from) in counts.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *count = u64::from_le_bytes(*from);
    }
    counts
}
