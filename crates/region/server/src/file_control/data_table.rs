//! Data tables: TABLE(CICS) and TABLE(USER).
//!
//! What: which data sets can be the source of one, and how full a user-maintained table is. Records
//! of a CICS-maintained table and of its data set are one and the same: the store's map in each
//! worker is the table in memory, so nothing is kept twice. Limit: MAXNUMRECS of a user-maintained
//! one, NOSPACE 102 beyond it. Not here: copying records (`loading`), commands that tables do not
//! have (`region/commands`).

use crate::replier::lock;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use transom_datasets::{Dataset, Organization};
use transom_messages as messages;
use transom_recovery::Outcome;
use transom_types::{FileName, Resp};
use transom_wire::definitions::{DataTable, FileEntry};
use transom_wire::file_control::Action;
use transom_wire::language::whole;
use transom_wire::requests::RegionAnswer;

/// Where a file has its records.
pub(super) struct Records {
    pub(super) dataset: Dataset,
    /// They are a user-maintained table's.
    pub(super) table: Option<Arc<UserTable>>,
}

/// How full a user-maintained table is.
pub(super) struct UserTable {
    file: FileName,
    /// MAXNUMRECS; 0: no limit.
    most: u32,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    /// Records, those of units of work under way among them.
    records: i64,
    /// What units of work under way have added, by task.
    added: HashMap<u32, i64>,
}

impl UserTable {
    /// A table with so many records.
    pub(super) fn new(entry: &FileEntry, records: i64) -> Self {
        Self {
            file: entry.name,
            most: entry.max_records,
            counts: Mutex::new(Counts {
                records,
                added: HashMap::new(),
            }),
        }
    }

    /// Makes room for a record that is about to be added. The error refuses it.
    pub(super) fn before(&self, action: &Action) -> Result<(), RegionAnswer> {
        if !matches!(action, Action::Insert(..)) {
            return Ok(());
        }
        let mut counts = lock(&self.counts);
        if self.most > 0 && counts.records >= i64::from(self.most) {
            let text = messages::fc::table_full(self.file, self.most);
            return Err(RegionAnswer::refused(Resp::NOSPACE, 102, text));
        }
        counts.records += 1;
        Ok(())
    }

    /// The request was not done.
    pub(super) fn not_done(&self, was: Change) {
        if let Change::Added = was {
            lock(&self.counts).records -= 1;
        }
    }

    /// The request was done; answers whether the end of the unit of work has to be told.
    pub(super) fn done(&self, was: Change, answer: &[u8], task: u32, recoverable: bool) -> bool {
        let added = match was {
            Change::None => return false,
            Change::Added => 1,
            Change::Deleted => -1,
            Change::Generic => -i64::from(whole::<u32>(answer).unwrap_or(0)),
        };
        let mut counts = lock(&self.counts);
        if added < 0 {
            counts.records += added;
        }
        if !recoverable {
            return false;
        }
        let is_first = !counts.added.contains_key(&task);
        *counts.added.entry(task).or_default() += added;
        is_first
    }

    /// The unit of work of a task has ended.
    pub(super) fn ended(&self, task: u32, outcome: Outcome) {
        let mut counts = lock(&self.counts);
        let added = counts.added.remove(&task).unwrap_or(0);
        if outcome == Outcome::Backout {
            counts.records -= added;
        }
    }
}

/// What a request does to the number of records.
#[derive(Clone, Copy)]
pub(super) enum Change {
    None,
    Added,
    Deleted,
    /// As many as the answer says.
    Generic,
}

impl Change {
    pub(super) fn of(action: &Action) -> Self {
        match action {
            Action::Insert(..) => Self::Added,
            Action::Delete(..) | Action::DeleteKey(..) => Self::Deleted,
            Action::DeleteGeneric(..) => Self::Generic,
            _ => Self::None,
        }
    }
}

/// Why the data set cannot be the source of the file's table.
pub(super) fn unfit(entry: &FileEntry, source: &Dataset) -> Option<&'static str> {
    let is_ksds = matches!(source.cluster().organization, Organization::Ksds { .. });
    match entry.table {
        DataTable::No => None,
        DataTable::Cf => Some("there is no coupling facility"),
        _ if !is_ksds || source.through().is_some() => Some("it is not a KSDS used directly"),
        DataTable::Cics if entry.rls => Some("TABLE(CICS) and RLSACCESS(YES) exclude each other"),
        DataTable::User if entry.fixed => Some("TABLE(USER) needs RECORDFORMAT(V)"),
        DataTable::Cics | DataTable::User => None,
    }
}
