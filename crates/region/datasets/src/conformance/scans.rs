//! Scans of every shape, compared with a model.

use super::Report;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;
use transom_recovery::{Change, Direction, UowId, UowStore, Wait, Write, wait};
use transom_types::Applid;

const TABLE: &str = "case/scans";
/// Keys with common beginnings and the bytes that sort at the ends.
const KEYS: [&[u8]; 8] = [
    b"\x00",
    b"a",
    b"a\x00",
    b"ab",
    b"ab\xFF",
    b"b",
    b"\xFF",
    b"\xFF\xFF",
];

/// Every bound, prefix, direction and limit over keys of which a third is committed, a third
/// changed, a third deleted by the own unit of work.
pub(super) fn run(store: &Arc<dyn UowStore>, report: &mut Report) {
    let uow = UowId::new(Applid::from_field(b"CONFORM"), 1);
    let mut model: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    let prepared = prepare(&**store, uow, &mut model);
    report.check("scans: records are there", prepared, Ok(()));
    let mut froms = vec![Bound::Unbounded];
    for key in KEYS {
        froms.extend([Bound::Included(key), Bound::Excluded(key)]);
    }
    for from in froms {
        for prefix in [b"".as_slice(), b"a", b"ab", b"\xFF", b"c"] {
            for direction in [Direction::Forward, Direction::Backward] {
                for limit in [1, 2, 100] {
                    let rows = store.scan(Some(uow), TABLE, from, prefix, direction, limit);
                    let got = wait(rows).map(|rows| {
                        let pairs = rows.into_iter().map(|r| (r.key, r.record));
                        pairs.collect::<Vec<_>>()
                    });
                    let expected = by_model(&model, from, prefix, direction, limit);
                    let case = format!("scan {from:?} {prefix:?} {direction:?} {limit}");
                    report.check(&case, got, Ok(expected));
                }
            }
        }
    }
    store.release(uow);
}

fn prepare(
    store: &dyn UowStore,
    uow: UowId,
    model: &mut BTreeMap<Vec<u8>, Vec<u8>>,
) -> Result<(), transom_recovery::StoreError> {
    wait(store.define(TABLE))?;
    let old = |key: &&[u8]| Write::new(TABLE, *key, Change::Put(b"old".to_vec()));
    wait(store.write_now(None, KEYS.iter().map(old).collect(), Wait::No))?;
    for (n, key) in KEYS.iter().enumerate() {
        let (change, record) = match n % 3 {
            0 => {
                model.insert(key.to_vec(), b"old".to_vec());
                continue;
            }
            1 => (Change::Put(b"new".to_vec()), Some(b"new".to_vec())),
            _ => (Change::Delete, None),
        };
        wait(store.stage(uow, TABLE, key, change, Wait::No))?;
        if let Some(record) = record {
            model.insert(key.to_vec(), record);
        }
    }
    for key in [b"aa".as_slice(), b"abc", b"zz"] {
        let change = Change::Insert(b"own".to_vec());
        wait(store.stage(uow, TABLE, key, change, Wait::No))?;
        model.insert(key.to_vec(), b"own".to_vec());
    }
    Ok(())
}

fn by_model(
    model: &BTreeMap<Vec<u8>, Vec<u8>>,
    from: Bound<&[u8]>,
    prefix: &[u8],
    direction: Direction,
    limit: usize,
) -> Vec<(Vec<u8>, Vec<u8>)> {
    let inside = |key: &[u8]| match (from, direction) {
        (Bound::Unbounded, _) => true,
        (Bound::Included(f), Direction::Forward) => key >= f,
        (Bound::Excluded(f), Direction::Forward) => key > f,
        (Bound::Included(f), Direction::Backward) => key <= f,
        (Bound::Excluded(f), Direction::Backward) => key < f,
    };
    let all = model
        .iter()
        .filter(|(k, _)| k.starts_with(prefix) && inside(k));
    let pairs = all.map(|(k, v)| (k.clone(), v.clone()));
    match direction {
        Direction::Forward => pairs.take(limit).collect(),
        Direction::Backward => pairs.rev().take(limit).collect(),
    }
}
