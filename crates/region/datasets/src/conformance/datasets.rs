//! Datasets over the store: keys, indexes, conditions.

use super::Report;
use super::alter;
use super::customers::{Checked, access, customers, filled, name, shown, uow};
use super::indexes::{arrivals, browse_index, finds, unique_index};
use crate::{
    Access, AlternateIndex, Cluster, Condition, Dataset, Datasets, Find, Found, LoadRecord,
    Organization, PathEntry, Start,
};
use std::sync::Arc;
use transom_recovery::{Direction, UowStore, wait};

pub(super) fn run(store: &Arc<dyn UowStore>, report: &mut Report) {
    for case in [
        ksds,
        finds,
        esds,
        rrds,
        unique_index,
        browse_index,
        arrivals,
        catalog,
        loads,
        alter::renames,
        alter::attributes,
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
    ksds_many(store, &all, a, report)
}

fn ksds_many(store: &Arc<dyn UowStore>, all: &Datasets, a: Access, report: &mut Report) -> Checked {
    let base = all.dataset(&name("TEST.CUST"))?;
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
    let path = PathEntry::new(name("TEST.P"), name("TEST.NOTHING"));
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
        upgrade: false,
        ..AlternateIndex::new(index.clone(), name("TEST.CUST"), offset, 1, true)
    }))?;
    let rejected = wait(all.build_index(&index))?;
    // O of LON, ROM; Y of NYC; A of PAR; S of OSL: each once.
    report.check("load: index built", 9 - rejected.len(), 4);
    let second = all.dataset(&index)?;
    let found = shown(wait(second.read(None, b"A", Find::Equal)));
    report.check("load: index is used", found.as_str(), "0007GREENPAR");
    Ok(())
}
