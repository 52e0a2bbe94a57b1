//! Peer: SQLite with a write-ahead log, `synchronous=FULL`, one table per file.

use super::mix::{FILES, Key};
use super::peer::{Engine, Write};
use rusqlite::{Connection, OptionalExtension};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

pub(super) struct Sqlite {
    file: PathBuf,
    writer: Mutex<Connection>,
}

thread_local! {
    /// A connection of each client for reading.
    static READER: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

impl Sqlite {
    /// A new database in a folder, with these records in each table.
    pub(super) fn load(
        folder: &Path,
        mut records: impl FnMut(usize) -> Vec<(Key, Vec<u8>)>,
    ) -> rusqlite::Result<Self> {
        let file = folder.join("peer.sqlite");
        let mut writer = connect(&file)?;
        writer.pragma_update(None, "journal_mode", "WAL")?;
        writer.pragma_update(None, "synchronous", "FULL")?;
        let txn = writer.transaction()?;
        for table in 0..FILES {
            txn.execute_batch(&format!(
                "CREATE TABLE f{table} (k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID"
            ))?;
            let mut insert = txn.prepare(&format!("INSERT INTO f{table} VALUES (?1, ?2)"))?;
            for (key, record) in records(table) {
                insert.execute((&key[..], &record))?;
            }
        }
        txn.commit()?;
        let writer = Mutex::new(writer);
        Ok(Self { file, writer })
    }

    fn read(&self, file: usize, key: &Key) -> rusqlite::Result<Option<Vec<u8>>> {
        READER.with_borrow_mut(|reader| {
            let connection = match reader {
                Some(connection) => connection,
                None => reader.insert(connect(&self.file)?),
            };
            let sql = format!("SELECT v FROM f{file} WHERE k = ?1");
            let mut select = connection.prepare_cached(&sql)?;
            select.query_row([&key[..]], |row| row.get(0)).optional()
        })
    }
}

fn connect(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.set_prepared_statement_cache_capacity(4 * FILES);
    Ok(connection)
}

impl Engine for Sqlite {
    fn get(&self, file: usize, key: &Key, record: &mut Vec<u8>) -> bool {
        match self.read(file, key) {
            Ok(Some(found)) => {
                *record = found;
                true
            }
            _ => false,
        }
    }

    fn commit(&self, units: &[Arc<[Write]>]) -> Result<(), String> {
        let mut writer = self.writer.lock().map_err(|e| e.to_string())?;
        let mut write = || {
            let txn = writer.transaction()?;
            for change in units.iter().flat_map(|unit| unit.iter()) {
                let (file, key) = (change.file, &change.key[..]);
                match &change.record {
                    Some(record) => {
                        let sql = format!("INSERT OR REPLACE INTO f{file} VALUES (?1, ?2)");
                        txn.prepare_cached(&sql)?.execute((key, record))?;
                    }
                    None => {
                        let sql = format!("DELETE FROM f{file} WHERE k = ?1");
                        txn.prepare_cached(&sql)?.execute([key])?;
                    }
                }
            }
            txn.commit()
        };
        write().map_err(|e: rusqlite::Error| e.to_string())
    }
}
