//! Statistics of what goes: a file that is closed, a definition that is discarded, a session that
//! ends are written at once, and nothing is counted twice.

use crate::region::{TestRegion, transaction};
use crate::terminal::{Screen, at_screen, enter};
use std::path::Path;
use std::sync::Arc;
use transom_monitoring::statistics::{Why, Written};
use transom_monitoring::stream::{Item, Reader};
use transom_region_api::Terminals as _;
use transom_region_server::RecorderConfig;
use transom_types::{FileName, Resp};
use transom_wire::definitions::{FileEntry, FileUse};
use transom_wire::file_control::Busy;

/// All records of statistics in the files of a folder.
fn written(folder: &Path) -> Vec<Written> {
    let mut all = Vec::new();
    for path in transom_region_monitoring::in_order(folder).unwrap() {
        let (bytes, mut reader) = (std::fs::read(path).unwrap(), Reader::default());
        let mut from = &bytes[..];
        while let Some(item) = reader.next(&mut from) {
            if let Item::Statistics(written) = item {
                all.push(*written);
            }
        }
    }
    all
}

#[tokio::test]
async fn what_goes_is_written_at_once_with_what_it_counted_since_the_reset() {
    let folder = tempfile::tempdir().unwrap();
    let region = TestRegion::start(|config| {
        config.monitoring.recorder = Some(RecorderConfig {
            folder: folder.path().to_path_buf(),
            file_bytes_max: 1 << 20,
            files_max: 4,
            queue_bytes_max: 1 << 20,
            flush_every: std::time::Duration::from_millis(1),
        });
        config.transactions.push(transaction("MENU", "ONE"));
        let mut file = FileEntry::new(FileName::from_field(b"CUST"), "TEST.CUST");
        (file.key_length, file.record_size) = (4, 40);
        config.data.files = vec![file.with_all_operations()];
    });
    // A file: three READs, closed twice.
    region.program("TWO", |task| async move {
        assert_eq!(task.open("CUST").await?, Resp::NORMAL);
        task.done(b"").await
    });
    region.program("WORK", |task| async move {
        assert_eq!(task.close("CUST", Busy::Wait).await?, Resp::NORMAL);
        task.done(b"").await
    });
    region.run("TWO", b"").await;
    region.count_uses("CUST", FileUse::Read, 3);
    region.run("WORK", b"").await;
    region.run("TWO", b"").await;
    region.count_uses("CUST", FileUse::Read, 2);
    region.run("WORK", b"").await;
    // Nothing was counted since: nothing is written.
    region.run("TWO", b"").await;
    region.run("WORK", b"").await;

    // A terminal: two records, two tasks.
    region.program("ONE", |task| async move {
        task.done_at_terminal(b"\xF5\xC3first", None, b"").await
    });
    let screen = Arc::new(Screen::default());
    let terminal = at_screen(&region, &screen);
    for done in 1..=2 {
        region
            .region
            .input(terminal, enter(&[0xD4, 0xC5, 0xD5, 0xE4]));
        region
            .until("the task", || {
                region.attached().iter().filter(|t| *t == "MENU").count() == done
            })
            .await;
        region.settle().await;
    }
    // COLLECT STATISTICS of it, and of one that is not there.
    region.program("TWO", move |task| async move {
        let record = task.collect("TERMINAL", terminal.as_bytes()).await?;
        assert_eq!(record[2..14], *format!("{terminal:4}LU1     ").as_bytes());
        assert_eq!(record[14..18], [0, 0, 0, 2]);
        assert_eq!(record[22..26], [0, 0, 0, 2]);
        assert!(task.collect("TERMINAL", b"NONE").await?.is_empty());
        task.done(b"").await
    });
    region.run("TWO", b"").await;
    region.region.logoff(terminal);

    // A definition.
    region.program("THREE", |task| async move {
        assert_eq!(task.discard("TRANSACTION", "TWO").await?, Resp::NORMAL);
        task.done(b"").await
    });
    region.count_use("TWO");
    region.run("THREE", b"").await;
    region.region.stop(std::time::Duration::ZERO).await;

    let all = written(folder.path());
    let gone: Vec<_> = all
        .iter()
        .filter(|one| one.why == Why::Unsolicited)
        .collect();
    let told: Vec<_> = gone
        .iter()
        .map(|one| (&*one.record, &*one.resource))
        .collect();
    assert_eq!(
        told,
        [
            ("DFHA17DS", "CUST"),
            ("DFHA17DS", "CUST"),
            ("DFHA06DS", terminal.as_str()),
            ("DFHXMRDS", "TWO"),
        ]
    );
    assert_eq!(
        [gone[0].number("A17DSRD"), gone[1].number("A17DSRD")],
        [3, 2]
    );
    assert_eq!(
        [gone[2].number("A06LENI"), gone[2].number("A06TEOT")],
        [2, 2]
    );
    assert!(gone[2].number("A06LENO") >= 2);
    assert_eq!(gone[3].number("XMRAC"), 1);
    // The end of the day does not tell them again.
    let at_end = |record: &str| {
        let of_end = all.iter().filter(|one| one.why == Why::EndOfDay);
        of_end.filter(|one| one.record == record).count()
    };
    assert_eq!([at_end("DFHA17DS"), at_end("DFHA06DS")], [0, 0]);
}
