//! REPRO of records that are not in the order of their keys: the data set and the report are those
//! of records loaded one after the other.

use super::{FileOptions, count, datasets, dd, run};
use std::fmt::Write as _;
use transom_datasets::{DatasetName, Datasets, Find};
use transom_recovery::wait;

/// A data set with these lines in it already, and REPRO of others into it.
fn repro(old: &[&str], new: &[String], words: &str) -> (Datasets, String, u8) {
    let folder = tempfile::tempdir().unwrap();
    let datasets = datasets();
    let define = " DEFINE CLUSTER (NAME(A.B) KEYS(4 0) RECORDSIZE(8 8))\n";
    assert_eq!(run(&datasets, &FileOptions::default(), define).1, 0);
    let mut last = (String::new(), 0);
    let old: Vec<String> = old.iter().map(ToString::to_string).collect();
    for (lines, words) in [(&old, ""), (&new.to_vec(), words)] {
        if lines.is_empty() {
            continue;
        }
        let file = folder.path().join("in.txt");
        std::fs::write(&file, lines.join("\n") + "\n").unwrap();
        let files = dd(format!("IN={},format=line", file.display()));
        let text = format!(" REPRO INFILE(IN) OUTDATASET(A.B) {words}\n");
        last = run(&datasets, &files, &text);
    }
    (datasets, last.0, last.1)
}

fn record(datasets: &Datasets, key: &str) -> Option<String> {
    let dataset = datasets.dataset(&DatasetName::new("A.B").unwrap()).unwrap();
    let found = wait(dataset.read(None, key.as_bytes(), Find::Equal)).ok()?;
    Some(String::from_utf8(found.record).unwrap())
}

fn lines(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_first_of_equal_keys_counts_and_refused_ones_are_told_in_their_order() {
    let new = lines("0007aaaa 0003aaaa 0009aaaa 0003bbbb 0001aaaa 0007bbbb 0002aaaa");
    let (datasets, text, code) = repro(&["0001old!", "0005old!"], &new, "");
    let told: Vec<&str> = text.lines().filter(|l| l.contains("TXMID0054E")).collect();
    assert_eq!(
        told,
        [
            "TXMID0054E record 4: the key 0003 exists already",
            "TXMID0054E record 5: the key 0001 exists already",
            "TXMID0054E record 6: the key 0007 exists already",
        ],
        "{text}"
    );
    assert_eq!((code, count(&datasets, "A.B")), (8, 6));
    for record_there in ["0001old!", "0003aaaa", "0007aaaa", "0002aaaa", "0009aaaa"] {
        let found = record(&datasets, &record_there[..4]);
        assert_eq!(found.as_deref(), Some(record_there));
    }
}

#[test]
fn behind_the_one_too_many_nothing_is_loaded() {
    let new = lines("0005aaaa 0003aaaa 0003bbbb 0001aaaa 0005bbbb 0002aaaa 0003cccc");
    let (datasets, text, code) = repro(&[], &new, "ERRORLIMIT(2)");
    let numbers = ["record 3: ", "record 5: "];
    let told = numbers.map(|number| text.lines().position(|l| l.contains(number)));
    assert!(told.is_sorted() && told[0].is_some(), "{told:?} {text}");
    assert!(!text.contains("record 7"), "{text}");
    assert_eq!(code, 12);
    // What came before it is there, what came behind it is not.
    assert_eq!(count(&datasets, "A.B"), 3);
    assert_eq!(record(&datasets, "0001").as_deref(), Some("0001aaaa"));
    assert_eq!(record(&datasets, "0002"), None);
}

#[test]
fn with_replace_the_last_of_equal_keys_counts() {
    let new = lines("0007aaaa 0003aaaa 0001aaaa 0003bbbb 0007bbbb 0007cccc");
    let (datasets, text, code) = repro(&["0001old!", "0005old!"], &new, "REPLACE");
    assert_eq!(code, 0, "{text}");
    assert_eq!(count(&datasets, "A.B"), 4);
    for record_there in ["0001aaaa", "0003bbbb", "0005old!", "0007cccc"] {
        let found = record(&datasets, &record_there[..4]);
        assert_eq!(found.as_deref(), Some(record_there));
    }
}

#[test]
fn many_records_come_into_order() {
    let mut new = Vec::new();
    for number in 0..50_000_u32 {
        let mut line = String::new();
        // In order at first, then not.
        let number = if number < 25_000 {
            number
        } else {
            25_000 + (number * 7_919) % 25_000
        };
        write!(line, "{}{number:04x}", key(number)).unwrap();
        new.push(line);
    }
    let (datasets, text, code) = repro(&[], &new, "");
    assert_eq!((code, count(&datasets, "A.B")), (0, 50_000), "{text}");
    for number in [0, 24_999, 25_000, 37_777, 49_999] {
        let expected = format!("{}{number:04x}", key(number));
        assert_eq!(record(&datasets, &key(number)), Some(expected));
    }
}

/// Four letters of a number.
fn key(number: u32) -> String {
    let letter = |n: u32| char::from(b'A' + (n % 26) as u8);
    [17_576, 676, 26, 1]
        .map(|n| letter(number / n))
        .iter()
        .collect()
}
