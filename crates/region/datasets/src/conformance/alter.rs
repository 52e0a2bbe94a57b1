//! Other names and other attributes for datasets with records.

use super::Report;
use super::customers::{Checked, access, filled, name};
use crate::{AlternateIndex, Cluster, Condition, Datasets, Entry, Find, Start};
use std::sync::Arc;
use transom_recovery::{Direction, UowStore, wait};

pub(super) fn renames(
    store: &Arc<dyn UowStore>,
    recoverable: bool,
    report: &mut Report,
) -> Checked {
    let all = fresh(store)?;
    let pairs = [
        (name("TEST.CUST"), name("OTHER.CUST")),
        (name("TEST.CUST.NAME"), name("OTHER.NAME")),
        (name("TEST.CUST.NAMEP"), name("OTHER.NAMEP")),
    ];
    report.check("rename: done", wait(all.rename(&pairs)), Ok(()));
    let reopened = wait(Datasets::open(store.clone()))?;
    report.check("rename: is persistent", reopened.entries(), all.entries());
    for all in [&all, &reopened] {
        let gone = all.dataset(&name("TEST.CUST")).err();
        let expected = Some(Condition::NoDataset("TEST.CUST".to_owned()));
        report.check("rename: old name", gone, expected);
        let base = all.dataset(&name("OTHER.CUST"))?;
        report.check("rename: records", wait(base.count())?, 6);
        for (path, key, city) in [
            ("OTHER.NAMEP", "GREEN", "PAR"),
            ("TEST.CUST.CITYP", "PAR", "PAR"),
        ] {
            let found = wait(
                all.dataset(&name(path))?
                    .read(None, key.as_bytes(), Find::Equal),
            )?;
            report.check(path, found.record.ends_with(city.as_bytes()), true);
        }
    }
    let a = access(1, recoverable);
    let base = all.dataset(&name("OTHER.CUST"))?;
    report.check(
        "rename: insert",
        wait(base.insert(a, None, b"0099MOUSEORL")).is_ok(),
        true,
    );
    wait(store.commit(a.uow))?;
    let by_name = all.dataset(&name("OTHER.NAMEP"))?;
    let mouse = wait(by_name.read(None, b"MOUSE", Find::Equal)).is_ok();
    report.check("rename: index follows", mouse, true);
    old_name_again(&all, recoverable, report)?;
    refused_renames(&all, report);
    wait(all.delete(&name("OTHER.CUST")))?;
    let left = wait(store.tables("file/TEST.CUST"))?;
    report.check("rename: only the new table is left", left.len(), 1);
    Ok(())
}

fn refused_renames(all: &Datasets, report: &mut Report) {
    for (old, new, expected) in [
        (
            "OTHER.CUST",
            "TEST.CUST",
            Condition::Exists("TEST.CUST".to_owned()),
        ),
        (
            "NO.SUCH",
            "NO.NEW",
            Condition::NoDataset("NO.SUCH".to_owned()),
        ),
    ] {
        let before = all.entries();
        let done = wait(all.rename(&[(name(old), name(new))]));
        report.check("rename: refused", done, Err(expected));
        report.check("rename: nothing changed", all.entries(), before);
    }
}

/// A new cluster with the old name of a renamed one has records of its own.
fn old_name_again(all: &Datasets, recoverable: bool, report: &mut Report) -> Checked {
    let cluster = Cluster::ksds(name("TEST.CUST"), 0, 4, 80);
    report.check(
        "rename: old name again",
        wait(all.define_cluster(cluster)),
        Ok(()),
    );
    let second = all.dataset(&name("TEST.CUST"))?;
    report.check("rename: it is empty", wait(second.count())?, 0);
    let a = access(1, recoverable);
    wait(second.insert(a, None, b"0001OTHER"))?;
    wait(all.store().commit(a.uow))?;
    let first = all.dataset(&name("OTHER.CUST"))?;
    report.check(
        "rename: apart",
        (wait(first.count())?, wait(second.count())?),
        (7, 1),
    );
    Ok(())
}

pub(super) fn attributes(
    store: &Arc<dyn UowStore>,
    recoverable: bool,
    report: &mut Report,
) -> Checked {
    let all = fresh(store)?;
    let Some(Entry::Cluster(old)) = all.entry(&name("TEST.CUST")) else {
        return Err(Condition::NoDataset("TEST.CUST".to_owned()));
    };
    let mut changed = old.clone();
    changed.max = 100;
    let full = wait(all.redefine(Entry::Cluster(changed.clone())));
    let not_empty = || Err(Condition::Refused("TEST.CUST is not empty".to_owned()));
    report.check("redefine: longer records", full, not_empty());
    changed.max = old.max;
    changed.reuse = true;
    changed.extra.inhibited = true;
    report.check(
        "redefine: reuse",
        wait(all.redefine(Entry::Cluster(changed))),
        Ok(()),
    );
    let a = access(1, recoverable);
    let base = all.dataset(&name("TEST.CUST"))?;
    let insert = wait(base.insert(a, None, b"0099MOUSEORL")).err();
    report.check("redefine: read only", insert, Some(Condition::ReadOnly));
    let update = wait(base.read_for_update(a, b"0001", Find::Equal)).err();
    report.check("redefine: no update", update, Some(Condition::ReadOnly));
    report.check(
        "redefine: no empty",
        wait(base.empty()),
        Err(Condition::ReadOnly),
    );
    report.check(
        "redefine: read",
        wait(base.read(None, b"0001", Find::Equal)).is_ok(),
        true,
    );
    wait(all.redefine(Entry::Cluster(old)))?;
    indexes(&all, report)?;
    let base = all.dataset(&name("TEST.CUST"))?;
    wait(base.empty())?;
    let short = Cluster::ksds(name("TEST.CUST"), 0, 6, 10);
    let refused = matches!(
        wait(all.redefine(Entry::Cluster(short))),
        Err(Condition::Refused(_))
    );
    report.check("redefine: index needs more", refused, true);
    let long = Cluster::ksds(name("TEST.CUST"), 0, 6, 100);
    report.check(
        "redefine: empty",
        wait(all.redefine(Entry::Cluster(long))),
        Ok(()),
    );
    Ok(())
}

/// Unique keys that need not be unique any more, and the other way.
fn indexes(all: &Datasets, report: &mut Report) -> Checked {
    let (by_name, by_city) = (name("TEST.CUST.NAME"), name("TEST.CUST.CITY"));
    let unique = |index: &crate::DatasetName, offset, length, unique| {
        let base = name("TEST.CUST");
        Entry::AlternateIndex(AlternateIndex::new(
            index.clone(),
            base,
            offset,
            length,
            unique,
        ))
    };
    let refused = wait(all.redefine(unique(&by_city, 9, 3, true)));
    let expected = Err(Condition::Refused("TEST.CUST.CITY is not empty".to_owned()));
    report.check("redefine: unique", refused, expected);
    report.check(
        "redefine: not unique",
        wait(all.redefine(unique(&by_name, 4, 5, false))),
        Ok(()),
    );
    let path = all.dataset(&name("TEST.CUST.NAMEP"))?;
    let found = wait(path.scan(None, Start::At(&[]), Direction::Forward, 99))?;
    report.check("redefine: built again", found.len(), 6);
    let old = wait(all.store().tables("aix/TEST.CUST.NAME"))?;
    report.check(
        "redefine: old table gone",
        old,
        vec!["aix/TEST.CUST.NAME~2".to_owned()],
    );
    Ok(())
}

/// Customers with nothing left of an earlier run.
fn fresh(store: &Arc<dyn UowStore>) -> Result<Datasets, Condition> {
    let all = wait(Datasets::open(store.clone()))?;
    for old in ["OTHER.CUST", "TEST.CUST"] {
        if all.entry(&name(old)).is_some() {
            wait(all.delete(&name(old)))?;
        }
    }
    filled(store)
}
