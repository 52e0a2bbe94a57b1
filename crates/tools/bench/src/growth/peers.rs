//! Bytes that engines write for the same changes, each flushed before the next.
//!
//! What: LMDB by itself, and SQLite with a write-ahead log; both as the bench `vsam` opens them.
//! Not here: engines that would have to be compiled from C++ (see decision 0027).

use super::data::{PER_UNIT, mixed, record, written};
use heed::types::Bytes;
use heed::{Database, EnvOpenOptions, PutFlags};

/// Room of the map.
const MAP_BYTES: usize = 16 << 30;

/// Changes all records in no order; name of each engine and bytes it has written.
pub(super) fn update(records: u64) -> Result<Vec<(&'static str, u64)>, String> {
    let mut found = vec![("lmdb", lmdb(records).map_err(|e| e.to_string())?)];
    #[cfg(feature = "sqlite")]
    found.push(("sqlite", sqlite(records).map_err(|e| e.to_string())?));
    found.shrink_to_fit();
    Ok(found)
}

fn key(number: u64) -> String {
    format!("{number:010}")
}

/// The changes of a unit of work.
fn unit(number: u64, records: u64) -> impl Iterator<Item = (String, Vec<u8>)> {
    let places = number * PER_UNIT..(number + 1) * PER_UNIT;
    places.map(move |place| {
        let number = mixed(place, records);
        (key(number), record(number, 1))
    })
}

#[allow(unsafe_code)]
fn lmdb(records: u64) -> Result<u64, heed::Error> {
    let folder = tempfile::tempdir().map_err(heed::Error::Io)?;
    let mut options = EnvOpenOptions::new();
    options.map_size(MAP_BYTES).max_dbs(1);
    // SAFETY: the folder was made for this bench; nobody else opens it.
    let env = unsafe { options.open(folder.path()) }?;
    let mut txn = env.write_txn()?;
    let tree: Database<Bytes, Bytes> = env.create_database(&mut txn, Some("records"))?;
    for number in 0..records {
        let (key, record) = (key(number), record(number, 0));
        tree.put_with_flags(&mut txn, PutFlags::APPEND, key.as_bytes(), &record)?;
    }
    txn.commit()?;
    let before = written(folder.path());
    for number in 0..records / PER_UNIT {
        let mut txn = env.write_txn()?;
        for (key, record) in unit(number, records) {
            tree.put(&mut txn, key.as_bytes(), &record)?;
        }
        txn.commit()?;
    }
    Ok(written(folder.path()) - before)
}

#[cfg(feature = "sqlite")]
fn sqlite(records: u64) -> Result<u64, rusqlite::Error> {
    let failed = |e: std::io::Error| rusqlite::Error::ToSqlConversionFailure(Box::new(e));
    let folder = tempfile::tempdir().map_err(failed)?;
    let mut connection = rusqlite::Connection::open(folder.path().join("growth.db"))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch("CREATE TABLE r (k TEXT PRIMARY KEY, v BLOB) WITHOUT ROWID")?;
    let put = "INSERT OR REPLACE INTO r VALUES (?1, ?2)";
    let loading = connection.transaction()?;
    for number in 0..records {
        loading
            .prepare_cached(put)?
            .execute((key(number), record(number, 0)))?;
    }
    loading.commit()?;
    let before = written(folder.path());
    for number in 0..records / PER_UNIT {
        let changing = connection.transaction()?;
        for change in unit(number, records) {
            changing.prepare_cached(put)?.execute(change)?;
        }
        changing.commit()?;
    }
    connection
        .close()
        .map_err(|(_, error)| error)
        .map(|()| written(folder.path()) - before)
}
