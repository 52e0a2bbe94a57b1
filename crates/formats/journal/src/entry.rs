//! What a record of a forward recovery log says.
//!
//! What: `FA`, `FU`, `FD` a record was added, rewritten, deleted: its prefix is the number of the
//! unit of work (8 bytes), the file (8) and the key in the base (an RBA or slot number, too), its
//! data the record as it is from then on. `FC`, `FB`: the unit of work in the prefix was committed,
//! backed out. `FT`: which data set a file is from here on; 8 bytes of zeros and the file, its data
//! the name. `FR`: the data sets were restored and go on from there; what stands before is of
//! another course. `FG`, of earlier versions: all keys that begin so were deleted. The changes of
//! one key stand in the order in which they were made; the ends of units of work need not. Not
//! here: applying it.

use super::Record;

const UOW: usize = 8;
const FILE: usize = 8;

/// One thing that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry<'a> {
    /// A unit of work changed a record; it counts if the unit of work is committed.
    Changed {
        /// Number of the unit of work.
        uow: u64,
        /// File, padded with blanks.
        file: [u8; FILE],
        /// What was done.
        change: Change,
        /// Key in the base; empty in logs of earlier versions when a record was added to a KSDS or
        /// an ESDS.
        key: &'a [u8],
        /// The record; empty when it was deleted.
        record: &'a [u8],
    },
    /// A unit of work ended.
    Ended {
        /// Its number.
        uow: u64,
        /// Not backed out.
        committed: bool,
    },
    /// A file was opened.
    DataSet {
        /// File, padded with blanks.
        file: [u8; FILE],
        /// Name of the cluster.
        name: &'a [u8],
    },
    /// The data sets were restored.
    Restored,
}

/// What was done to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    Added,
    /// It was there.
    Updated,
    /// It is gone.
    Deleted,
    /// All records that begin with the key are gone.
    DeletedGeneric,
}

impl Change {
    fn kind(self) -> [u8; 2] {
        *match self {
            Self::Added => b"FA",
            Self::Updated => b"FU",
            Self::Deleted => b"FD",
            Self::DeletedGeneric => b"FG",
        }
    }
}

impl<'a> Entry<'a> {
    /// Kind, prefix and data of its record.
    pub fn parts(&self) -> ([u8; 2], Vec<u8>, Vec<u8>) {
        let plain = |kind: &[u8; 2], uow: u64| (*kind, uow.to_be_bytes().to_vec(), Vec::new());
        match *self {
            Self::Changed {
                uow,
                file,
                change,
                key,
                record,
            } => {
                let prefix = [&uow.to_be_bytes(), file.as_slice(), key].concat();
                (change.kind(), prefix, record.to_vec())
            }
            Self::Ended { uow, committed } => plain(if committed { b"FC" } else { b"FB" }, uow),
            Self::DataSet { file, name } => {
                let prefix = [[0; UOW].as_slice(), &file].concat();
                (*b"FT", prefix, name.to_vec())
            }
            Self::Restored => plain(b"FR", 0),
        }
    }

    /// What a record says; `None`: it is none of a forward recovery log.
    pub fn of(record: &Record<'a>) -> Option<Self> {
        let (uow, rest) = record.prefix.split_first_chunk::<UOW>()?;
        let uow = u64::from_be_bytes(*uow);
        let change = match &record.kind {
            b"FC" => {
                return Some(Self::Ended {
                    uow,
                    committed: true,
                });
            }
            b"FB" => {
                return Some(Self::Ended {
                    uow,
                    committed: false,
                });
            }
            b"FR" => return Some(Self::Restored),
            b"FT" => {
                let (file, _) = rest.split_first_chunk()?;
                let (file, name) = (*file, record.data);
                return Some(Self::DataSet { file, name });
            }
            b"FA" => Change::Added,
            b"FU" => Change::Updated,
            b"FD" => Change::Deleted,
            b"FG" => Change::DeletedGeneric,
            _ => return None,
        };
        let (file, key) = rest.split_first_chunk()?;
        Some(Self::Changed {
            uow,
            file: *file,
            change,
            key,
            record: record.data,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let (file, uow) = (*b"CUST    ", 77);
        let changed = |change, record| Entry::Changed {
            uow,
            file,
            change,
            key: b"0001",
            record,
        };
        let ended = |committed| Entry::Ended { uow, committed };
        for entry in [
            changed(Change::Added, b"0001new"),
            changed(Change::Updated, b"0001other"),
            changed(Change::Deleted, b""),
            changed(Change::DeletedGeneric, b""),
            ended(true),
            ended(false),
            Entry::DataSet {
                file,
                name: b"BANK.CUSTOMER",
            },
            Entry::Restored,
        ] {
            let (kind, prefix, data) = entry.parts();
            let record = Record {
                number: 1,
                unix_ms: 0,
                task: 0,
                transid: *b"    ",
                kind,
                prefix: &prefix,
                data: &data,
            };
            assert_eq!(Entry::of(&record), Some(entry));
        }
    }
}
