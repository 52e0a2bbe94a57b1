//! Groups against a sorted map, and with full storage.

use super::super::layout::Layout;
use super::*;
use std::collections::BTreeMap;
use transom_wire::Shared;

fn segment(heap_bytes: usize) -> Segment {
    let layout = Layout {
        slots: 1,
        tasks: 1,
        heap_bytes,
        open_limit: 1,
    };
    Segment::create(&layout).unwrap()
}

#[test]
fn behaves_like_a_sorted_map() {
    let segment = segment(8 << 20);
    let groups = Groups(&segment);
    let mut model: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    let mut seed = 7_u32;
    for round in 0..20_000_u32 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let item = (seed >> 16) % 300;
        groups.with_group(Space::TsMain, b"QUEUE1", &mut |g| {
            if seed & 0x100 == 0 {
                g.remove(item);
                model.remove(&item);
            } else {
                let value = vec![item as u8; (seed >> 8) as usize % 400];
                assert!(g.put(item, &value));
                model.insert(item, value);
            }
            if round % 500 == 0 {
                assert_eq!(g.items(), model.keys().copied().collect::<Vec<_>>());
                assert_eq!(g.get(item), model.get(&item).map(Vec::as_slice));
            }
        });
    }
    assert_eq!(groups.group_names(Space::TsMain), vec![b"QUEUE1".to_vec()]);
    groups.with_group(Space::TsMain, b"QUEUE1", &mut |g| g.remove_all());
    assert!(groups.group_names(Space::TsMain).is_empty());
    assert_eq!(segment.heap().used_bytes(), 0, "nothing is left behind");
}

#[test]
fn full_storage_changes_nothing() {
    let segment = segment(1 << 20);
    let groups = Groups(&segment);
    groups.with_group(Space::Counter, b"C", &mut |g| {
        assert!(g.put(1, b"old"));
        assert!(!g.put(1, &vec![0; 2 << 20]));
        assert_eq!(g.get(1), Some(&b"old"[..]));
    });
}

#[test]
fn spaces_and_names_are_apart() {
    let segment = segment(1 << 20);
    let groups = Groups(&segment);
    groups.with_group(Space::Counter, b"A", &mut |g| assert!(g.put(1, b"counter")));
    groups.with_group(Space::Enqueue, b"A", &mut |g| assert!(g.get(1).is_none()));
    groups.with_group(Space::Counter, b"AB", &mut |g| assert!(g.get(1).is_none()));
    assert_eq!(groups.group_names(Space::Counter).len(), 1);
}

/// Name of queue `number`.
fn queue(number: u32) -> [u8; 16] {
    *format!("QUEUE{number:011}")
        .as_bytes()
        .first_chunk()
        .unwrap()
}

fn fill(groups: Groups<'_>, numbers: std::ops::Range<u32>) {
    for number in numbers {
        groups.with_group(Space::TsMain, &queue(number), &mut |g| {
            assert!(g.get(1).is_none(), "{number}");
            assert!(g.put(1, &number.to_le_bytes()));
        });
    }
}

fn all_there(groups: Groups<'_>, numbers: std::ops::Range<u32>) {
    let mut names = groups.group_names(Space::TsMain);
    names.sort();
    assert_eq!(names.len(), numbers.len());
    for (name, number) in names.iter().zip(numbers) {
        assert_eq!(name, &queue(number));
        groups.with_group(Space::TsMain, name, &mut |g| {
            assert_eq!(g.get(1), Some(&number.to_le_bytes()[..]), "{number}");
        });
    }
}

/// Nodes of the longest chain.
fn longest(segment: &Segment, space: Space) -> usize {
    let of = |stripe| Table::of(segment, space, stripe).unwrap().longest_chain();
    (0..STRIPES).map(of).max().unwrap()
}

#[test]
fn chains_stay_short_however_many_groups_there_are() {
    let segment = segment(64 << 20);
    let groups = Groups(&segment);
    fill(groups, 0..100_000);
    all_there(groups, 0..100_000);
    assert!(longest(&segment, Space::TsMain) < 16);
    groups.with_group(Space::System, b"FACTS", &mut |g| assert!(g.put(1, b"x")));
    assert_eq!(groups.group_names(Space::System).len(), 1);
    for number in 0..100_000 {
        groups.with_group(Space::TsMain, &queue(number), &mut |g| g.remove_all());
    }
    assert!(groups.group_names(Space::TsMain).is_empty());
    fill(groups, 5..50);
    all_there(groups, 5..50);
}

/// The longer table is whole and nobody sees it: the same as dying just before the store.
#[test]
fn a_death_while_a_table_grows_changes_nothing() {
    let segment = segment(16 << 20);
    let groups = Groups(&segment);
    fill(groups, 0..3_000);
    for stripe in 0..STRIPES {
        let _held = segment.header().stripes[stripe].lock();
        assert!(
            Table::of(&segment, Space::TsMain, stripe)
                .unwrap()
                .longer()
                .is_some()
        );
    }
    all_there(groups, 0..3_000);
    fill(groups, 3_000..20_000);
    all_there(groups, 0..20_000);
}

#[test]
fn without_room_for_a_longer_table_groups_still_come() {
    let segment = segment(2 << 20);
    let groups = Groups(&segment);
    // No chunk is left that is whole; small blocks still find room.
    let mut taken = Vec::new();
    while let Some(at) = segment.heap().allocate(20_000) {
        taken.push(at);
    }
    let mut put = 0;
    loop {
        let mut stored = false;
        groups.with_group(Space::TsMain, &queue(put), &mut |g| stored = g.put(1, b"x"));
        if !stored {
            if let Some(at) = taken.pop().filter(|_| put < 2_000) {
                segment.heap().free(at);
                continue;
            }
            break;
        }
        put += 1;
    }
    assert!(put >= 2_000, "{put}");
    assert_eq!(groups.group_names(Space::TsMain).len(), put as usize);
}

#[test]
fn numbers_count_in_place() {
    let segment = segment(1 << 20);
    let groups = Groups(&segment);
    groups.with_group(Space::File, b"F", &mut |g| {
        g.count(2, 6, 0, 1);
        assert!(
            g.items().is_empty(),
            "nothing is counted of what is not there"
        );
        assert!(g.put(0, b"definition"));
        g.count(2, 6, 5, 1 << 40);
        let used = segment.heap().used_bytes();
        for _ in 0..1_000 {
            g.count(2, 6, 0, 2);
        }
        assert_eq!(segment.heap().used_bytes(), used);
        let numbers = g.get(2).map(|bytes| bytes.as_chunks::<8>().0.to_vec());
        let numbers: Vec<u64> = (numbers.unwrap().iter())
            .map(|n| u64::from_le_bytes(*n))
            .collect();
        assert_eq!(numbers, [2_000, 0, 0, 0, 0, 1 << 40]);
        g.count(2, 6, 6, 1);
        assert!(g.put(2, &[1; 48]), "bytes again");
        g.count(2, 6, 0, 1);
        g.remove_all();
    });
    assert_eq!(segment.heap().used_bytes(), 0);
    assert_eq!(segment.found(), 0);
}

#[test]
fn a_changed_definition_is_told_and_no_other_item() {
    let segment = segment(1 << 20);
    let groups = Groups(&segment);
    let changes = || groups.changes(Space::Program);
    let mut last = changes();
    let mut told = |wanted: bool, f: &mut dyn FnMut(&mut dyn Group)| {
        groups.with_group(Space::Program, b"P", f);
        assert_eq!(changes() != last, wanted);
        last = changes();
    };
    told(true, &mut |g| assert!(g.put(0, b"one")));
    told(true, &mut |g| assert!(g.put(0, b"two")));
    told(false, &mut |g| g.count(1, 1, 0, 1));
    told(false, &mut |g| assert!(g.put(3, b"users")));
    told(true, &mut |g| g.remove(0));
    told(true, &mut |g| g.remove_all());
    let before = changes();
    segment.holder_died(0);
    assert_ne!(changes(), before, "it may have died before it could tell");
}
