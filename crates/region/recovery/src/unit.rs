//! One unit of work: its private changes and how far it is.
//!
//! What: the overlay, its bytes on disk for prepared units, the phase. Why: nothing uncommitted
//! ever reaches an engine's tables. Not here: locks, writing.

use crate::engine::{Action, Batch, EngineWrite};
use crate::{InDoubt, Part, UowId};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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

/// Version of the bytes below.
const FORMAT: u8 = 1;

/// A prepared unit as it lies in the UOW table.
pub(crate) fn encode(overlay: &Overlay, info: &[u8], since: SystemTime) -> Vec<u8> {
    let since = since.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut out = vec![FORMAT];
    out.extend_from_slice(&(since.as_millis() as u64).to_be_bytes());
    put(&mut out, info);
    for (table, changes) in &overlay.tables {
        for (key, record) in changes {
            put(&mut out, table.as_bytes());
            put(&mut out, key);
            out.push(u8::from(record.is_some()));
            put(&mut out, record.as_deref().unwrap_or_default());
        }
    }
    out
}

/// Reads [`encode`]; `None` when the bytes are not such a record.
pub(crate) fn decode(mut bytes: &[u8]) -> Option<(Overlay, Vec<u8>, SystemTime)> {
    let (format, rest) = bytes.split_first()?;
    let (since, rest) = rest.split_at_checked(8)?;
    bytes = rest;
    let since = UNIX_EPOCH + Duration::from_millis(u64::from_be_bytes(since.try_into().ok()?));
    let info = take(&mut bytes)?.to_vec();
    let mut overlay = Overlay::default();
    while !bytes.is_empty() {
        let table = std::str::from_utf8(take(&mut bytes)?).ok()?;
        let key = take(&mut bytes)?;
        let (present, rest) = bytes.split_first()?;
        bytes = rest;
        let record = take(&mut bytes)?;
        overlay.set(table, key, (*present == 1).then(|| record.to_vec()));
    }
    (*format == FORMAT).then_some((overlay, info, since))
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
    out.extend_from_slice(bytes);
}

fn take<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = bytes.split_at_checked(4)?;
    let length = u32::from_be_bytes(length.try_into().ok()?) as usize;
    let (taken, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
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
        let bytes = encode(&overlay, b"info", since);
        assert_eq!(decode(&bytes), Some((overlay, b"info".to_vec(), since)));
        for cut in 0..bytes.len() {
            let _ = decode(&bytes[..cut]);
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
