//! One dataset as a program sees it.
//!
//! What: a base with its alternate indexes, used directly or through one of them; the data of all
//! operations. Why: read, write and browse share keys and layouts. Not here: the operations
//! (`read`, `write`, `browse`).

use crate::define::{AlternateIndex, Cluster, Organization};
use crate::keys::ROOM;
use crate::{Condition, KeyOrder, ReadOnlyStore};
use std::sync::Arc;
use transom_recovery::{StoreError, UowId, UowStore, Wait};
use transom_types::{Find, Position};

/// Who changes records, and how.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// Owner of locks and changes.
    pub uow: UowId,
    /// Changes belong to the unit of work; if not, each is committed at once.
    pub recoverable: bool,
    /// How long to wait for locks: DTIMOUT, or not at all with NOSUSPEND.
    pub wait: Wait,
}

/// A cluster, directly or through a path. Cheap to clone; knows the indexes of the moment it was
/// asked for.
#[derive(Clone)]
pub struct Dataset {
    pub(crate) store: Arc<dyn UowStore>,
    pub(crate) parts: Arc<Parts>,
}

/// What the operations need of the catalog.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) cluster: Cluster,
    pub(crate) table: String,
    /// Those to be kept up to date.
    pub(crate) upgrade: Vec<Index>,
    /// The one it is used through.
    pub(crate) through: Option<Index>,
}

/// An alternate index and where it lies.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    pub(crate) definition: AlternateIndex,
    pub(crate) table: String,
}

impl Dataset {
    /// Key of an ESDS record.
    #[must_use]
    pub fn rba_key(rba: u64) -> [u8; 8] {
        rba.to_be_bytes()
    }

    /// Key of an RRDS record.
    #[must_use]
    pub fn rrn_key(rrn: u32) -> [u8; 4] {
        rrn.to_be_bytes()
    }

    /// The cluster behind it.
    #[must_use]
    pub fn cluster(&self) -> &Cluster {
        &self.parts.cluster
    }

    /// The alternate index it is used through.
    #[must_use]
    pub fn through(&self) -> Option<&AlternateIndex> {
        self.parts.through.as_ref().map(|i| &i.definition)
    }

    /// Table of the base records; two datasets over the same base have the same.
    #[must_use]
    pub fn table(&self) -> &str {
        &self.parts.table
    }

    /// Table of the alternate index it is used through.
    #[must_use]
    pub fn index_table(&self) -> Option<&str> {
        self.parts.through.as_ref().map(|i| i.table.as_str())
    }

    /// First byte of the key in the record, from 0; none when the key is not in the record (RBA,
    /// slot number).
    #[must_use]
    pub fn key_offset(&self) -> Option<usize> {
        if let Some(index) = self.through() {
            return Some(index.key_offset);
        }
        match self.parts.cluster.organization {
            Organization::Ksds { key_offset, .. } => Some(key_offset),
            Organization::Esds | Organization::Rrds => None,
        }
    }

    /// Length of the keys it is used with: alternate key, key, RBA (8) or slot number (4).
    #[must_use]
    pub fn key_length(&self) -> usize {
        self.through()
            .map_or(self.parts.cluster.key_length(), |i| i.key_length)
    }

    /// Whether it can be changed: not with INHIBIT.
    pub(crate) fn check_change(&self) -> Result<(), Condition> {
        let through = self.through().is_some_and(|i| i.extra.inhibited);
        match through || self.parts.cluster.extra.inhibited {
            true => Err(Condition::ReadOnly),
            false => Ok(()),
        }
    }

    /// Keys of more than one record may be equal.
    #[must_use]
    pub fn has_duplicates(&self) -> bool {
        self.through().is_some_and(|i| !i.unique)
    }

    /// Order of the keys of the base.
    pub(crate) fn order(&self) -> &KeyOrder {
        &self.parts.cluster.extra.keys
    }

    /// The record with this key, by which it is used directly, from the map of the store.
    pub fn read_mapped(
        &self,
        map: &ReadOnlyStore,
        key: &[u8],
    ) -> Result<Option<Vec<u8>>, StoreError> {
        if self.order().is_bytes() {
            return map.get(&self.parts.table, key);
        }
        map.get(&self.parts.table, self.order().stored(key, &mut [0; ROOM]))
    }

    /// Whether the first key comes behind the second in the order it is used in.
    #[must_use]
    pub fn is_behind(&self, key: &[u8], other: &[u8]) -> bool {
        let order = self.through().map_or(self.order(), |i| &i.extra.keys);
        order.stored(key, &mut [0; ROOM]) > order.stored(other, &mut [0; ROOM])
    }

    /// The base key inside a record of a KSDS.
    pub(crate) fn key_in<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        match self.parts.cluster.organization {
            Organization::Ksds {
                key_offset,
                key_length,
            } => record.get(key_offset..key_offset + key_length),
            Organization::Esds | Organization::Rrds => None,
        }
    }

    /// Whether a key can be asked for.
    pub(crate) fn check_key(&self, key: &[u8], find: Find) -> Result<(), Condition> {
        let length = self.key_length();
        let whole = find == Find::Equal || self.key_offset().is_none();
        if key.len() > length || key.is_empty() || (whole && key.len() != length) {
            return Err(Condition::Invalid("the key has a wrong length"));
        }
        self.check_beginning(key)
    }

    /// Whether the beginning of a key is one in the store, too.
    pub(crate) fn check_beginning(&self, key: &[u8]) -> Result<(), Condition> {
        let order = self.through().map_or(self.order(), |i| &i.extra.keys);
        match key.len() < self.key_length() && order.cuts(key.len()) {
            true => Err(Condition::Invalid("the generic key ends inside a number")),
            false => Ok(()),
        }
    }

    /// Whether a record can be stored.
    pub(crate) fn check_record(&self, record: &[u8]) -> Result<(), Condition> {
        let cluster = &self.parts.cluster;
        let (length, max) = (record.len(), cluster.max);
        let shortest = match cluster.organization {
            Organization::Ksds {
                key_offset,
                key_length,
            } => key_offset + key_length,
            Organization::Esds | Organization::Rrds => 1,
        };
        if length > max || length < shortest || (cluster.fixed && length != max) {
            return Err(Condition::Length { length, max });
        }
        Ok(())
    }
}

impl Index {
    /// Order of the alternate keys.
    pub(crate) fn order(&self) -> &KeyOrder {
        &self.definition.extra.keys
    }

    /// Key and record of the entry for a base record; none when the record is too short. Entries of
    /// an index with duplicates lie in the order they came: `arrival` is a number of the index's
    /// counter.
    pub(crate) fn entry(
        &self,
        record: &[u8],
        base: &[u8],
        arrival: u64,
    ) -> Option<(Vec<u8>, Vec<u8>)> {
        let key = self.definition.key_of(record)?;
        let mut room = [0; ROOM];
        let key = self.order().stored(key, &mut room);
        let key = if self.definition.unique {
            key.to_vec()
        } else {
            // 0 marks entries without a number.
            [key, &arrival.saturating_add(1).to_be_bytes()].concat()
        };
        Some((key, base.to_vec()))
    }

    /// Where an entry points; none when the entry is damaged. An entry without a record is of an
    /// index that was not built again since duplicates were kept in the order of their base keys:
    /// that key follows the alternate one.
    pub(crate) fn position(&self, key: &[u8], record: &[u8]) -> Option<Position> {
        let (alternate, rest) = key.split_at_checked(self.definition.key_length)?;
        let (base, arrival) = match (self.definition.unique, record.is_empty()) {
            (true, _) => (record, 0),
            (false, true) => (rest, 0),
            (false, false) => (record, rest.try_into().ok().map(u64::from_be_bytes)?),
        };
        Some(Position {
            key: self.order().show(alternate.to_vec()),
            base: base.to_vec(),
            arrival,
        })
    }

    /// Where an entry lies.
    pub(crate) fn entry_key(&self, position: &Position) -> Vec<u8> {
        let mut room = [0; ROOM];
        let key = self.order().stored(&position.key, &mut room);
        match (self.definition.unique, position.arrival) {
            (true, _) => key.to_vec(),
            (false, 0) => [key, &position.base].concat(),
            (false, arrival) => [key, &arrival.to_be_bytes()].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DatasetName;

    #[test]
    fn entries_of_an_older_index_are_still_found() {
        let dataset_name = |text| DatasetName::new(text).unwrap();
        let definition = AlternateIndex {
            name: dataset_name("A"),
            base: dataset_name("B"),
            key_offset: 0,
            key_length: 2,
            unique: false,
            upgrade: true,
            extra: crate::Extra::default(),
        };
        let table = "aix/A".to_owned();
        let index = Index { definition, table };
        let old = index.position(b"NY0001", b"").unwrap();
        assert_eq!((old.base.as_slice(), old.arrival), (&b"0001"[..], 0));
        assert_eq!(index.entry_key(&old), b"NY0001");
        let (key, record) = index.entry(b"NYC", b"0001", 0).unwrap();
        let new = index.position(&key, &record).unwrap();
        assert_eq!((new.base.as_slice(), new.arrival), (&b"0001"[..], 1));
        assert_eq!(index.entry_key(&new), key);
        assert_eq!(index.position(b"NY\0\0\0", b"0001"), None);
    }
}
