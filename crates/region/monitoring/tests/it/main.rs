//! The recorder as a region uses it: records in, files out, a disk that is full.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_messages::{Line, Operator};
use transom_monitoring::stream::{Begin, Item, Reader};
use transom_monitoring::{Record, field};
use transom_region_monitoring::{Recorder, RecorderConfig, in_order};
use transom_types::{Applid, SysId};

fn recorder(folder: &Path, queue_bytes_max: usize) -> (Recorder, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let sink = told.clone();
    let operator = Operator::new(move |line: Line| sink.lock().unwrap().push(line.to_string()));
    let config = RecorderConfig {
        folder: folder.to_owned(),
        file_bytes_max: 100_000,
        files_max: 100,
        queue_bytes_max,
        flush_every: Duration::from_millis(1),
    };
    let begin = Begin::of(
        Applid::from_field(b"TRANSOM "),
        SysId::from_field(b"TXM1"),
        1,
        0,
    );
    (Recorder::new(config, (begin, Vec::new()), operator), told)
}

fn record(task: u64) -> Record {
    let mut record = Record::default();
    record.set(field::TRANNUM, task);
    record
}

/// Task numbers, and what else is said.
fn read(folder: &Path) -> (Vec<u64>, Vec<Item>) {
    let mut reader = Reader::default();
    let (mut tasks, mut others) = (Vec::new(), Vec::new());
    for file in in_order(folder).unwrap() {
        let bytes = std::fs::read(file).unwrap();
        let mut from = &bytes[..];
        let mut items: Vec<Item> = std::iter::from_fn(|| reader.next(&mut from)).collect();
        items.extend(reader.end(from));
        for item in items {
            match item {
                Item::Task(record) => tasks.push(record.number(field::TRANNUM)),
                Item::Begin(_) => {}
                other => others.push(other),
            }
        }
    }
    (tasks, others)
}

#[test]
fn every_record_of_many_threads_is_in_the_files() {
    let home = tempfile::tempdir().unwrap();
    let (recorder, told) = recorder(home.path(), 8 << 20);
    recorder.start();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let recorder = &recorder;
            scope.spawn(move || {
                for n in 0..5_000 {
                    recorder.record(&record(thread * 5_000 + n));
                }
            });
        }
    });
    recorder.stop();
    let (mut tasks, others) = read(home.path());
    tasks.sort_unstable();
    assert_eq!(tasks, (0..20_000).collect::<Vec<_>>());
    assert_eq!((others, told.lock().unwrap().clone()), (vec![], vec![]));
    let figures = recorder.figures();
    assert_eq!((figures.written, figures.lost), (20_000, 0));
}

#[test]
fn what_the_disk_does_not_take_is_counted_told_and_said_in_the_stream() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("monitoring");
    std::fs::write(&folder, "in the way").unwrap();
    let (recorder, told) = recorder(&folder, 8 << 20);
    recorder.start();
    for task in 0..100 {
        recorder.record(&record(task));
    }
    while recorder.figures().lost < 100 {
        std::thread::yield_now();
    }
    std::fs::remove_file(&folder).unwrap();
    recorder.record(&record(100));
    recorder.stop();
    assert_eq!(read(&folder), (vec![100], vec![Item::Lost(100)]));
    let told = told.lock().unwrap();
    assert!(told[0].contains("TXMMN0001E"), "{told:?}");
    assert!(
        told[1].contains("TXMMN0002I") && told[1].contains("100"),
        "{told:?}"
    );
    assert_eq!(told.len(), 2, "{told:?}");
    let figures = recorder.figures();
    assert_eq!((figures.written, figures.lost), (1, 100));
}
