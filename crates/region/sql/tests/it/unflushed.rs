//! What a worker reads by itself while commits are on their way to the device.

use super::reads::{ALL, balance, fetch, open, told};
use super::{World, execute};
use std::fs;
use std::io::Write;
use transom_region_sql::Reader;

/// Says of commits what a region says that waits for its device: which one has begun, and which is
/// there.
fn say(world: &World, begun: u64, durable: u64) {
    let file = world.folder.path().join("sql.db-commits");
    let mut file = fs::OpenOptions::new().write(true).open(file).unwrap();
    let numbers = [begun.to_le_bytes(), durable.to_le_bytes()].concat();
    file.write_all(&numbers).unwrap();
}

#[test]
fn what_may_not_be_on_the_device_yet_is_asked_of_the_region() {
    let world = World::new();
    let mut other = world.session();
    let mut reader = Reader::open(&told(&world)).unwrap();
    assert_eq!(balance(&mut reader), Some(10));
    let change = "UPDATE ACCOUNT SET BALANCE = 5 WHERE NO = 1";
    other.run(execute(change, Vec::new()));
    other.commit(None).unwrap();
    say(&world, 9, 8);
    assert_eq!(balance(&mut reader), None);
    assert_eq!(reader.read(&open("P.C", ALL)), None);
    assert_eq!(reader.of_cursor(&fetch("P.C")), None, "it is not open");
    say(&world, 9, 9);
    assert_eq!(balance(&mut reader), Some(500));
    // What others begin later is not in its view.
    say(&world, 10, 9);
    assert_eq!(balance(&mut reader), Some(500));
    reader.rest();
    assert_eq!(balance(&mut reader), None);
    say(&world, 10, 10);
    assert_eq!(balance(&mut reader), Some(500));
    // Who cannot know it asks.
    reader.rest();
    let file = world.folder.path().join("sql.db-commits");
    let file = fs::OpenOptions::new().write(true).open(file).unwrap();
    file.set_len(8).unwrap();
    assert_eq!(balance(&mut reader), None);
}

#[test]
fn without_numbers_of_commits_nobody_reads() {
    let world = World::new();
    fs::remove_file(world.folder.path().join("sql.db-commits")).unwrap();
    assert!(Reader::open(&told(&world)).is_err());
}
