//! Units of work: committed, backed out after a death, and tasks that wait for a record.

use crate::program::Ending;
use crate::region::{TestRegion, pass};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_recovery::{MemoryStore, UowStore};
use transom_region_api::{Control, Fault};
use transom_region_server::StoreHandle;
use transom_types::{AbendCode, FileName, Resp};
use transom_wire::definitions::{FileEntry, Recovery};

/// A region with the recoverable file CUST, keys of 4 bytes.
fn region_with_file() -> TestRegion {
    region_with_file_in(None)
}

/// The same in a store that is open.
fn region_with_file_in(store: Option<StoreHandle>) -> TestRegion {
    TestRegion::start(|config| {
        config.data.opened = store;
        config.data.files = vec![file()];
    })
}

fn file() -> FileEntry {
    let name = FileName::from_field(b"CUST");
    let mut file = FileEntry::new(name, "TEST.CUST").with_all_operations();
    (file.key_length, file.record_size) = (4, 40);
    file.recovery = Recovery::BackoutOnly;
    file
}

#[tokio::test]
async fn what_a_dead_worker_left_open_is_backed_out() {
    let region = region_with_file();
    region.program("ONE", |task| async move {
        assert_eq!(task.open("CUST").await?, Resp::NORMAL);
        assert_eq!(task.write("CUST", b"K001kept").await?, Resp::NORMAL);
        assert_eq!(task.syncpoint().await?, Resp::NORMAL);
        assert_eq!(task.write("CUST", b"K002lost").await?, Resp::NORMAL);
        assert_eq!(
            task.read("CUST", b"K002").await?,
            Resp::NORMAL,
            "its own change"
        );
        Ok(Ending::Died)
    });
    let failure = region.link("ONE", "ONE", b"").await.unwrap().unwrap_err();
    assert_eq!(failure.fault, Fault::Abend(AbendCode::from_field(b"ASRA")));
    assert!(region.has_said("TXMAP0001E transaction ONE, task 1, abended ASRA"));
    assert_eq!(region.region.info().unwrap().tasks, 0, "the task has ended");
    region.program("TWO", |task| async move {
        assert_eq!(task.read("CUST", b"K001").await?, Resp::NORMAL);
        assert_eq!(task.read("CUST", b"K002").await?, Resp::NOTFND);
        assert_eq!(
            task.write("CUST", b"K002new").await?,
            Resp::NORMAL,
            "no lock is left"
        );
        task.done(b"done").await
    });
    assert_eq!(region.run("TWO", b"").await, b"done");
}

#[tokio::test]
async fn a_rewrite_that_comes_along_is_there_for_the_next_request() {
    let region = region_with_file();
    region.program("ONE", |task| async move {
        task.open("CUST").await?;
        task.write("CUST", b"K001old").await?;
        assert_eq!(task.read_sure("CUST", b"K001").await?, 1);
        let read = task.rewrite_along("CUST", b"K001new", ("CUST", b"K001"));
        assert_eq!(read.await?, Resp::NORMAL);
        // The condition of the request behind it is its own.
        let read = task.rewrite_along("CUST", b"K001new", ("CUST", b"K999"));
        assert_eq!(read.await?, Resp::NOTFND);
        assert_eq!(task.syncpoint().await?, Resp::NORMAL);
        assert_eq!(task.along_along().await?, Resp::INVREQ);
        task.done(b"").await
    });
    region.run("ONE", b"").await;
}

#[tokio::test]
async fn a_rewrite_that_is_refused_all_the_same_undoes_its_unit_of_work() {
    let region = region_with_file();
    region.program("ONE", |task| async move {
        task.open("CUST").await?;
        task.write("CUST", b"K001other").await?;
        // The file was closed meanwhile.
        let read = task.rewrite_along("GONE", b"K002new", ("CUST", b"K001"));
        let Err(Ending::Abend(code)) = read.await else {
            panic!("the task goes on");
        };
        assert_eq!(code, AbendCode::from_field(b"AEIS"));
        // A program that handles the abend cannot commit what is left.
        assert_eq!(task.syncpoint().await?, Resp::ROLLEDBACK);
        assert_eq!(task.read("CUST", b"K001").await?, Resp::NOTFND);
        task.done(b"").await
    });
    region.run("ONE", b"").await;
    assert!(region.has_said("TXMFC0027E task 1: a REWRITE that it was told is done was refused"));
}

#[tokio::test]
async fn a_task_that_abends_leaves_nothing() {
    let region = region_with_file();
    region.program("ONE", |task| async move {
        task.open("CUST").await?;
        assert_eq!(task.write("CUST", b"K001").await?, Resp::NORMAL);
        Ok(Ending::Abend(AbendCode::from_field(b"MINE")))
    });
    let failure = region.link("ONE", "ONE", b"").await.unwrap().unwrap_err();
    assert_eq!(failure.fault, Fault::Abend(AbendCode::from_field(b"MINE")));
    region.program("TWO", |task| async move {
        assert_eq!(task.read("CUST", b"K001").await?, Resp::NOTFND);
        task.done(b"").await
    });
    region.run("TWO", b"").await;
}

/// A program that holds record K001 until its gate opens.
fn holder(region: &TestRegion) {
    let gate = region.gate("ONE");
    region.program("ONE", move |task| {
        let gate = gate.clone();
        async move {
            task.open("CUST").await?;
            task.write("CUST", b"K001").await?;
            pass(&gate).await;
            task.done(b"").await
        }
    });
}

#[tokio::test]
async fn who_waits_for_a_record_gets_it_at_the_commit() {
    let region = region_with_file();
    holder(&region);
    let order = Arc::new(Mutex::new(Vec::new()));
    let seen = order.clone();
    region.program("TWO", move |task| {
        let seen = seen.clone();
        async move {
            seen.lock().unwrap().push("asks");
            assert_eq!(task.read_update("CUST", b"K001", 0).await?, Resp::NORMAL);
            seen.lock().unwrap().push("has it");
            task.done(b"").await
        }
    });
    let first = region.link("ONE", "ONE", b"");
    region.settle().await;
    let second = region.link("TWO", "TWO", b"");
    region.settle().await;
    assert_eq!(*order.lock().unwrap(), ["asks"], "the record is held");
    region.open("ONE", 1).await;
    assert!(first.await.unwrap().is_ok());
    assert!(second.await.unwrap().is_ok());
    assert_eq!(*order.lock().unwrap(), ["asks", "has it"]);
}

/// The store's locks keep their own time, so this limit is short and real.
#[tokio::test]
async fn dtimout_ends_a_task_that_waits_for_a_record() {
    let region = region_with_file();
    holder(&region);
    region.program("TWO", |task| async move {
        task.read_update("CUST", b"K001", 1).await?;
        panic!("the record is held");
    });
    let _first = region.link("ONE", "ONE", b"");
    region.settle().await;
    let failure = region.link("TWO", "TWO", b"").await.unwrap().unwrap_err();
    assert_eq!(failure.fault, Fault::Abend(AbendCode::AKCS));
}

/// The region's limit for files with RLS, where the transaction has none.
#[tokio::test]
async fn ftimeout_ends_a_wait_for_a_record_of_a_file_with_rls() {
    let region = TestRegion::start(|config| {
        let mut file = file();
        file.rls = true;
        config.data.files = vec![file];
        config.data.ftimeout = Duration::from_millis(1);
    });
    holder(&region);
    region.program("TWO", |task| async move {
        task.read_update("CUST", b"K001", 0).await?;
        panic!("the record is held");
    });
    let _first = region.link("ONE", "ONE", b"");
    region.settle().await;
    let failure = region.link("TWO", "TWO", b"").await.unwrap().unwrap_err();
    let code = AbendCode::from_field(b"AFCV");
    assert_eq!(failure.fault, Fault::Abend(code), "{}", failure.text);
}

#[test]
fn a_region_that_is_dropped_lets_go_of_its_store() {
    let store: Arc<dyn UowStore> = Arc::new(MemoryStore::in_memory(1 << 20));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let runtime = runtime.unwrap();
    runtime.block_on(async {
        let region = region_with_file_in(Some(StoreHandle(store.clone())));
        holder(&region);
        let _never_ends = region.link("ONE", "ONE", b"");
        region.settle().await;
        assert!(Arc::strong_count(&store) > 1, "a unit of work is open");
    });
    drop(runtime);
    assert_eq!(Arc::strong_count(&store), 1);
}
