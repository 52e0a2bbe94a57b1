//! Groups against a sorted map, and with full storage.

use super::super::layout::Layout;
use super::*;
use std::collections::BTreeMap;

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
