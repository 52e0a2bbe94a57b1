//! `[data]` and `[data.stores.NAME]`.

use crate::kind::{Anything, Inside, NameList, Number, Word, YesNo};
use crate::problem::{Needed, SettingProblem};
use std::path::{Path, PathBuf};

/// Longest name of a store.
const STORE_NAME_MAX: usize = 32;

settings! {
    /// The record store of files, queues and units of work.
    pub struct DataSettings in "[data]" {
        /// Folder of the record store, below the directory.
        folder: String = "data/store".into(), Inside;
        /// Largest size of the store in GiB, {values}; reserved address space, not disk.
        max_gigabytes: usize = 64, Number(1, 16_384);
        /// MiB of changes after which the store is flushed and its log begins again, {values};
        /// twice that is used of the disk.
        log_megabytes: usize = 32, Number(1, 1_024);
        /// MiB of changes of one unit of work, {values}, kept in memory until its commit; beyond it
        /// NOSPACE.
        uow_megabytes: usize = 256, Number(1, 65_536);
        /// A FILE with KEYLENGTH and RECORDSIZE makes its data set where there is none, with the
        /// key at the start of the record. Without it such a file is NOTOPEN, as on CICS.
        define_missing: bool = false, YesNo;
        /// Connection string of a PostgreSQL server that keeps files and units of work instead.
        postgresql: Option<String> = None, Anything;
    }
}

settings! {
    /// A database that keeps some data sets beside the record store; units of work span both. Not
    /// with `[data] postgresql`.
    pub struct StoreSettings in "[data.stores]" {
        /// Connection string of the database.
        postgresql: String = String::new() => "none", Anything;
        /// Data sets it keeps, names or beginnings of names that end with `*`; their alternate
        /// indexes must be among them.
        data_sets: Vec<String> = Vec::new() => "none", NameList;
    }
}

settings! {
    /// What is known of the keys of data sets, for the order of EBCDIC037: the table is
    /// `[data."BANK.ACCOUNTS"]`, or with the beginning of names `[data."BANK.*"]`. Without it keys
    /// are characters.
    pub struct DataSetSettings in "[data.\"NAME\"]" {
        /// What all of the key is, {values}. BINARY: packed or binary numbers, which are in order
        /// by their bytes.
        keys: &'static str = "CHARACTERS", Word(&["CHARACTERS", "BINARY"]);
        /// Copybook with the record: each part of the key is what its item is. Alternate indexes of
        /// the data set follow it too.
        copybook: Option<String> = None, Anything;
    }
}

/// A table `[data."NAME"]`.
#[derive(Debug, Clone)]
pub struct DataSet {
    /// NAME, in upper case.
    pub name: String,
    /// Its keys.
    pub settings: DataSetSettings,
}

/// A table `[data.stores.NAME]`.
#[derive(Debug, Clone)]
pub struct Store {
    /// NAME.
    pub name: String,
    /// Its keys.
    pub settings: StoreSettings,
}

impl DataSettings {
    /// Folder of the store.
    pub fn path(&self, root: &Path) -> PathBuf {
        root.join(&self.folder)
    }
}

impl Store {
    /// A store without settings.
    pub(crate) fn named(name: &str) -> Result<Self, SettingProblem> {
        let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > STORE_NAME_MAX || !name.chars().all(good) {
            let why = format!("1 to {STORE_NAME_MAX} letters, digits, - and _ are needed");
            return Err(SettingProblem::value("[data.stores]", name, Needed(why)));
        }
        Ok(Self {
            name: name.to_owned(),
            settings: StoreSettings::default(),
        })
    }

    /// Finds what is missing.
    pub(crate) fn complete(&self) -> Result<(), SettingProblem> {
        let missing = |key| {
            let why = Needed("a value is needed".to_owned());
            Err(SettingProblem::value(key, "", why))
        };
        if self.settings.postgresql.is_empty() {
            return missing("postgresql");
        }
        if self.settings.data_sets.is_empty() {
            return missing("data_sets");
        }
        Ok(())
    }

    /// Whether it keeps a data set.
    pub fn keeps(&self, data_set: &str) -> bool {
        // The name of a table may have a number behind it.
        let data_set = data_set.split('~').next().unwrap_or_default();
        let fits = |pattern: &String| match pattern.strip_suffix('*') {
            Some(beginning) => data_set.starts_with(beginning),
            None => data_set == pattern,
        };
        self.settings.data_sets.iter().any(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn the_folder_is_below_the_directory() {
        let mut data = DataSettings::default();
        data.set("max_gigabytes", "2").unwrap();
        assert_eq!(data.path(Path::new("/sys")), Path::new("/sys/data/store"));
        assert!(data.set("folder", "/var").is_err());
    }

    #[test]
    fn a_store_keeps_what_its_names_say() {
        let mut bank = Store::named("bank").unwrap();
        assert!(bank.complete().is_err());
        bank.settings.set("postgresql", "host=/tmp").unwrap();
        let names = "BANK.*,Other.Accounts";
        bank.settings.set("data_sets", names).unwrap();
        bank.complete().unwrap();
        let kept = ["BANK.A", "BANK.A.INDEX", "OTHER.ACCOUNTS"];
        assert!(kept.iter().all(|name| bank.keeps(name)));
        assert!(!bank.keeps("OTHER.ACCOUNTS2") && !bank.keeps("BANK"));
        assert!(Store::named("b,c").is_err());
    }
}
