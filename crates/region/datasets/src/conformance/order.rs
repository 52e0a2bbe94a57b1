//! Keys in the order of z/OS: records, indexes, generic keys, both directions, and data sets put
//! from one order into another.
//!
//! Expected orders are those of IBM's chart of code page 037, written down here; nothing is taken
//! from the table that the data sets use.

use super::Report;
use super::customers::{Checked, access, name};
use crate::{
    AlternateIndex, Cluster, Collating, Condition, Dataset, Datasets, Find, Found, KeyException,
    KeyHolds, KeyPart, OrderError, PartHolds, PathEntry, Position, Start,
};
use std::sync::Arc;
use transom_recovery::{Direction, UowStore, wait};

/// Keys of two bytes as z/OS sorts them: LOW-VALUES, blanks, special characters, lower case, upper
/// case, digits, HIGH-VALUES.
const ZOS: &[&[u8]] = &[
    b"\0\0",
    b"  ",
    b" A",
    b" 1",
    b".<",
    b"<(",
    b"(+",
    b"+|",
    b"&!",
    b"!$",
    b"$*",
    b"*)",
    b")-",
    b"-/",
    b"/,",
    b",%",
    b"%_",
    b"_>",
    b">?",
    b"?:",
    b":#",
    b"#@",
    b"@'",
    b"'=",
    b"=\"",
    b"aA",
    b"a1",
    b"iz",
    b"ja",
    b"ra",
    b"~a",
    b"sa",
    b"zz",
    b"{a",
    b"A ",
    b"Aa",
    b"AA",
    b"A0",
    b"I9",
    b"}a",
    b"JA",
    b"RA",
    b"\\a",
    b"SA",
    b"ZZ",
    b"0 ",
    b"0a",
    b"0A",
    b"00",
    b"19",
    b"99",
    b"9\xFF",
    b"\xFF\xFF",
];

/// Leaves the order of the store as EBCDIC037.
pub(super) fn settle(store: &Arc<dyn UowStore>) -> Checked {
    let all = wait(Datasets::open(store.clone()))?;
    for entry in all.entries() {
        let _gone = wait(all.delete(entry.name()));
    }
    let mut all = wait(Datasets::open(store.clone()))?;
    let settled = wait(all.settle(Some(Collating::Ebcdic037), Vec::new()));
    settled
        .map(|_| ())
        .map_err(|e| Condition::Refused(e.to_string()))
}

pub(super) fn run(store: &Arc<dyn UowStore>, report: &mut Report) {
    for case in [sorted, numbers, remembered] {
        if let Err(condition) = case(store, report) {
            report.check("order: an operation failed", Some(condition), None);
        }
    }
}

/// A cluster with its key at 2, the alternate key at 6 and, reversed, a unique one at 9.
fn defined(all: &Datasets, of: &str) -> Result<(Dataset, Dataset, Dataset), Condition> {
    let base = name(of);
    wait(all.define_cluster(Cluster::ksds(base.clone(), 2, 2, 80)))?;
    for (index, offset, unique) in [("MANY", 6, false), ("ONE", 9, true)] {
        let index_name = name(&format!("{of}.{index}"));
        let index = AlternateIndex::new(index_name.clone(), base.clone(), offset, 2, unique);
        wait(all.define_index(index))?;
        let path = name(&format!("{index_name}P"));
        wait(all.define_path(PathEntry::new(path, index_name)))?;
    }
    let at = |ending: &str| all.dataset(&name(&format!("{of}{ending}")));
    Ok((at("")?, at(".MANYP")?, at(".ONEP")?))
}

fn record(key: &[u8]) -> Vec<u8> {
    [b"--", key, b"--", key, b"-", key].concat()
}

/// Adds the records in an order that is none.
fn filled(base: &Dataset) -> Checked {
    for step in 0..ZOS.len() {
        let key = ZOS[step * 7 % ZOS.len()];
        wait(base.insert(access(1, false), None, &record(key)))?;
    }
    Ok(())
}

fn all_keys(found: &[Found]) -> Vec<Vec<u8>> {
    found.iter().map(|f| f.position.key.clone()).collect()
}

fn forward(dataset: &Dataset, start: Start<'_>) -> Result<Vec<Vec<u8>>, Condition> {
    let found = wait(dataset.scan(None, start, Direction::Forward, 1_000))?;
    Ok(all_keys(&found))
}

fn sorted(store: &Arc<dyn UowStore>, report: &mut Report) -> Checked {
    let all = settled(store)?;
    let (base, many, one) = defined(&all, "ORDER.KEYS")?;
    filled(&base)?;
    let zos: Vec<Vec<u8>> = ZOS.iter().map(|key| key.to_vec()).collect();
    let mut back = zos.clone();
    back.reverse();
    for (what, dataset) in [("keys", &base), ("duplicates", &many), ("unique", &one)] {
        let case = |text: &str| format!("order of {what}: {text}");
        report.check(
            &case("forward"),
            forward(dataset, Start::At(&[]))?,
            zos.clone(),
        );
        let found = wait(dataset.scan(None, Start::End, Direction::Backward, 1_000))?;
        report.check(&case("backward"), all_keys(&found), back.clone());
        // One by one, from where the last one was.
        let mut steps = Vec::new();
        let mut last: Option<Position> = None;
        while let [next] = &wait(dataset.scan(
            None,
            last.as_ref().map_or(Start::At(&[]), Start::After),
            Direction::Forward,
            1,
        ))?[..]
        {
            steps.push(next.position.key.clone());
            last = Some(next.position.clone());
        }
        report.check(&case("step by step"), steps, zos.clone());
        for (key, find, wanted) in [
            (&b"A"[..], Find::Generic, &b"A "[..]),
            (b"a", Find::Generic, b"aA"),
            (b"z9", Find::GreaterOrEqual, b"{a"),
            (b"ZZ", Find::GreaterOrEqual, b"ZZ"),
            (b"Z9", Find::GreaterOrEqual, b"0 "),
            (b"\0\0", Find::GreaterOrEqual, b"\0\0"),
            (b"\x01\x01", Find::GreaterOrEqual, b"  "),
            (b"9z", Find::GreaterOrEqual, b"99"),
            (b"\xFF\xFF", Find::Equal, b"\xFF\xFF"),
        ] {
            let found = wait(dataset.read(None, key, find))?;
            let text = format!("{:?} {find:?}", String::from_utf8_lossy(key));
            report.check(&case(&text), found.position.key.as_slice(), wanted);
            report.check(&case("record"), found.record, record(wanted));
        }
        let found = wait(dataset.scan(None, Start::At(b"A"), Direction::Backward, 3))?;
        let wanted = [b"A0", b"AA", b"Aa"].map(|key| key.to_vec());
        report.check(
            &case("backward from a short key"),
            all_keys(&found),
            wanted.to_vec(),
        );
    }
    report.check("order: compared", base.is_behind(b"1a", b"Z9"), true);
    changed(&base, &many, &one, report)
}

/// Rewriting, deleting and duplicates find their entries.
fn changed(base: &Dataset, many: &Dataset, one: &Dataset, report: &mut Report) -> Checked {
    let a = access(2, false);
    let found = wait(base.read_for_update(a, b"a1", Find::Equal))?;
    let mut new = record(b"a1");
    new[6..8].copy_from_slice(b"Z0");
    new[9..11].copy_from_slice(b"Z0");
    wait(base.rewrite(a, &found.position, &new))?;
    for dataset in [many, one] {
        let found = wait(dataset.read(None, b"Z0", Find::Equal))?;
        report.check("order: entry moved", found.record, new.clone());
        let gone = wait(dataset.read(None, b"a1", Find::Equal)).err();
        report.check("order: old entry gone", gone, Some(Condition::NotFound));
    }
    let deleted = wait(many.delete_generic(a, b"Z")).map_err(|(condition, _)| condition)?;
    report.check("order: deleted by a generic key", deleted, 2);
    let left = forward(one, Start::At(b"Z"))?;
    let wanted = [b"0 ", b"0a"].map(|key| key.to_vec());
    report.check("order: what follows", left[..2].to_vec(), wanted.to_vec());
    Ok(())
}

/// Packed, binary and mixed keys.
fn numbers(store: &Arc<dyn UowStore>, report: &mut Report) -> Checked {
    let exception = |name: &str, holds| KeyException {
        name: name.to_owned(),
        holds,
    };
    let mut all = wait(Datasets::open(store.clone()))?;
    let rules = vec![
        exception("ORDER.NUMBERS", KeyHolds::Numbers),
        exception(
            "ORDER.MIXED",
            KeyHolds::Record(vec![
                part(0, 1, PartHolds::Characters),
                part(4, 80, PartHolds::Characters),
            ]),
        ),
    ];
    wait(all.settle(None, rules)).map_err(|e| Condition::Refused(e.to_string()))?;
    for (of, wanted) in [
        (
            "ORDER.NUMBERS",
            [b"1\x20", b"1\x40", b"1\x81", b"A\x20", b"A\x81", b"a\x40"],
        ),
        (
            "ORDER.MIXED",
            [b"a\x40", b"A\x20", b"A\x81", b"1\x20", b"1\x40", b"1\x81"],
        ),
    ] {
        wait(all.define_cluster(Cluster::ksds(name(of), 0, 2, 80)))?;
        let dataset = all.dataset(&name(of))?;
        for key in [b"A\x81", b"1\x20", b"a\x40", b"1\x81", b"A\x20", b"1\x40"] {
            wait(dataset.insert(access(3, false), None, key))?;
        }
        let wanted: Vec<Vec<u8>> = wanted.iter().map(|key| key.to_vec()).collect();
        report.check(of, forward(&dataset, Start::At(&[]))?, wanted);
    }
    counted(store, report)?;
    // Another rule for keys that are there is refused, and a rebuild carries it out.
    let mut all = wait(Datasets::open(store.clone()))?;
    let settled = wait(all.settle(None, Vec::new()));
    let other = OrderError::DataSet(name("ORDER.MIXED"));
    report.check("order: another rule", settled.err(), Some(other));
    let moved = wait(all.rebuild(None, Vec::new()))?;
    report.check("order: rebuilt", moved.len(), 2);
    let wanted: Vec<_> = [b"a\x40", b"A\x81", b"A\x20", b"1\x81", b"1\x20", b"1\x40"].to_vec();
    let found = forward(&all.dataset(&name("ORDER.NUMBERS"))?, Start::At(&[]))?;
    report.check("order: of the rebuilt keys", found.len(), wanted.len());
    report.check(
        "order: characters first",
        found.first().map(|k| k[0]),
        Some(b'a'),
    );
    Ok(())
}

fn part(start: usize, end: usize, holds: PartHolds) -> KeyPart {
    KeyPart { start, end, holds }
}

/// Keys with a COMP-5 item behind a letter.
fn counted(store: &Arc<dyn UowStore>, report: &mut Report) -> Checked {
    let mut all = wait(Datasets::open(store.clone()))?;
    let record = vec![
        part(0, 1, PartHolds::Characters),
        part(1, 3, PartHolds::Reversed),
        part(6, 8, PartHolds::NoOrder("the INDEX item IX".to_owned())),
    ];
    let rules = vec![
        KeyException {
            name: "ORDER.NUMBERS".to_owned(),
            holds: KeyHolds::Numbers,
        },
        KeyException {
            name: "ORDER.MIXED".to_owned(),
            holds: KeyHolds::Record(vec![
                part(0, 1, PartHolds::Characters),
                part(4, 80, PartHolds::Characters),
            ]),
        },
        KeyException {
            name: "ORDER.COUNTED".to_owned(),
            holds: KeyHolds::Record(record),
        },
    ];
    wait(all.settle(None, rules)).map_err(|e| Condition::Refused(e.to_string()))?;
    counted_keys(&mut all, report)
}

fn counted_keys(all: &mut Datasets, report: &mut Report) -> Checked {
    let of = "ORDER.COUNTED";
    let refused = wait(all.define_cluster(Cluster::ksds(name(of), 0, 7, 80))).err();
    let why = Condition::Refused(format!("{of}: its key holds the INDEX item IX"));
    report.check("order: an item without one", refused, Some(why));
    wait(all.define_cluster(Cluster::ksds(name(of), 0, 3, 80)))?;
    let dataset = all.dataset(&name(of))?;
    let key = |letter: u8, number: u16| [&[letter][..], &number.to_le_bytes()].concat();
    let keys = [
        key(b'A', 1),
        key(b'A', 255),
        key(b'A', 256),
        key(b'A', 770),
        key(b'1', 2),
    ];
    for at in [3, 0, 4, 2, 1] {
        wait(dataset.insert(access(3, false), None, &keys[at]))?;
    }
    report.check(of, forward(&dataset, Start::At(&[]))?, keys.to_vec());
    let from = forward(&dataset, Start::At(&key(b'A', 200)))?;
    report.check("order: from a number on", from, keys[1..].to_vec());
    let generic = forward(&dataset, Start::At(b"1"))?;
    report.check(
        "order: generic, before the number",
        generic,
        keys[4..].to_vec(),
    );
    let cut = forward(&dataset, Start::At(b"A\x01")).err();
    let inside = Condition::Invalid("the generic key ends inside a number");
    report.check(
        "order: generic, inside the number",
        cut,
        Some(inside.clone()),
    );
    let read = wait(dataset.read(None, b"A\x01", Find::Generic)).err();
    report.check("order: read by it", read, Some(inside));
    let found = wait(dataset.read(None, &keys[2], Find::Equal))?;
    report.check(
        "order: the key of a record",
        found.position.key,
        keys[2].clone(),
    );
    wait(all.delete(&name(of)))?;
    Ok(())
}

/// A store remembers its order, and a rebuild gives it another one, there and back.
fn remembered(store: &Arc<dyn UowStore>, report: &mut Report) -> Checked {
    let of = wait(Datasets::collating_of(&**store))?;
    report.check("order: remembered", of, Some(Collating::Ebcdic037));
    let all = settled(store)?;
    let (base, ..) = defined(&all, "ORDER.STORE")?;
    filled(&base)?;
    let mut all = wait(Datasets::open(store.clone()))?;
    let refused = wait(all.settle(Some(Collating::Ascii), Vec::new())).err();
    let wanted = OrderError::Store {
        has: Collating::Ebcdic037,
        wanted: Collating::Ascii,
    };
    report.check("order: another one is refused", refused, Some(wanted));
    let mut ascii: Vec<Vec<u8>> = ZOS.iter().map(|key| key.to_vec()).collect();
    ascii.sort();
    let zos: Vec<Vec<u8>> = ZOS.iter().map(|key| key.to_vec()).collect();
    for (collating, order) in [(Collating::Ascii, ascii), (Collating::Ebcdic037, zos)] {
        let mut all = wait(Datasets::open(store.clone()))?;
        wait(all.rebuild(Some(collating), Vec::new()))?;
        let mut all = wait(Datasets::open(store.clone()))?;
        let settled = wait(all.settle(Some(collating), Vec::new()));
        report.check("order: rebuilt store", settled, Ok(collating));
        for path in ["", ".MANYP", ".ONEP"] {
            let dataset = all.dataset(&name(&format!("ORDER.STORE{path}")))?;
            let case = format!("order: {}{path}", collating.name());
            report.check(&case, forward(&dataset, Start::At(&[]))?, order.clone());
        }
        // Duplicates that come now follow those that were there.
        let base = all.dataset(&name("ORDER.STORE"))?;
        let mut last = record(b"AA");
        last[2..4].copy_from_slice(b"Xx");
        last[9..11].copy_from_slice(b"Xx");
        wait(base.insert(access(4, false), None, &last))?;
        let many = all.dataset(&name("ORDER.STORE.MANYP"))?;
        let found = wait(many.scan(None, Start::At(b"AA"), Direction::Forward, 2))?;
        let records: Vec<_> = found.into_iter().map(|f| f.record).collect();
        let case = "order: arrival after a rebuild";
        report.check(case, records, vec![record(b"AA"), last]);
        wait(base.delete_key(access(4, false), b"Xx"))?;
    }
    Ok(())
}

fn settled(store: &Arc<dyn UowStore>) -> Result<Datasets, Condition> {
    let mut all = wait(Datasets::open(store.clone()))?;
    let settled = wait(all.settle(Some(Collating::Ebcdic037), Vec::new()));
    settled.map_err(|e| Condition::Refused(e.to_string()))?;
    Ok(all)
}
