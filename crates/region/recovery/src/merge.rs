//! Records of an engine with a unit's own changes over them.
//!
//! What: point reads and scans that merge an overlay. Why: a task sees its own uncommitted changes,
//! nobody else does. Not here: locks.

use crate::engine::{Engine, KeyRange, Scan, scan_range};
use crate::unit::{Changes, Overlay};
use crate::{Match, Row, StoreError};
use std::ops::Bound;
use transom_types::Direction;

/// One record, own changes first.
pub(crate) fn find<E: Engine>(
    engine: &E,
    own: Option<&Overlay>,
    table: &str,
    key: &[u8],
    select: Match,
) -> Result<Option<Row>, StoreError> {
    if select == Match::Equal {
        let record = match own.and_then(|o| o.get(table, key)) {
            Some(changed) => changed.clone(),
            None => engine.get(table, key)?,
        };
        return Ok(record.map(|record| Row {
            key: key.to_vec(),
            record,
        }));
    }
    Ok(rows(engine, own, table, Scan::first(key, select))?.pop())
}

/// Records of a range, own changes merged in.
pub(crate) fn rows<E: Engine>(
    engine: &E,
    own: Option<&Overlay>,
    table: &str,
    scan: Scan<'_>,
) -> Result<Vec<Row>, StoreError> {
    match own.and_then(|o| o.tables.get(table)) {
        Some(changes) => merged(engine, changes, table, scan),
        None => Ok(engine.scan(table, scan)?.0),
    }
}

/// Takes batches of the engine until enough records are left after the own deletions.
fn merged<E: Engine>(
    engine: &E,
    changes: &Changes,
    table: &str,
    scan: Scan<'_>,
) -> Result<Vec<Row>, StoreError> {
    let mut found = Vec::new();
    let mut bytes = 0;
    let mut from = scan.from.map(<[u8]>::to_vec);
    loop {
        let part = Scan {
            from: as_slice(&from),
            ..scan
        };
        let Some(range) = scan_range(&part) else {
            return Ok(found);
        };
        let (rows, last) = engine.scan(table, part)?;
        let reach = rows.last().map(|r| r.key.clone()).filter(|_| !last);
        for row in weave(rows, changes, range, reach.as_deref(), scan.direction) {
            bytes += row.key.len() + row.record.len();
            if found.len() >= scan.limit || (bytes > scan.bytes_max && !found.is_empty()) {
                return Ok(found);
            }
            found.push(row);
        }
        match reach {
            Some(key) if found.len() < scan.limit => from = Bound::Excluded(key),
            _ => return Ok(found),
        }
    }
}

/// Records of a range with own changes put in, for stores that read ahead: `rows` are those of the
/// range's beginning, `ended` says that there are no more.
#[must_use]
pub fn merge_rows(
    own: &Overlay,
    table: &str,
    rows: Vec<Row>,
    ended: bool,
    scan: &Scan<'_>,
) -> Vec<Row> {
    let Some(range) = scan_range(scan) else {
        return Vec::new();
    };
    let Some(changes) = own.tables.get(table) else {
        return rows;
    };
    let reach = rows.last().map(|r| r.key.clone()).filter(|_| !ended);
    let mut all = weave(rows, changes, range, reach.as_deref(), scan.direction);
    all.truncate(scan.limit);
    all
}

/// Own changes between the start of the range and `reach` (`None`: its end) put among the engine's
/// rows.
fn weave(
    rows: Vec<Row>,
    changes: &Changes,
    range: KeyRange,
    reach: Option<&[u8]>,
    direction: Direction,
) -> Vec<Row> {
    let mut all: Vec<Row> = rows;
    all.retain(|row| !changes.contains_key(&row.key));
    let inside = |key: &[u8]| match (reach, direction) {
        (None, _) => true,
        (Some(reach), Direction::Forward) => key <= reach,
        (Some(reach), Direction::Backward) => key >= reach,
    };
    for (key, record) in changes.range(range) {
        if let Some(record) = record.as_ref().filter(|_| inside(key)) {
            all.push(Row {
                key: key.clone(),
                record: record.clone(),
            });
        }
    }
    match direction {
        Direction::Forward => all.sort_by(|a, b| a.key.cmp(&b.key)),
        Direction::Backward => all.sort_by(|a, b| b.key.cmp(&a.key)),
    }
    all
}

fn as_slice(bound: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    bound.as_ref().map(Vec::as_slice)
}
