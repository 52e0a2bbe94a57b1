//! Datasets over the store: keys, indexes, conditions.

use super::Report;
use crate::{
    Access, AlternateIndex, Cluster, Condition, Dataset, DatasetName, Datasets, Find, Found,
    LoadRecord, Organization, PathEntry, Position, Start,
};
use std::sync::Arc;
use transom_recovery::{Direction, UowId, UowStore, Wait, wait};
use transom_types::Applid;

type Checked = Result<(), Condition>;

pub(super) fn run(store: &Arc<dyn UowStore>, report: &mut Report) {
    for case in [
        ksds,
        finds,
        esds,
        rrds,
        unique_index,
        browse_index,
        catalog,
        loads,
    ] {
        for recoverable in [true, false] {
            if let Err(condition) = case(store, recoverable, report) {
                report.failures.push(format!("datasets: {condition}"));
            }
            store.release(uow(1));
            store.release(uow(2));
        }
    }
}

fn uow(number: u64) -> UowId {
    UowId::new(Applid::from_field(b"DATASETS"), number)
}

fn access(number: u64, recoverable: bool) -> Access {
    Access {
        uow: uow(number),
        recoverable,
        wait: Wait::No,
    }
}

fn name(text: &str) -> DatasetName {
    DatasetName::new(text).unwrap_or_else(|e| unreachable!("{e}"))
}

/// A fresh cluster of customers: key 4 bytes, name 5 bytes at 4, city 3 bytes at 9. With both indexes.
fn customers(store: &Arc<dyn UowStore>) -> Result<Datasets, Condition> {
    let all = wait(Datasets::open(store.clone()))?;
    let base = name("TEST.CUST");
    let _fresh = wait(all.delete(&base));
    wait(all.define_cluster(Cluster::ksds(base.clone(), 0, 4, 80)))?;
    for (index, offset, length, unique) in [("NAME", 4, 5, true), ("CITY", 9, 3, false)] {
        let index_name = name(&format!("TEST.CUST.{index}"));
        wait(all.define_index(AlternateIndex {
            name: index_name.clone(),
            base: base.clone(),
            key_offset: offset,
            key_length: length,
            unique,
            upgrade: true,
        }))?;
        wait(all.define_path(PathEntry {
            name: name(&format!("TEST.CUST.{index}P")),
            entry: index_name,
        }))?;
    }
    Ok(all)
}

fn filled(store: &Arc<dyn UowStore>) -> Result<Datasets, Condition> {
    let all = customers(store)?;
    let base = all.dataset(&name("TEST.CUST"))?;
    for record in [
        "0001SMITHNYC",
        "0003JONESLON",
        "0005BROWNNYC",
        "0007GREENPAR",
        "0009WHITENYC",
        "0011BLACKLON",
    ] {
        wait(base.insert(access(9, false), None, record.as_bytes()))?;
    }
    Ok(all)
}

fn shown(found: Result<Found, Condition>) -> String {
    match found {
        Ok(f) if f.duplicate => format!("{}+", String::from_utf8_lossy(&f.record)),
        Ok(f) => String::from_utf8_lossy(&f.record).into_owned(),
        Err(condition) => format!("{condition:?}"),
    }
}

fn keys(found: Result<Vec<Found>, Condition>) -> String {
    let all = match found {
        Ok(all) => all,
        Err(condition) => return format!("{condition:?}"),
    };
    let key = |f: &Found| {
        let key = f.record.get(2..4).unwrap_or_default();
        let mark = if f.duplicate { "+" } else { "" };
        format!("{}{mark}", String::from_utf8_lossy(key))
    };
    all.iter().map(key).collect::<Vec<_>>().join(" ")
}

fn ksds(store: &Arc<dyn UowStore>, recoverable: bool, report: &mut Report) -> Checked {
    let all = customers(store)?;
    let base = all.dataset(&name("TEST.CUST"))?;
    let a = access(1, recoverable);
    let inserted = wait(base.insert(a, None, b"0002ADAMSROM"))?;
    report.check("ksds: key", inserted.base.as_slice(), b"0002".as_slice());
    let twice = wait(base.insert(a, None, b"0002OTHERROM"));
    report.check("ksds: same key", twice.err(), Some(Condition::Duplicate));
    let others = wait(base.read(Some(uow(2)), b"0002", Find::Equal)).is_ok();
    report.check("ksds: others see it when committed", others, !recoverable);
    wait(store.commit(a.uow))?;
    let read = shown(wait(base.read(None, b"0002", Find::Equal)));
    report.check("ksds: read", read.as_str(), "0002ADAMSROM");
    let short = wait(base.insert(a, None, b"000"));
    report.check(
        "ksds: no key",
        short.err(),
        Some(Condition::Length { length: 3, max: 80 }),
    );
    let long = wait(base.insert(a, None, &[b'0'; 81]));
    report.check(
        "ksds: too long",
        long.err(),
        Some(Condition::Length {
            length: 81,
            max: 80,
        }),
    );
    let found = wait(base.read_for_update(a, b"0002", Find::Equal))?;
    let held = wait(base.read_for_update(access(2, recoverable), b"0002", Find::Equal));
    report.check("ksds: locked", held.err(), Some(Condition::Busy));
    let moved = wait(base.rewrite(a, &found.position, b"0003ADAMSROM"));
    report.check("ksds: key changed", moved, Err(Condition::KeyChanged));
    let longer = wait(base.rewrite(a, &found.position, b"0002ADAMSROM and more"));
    report.check("ksds: rewrite", longer, Ok(()));
    let held = wait(base.read_for_update(access(2, recoverable), b"0002", Find::Equal));
    report.check("ksds: free after rewrite", held.is_ok(), !recoverable);
    store.release(uow(2));
    wait(store.commit(a.uow))?;
    let read = shown(wait(base.read(None, b"0002", Find::Equal)));
    report.check("ksds: rewritten", read.as_str(), "0002ADAMSROM and more");
    let found = wait(base.read_for_update(a, b"0002", Find::Equal))?;
    base.unlock(a.uow, &found.position);
    let free = wait(base.read_for_update(access(2, recoverable), b"0002", Find::Equal));
    report.check("ksds: unlocked", free.is_ok(), true);
    store.release(uow(2));
    report.check("ksds: delete", wait(base.delete_key(a, b"0002")), Ok(false));
    report.check(
        "ksds: gone",
        wait(base.delete_key(a, b"0002")),
        Err(Condition::NotFound),
    );
    wait(store.commit(a.uow))?;
    report.check("ksds: none left", wait(base.count())?, 0);
    for n in 0..150 {
        wait(base.insert(a, None, format!("1{n:03}N{n:04}CTY").as_bytes()))?;
    }
    wait(base.insert(a, None, b"2000OTHERCTY"))?;
    report.check(
        "ksds: generic delete",
        wait(base.delete_generic(a, b"1")),
        Ok(150),
    );
    let none = wait(base.delete_generic(a, b"1"));
    report.check(
        "ksds: nothing to delete",
        none,
        Err((Condition::NotFound, 0)),
    );
    wait(store.commit(a.uow))?;
    report.check("ksds: one left", wait(base.count())?, 1);
    wait(base.empty())?;
    report.check("ksds: empty", wait(base.count())?, 0);
    let index = all.dataset(&name("TEST.CUST.NAMEP"))?;
    let gone = wait(index.read(None, b"OTHER", Find::Equal));
    report.check("ksds: index empty", gone.err(), Some(Condition::NotFound));
    Ok(())
}

/// Key, how, expected; for the base and both paths.
fn finds(store: &Arc<dyn UowStore>, _: bool, report: &mut Report) -> Checked {
    let all = filled(store)?;
    let wrong = r#"Invalid("the key has a wrong length")"#;
    let table: &[(&str, &str, Find, &str)] = &[
        ("", "0003", Find::Equal, "0003JONESLON"),
        ("", "0004", Find::Equal, "NotFound"),
        ("", "000", Find::Equal, wrong),
        ("", "00003", Find::Equal, wrong),
        ("", "", Find::Generic, wrong),
        ("", "0004", Find::GreaterOrEqual, "0005BROWNNYC"),
        ("", "0005", Find::GreaterOrEqual, "0005BROWNNYC"),
        ("", "0012", Find::GreaterOrEqual, "NotFound"),
        ("", "0", Find::GreaterOrEqual, "0001SMITHNYC"),
        ("", "001", Find::GreaterOrEqual, "0011BLACKLON"),
        ("", "002", Find::GreaterOrEqual, "NotFound"),
        ("", "00", Find::Generic, "0001SMITHNYC"),
        ("", "001", Find::Generic, "0011BLACKLON"),
        ("", "01", Find::Generic, "NotFound"),
        ("", "0009", Find::Generic, "0009WHITENYC"),
        (".NAMEP", "BROWN", Find::Equal, "0005BROWNNYC"),
        (".NAMEP", "BROWM", Find::Equal, "NotFound"),
        (".NAMEP", "B", Find::Equal, wrong),
        (".NAMEP", "B", Find::Generic, "0011BLACKLON"),
        (".NAMEP", "BR", Find::Generic, "0005BROWNNYC"),
        (".NAMEP", "C", Find::GreaterOrEqual, "0007GREENPAR"),
        (".NAMEP", "X", Find::GreaterOrEqual, "NotFound"),
        (".CITYP", "NYC", Find::Equal, "0001SMITHNYC+"),
        (".CITYP", "LON", Find::Equal, "0003JONESLON+"),
        (".CITYP", "PAR", Find::Equal, "0007GREENPAR"),
        (".CITYP", "ROM", Find::Equal, "NotFound"),
        (".CITYP", "N", Find::Generic, "0001SMITHNYC+"),
        (".CITYP", "M", Find::GreaterOrEqual, "0001SMITHNYC+"),
        (".CITYP", "O", Find::GreaterOrEqual, "0007GREENPAR"),
        (".CITYP", "Q", Find::GreaterOrEqual, "NotFound"),
    ];
    for (path, key, find, expected) in table {
        let dataset = all.dataset(&name(&format!("TEST.CUST{path}")))?;
        let case = format!("find{path} {key:?} {find:?}");
        let got = shown(wait(dataset.read(None, key.as_bytes(), *find)));
        report.check(&case, got.as_str(), expected);
        let locked = shown(wait(dataset.read_for_update(
            access(1, true),
            key.as_bytes(),
            *find,
        )));
        report.check(&format!("{case} for update"), locked.as_str(), expected);
    }
    Ok(())
}

fn esds(store: &Arc<dyn UowStore>, recoverable: bool, report: &mut Report) -> Checked {
    let all = wait(Datasets::open(store.clone()))?;
    let log = name("TEST.LOG");
    let _fresh = wait(all.delete(&log));
    wait(all.define_cluster(Cluster::new(log.clone(), Organization::Esds, 100)))?;
    let log = all.dataset(&log)?;
    let a = access(1, recoverable);
    let first = wait(log.insert(a, None, b"first"))?;
    let second = wait(log.insert(a, None, b"second record"))?;
    report.check("esds: first RBA", first.rba(), Some(0));
    report.check("esds: second RBA", second.rba(), Some(5));
    wait(store.commit(a.uow))?;
    let read = shown(wait(log.read(None, &Dataset::rba_key(5), Find::Equal)));
    report.check("esds: by RBA", read.as_str(), "second record");
    let none = wait(log.read(None, &Dataset::rba_key(4), Find::Equal));
    report.check("esds: no such RBA", none.err(), Some(Condition::NotFound));
    let found = wait(log.read_for_update(a, &Dataset::rba_key(0), Find::Equal))?;
    let longer = wait(log.rewrite(a, &found.position, b"longer"));
    report.check(
        "esds: length stays",
        longer,
        Err(Condition::Length { length: 6, max: 5 }),
    );
    report.check(
        "esds: rewrite",
        wait(log.rewrite(a, &found.position, b"FIRST")),
        Ok(()),
    );
    let delete = matches!(
        wait(log.delete(a, &found.position)),
        Err(Condition::Invalid(_))
    );
    report.check("esds: no delete", delete, true);
    wait(store.commit(a.uow))?;
    let third = wait(log.insert(a, None, b"3"))?;
    report.check("esds: third RBA", third.rba(), Some(18));
    wait(store.commit(a.uow))?;
    let scan = |start, direction| {
        let found = wait(log.scan(None, start, direction, 9));
        let text = |f: Found| String::from_utf8_lossy(&f.record).into_owned();
        found.map(|all| all.into_iter().map(text).collect::<Vec<_>>().join(" "))
    };
    let forward = scan(Start::End, Direction::Forward)?;
    report.check("esds: in order", forward.as_str(), "FIRST second record 3");
    let backward = scan(Start::After(&third), Direction::Backward)?;
    report.check("esds: back", backward.as_str(), "second record FIRST");
    Ok(())
}

fn rrds(store: &Arc<dyn UowStore>, recoverable: bool, report: &mut Report) -> Checked {
    let all = wait(Datasets::open(store.clone()))?;
    let slots = name("TEST.SLOTS");
    let _fresh = wait(all.delete(&slots));
    let mut cluster = Cluster::new(slots.clone(), Organization::Rrds, 4);
    cluster.fixed = true;
    wait(all.define_cluster(cluster))?;
    let slots = all.dataset(&slots)?;
    let a = access(1, recoverable);
    report.check(
        "rrds: slot",
        wait(slots.insert(a, Some(7), b"AAAA"))?.rrn(),
        Some(7),
    );
    report.check(
        "rrds: slot",
        wait(slots.insert(a, Some(2), b"BBBB"))?.rrn(),
        Some(2),
    );
    let taken = wait(slots.insert(a, Some(7), b"CCCC"));
    report.check("rrds: taken", taken.err(), Some(Condition::Duplicate));
    let zero = matches!(
        wait(slots.insert(a, Some(0), b"CCCC")),
        Err(Condition::Invalid(_))
    );
    report.check("rrds: no slot 0", zero, true);
    let none = matches!(
        wait(slots.insert(a, None, b"CCCC")),
        Err(Condition::Invalid(_))
    );
    report.check("rrds: slot needed", none, true);
    let short = wait(slots.insert(a, Some(3), b"CC"));
    report.check(
        "rrds: fixed",
        short.err(),
        Some(Condition::Length { length: 2, max: 4 }),
    );
    wait(store.commit(a.uow))?;
    let read = shown(wait(slots.read(None, &Dataset::rrn_key(2), Find::Equal)));
    report.check("rrds: read", read.as_str(), "BBBB");
    let next = shown(wait(slots.read(
        None,
        &Dataset::rrn_key(3),
        Find::GreaterOrEqual,
    )));
    report.check("rrds: next slot", next.as_str(), "AAAA");
    report.check(
        "rrds: delete",
        wait(slots.delete_key(a, &Dataset::rrn_key(7))),
        Ok(false),
    );
    wait(store.commit(a.uow))?;
    let again = wait(slots.insert(a, Some(7), b"DDDD"));
    report.check("rrds: slot is free again", again.is_ok(), true);
    wait(store.commit(a.uow))?;
    report.check("rrds: two", wait(slots.count())?, 2);
    Ok(())
}

fn unique_index(store: &Arc<dyn UowStore>, recoverable: bool, report: &mut Report) -> Checked {
    let all = filled(store)?;
    let base = all.dataset(&name("TEST.CUST"))?;
    let by_name = all.dataset(&name("TEST.CUST.NAMEP"))?;
    let by_city = all.dataset(&name("TEST.CUST.CITYP"))?;
    let a = access(1, recoverable);
    let same = wait(base.insert(a, None, b"0002SMITHROM"));
    report.check(
        "index: name is taken",
        same.err(),
        Some(Condition::Duplicate),
    );
    let gone = wait(base.read(Some(a.uow), b"0002", Find::Equal));
    report.check(
        "index: nothing was added",
        gone.err(),
        Some(Condition::NotFound),
    );
    let none = wait(by_city.read(Some(a.uow), b"ROM", Find::Equal));
    report.check(
        "index: nothing indexed",
        none.err(),
        Some(Condition::NotFound),
    );
    let smith = wait(by_name.read_for_update(a, b"SMITH", Find::Equal))?;
    report.check(
        "index: base key",
        smith.position.base.as_slice(),
        b"0001".as_slice(),
    );
    let taken = wait(by_name.rewrite(a, &smith.position, b"0001JONESNYC"));
    report.check("index: other's name", taken, Err(Condition::Duplicate));
    let moved = wait(by_name.rewrite(a, &smith.position, b"0001SMYTHLON"));
    report.check("index: new name and city", moved, Ok(()));
    let own = shown(wait(by_name.read(Some(a.uow), b"SMYTH", Find::Equal)));
    report.check("index: seen at once", own.as_str(), "0001SMYTHLON");
    let old = wait(by_name.read(Some(a.uow), b"SMITH", Find::Equal));
    report.check("index: old name gone", old.err(), Some(Condition::NotFound));
    if recoverable {
        let others = shown(wait(by_name.read(None, b"SMITH", Find::Equal)));
        report.check("index: others see the old", others.as_str(), "0001SMITHNYC");
        let waits = wait(base.insert(access(2, true), None, b"0004SMITHROM"));
        report.check(
            "index: old name is locked",
            waits.err(),
            Some(Condition::Busy),
        );
        wait(store.backout(a.uow))?;
        let back = shown(wait(by_name.read(None, b"SMITH", Find::Equal)));
        report.check("index: back again", back.as_str(), "0001SMITHNYC");
        wait(base.delete_key(a, b"0003"))?;
        let city = keys(wait(by_city.scan(
            Some(a.uow),
            Start::At(b"LON"),
            Direction::Forward,
            2,
        )));
        report.check("index: deleted entry", city.as_str(), "11 01+");
        wait(store.commit(a.uow))?;
    }
    let written = wait(by_name.insert(a, None, b"0020WOODSOSL"))?;
    report.check(
        "index: written through path",
        written.key.as_slice(),
        b"WOODS".as_slice(),
    );
    wait(store.commit(a.uow))?;
    let read = shown(wait(by_city.read(None, b"OSL", Find::Equal)));
    report.check("index: both indexes", read.as_str(), "0020WOODSOSL");
    report.check(
        "index: delete through path",
        wait(by_name.delete_key(a, b"WOODS")),
        Ok(false),
    );
    wait(store.commit(a.uow))?;
    let gone = wait(base.read(None, b"0020", Find::Equal));
    report.check(
        "index: gone from base",
        gone.err(),
        Some(Condition::NotFound),
    );
    let short = wait(base.insert(a, None, b"0030SHORT"));
    report.check("index: too short for a city", short.is_ok(), true);
    wait(store.commit(a.uow))?;
    let read = shown(wait(by_name.read(None, b"SHORT", Find::Equal)));
    report.check("index: still has a name", read.as_str(), "0030SHORT");
    Ok(())
}

/// Where, start, direction, limit, expected.
fn browse_index(store: &Arc<dyn UowStore>, _: bool, report: &mut Report) -> Checked {
    let all = filled(store)?;
    let (forth, back) = (Direction::Forward, Direction::Backward);
    let at = |key: &str, base: &str| Position {
        key: key.as_bytes().to_vec(),
        base: base.as_bytes().to_vec(),
    };
    let (p3, p11) = (at("LON", "0003"), at("LON", "0011"));
    let (p5, p9, p7) = (at("NYC", "0005"), at("NYC", "0009"), at("PAR", "0007"));
    let (b5, n5) = (Position::of_base(b"0005"), at("BROWN", "0005"));
    let table: &[(&str, Start<'_>, Direction, usize, &str)] = &[
        ("", Start::End, forth, 99, "01 03 05 07 09 11"),
        ("", Start::End, back, 99, "11 09 07 05 03 01"),
        ("", Start::End, back, 2, "11 09"),
        ("", Start::At(b"0004"), forth, 2, "05 07"),
        ("", Start::At(b"0004"), back, 2, "03 01"),
        ("", Start::At(b"0005"), back, 2, "05 03"),
        ("", Start::At(b"001"), back, 2, "11 09"),
        ("", Start::At(b"9999"), forth, 2, ""),
        ("", Start::At(b"0000"), back, 2, ""),
        ("", Start::After(&b5), forth, 9, "07 09 11"),
        ("", Start::After(&b5), back, 9, "03 01"),
        (".NAMEP", Start::End, forth, 99, "11 05 07 03 01 09"),
        (".NAMEP", Start::End, back, 99, "09 01 03 07 05 11"),
        (".NAMEP", Start::At(b"G"), forth, 2, "07 03"),
        (".NAMEP", Start::At(b"G"), back, 2, "07 05"),
        (".NAMEP", Start::After(&n5), forth, 1, "07"),
        (".NAMEP", Start::After(&n5), back, 1, "11"),
        (".CITYP", Start::End, forth, 99, "03+ 11 01+ 05+ 09 07"),
        (".CITYP", Start::End, forth, 1, "03+"),
        (".CITYP", Start::End, forth, 2, "03+ 11"),
        (".CITYP", Start::End, forth, 3, "03+ 11 01+"),
        (".CITYP", Start::After(&p3), forth, 2, "11 01+"),
        (".CITYP", Start::After(&p5), forth, 9, "09 07"),
        (".CITYP", Start::After(&p7), forth, 9, ""),
        (".CITYP", Start::At(b"N"), forth, 2, "01+ 05+"),
        (".CITYP", Start::End, back, 99, "07 01+ 05+ 09 03+ 11"),
        (".CITYP", Start::End, back, 1, "07"),
        (".CITYP", Start::End, back, 3, "07 01+ 05+"),
        (".CITYP", Start::At(b"NYC"), back, 4, "01+ 05+ 09 03+"),
        (".CITYP", Start::At(b"O"), back, 1, "01+"),
        (".CITYP", Start::After(&p5), back, 9, "09 03+ 11"),
        (".CITYP", Start::After(&p9), back, 9, "03+ 11"),
        (".CITYP", Start::After(&p11), back, 9, ""),
    ];
    for (path, start, direction, limit, expected) in table {
        let dataset = all.dataset(&name(&format!("TEST.CUST{path}")))?;
        let got = keys(wait(dataset.scan(None, *start, *direction, *limit)));
        let case = format!("browse{path} {start:?} {direction:?} {limit}");
        report.check(&case, got.as_str(), expected);
    }
    Ok(())
}

fn catalog(store: &Arc<dyn UowStore>, _: bool, report: &mut Report) -> Checked {
    let all = customers(store)?;
    let base = name("TEST.CUST");
    let again = wait(all.define_cluster(Cluster::ksds(base.clone(), 0, 4, 80)));
    report.check(
        "catalog: exists",
        again,
        Err(Condition::Exists("TEST.CUST".to_owned())),
    );
    for (offset, length, max) in [(0, 0, 80), (0, 256, 800), (77, 4, 80), (0, 4, 0)] {
        let bad = wait(all.define_cluster(Cluster::ksds(name("TEST.BAD"), offset, length, max)));
        let case = format!("catalog: KEYS({length} {offset}) of {max}");
        report.check(&case, matches!(bad, Err(Condition::Refused(_))), true);
    }
    let path = PathEntry {
        name: name("TEST.P"),
        entry: name("TEST.NOTHING"),
    };
    let bad = matches!(wait(all.define_path(path)), Err(Condition::NoDataset(_)));
    report.check("catalog: path to nothing", bad, true);
    let before = all.entries();
    let reopened = wait(Datasets::open(store.clone()))?;
    report.check("catalog: is persistent", reopened.entries(), before);
    let unknown = reopened.dataset(&name("TEST.NOTHING")).err();
    let expected = Some(Condition::NoDataset("TEST.NOTHING".to_owned()));
    report.check("catalog: unknown", unknown, expected);
    report.check(
        "catalog: deleted with all over it",
        wait(all.delete(&base))?.len(),
        5,
    );
    report.check("catalog: gone", all.dataset(&base).is_err(), true);
    let left = wait(store.tables("aix/TEST.CUST"))?;
    report.check("catalog: tables gone", left, Vec::<String>::new());
    Ok(())
}

fn loads(store: &Arc<dyn UowStore>, _: bool, report: &mut Report) -> Checked {
    let all = filled(store)?;
    let base = all.dataset(&name("TEST.CUST"))?;
    let a = access(1, false);
    let record = |text: &str| LoadRecord {
        slot: None,
        record: text.as_bytes().to_vec(),
    };
    let batch = [record("0021ALPHAROM"), record("0022BETA ROM")];
    let loaded = wait(base.load(a, &batch, false))?;
    report.check("load: all", (loaded.loaded, loaded.rejected.len()), (2, 0));
    let batch = [record("0021ALPHAROM"), record("0023GAMMAROM"), record("00")];
    let loaded = wait(base.load(a, &batch, false))?;
    report.check("load: the others", loaded.loaded, 1);
    let expected = vec![
        (0, Condition::Duplicate),
        (2, Condition::Length { length: 2, max: 80 }),
    ];
    report.check("load: rejected", loaded.rejected, expected);
    let batch = [record("0021OMEGAOSL")];
    report.check("load: replace", wait(base.load(a, &batch, true))?.loaded, 1);
    let by_name = all.dataset(&name("TEST.CUST.NAMEP"))?;
    let new = shown(wait(by_name.read(None, b"OMEGA", Find::Equal)));
    report.check("load: index replaced", new.as_str(), "0021OMEGAOSL");
    let old = wait(by_name.read(None, b"ALPHA", Find::Equal));
    report.check("load: old entry gone", old.err(), Some(Condition::NotFound));
    let (index, offset) = (name("TEST.CUST.SECOND"), 10);
    wait(all.define_index(AlternateIndex {
        name: index.clone(),
        base: name("TEST.CUST"),
        key_offset: offset,
        key_length: 1,
        unique: true,
        upgrade: false,
    }))?;
    let rejected = wait(all.build_index(&index))?;
    // O of LON, ROM; Y of NYC; A of PAR; S of OSL: each once.
    report.check("load: index built", 9 - rejected.len(), 4);
    let second = all.dataset(&index)?;
    let found = shown(wait(second.read(None, b"A", Find::Equal)));
    report.check("load: index is used", found.as_str(), "0007GREENPAR");
    Ok(())
}
