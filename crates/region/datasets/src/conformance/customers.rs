//! The data set of customers that cases work on, and how they show what they got.
//!
//! What: a cluster with a unique and a non-unique alternate index, empty or filled; names and
//! accesses of cases. Why: cases of records, indexes and ALTER share it. Not here: checks.

use crate::{Access, AlternateIndex, Cluster, Condition, DatasetName, Datasets, Found, PathEntry};
use std::sync::Arc;
use transom_recovery::{UowId, UowStore, Wait, wait};
use transom_types::Applid;

pub(super) type Checked = Result<(), Condition>;

pub(super) fn uow(number: u64) -> UowId {
    UowId::new(Applid::from_field(b"DATASETS"), number)
}

pub(super) fn access(number: u64, recoverable: bool) -> Access {
    Access {
        uow: uow(number),
        recoverable,
        wait: Wait::No,
    }
}

pub(super) fn name(text: &str) -> DatasetName {
    DatasetName::new(text).unwrap_or_else(|e| unreachable!("{e}"))
}

/// A fresh cluster of customers: key 4 bytes, name 5 bytes at 4, city 3 bytes at 9. With both
/// indexes.
pub(super) fn customers(store: &Arc<dyn UowStore>) -> Result<Datasets, Condition> {
    let all = wait(Datasets::open(store.clone()))?;
    let base = name("TEST.CUST");
    let _fresh = wait(all.delete(&base));
    wait(all.define_cluster(Cluster::ksds(base.clone(), 0, 4, 80)))?;
    for (index, offset, length, unique) in [("NAME", 4, 5, true), ("CITY", 9, 3, false)] {
        let index_name = name(&format!("TEST.CUST.{index}"));
        wait(all.define_index(AlternateIndex::new(
            index_name.clone(),
            base.clone(),
            offset,
            length,
            unique,
        )))?;
        let path = name(&format!("TEST.CUST.{index}P"));
        wait(all.define_path(PathEntry::new(path, index_name)))?;
    }
    Ok(all)
}

pub(super) fn filled(store: &Arc<dyn UowStore>) -> Result<Datasets, Condition> {
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

pub(super) fn shown(found: Result<Found, Condition>) -> String {
    match found {
        Ok(f) if f.duplicate => format!("{}+", String::from_utf8_lossy(&f.record)),
        Ok(f) => String::from_utf8_lossy(&f.record).into_owned(),
        Err(condition) => format!("{condition:?}"),
    }
}

pub(super) fn keys(found: Result<Vec<Found>, Condition>) -> String {
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
