//! What an open file knows of its data set.
//!
//! Not here: the file (`file`), data sets (`transom_datasets`).

use super::Recovery;
use crate::language;

language! {
    /// Organization of a data set.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum FileType {
        /// Keyed.
        #[default]
        0 = Ksds,
        /// In order of arrival, by RBA.
        1 = Esds,
        /// By slot number.
        2 = Rrds,
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
        /// Recovery in effect: that of the definition, or LOG of the catalog.
        pub recovery: Recovery,
        /// Data set with the records of a user-maintained data table; empty: that of DSNAME.
        pub table: String,
    }
}

impl FileShape {
    /// The data set its records lie in.
    pub fn data_set<'a>(&'a self, dsname: &'a str) -> &'a str {
        match self.table.as_str() {
            "" => dsname,
            table => table,
        }
    }

    /// Records are found by a key inside them.
    pub fn is_keyed(&self) -> bool {
        self.path || self.organization == FileType::Ksds
    }
}
