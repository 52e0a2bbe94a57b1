//! `docs/explanations/record-formats.md` decodes what the region has written.

use crate::region::TestRegion;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_datasets::{
    Access, AlternateIndex, Cluster, DatasetName, Datasets, LocalOptions, open_local,
};
use transom_recovery::*;
use transom_region_server::StoreHandle;
use transom_types::{Applid, Resp, TdQueueName};
use transom_wire::definitions::{TdQueueEntry, TdRecovery};
use transom_wire::temporary_storage::Header;

const PAGE: &str = include_str!("../../../../../docs/explanations/record-formats.md");

type Fields = HashMap<String, Vec<u8>>;

/// The rows of a table of the page: bytes, field, what.
fn rows(title: &str) -> Vec<[&'static str; 3]> {
    let head = format!("| bytes | {title} | what |\n");
    let start = PAGE.find(&head).unwrap_or_else(|| panic!("{title}")) + head.len();
    let table = PAGE[start..].lines().skip(1);
    let table = table.take_while(|line| line.starts_with('|'));
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        <[&str; 3]>::try_from(cells).unwrap()
    };
    table.map(row).collect()
}

fn be(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |all, byte| all << 8 | u64::from(*byte))
}

fn le(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |all, b| all << 8 | u64::from(*b))
}

/// The fields of a structure, and what is behind it. A row that has `if the kind is 1` in what it
/// says is there only then.
fn decode<'b>(title: &str, mut bytes: &'b [u8]) -> (Fields, &'b [u8]) {
    let mut fields = Fields::new();
    let mut lengths = HashMap::new();
    let table = rows(title);
    let fixed: usize = table
        .iter()
        .skip_while(|row| row[0] != "rest")
        .filter_map(|row| row[0].parse::<usize>().ok())
        .sum();
    let mut written = true;
    for [length, name, what] in table {
        if what.contains("only if the kind is 1") {
            written = fields["kind"] == [1];
        }
        if !written {
            continue;
        }
        let length = match length {
            "rest" => bytes.len() - fixed,
            text => text.parse().unwrap_or_else(|_| lengths[text]),
        };
        let (field, rest) = bytes.split_at(length);
        bytes = rest;
        if let Some(text) = what.strip_prefix('"').and_then(|w| w.strip_suffix('"')) {
            assert_eq!(field, text.as_bytes(), "{title}: {name}");
        }
        if let Some(hex) = what.strip_prefix("X'").and_then(|w| w.strip_suffix('\'')) {
            let shown: String = field.iter().map(|b| format!("{b:02X}")).collect();
            assert_eq!(shown, hex, "{title}: {name}");
        }
        if name == "length" || name.ends_with("_length") {
            let little = what.contains("LE");
            let value = if little { le(field) } else { be(field) };
            lengths.insert(name, value as usize);
        }
        fields.insert(name.to_owned(), field.to_vec());
    }
    (fields, bytes)
}

/// A structure and nothing behind it.
fn whole(title: &str, bytes: &[u8]) -> Fields {
    let (fields, rest) = decode(title, bytes);
    assert!(rest.is_empty(), "{title}: {} bytes too many", rest.len());
    fields
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn open(folder: &Path) -> Arc<dyn UowStore> {
    let store = open_local(folder, LocalOptions::default(), Settings::default());
    Arc::new(store.unwrap())
}

fn uow(n: u64) -> UowId {
    UowId::new(Applid::from_field(b"PAGE"), n)
}

fn all(store: &dyn UowStore, table: &str) -> Vec<Row> {
    let from = std::ops::Bound::Unbounded;
    wait(store.scan(None, table, from, b"", Direction::Forward, 100)).unwrap()
}

fn crc(parts: &[&[u8]]) -> u64 {
    u64::from(crc32fast::hash(&parts.concat()))
}

/// A store with one change in its log and one that the checkpoint has in the tree.
fn written(folder: &Path) -> Arc<dyn UowStore> {
    let store = open(folder);
    wait(store.define("file/TEXTS")).unwrap();
    for (key, text) in [(b"tree", "in the tree"), (b"last", "in the log ")] {
        let change = Change::Put(text.as_bytes().to_vec());
        wait(store.stage(uow(1), "file/TEXTS", key, change, Wait::No)).unwrap();
        wait(store.commit(uow(1))).unwrap();
        if key == b"tree" {
            wait(store.checkpoint()).unwrap();
        }
    }
    store
}

#[test]
fn log_checkpoint_and_tree() {
    let folder = folder("formats-log");
    // Open: its end would make another checkpoint.
    let _store = written(&folder);
    let file = |name: &str| fs::read(folder.join(name)).unwrap();
    let (data, slots) = (file("data.mdb"), file("checkpoint"));
    let places = [0, 4_096].map(|at| &slots[at..at + 4_096]);
    let places = places.into_iter().filter(|slot| slot[0] != 0);
    let checkpoint = places
        .map(|slot| decode("checkpoint", slot))
        .max_by_key(|(fields, _)| le(&fields["number"]));
    let (checkpoint, _) = checkpoint.unwrap();
    let number = le(&checkpoint["number"]) as usize;
    let place = &slots[number % 2 * 4_096..];
    let used = place.len().min(564);
    assert_eq!(crc(&[&place[..used - 4]]), le(&place[used - 4..used]));
    let generation = le(&checkpoint["generation"]);
    let log = file(&format!("log.{}", generation % 2));
    let (mut record, mut behind) = decode("record of a log", &log);
    while le(&record["number"]) < le(&checkpoint["next"]) {
        let used = (log.len() - behind.len()).next_multiple_of(8);
        (record, behind) = decode("record of a log", &log[used..]);
    }
    let [length, mark, n] = ["length", "mark", "number"].map(|f| &record[f][..]);
    let sum = crc(&[length, mark, n, &record["changes"]]);
    assert_eq!(le(&record["checksum"]), sum);
    assert_eq!(mark, checkpoint["mark"]);
    assert_eq!(record["store"], data[256..260], "the number of the store");
    assert_eq!(checkpoint["header"][256..260], data[256..260]);
    let sums = file("sums");
    let (head, _) = decode("head of the sums", &sums);
    assert_eq!(crc(&[&sums[..36]]), le(&head["checksum"]));
    assert_eq!(head["now"], checkpoint["next_mark"]);
    assert_eq!(
        (&head["number"], &head["store"]),
        (&checkpoint["number"], &data[256..260].to_vec())
    );
    let change = whole("change in a log", &record["changes"]);
    assert_eq!(change["table"], b"file/TEXTS");
    assert_eq!(change["key"], b"last");
    assert_eq!(change["record"], b"in the log ");
    // In a leaf of the tree the value follows its key.
    let text = b"treein the tree";
    let at = data.windows(text.len()).position(|w| w == text).unwrap();
    let key = whole("key in the tree `records`", &data[at - 4..at + 4]);
    assert_eq!(key["key"], b"tree");
    let value = &data[at + 4..at + 4 + 11 + 4];
    let value = whole("value in the tree `records`", value);
    let sum = crc(&[&key["table"], &key["key"], &value["record"]]);
    assert_eq!(be(&value["checksum"]), sum);
}

#[test]
fn prepared_units_and_indexes() {
    let store: Arc<dyn UowStore> = Arc::new(MemoryStore::in_memory(1 << 20));
    let change = |text: &str| Change::Put(text.as_bytes().to_vec());
    wait(store.define("file/A")).unwrap();
    wait(store.stage(uow(7), "file/A", b"k", change("new"), Wait::No)).unwrap();
    wait(store.prepare(uow(7), b"why")).unwrap();
    let row = all(&*store, "uow/prepared").remove(0);
    let name = whole("name of a unit of work", &row.key);
    assert_eq!(
        (name["applid"].as_slice(), be(&name["number"])),
        (b"PAGE    ".as_slice(), 7)
    );
    let unit = whole("prepared unit of work", &row.record);
    assert_eq!(unit["info"], b"why");
    let change = whole("change of a prepared unit of work", &unit["changes"]);
    let [table, key, record] = ["table", "key", "record"].map(|f| change[f].as_slice());
    assert_eq!(
        (table, key, record),
        (b"file/A".as_slice(), b"k".as_slice(), b"new".as_slice())
    );
    assert_eq!(change["present"], [1]);

    let files = wait(Datasets::open(store.clone())).unwrap();
    let [base, index] = ["A.CUST", "A.CITY"].map(|n| DatasetName::new(n).unwrap());
    wait(files.define_cluster(Cluster::ksds(base.clone(), 0, 4, 80))).unwrap();
    let city = AlternateIndex::new(index, base.clone(), 4, 3, false);
    wait(files.define_index(city)).unwrap();
    let file = files.dataset(&base).unwrap();
    let access = Access::patient(uow(8), false);
    for record in ["0001NYC", "0002NYC"] {
        wait(file.insert(access, None, record.as_bytes())).unwrap();
    }
    let entries = all(&*store, "aix/A.CITY");
    for (row, (base, arrival)) in entries.iter().zip([(b"0001", 1), (b"0002", 2)]) {
        let key = whole("key of an index entry", &row.key);
        assert_eq!(
            (key["alternate"].as_slice(), be(&key["arrival"])),
            (b"NYC".as_slice(), arrival)
        );
        assert_eq!(whole("record of an index entry", &row.record)["base"], base);
    }
    assert_eq!(entries.len(), 2);
}

#[tokio::test]
async fn queues() {
    let store: Arc<dyn UowStore> = Arc::new(MemoryStore::in_memory(1 << 20));
    let opened = StoreHandle(store.clone());
    let region = TestRegion::start(|config| {
        let mut queue = TdQueueEntry::new(TdQueueName::new(*b"ORDR"));
        queue.recovery = TdRecovery::Logical;
        config.queues.td_queues = vec![queue];
        config.data.opened = Some(opened);
    });
    region.program("ONE", |task| async move {
        for order in ["bolts", "nuts"] {
            assert_eq!(
                task.write_td(b"ORDR", order.as_bytes()).await?,
                Resp::NORMAL
            );
        }
        assert_eq!(task.syncpoint().await?, Resp::NORMAL);
        task.done(b"").await
    });
    region.run("ONE", b"").await;
    let key = |row: &Row| be(&whole("key of a transient data record", &row.key)["number"]);
    let rows = all(&*store, "td/ORDR");
    let written: Vec<_> = rows.iter().map(|row| row.record.as_slice()).collect();
    assert_eq!(written, [b"bolts".as_slice(), b"nuts"]);
    assert!(key(&rows[0]) < key(&rows[1]));
    let queue = Header {
        count: 3,
        shortest: 5,
        longest: 9,
        bytes: 21,
        transid: *b"TEMP",
        ..Header::default()
    };
    let fields = whole("temporary storage queue", &queue.encode());
    let numbers = ["count", "cursor", "shortest", "longest", "bytes"].map(|f| be(&fields[f]));
    assert_eq!(numbers, [3, 0, 5, 9, 21]);
    assert_eq!(
        (fields["main"].as_slice(), fields["transid"].as_slice()),
        ([0].as_slice(), b"TEMP".as_slice())
    );
}
