//! One unit of work: its private changes and how far it is.
//!
//! What: the overlay, its bytes on disk for prepared units, the phase. Why: nothing uncommitted
//! ever reaches an engine's tables. Not here: locks, writing.

use crate::engine::{Action, Batch, EngineWrite};
use crate::{InDoubt, Part, UowId};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use transom_language::in_place::take_front;
use transom_language::language;

/// Changed records of one table; `None` is a deleted one.
pub type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// Private changes of a unit of work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlay {
    /// By table.
    pub tables: HashMap<Arc<str>, Changes>,
    /// Bytes of all keys and records.
    pub bytes: usize,
}

/// How far a unit of work is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Phase {
    /// Takes changes.
    #[default]
    Active,
    /// Its end is under way.
    Ending,
    /// In doubt.
    Prepared {
        /// From the coordinator.
        info: Vec<u8>,
        /// Since when.
        since: SystemTime,
        /// Others are refused at its locks.
        retained: bool,
    },
}

/// The prepared ones among units of work, in order.
pub fn in_doubt(units: impl Iterator<Item = (UowId, Phase)>) -> Vec<InDoubt> {
    let mut found: Vec<InDoubt> = units
        .filter_map(|(uow, phase)| match phase {
            Phase::Prepared {
                info,
                since,
                retained,
            } => Some(InDoubt {
                uow,
                info,
                since,
                retained,
                untold: None,
            }),
            Phase::Active | Phase::Ending => None,
        })
        .collect();
    found.sort_by_key(|doubt| doubt.uow);
    found
}

/// One unit of work.
#[derive(Debug, Default)]
pub(crate) struct Unit {
    pub(crate) overlay: Overlay,
    pub(crate) phase: Phase,
}

impl Phase {
    /// What a unit of work in this phase with these changes has in its store.
    #[must_use]
    pub fn part(&self, changes: &Overlay) -> Part {
        match self {
            Self::Prepared { .. } => Part::Prepared,
            _ if changes.is_empty() => Part::Locks,
            _ => Part::Changes,
        }
    }
}

impl Overlay {
    /// The own change of a record, if there is one.
    #[must_use]
    pub fn get(&self, table: &str, key: &[u8]) -> Option<&Option<Vec<u8>>> {
        self.tables.get(table)?.get(key)
    }

    /// Adds a change.
    pub fn set(&mut self, table: &str, key: &[u8], record: Option<Vec<u8>>) {
        let size = |r: &Option<Vec<u8>>| key.len() + r.as_ref().map_or(0, Vec::len);
        self.bytes += size(&record);
        if !self.tables.contains_key(table) {
            self.tables.insert(table.into(), Changes::new());
        }
        if let Some(changes) = self.tables.get_mut(table)
            && let Some(old) = changes.insert(key.to_vec(), record)
        {
            self.bytes -= size(&old);
        }
    }

    /// Nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The changes as an engine takes them.
    pub(crate) fn batch(&self) -> Batch {
        let mut writes = Vec::new();
        for (table, changes) in &self.tables {
            writes.extend(changes.iter().map(|(key, record)| EngineWrite {
                table: table.clone(),
                key: key.clone(),
                action: record.clone().map_or(Action::Erase, Action::Put),
            }));
        }
        Batch { writes }
    }
}

language! {
    /// A prepared unit as it lies in the UOW table; its changes follow, each a [`Change`].
    struct Prepared format 1 {
        since_ms: u64,
        info: Vec<u8>,
    }

    /// A changed record; without one it is deleted.
    struct Change {
        table: String,
        key: Vec<u8>,
        record: Option<Vec<u8>>,
    }
}

/// A prepared unit as it lies in the UOW table.
pub(crate) fn stored(overlay: &Overlay, info: &[u8], since: SystemTime) -> Vec<u8> {
    let since = since.duration_since(UNIX_EPOCH).unwrap_or_default();
    let head = Prepared {
        since_ms: since.as_millis() as u64,
        info: info.to_vec(),
    };
    let mut out = head.encode();
    for (table, changes) in &overlay.tables {
        for (key, record) in changes {
            let change = Change {
                table: table.to_string(),
                key: key.clone(),
                record: record.clone(),
            };
            out.extend(change.encode());
        }
    }
    out
}

/// Reads [`stored`]; `None` when the bytes are not such a record.
pub(crate) fn restored(mut bytes: &[u8]) -> Option<(Overlay, Vec<u8>, SystemTime)> {
    let head: Prepared = take_front(&mut bytes)?;
    let mut overlay = Overlay::default();
    for change in transom_language::all::<Change>(bytes)? {
        overlay.set(&change.table, &change.key, change.record);
    }
    let since = UNIX_EPOCH.checked_add(Duration::from_millis(head.since_ms))?;
    Some((overlay, head.info, since))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prepared_bytes_and_back() {
        let mut overlay = Overlay::default();
        overlay.set("file/A", b"k1", Some(b"record".to_vec()));
        overlay.set("file/A", b"k2", None);
        let since = UNIX_EPOCH + Duration::from_millis(5);
        let bytes = stored(&overlay, b"info", since);
        assert_eq!(restored(&bytes), Some((overlay, b"info".to_vec(), since)));
        for cut in 0..bytes.len() {
            let _ = restored(&bytes[..cut]);
        }
    }

    #[test]
    fn bytes_are_counted_once() {
        let mut overlay = Overlay::default();
        overlay.set("t", b"k", Some(vec![0; 10]));
        overlay.set("t", b"k", Some(vec![0; 3]));
        assert_eq!(overlay.bytes, 4);
        overlay.set("t", b"k", None);
        assert_eq!(overlay.bytes, 1);
    }
}
