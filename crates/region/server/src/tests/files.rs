//! Files without a region: who uses one, and when it closes.

use super::stage::{Stage, ask, begin, settle};
use crate::config::DataConfig;
use crate::file_control::{self, Files, Journals};
use std::sync::Arc;
use transom_types::{FileName, Resp};
use transom_wire::definitions::{Enablement, FileEntry, Recovery};
use transom_wire::file_control::{Action, Busy, FileRequest, Patience};
use transom_wire::requests::RegionAnswer;

fn name() -> FileName {
    FileName::from_field(b"CUST")
}

/// The recoverable file CUST with keys of 4 bytes.
fn files(stage: &Stage) -> Arc<Files> {
    let store = stage.uows.store().expect("an open store");
    let datasets = file_control::catalog(store, Vec::new()).expect("an empty catalog");
    let journals = Journals::new(stage.kernel.clone(), None);
    let config = DataConfig {
        define_missing: true,
        ..DataConfig::default()
    };
    let files = Files::new(
        stage.kernel.clone(),
        stage.uows.clone(),
        stage.starts.clone(),
        Arc::new(journals),
        datasets,
        &config,
    );
    let mut file = FileEntry::new(name(), "TEST.CUST").with_all_operations();
    (file.key_length, file.record_size) = (4, 40);
    file.recovery = Recovery::BackoutOnly;
    assert_eq!(files.install(&[file]), [""; 0]);
    Arc::new(files)
}

fn of_cust(action: Action) -> FileRequest {
    FileRequest {
        file: name(),
        action,
    }
}

async fn asked(files: &Arc<Files>, task: u32, action: Action) -> RegionAnswer {
    ask(task, &of_cust(action), |replier, bytes| {
        files.answer(replier, bytes);
    })
    .await
}

fn write(record: &[u8]) -> Action {
    let patience = Patience {
        no_suspend: false,
        dtimout_ms: 0,
    };
    Action::Insert(None, record.to_vec(), patience)
}

#[tokio::test]
async fn a_file_closes_with_the_unit_of_work_that_changed_it() {
    let stage = Stage::new();
    let files = files(&stage);
    let status = || FileEntry::find(stage.kernel.shared(), name()).map(|file| file.status);
    assert_eq!(asked(&files, 7, Action::Open).await.resp, Resp::NORMAL);
    let written = asked(&files, 7, write(b"K001bolts")).await;
    assert_eq!(written.resp, Resp::NORMAL);

    let close = of_cust(Action::Close(Busy::Wait));
    let mut closed = begin(8, &close, |replier, bytes| files.answer(replier, bytes));
    settle().await;
    assert!(closed.try_recv().is_err(), "task 7 uses the file");
    assert_eq!(status(), Some(Enablement::Unenabling));
    let own = asked(&files, 7, Action::Close(Busy::Wait)).await;
    assert_eq!((own.resp, own.resp2), (Resp::INVREQ, 21));

    assert_eq!(stage.syncpoint(7).await.resp, Resp::NORMAL);
    assert_eq!(closed.await.expect("an answer").resp, Resp::NORMAL);
    assert_eq!(status(), Some(Enablement::Unenabled));
    let after = asked(&files, 9, write(b"K002nuts")).await;
    assert_eq!(after.resp, Resp::NOTOPEN);
}
