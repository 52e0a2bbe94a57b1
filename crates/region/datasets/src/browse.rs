//! Browsing: batches of records from a position on, both directions.
//!
//! What: positions are plain values, nothing stays open between two batches. Why: a browse may be
//! kept over a conversation and must not hold up the store. Records with the same alternate key
//! come in the order they got it, in both directions. Not here: READNEXT and READPREV with their
//! options.

use crate::dataset::{Dataset, Index};
use crate::keys::ROOM;
use crate::read::damaged_entry;
use crate::{Condition, KeyOrder, ReadOnlyStore};
use std::ops::Bound;
use transom_recovery::{Direction, Lock, Row, SCAN_BYTES_MAX, Scan, UowId};
use transom_types::{Batch, Seen, Start};
use transom_types::{Find, Found, Position};

impl Dataset {
    /// Checks that a browse can begin there; the first record.
    pub async fn start(
        &self,
        uow: Option<UowId>,
        key: &[u8],
        find: Find,
    ) -> Result<Found, Condition> {
        self.read(uow, key, find).await
    }

    /// Up to `limit` records; none means the end of the file in this direction.
    pub async fn scan(
        &self,
        uow: Option<UowId>,
        start: Start<'_>,
        direction: Direction,
        limit: usize,
    ) -> Result<Vec<Found>, Condition> {
        if let Start::At(key) = start {
            self.check_beginning(key)?;
        }
        match (&self.parts.through, direction) {
            (None, _) => self.scan_base(uow, start, direction, limit).await,
            (Some(index), Direction::Backward) if !index.definition.unique => {
                self.scan_groups(index, uow, start, limit).await
            }
            (Some(index), _) => self.scan_index(index, uow, start, direction, limit).await,
        }
    }

    /// As `scan`, from the map of the store this data set was found in, into memory of the caller.
    /// The batch is cleared first.
    pub fn fill(
        &self,
        map: &ReadOnlyStore,
        start: Start<'_>,
        direction: Direction,
        limit: usize,
        batch: &mut Batch,
    ) -> Result<(), Condition> {
        batch.clear();
        if self.parts.through.is_some() {
            // A map answers at the first poll.
            let found = transom_recovery::wait(self.scan(None, start, direction, limit))?;
            found.iter().for_each(|found| batch.push(found.into()));
            return Ok(());
        }
        if let Start::At(key) = start {
            self.check_beginning(key)?;
        }
        let mut room = [0; ROOM];
        let after = match start {
            Start::After(position) => self.order().stored(&position.base, &mut room),
            Start::At(_) | Start::End => &[],
        };
        let from = bound(start, after, direction, self.key_length(), self.order());
        let scan = Scan {
            from: as_slice(&from),
            prefix: &[],
            direction,
            limit,
            bytes_max: SCAN_BYTES_MAX,
        };
        let mut room = [0; ROOM];
        map.visit(&self.parts.table, scan, &mut |key, record| {
            let key = self.order().shown(key, &mut room);
            batch.push(Seen {
                key,
                base: key,
                arrival: 0,
                record,
                duplicate: false,
            });
        })?;
        Ok(())
    }

    async fn scan_base(
        &self,
        uow: Option<UowId>,
        start: Start<'_>,
        direction: Direction,
        limit: usize,
    ) -> Result<Vec<Found>, Condition> {
        let after = match start {
            Start::After(position) => self.order().store(position.base.clone()),
            Start::At(_) | Start::End => Vec::new(),
        };
        let key_length = self.key_length();
        let from = bound(start, &after, direction, key_length, self.order());
        let from = as_slice(&from);
        let rows = self
            .store
            .scan(uow, &self.parts.table, from, &[], direction, limit);
        let found = |row: Row| Found {
            position: Position::of_base(self.order().shown(&row.key, &mut [0; ROOM])),
            record: row.record,
            duplicate: false,
        };
        Ok(rows.await?.into_iter().map(found).collect())
    }

    /// In the order of the entries. Entries whose record has gone are passed over.
    async fn scan_index(
        &self,
        index: &Index,
        uow: Option<UowId>,
        start: Start<'_>,
        direction: Direction,
        limit: usize,
    ) -> Result<Vec<Found>, Condition> {
        let after = match start {
            Start::After(position) => index.entry_key(position),
            Start::At(_) | Start::End => Vec::new(),
        };
        let length = index.definition.key_length;
        let mut from = bound(start, &after, direction, length, index.order());
        let mut found = Vec::new();
        while found.len() < limit {
            // One more, to know whether the last one has a duplicate.
            let wanted = limit - found.len() + 1;
            let rows = self
                .store
                .scan(uow, &index.table, as_slice(&from), &[], direction, wanted);
            let positions = positions(index, &rows.await?)?;
            let Some(last) = positions.last().cloned() else {
                break;
            };
            let complete = positions.len() < wanted;
            let usable = if complete {
                positions.len()
            } else {
                wanted - 1
            };
            for (place, position) in positions.iter().enumerate().take(usable) {
                let next = positions.get(place + 1);
                found.extend(self.found_at(index, uow, position, next).await?);
            }
            if complete {
                break;
            }
            let reached = usable
                .checked_sub(1)
                .and_then(|n| positions.get(n))
                .unwrap_or(&last);
            from = Bound::Excluded(index.entry_key(reached));
        }
        Ok(found)
    }

    /// Backward over an index with duplicates: groups descend, the records of a group ascend.
    async fn scan_groups(
        &self,
        index: &Index,
        uow: Option<UowId>,
        start: Start<'_>,
        limit: usize,
    ) -> Result<Vec<Found>, Condition> {
        let length = index.definition.key_length;
        let mut found: Vec<Found> = Vec::new();
        let mut group: Option<(Vec<u8>, Bound<Vec<u8>>)> = match start {
            Start::After(p) => {
                let key = index.order().store(p.key.clone());
                Some((key, Bound::Excluded(index.entry_key(p))))
            }
            Start::At(_) | Start::End => None,
        };
        let mut below = bound(start, &[], Direction::Backward, length, index.order());
        while found.len() < limit {
            let (key, from) = match group.take() {
                Some(group) => group,
                None => {
                    let backward = Direction::Backward;
                    let table = &index.table;
                    let last = self
                        .store
                        .scan(uow, table, as_slice(&below), &[], backward, 1);
                    let Some(last) = positions(index, &last.await?)?.pop() else {
                        break;
                    };
                    (index.order().store(last.key), Bound::Unbounded)
                }
            };
            let wanted = limit - found.len() + 1;
            let forward = Direction::Forward;
            let table = &index.table;
            let rows = self
                .store
                .scan(uow, table, as_slice(&from), &key, forward, wanted);
            let members = positions(index, &rows.await?)?;
            for (place, position) in members.iter().enumerate().take(wanted - 1) {
                let next = members.get(place + 1);
                found.extend(self.found_at(index, uow, position, next).await?);
            }
            below = Bound::Excluded(key);
        }
        Ok(found)
    }

    async fn found_at(
        &self,
        index: &Index,
        uow: Option<UowId>,
        position: &Position,
        next: Option<&Position>,
    ) -> Result<Option<Found>, Condition> {
        let record = self.record_of(index, uow, position, Lock::None).await?;
        Ok(record.map(|record| Found {
            position: position.clone(),
            record,
            duplicate: next.is_some_and(|n| n.key == position.key),
        }))
    }
}

/// Where the store begins. A short key backward means the highest key that begins so.
/// `after` and the answer are as they lie in the store.
fn bound(
    start: Start<'_>,
    after: &[u8],
    direction: Direction,
    length: usize,
    order: &KeyOrder,
) -> Bound<Vec<u8>> {
    match (start, direction) {
        (Start::End, _) => Bound::Unbounded,
        (Start::After(_), _) => Bound::Excluded(after.to_vec()),
        (Start::At(key), Direction::Forward) => Bound::Included(order.store(key.to_vec())),
        (Start::At(key), Direction::Backward) => above(&order.store(key.to_vec()), length),
    }
}

/// Just above all entries that begin with the key: entries may be longer than the key itself.
fn above(key: &[u8], length: usize) -> Bound<Vec<u8>> {
    let cut = key.get(..length).unwrap_or(key);
    transom_recovery::prefix_end(cut).map_or(Bound::Unbounded, Bound::Excluded)
}

fn positions(index: &Index, rows: &[Row]) -> Result<Vec<Position>, Condition> {
    let all = rows.iter().map(|r| index.position(&r.key, &r.record));
    all.map(|p| p.ok_or_else(|| damaged_entry(index))).collect()
}

fn as_slice(bound: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    bound.as_ref().map(Vec::as_slice)
}
