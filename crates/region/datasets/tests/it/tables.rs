//! Tables that are emptied and deleted while others read them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use transom_datasets::{LocalOptions, LocalStore, open_local};
use transom_recovery::*;
use transom_types::Applid;

const TABLE: &str = "file/A";

fn open(folder: &Path) -> LocalStore {
    open_local(folder, LocalOptions::default(), Settings::default()).unwrap()
}

/// The number in the record; `None`: there is no record.
fn read(store: &LocalStore) -> Result<Option<u32>, StoreError> {
    let row = wait(store.read(None, TABLE, b"key", Match::Equal, Lock::None))?;
    Ok(row.map(|row| u32::from_be_bytes(row.record.try_into().unwrap())))
}

fn write(store: &LocalStore, number: u32) {
    let uow = UowId::new(Applid::from_field(b"TABLES"), u64::from(number));
    let change = Change::Put(number.to_be_bytes().to_vec());
    wait(store.stage(uow, TABLE, b"key", change, Wait::No)).unwrap();
    wait(store.commit(uow)).unwrap();
}

/// A number of the table that was kept too long would bring records back that are gone.
#[test]
fn records_of_before_a_table_was_emptied_do_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    wait(store.define(TABLE)).unwrap();
    let over = AtomicBool::new(false);
    let reads = std::thread::scope(|scope| {
        let reader = || {
            let (mut last, mut reads) = (0, 0_u64);
            while !over.load(Relaxed) {
                if let Some(number) = read(&store).unwrap() {
                    assert!(number >= last, "{number} was read after {last}");
                    last = number;
                }
                reads += 1;
            }
            reads
        };
        let readers = [scope.spawn(reader), scope.spawn(reader)];
        for number in 1..60 {
            write(&store, number);
            assert_eq!(read(&store), Ok(Some(number)));
            wait(store.empty(TABLE)).unwrap();
            assert_eq!(read(&store), Ok(None));
        }
        over.store(true, Relaxed);
        readers.map(|reader| reader.join().unwrap())
    });
    assert!(reads.iter().all(|reads| *reads > 0), "{reads:?}");
    write(&store, 60);
    drop(store);
    assert_eq!(read(&open(folder.path())), Ok(Some(60)));
}

#[test]
fn a_table_that_is_gone_is_none_for_reads_and_changes() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let gone = Err(StoreError::NoTable(TABLE.to_owned()));
    let uow = UowId::new(Applid::from_field(b"TABLES"), 1);
    let stage = |change| wait(store.stage(uow, TABLE, b"key", change, Wait::No));
    for round in 0..2 {
        assert_eq!(read(&store).map(drop), gone, "{round}");
        for change in [Change::Put(vec![1]), Change::Erase, Change::Delete] {
            assert_eq!(stage(change), gone, "{round}");
        }
        wait(store.define(TABLE)).unwrap();
        assert_eq!(read(&store), Ok(None));
        assert_eq!(stage(Change::Delete), Err(StoreError::NotFound));
        assert_eq!(stage(Change::Erase), Ok(()));
        wait(store.backout(uow)).unwrap();
        assert_eq!(wait(store.drop_table(TABLE)), Ok(true));
    }
}
