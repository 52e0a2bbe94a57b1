//! Definitions of clusters, alternate indexes and paths.
//!
//! What: what the catalog knows of a dataset, and which definitions are possible. Why: keys are cut
//! out of records by these numbers, so they are checked before a record exists. Not here: IDCAMS
//! syntax.

use crate::keys::ROOM;
use crate::{Condition, DatasetName, KeyOrder};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Longest record: 32,760 bytes of CICS files, and room for spanned ones.
pub(crate) const RECORD_MAX: usize = 1 << 20;

/// How records of a cluster are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Organization {
    /// By a key inside the record (INDEXED).
    Ksds {
        /// First byte of the key in the record, from 0.
        key_offset: usize,
        /// Length of the key, 1 to 255.
        key_length: usize,
    },
    /// By relative byte address, in order of arrival (NONINDEXED). Keys are 8 bytes, big-endian.
    Esds,
    /// By slot number from 1 (NUMBERED). Keys are 4 bytes, big-endian.
    Rrds,
}

/// A cluster: the records themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// Its name.
    pub name: DatasetName,
    /// How records are found.
    pub organization: Organization,
    /// Average record length in bytes; for listings.
    pub average: usize,
    /// Longest record in bytes.
    pub max: usize,
    /// All records have `max` bytes.
    pub fixed: bool,
    /// LOG of the catalog; `None`: not set.
    #[serde(
        default,
        alias = "recoverable",
        deserialize_with = "log_of_any_release"
    )]
    pub log: Option<Log>,
    /// May be emptied when opened for output (REUSE).
    pub reuse: bool,
    /// What else the catalog keeps.
    #[serde(default, skip_serializing_if = "Extra::is_empty")]
    pub extra: Extra,
}

/// LOG of a cluster: what units of work that change it can undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Log {
    /// NONE: nothing.
    None,
    /// UNDO: changes are backed out.
    Undo,
    /// ALL: and written to a forward recovery log.
    All,
}

/// Catalogs of earlier releases only knew whether LOG was UNDO or ALL: a `true` is taken for UNDO,
/// a `false` for nothing that was said.
fn log_of_any_release<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Log>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Recoverable(bool),
        Log(Option<Log>),
    }
    Ok(match Kept::deserialize(from)? {
        Kept::Recoverable(recoverable) => recoverable.then_some(Log::Undo),
        Kept::Log(log) => log,
    })
}

/// An alternate index over a KSDS or ESDS.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlternateIndex {
    /// Its name.
    pub name: DatasetName,
    /// The cluster (RELATE).
    pub base: DatasetName,
    /// First byte of the alternate key in the base record, from 0.
    pub key_offset: usize,
    /// Length of the alternate key, 1 to 255.
    pub key_length: usize,
    /// No two records have the same alternate key (UNIQUEKEY).
    pub unique: bool,
    /// Maintained when the base changes (UPGRADE).
    pub upgrade: bool,
    /// What else the catalog keeps.
    #[serde(default, skip_serializing_if = "Extra::is_empty")]
    pub extra: Extra,
}

/// A path: a name under which a base is used through an alternate index, or simply by another name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathEntry {
    /// Its name.
    pub name: DatasetName,
    /// An alternate index or a cluster (PATHENTRY).
    pub entry: DatasetName,
    /// What else the catalog keeps.
    #[serde(default, skip_serializing_if = "Extra::is_empty")]
    pub extra: Extra,
}

/// What is known of loads into a cluster. Why: one that is empty may never have been loaded, or
/// programs may have deleted all its records; only the first is loaded by a start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Load {
    /// It was defined by a release that did not keep this.
    #[default]
    Unknown,
    /// No load has ended.
    Never,
    /// A start loads it; it was there, and empty, before.
    Filling,
    /// A load has ended.
    Done,
}

impl Load {
    fn is_unknown(&self) -> bool {
        *self == Self::Unknown
    }
}

/// What a definition carries besides what records are found by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Extra {
    /// Table of its records where that is not named after the entry: it was renamed or built again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table: Option<String>,
    /// Name of its DATA component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<DatasetName>,
    /// Name of its INDEX component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<DatasetName>,
    /// Records can be read only (INHIBIT).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inhibited: bool,
    /// Its load has not ended: after a failure in between it has to be made anew.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub loading: bool,
    /// Of a cluster: whether records were loaded into it.
    #[serde(skip_serializing_if = "Load::is_unknown")]
    pub load: Load,
    /// How its keys are ordered.
    #[serde(skip_serializing_if = "KeyOrder::is_bytes")]
    pub keys: KeyOrder,
    /// Attributes that are only listed: name in LISTCAT and value.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub listed: BTreeMap<String, String>,
}

impl Extra {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a component has this name.
    #[must_use]
    pub fn has_component(&self, name: &DatasetName) -> bool {
        self.data.as_ref() == Some(name) || self.index.as_ref() == Some(name)
    }
}

impl PathEntry {
    /// A path over an alternate index or a cluster.
    #[must_use]
    pub fn new(name: DatasetName, entry: DatasetName) -> Self {
        Self {
            name,
            entry,
            extra: Extra::default(),
        }
    }
}

impl Cluster {
    /// A KSDS of variable records; change the fields for anything else.
    #[must_use]
    pub fn ksds(name: DatasetName, key_offset: usize, key_length: usize, max: usize) -> Self {
        let organization = Organization::Ksds {
            key_offset,
            key_length,
        };
        Self::new(name, organization, max)
    }

    /// Variable records, LOG not set, not reusable; change the fields for anything else.
    #[must_use]
    pub fn new(name: DatasetName, organization: Organization, max: usize) -> Self {
        Self {
            name,
            organization,
            average: max,
            max,
            fixed: false,
            log: None,
            reuse: false,
            extra: Extra::default(),
        }
    }

    /// Table of its records.
    pub(crate) fn table(&self) -> String {
        let own = self.extra.table.clone();
        own.unwrap_or_else(|| format!("file/{}", self.name))
    }

    /// Length of its keys: of RBA and slot number for ESDS and RRDS.
    #[must_use]
    pub fn key_length(&self) -> usize {
        match self.organization {
            Organization::Ksds { key_length, .. } => key_length,
            Organization::Esds => 8,
            Organization::Rrds => 4,
        }
    }

    /// What is wrong with the definition.
    pub(crate) fn check(&self) -> Result<(), DefinitionError> {
        if self.max == 0 || self.max > RECORD_MAX || self.average > self.max {
            return Err(DefinitionError::RecordSize {
                average: self.average,
                max: self.max,
            });
        }
        match self.organization {
            Organization::Ksds {
                key_offset,
                key_length,
            } => check_key(key_offset, key_length, self.max),
            Organization::Esds | Organization::Rrds => Ok(()),
        }
    }
}

impl AlternateIndex {
    /// Over a base, kept up to date; other keys of records may be equal unless `unique`.
    #[must_use]
    pub fn new(
        name: DatasetName,
        base: DatasetName,
        key_offset: usize,
        key_length: usize,
        unique: bool,
    ) -> Self {
        Self {
            name,
            base,
            key_offset,
            key_length,
            unique,
            upgrade: true,
            extra: Extra::default(),
        }
    }

    /// Table of its entries.
    pub(crate) fn table(&self) -> String {
        let own = self.extra.table.clone();
        own.unwrap_or_else(|| format!("aix/{}", self.name))
    }

    /// What is wrong with the definition.
    pub(crate) fn check(&self, base: &Cluster) -> Result<(), DefinitionError> {
        if base.organization == Organization::Rrds {
            return Err(DefinitionError::IndexOfRrds(base.name.clone()));
        }
        check_key(self.key_offset, self.key_length, base.max)
    }

    /// The alternate key of a record; none when the record is too short.
    pub(crate) fn key_of<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        record.get(self.key_offset..self.key_offset + self.key_length)
    }
}

/// Why a definition cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DefinitionError {
    /// RECORDSIZE.
    RecordSize { average: usize, max: usize },
    /// KEYS of a cluster or index over records of so many bytes.
    Keys {
        length: usize,
        offset: usize,
        max: usize,
    },
    /// An alternate index over this cluster.
    IndexOfRrds(DatasetName),
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RecordSize { average, max } => write!(
                f,
                "RECORDSIZE({average} {max}): 1 to {RECORD_MAX}, the average not more than the longest"
            ),
            Self::Keys {
                length,
                offset,
                max,
            } => write!(
                f,
                "KEYS({length} {offset}): 1 to {ROOM} bytes inside a record of {max}"
            ),
            Self::IndexOfRrds(base) => write!(f, "{base}: an RRDS has no alternate indexes"),
        }
    }
}

impl From<DefinitionError> for Condition {
    fn from(error: DefinitionError) -> Self {
        Self::Refused(error.to_string())
    }
}

fn check_key(offset: usize, length: usize, max: usize) -> Result<(), DefinitionError> {
    if length == 0 || length > ROOM || offset.saturating_add(length) > max {
        return Err(DefinitionError::Keys {
            length,
            offset,
            max,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogs_of_earlier_releases_are_read() {
        let text = |log: &str| {
            format!(
                r#"{{"name":"TEST.CUST","organization":"Esds","average":80,"max":80,"fixed":false,{log}"reuse":false}}"#
            )
        };
        let read = |log: &str| {
            serde_json::from_str::<Cluster>(&text(log))
                .map(|c| c.log)
                .ok()
        };
        assert_eq!(read(r#""recoverable":true,"#), Some(Some(Log::Undo)));
        assert_eq!(read(r#""recoverable":false,"#), Some(None));
        assert_eq!(read(r#""log":null,"#), Some(None));
        for log in [None, Some(Log::None), Some(Log::Undo), Some(Log::All)] {
            let name = DatasetName::new("TEST.CUST").expect("a name");
            let mut cluster = Cluster::ksds(name, 0, 4, 80);
            cluster.log = log;
            let kept = serde_json::to_string(&cluster).expect("a text");
            assert_eq!(serde_json::from_str::<Cluster>(&kept).ok(), Some(cluster));
        }
    }
}
