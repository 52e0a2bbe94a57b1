//! What an open file knows of its data set.
//!
//! Not here: the file (`file`), data sets (`transom_datasets`).

use crate::codec::{Reader, Writer};

/// Organization of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileType {
    /// Keyed.
    #[default]
    Ksds,
    /// In order of arrival, by RBA.
    Esds,
    /// By slot number.
    Rrds,
}

/// What an open file knows of its data set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileShape {
    /// Organization of the base.
    pub organization: FileType,
    /// Used through an alternate index.
    pub path: bool,
    /// Several records can have the same key (path without UNIQUEKEY).
    pub duplicates: bool,
    /// First byte of the key in the record, from 0; meaningless without key.
    pub key_offset: u32,
    /// Bytes of the keys it is used with; 8 for an RBA, 4 for a slot number.
    pub key_length: u16,
    /// Longest record in bytes.
    pub record_max: u32,
    /// Table of the base records: two files over the same base have the same.
    pub base: String,
}

impl FileShape {
    pub fn encode(&self, out: &mut Writer) {
        out.u8(self.organization as u8)
            .flag(self.path)
            .flag(self.duplicates)
            .u32(self.key_offset)
            .u16(self.key_length)
            .u32(self.record_max)
            .bytes(self.base.as_bytes());
    }

    pub fn decode(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            organization: match from.u8()? {
                1 => FileType::Esds,
                2 => FileType::Rrds,
                _ => FileType::Ksds,
            },
            path: from.flag()?,
            duplicates: from.flag()?,
            key_offset: from.u32()?,
            key_length: from.u16()?,
            record_max: from.u32()?,
            base: from.text()?,
        })
    }

    /// Records are found by a key inside them.
    pub fn is_keyed(&self) -> bool {
        self.path || self.organization == FileType::Ksds
    }
}
