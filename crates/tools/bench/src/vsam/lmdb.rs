//! Peer: bare LMDB, one tree per file, flushed at each commit.

use super::mix::{FILES, Key};
use super::peer::{Engine, Write};
use heed::types::Bytes;
use heed::{Database, Env, EnvOpenOptions, PutFlags};
use std::path::Path;
use std::sync::Arc;

/// Room of the map in bytes.
const MAP_BYTES: usize = 8 << 30;

pub(super) struct Lmdb {
    env: Env,
    files: Vec<Database<Bytes, Bytes>>,
}

impl Lmdb {
    /// A new environment in a folder, with these records in each file.
    #[allow(unsafe_code)]
    pub(super) fn load(
        folder: &Path,
        mut records: impl FnMut(usize) -> Vec<(Key, Vec<u8>)>,
    ) -> Result<Self, heed::Error> {
        let mut options = EnvOpenOptions::new();
        options.map_size(MAP_BYTES).max_dbs(FILES as u32 + 1);
        options.max_readers(256);
        // SAFETY: the folder was made for this bench; nobody else opens it.
        let env = unsafe { options.open(folder) }?;
        let mut files = Vec::new();
        for file in 0..FILES {
            let mut txn = env.write_txn()?;
            let tree: Database<Bytes, Bytes> =
                env.create_database(&mut txn, Some(&format!("F{file}")))?;
            for (key, record) in records(file) {
                tree.put_with_flags(&mut txn, PutFlags::APPEND, &key, &record)?;
            }
            txn.commit()?;
            files.push(tree);
        }
        Ok(Self { env, files })
    }
}

impl Engine for Lmdb {
    fn get(&self, file: usize, key: &Key, record: &mut Vec<u8>) -> bool {
        let Ok(txn) = self.env.read_txn() else {
            return false;
        };
        match self.files[file].get(&txn, key) {
            Ok(Some(found)) => {
                record.clear();
                record.extend_from_slice(found);
                true
            }
            _ => false,
        }
    }

    fn commit(&self, units: &[Arc<[Write]>]) -> Result<(), String> {
        let write = || {
            let mut txn = self.env.write_txn()?;
            for change in units.iter().flat_map(|unit| unit.iter()) {
                let tree = self.files[change.file];
                match &change.record {
                    Some(record) => tree.put(&mut txn, &change.key, record)?,
                    None => {
                        tree.delete(&mut txn, &change.key)?;
                    }
                }
            }
            txn.commit()
        };
        write().map_err(|e| e.to_string())
    }
}
