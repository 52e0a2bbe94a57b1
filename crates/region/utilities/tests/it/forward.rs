//! Forward recovery with logs that cannot be applied as a whole.

use super::{count, datasets, run};
use std::path::Path;
use transom_datasets::Datasets;
use transom_journal::{Change, Entry, Record, frame};
use transom_recovery::Restored;
use transom_utilities::{FileOptions, Forward, forward_recover};

const DEFINE: &str = "\
 DEF CL(NAME(A.K) KEYS(4 0) RECSZ(6 6))
 DEF CL(NAME(A.E) RECSZ(6 6) NONINDEXED)
";

/// A log with entries.
fn write(folder: &Path, entries: &[Entry<'_>]) {
    let mut bytes = Vec::new();
    for (number, entry) in (1..).zip(entries) {
        let (kind, prefix, data) = entry.parts();
        let record = Record {
            number,
            unix_ms: 1_795_000_000_000,
            task: 42,
            transid: *b"UPD1",
            kind,
            prefix: &prefix,
            data: &data,
        };
        let body = record.body();
        bytes.extend(frame(&body));
        bytes.extend(body);
    }
    std::fs::write(folder.join("DFHJ06.jnl"), bytes).unwrap();
}

fn changed(change: Change, key: &'static [u8], record: &'static [u8]) -> Entry<'static> {
    Entry::Changed {
        uow: 7,
        file: *b"CUST    ",
        change,
        key,
        record,
    }
}

/// Applies a log that adds a record and goes on with `second`.
fn recovered(data_set: &'static str, second: Entry<'_>) -> (Datasets, Result<u64, String>) {
    let datasets = datasets();
    assert_eq!(run(&datasets, &FileOptions::default(), DEFINE).1, 0);
    let restored = Restored {
        when_ns: 1,
        open: true,
        ..Restored::default()
    };
    restored.write(&**datasets.store()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let tie = Entry::DataSet {
        file: *b"CUST    ",
        name: data_set.as_bytes(),
    };
    let first = changed(Change::Added, b"\0\0\0\0\0\0\0\0", b"0001AA");
    let first = match data_set {
        "A.K" => changed(Change::Added, b"0001", b"0001AA"),
        _ => first,
    };
    let committed = true;
    write(
        folder.path(),
        &[tie, first, second, Entry::Ended { uow: 7, committed }],
    );
    let forward = Forward {
        dir: folder.path(),
        datasets: &datasets,
        journals: folder.path(),
        until_ms: None,
        files: Default::default(),
    };
    let done = forward_recover(&forward);
    let changes = done.map(|(logs, _)| logs.iter().map(|log| log.changes).sum());
    (datasets, changes.map_err(|e| e.to_string()))
}

#[test]
fn what_a_log_does_not_say_is_found_before_anything_is_changed() {
    let generic = changed(Change::DeletedGeneric, b"00", b"");
    let (datasets, done) = recovered("A.K", generic);
    let error = done.unwrap_err();
    assert!(
        error.contains("TXMBK0020E") && error.contains("which records were deleted"),
        "{error}"
    );
    assert_eq!(count(&datasets, "A.K"), 0);
    let without = changed(Change::Added, b"", b"0002BB");
    let (datasets, done) = recovered("A.E", without);
    let error = done.unwrap_err();
    assert!(error.contains("where the record is"), "{error}");
    assert_eq!(count(&datasets, "A.E"), 0);
    // A KSDS has the key in the record.
    let (datasets, done) = recovered("A.K", changed(Change::Added, b"", b"0002BB"));
    assert_eq!((done, count(&datasets, "A.K")), (Ok(2), 2));
}
